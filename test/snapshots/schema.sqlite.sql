create table "language" (
  "code" text not null,
  "name" text not null,
  "enabled" integer not null default 1,
  "is_default" integer not null default 0,
  "version" integer not null default 1,
  primary key ("code")) strict;
create table "product_class" (
  "id" integer primary key autoincrement,
  "version" integer not null default 1) strict;
create table "product_class_text" (
  "product_class_id" integer not null references "product_class" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "name_match" text,
  primary key ("product_class_id", "language")) strict, without rowid;
create table "tax_class" (
  "id" integer primary key autoincrement,
  "version" integer not null default 1) strict;
create table "tax_class_text" (
  "tax_class_id" integer not null references "tax_class" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "name_match" text,
  primary key ("tax_class_id", "language")) strict, without rowid;
create table "product" (
  "id" integer primary key autoincrement,
  "sku" text not null,
  "sku_key" text not null,
  "clean_url" text not null default '',
  "price" integer not null default 0,
  "market_price" integer not null default 0,
  "cost_price" integer not null default 0,
  "sale_price_value" integer not null default 0,
  "participate_sale" integer not null default 0,
  "discount_type" text not null default 'sale_percent',
  "apply_sale_to_wholesale" integer not null default 0,
  "enabled" integer not null default 1,
  "weight" integer not null default 0,
  "free_shipping" integer not null default 0,
  "taxable" integer not null default 1,
  "inventory_traceable" integer not null default 1,
  "amount" integer not null default 1000,
  "available_for_backorder" integer not null default 1,
  "backorder_limit" integer not null default 0,
  "pin_codes_enabled" integer not null default 0,
  "auto_pin_codes" integer not null default 0,
  "facebook_marketing_enabled" integer not null default 1,
  "google_feed_enabled" integer not null default 1,
  "create_date" integer not null,
  "update_date" integer not null,
  "arrival_date" integer,
  "product_class_id" integer references "product_class" on delete set null,
  "tax_class_id" integer references "tax_class" on delete set null,
  "version" integer not null default 1,
  "sku_match" text) strict;
create table "product_text" (
  "product_id" integer not null references "product" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "description" text,
  "brief_description" text,
  "meta_tags" text,
  "meta_description" text,
  "meta_title" text,
  "og_meta_tags" text,
  "description_key" text,
  "brief_description_key" text,
  primary key ("product_id", "language")) strict, without rowid;
create table "product_image" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "position" integer not null default 0,
  "alt" text not null default '',
  "file" text not null default '',
  "width" integer not null default 0,
  "height" integer not null default 0,
  "version" integer not null default 1) strict;
create table "membership" (
  "id" integer primary key autoincrement,
  "enabled" integer not null default 1,
  "version" integer not null default 1) strict;
create table "membership_text" (
  "membership_id" integer not null references "membership" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "name_match" text,
  primary key ("membership_id", "language")) strict, without rowid;
create table "tag" (
  "id" integer primary key autoincrement,
  "version" integer not null default 1) strict;
create table "tag_text" (
  "tag_id" integer not null references "tag" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "name_match" text,
  primary key ("tag_id", "language")) strict, without rowid;
create table "sticker" (
  "id" integer primary key autoincrement,
  "position" integer not null default 0,
  "enabled" integer not null default 1,
  "text_color" text not null default '',
  "bg_color" text not null default '',
  "version" integer not null default 1) strict;
create table "sticker_text" (
  "sticker_id" integer not null references "sticker" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "name_match" text,
  primary key ("sticker_id", "language")) strict, without rowid;
create table "product_stickers" (
  "product_id" integer not null references "product" on delete cascade,
  "sticker_id" integer not null references "sticker" on delete cascade,
  primary key ("product_id", "sticker_id")) strict, without rowid;
create table "product_tags" (
  "product_id" integer not null references "product" on delete cascade,
  "tag_id" integer not null references "tag" on delete cascade,
  primary key ("product_id", "tag_id")) strict, without rowid;
create table "product_memberships" (
  "product_id" integer not null references "product" on delete cascade,
  "membership_id" integer not null references "membership" on delete cascade,
  primary key ("product_id", "membership_id")) strict, without rowid;
create table "unique_clean_url" (
  "text" text not null,
  "product_id" integer references "product" on delete cascade,
  "category_id" integer references "category" on delete cascade,
  primary key ("text")) strict;
create table "setting" (
  "name" text not null,
  "value" text not null,
  primary key ("name")) strict;
create table "api_key" (
  "name" text not null,
  "kind" text not null,
  "hash" text not null,
  "created" integer not null,
  primary key ("name")) strict;
create table "imported_image" (
  "product_id" integer not null references "product" on delete cascade,
  "address" text not null,
  primary key ("product_id", "address")) strict, without rowid;
create table "attribute_group" (
  "id" integer primary key autoincrement,
  "position" integer not null default 0,
  "product_class_id" integer references "product_class" on delete cascade,
  "version" integer not null default 1) strict;
create table "attribute_group_text" (
  "attribute_group_id" integer not null references "attribute_group" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  primary key ("attribute_group_id", "language")) strict, without rowid;
create table "attribute" (
  "id" integer primary key autoincrement,
  "kind" text not null default 'text',
  "position" integer not null default 0,
  "group_id" integer references "attribute_group" on delete set null,
  "display_mode" text not null default 'S',
  "product_class_id" integer references "product_class" on delete cascade,
  "product_id" integer references "product" on delete cascade,
  "version" integer not null default 1) strict;
create table "attribute_text" (
  "attribute_id" integer not null references "attribute" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  primary key ("attribute_id", "language")) strict, without rowid;
create table "attribute_option" (
  "id" integer primary key autoincrement,
  "attribute_id" integer not null references "attribute" on delete cascade,
  "position" integer not null default 0,
  "version" integer not null default 1) strict;
create table "attribute_option_text" (
  "attribute_option_id" integer not null references "attribute_option" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "value" text,
  "value_key" text,
  primary key ("attribute_option_id", "language")) strict, without rowid;
create table "attribute_property" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "attribute_id" integer not null references "attribute" on delete cascade,
  "position" integer not null default 0,
  "version" integer not null default 1) strict;
create table "attribute_value_checkbox" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "attribute_id" integer not null references "attribute" on delete cascade,
  "value" integer not null default 0,
  "price_modifier" integer not null default 0,
  "price_modifier_type" text not null default 'percent',
  "weight_modifier" integer not null default 0,
  "weight_modifier_type" text not null default 'percent',
  "is_default" integer not null default 0,
  "version" integer not null default 1) strict;
create table "attribute_value_hidden" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "attribute_id" integer not null references "attribute" on delete cascade,
  "option_id" integer not null references "attribute_option" on delete cascade,
  "version" integer not null default 1) strict;
create table "attribute_value_select" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "attribute_id" integer not null references "attribute" on delete cascade,
  "option_id" integer not null references "attribute_option" on delete cascade,
  "position" integer not null default 0,
  "price_modifier" integer not null default 0,
  "price_modifier_type" text not null default 'percent',
  "weight_modifier" integer not null default 0,
  "weight_modifier_type" text not null default 'percent',
  "is_default" integer not null default 0,
  "version" integer not null default 1) strict;
create table "attribute_value_text" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "attribute_id" integer not null references "attribute" on delete cascade,
  "editable" integer not null default 0,
  "version" integer not null default 1) strict;
create table "attribute_value_text_text" (
  "attribute_value_text_id" integer not null references "attribute_value_text" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "value" text,
  "value_key" text,
  primary key ("attribute_value_text_id", "language")) strict, without rowid;
create table "category" (
  "id" integer primary key autoincrement,
  "enabled" integer not null default 1,
  "show_title" integer not null default 1,
  "position" integer not null default 0,
  "parent_id" integer references "category" on delete no action,
  "clean_url" text not null default '',
  "version" integer not null default 1,
  "clean_url_key" text not null default '',
  "create_date" integer not null default 0,
  "update_date" integer not null default 0) strict;
create table "category_text" (
  "category_id" integer not null references "category" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "description" text,
  "meta_tags" text,
  "meta_description" text,
  "meta_title" text,
  "og_meta_tags" text,
  primary key ("category_id", "language")) strict, without rowid;
create table "category_banner" (
  "id" integer primary key autoincrement,
  "category_id" integer not null references "category" on delete cascade,
  "alt" text not null default '',
  "file" text not null default '',
  "width" integer not null default 0,
  "height" integer not null default 0,
  "version" integer not null default 1) strict;
create table "category_icon" (
  "id" integer primary key autoincrement,
  "category_id" integer not null references "category" on delete cascade,
  "alt" text not null default '',
  "file" text not null default '',
  "width" integer not null default 0,
  "height" integer not null default 0,
  "version" integer not null default 1) strict;
create table "category_product" (
  "id" integer primary key autoincrement,
  "category_id" integer not null references "category" on delete cascade,
  "product_id" integer not null references "product" on delete cascade,
  "version" integer not null default 1,
  "position" integer not null default 0) strict;
create table "category_memberships" (
  "category_id" integer not null references "category" on delete cascade,
  "membership_id" integer not null references "membership" on delete cascade,
  primary key ("category_id", "membership_id")) strict, without rowid;
create table "payment_status" (
  "id" integer primary key autoincrement,
  "code" text not null,
  "built_in_name" text,
  "version" integer not null default 1) strict;
create table "payment_status_text" (
  "payment_status_id" integer not null references "payment_status" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "customer_name" text,
  primary key ("payment_status_id", "language")) strict, without rowid;
create table "shipping_status" (
  "id" integer primary key autoincrement,
  "code" text not null,
  "built_in_name" text,
  "version" integer not null default 1) strict;
create table "shipping_status_text" (
  "shipping_status_id" integer not null references "shipping_status" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "customer_name" text,
  primary key ("shipping_status_id", "language")) strict, without rowid;
create table "order" (
  "id" integer primary key autoincrement,
  "order_number" text not null,
  "total" integer not null default 0,
  "sub_total" integer not null default 0,
  "email" text not null,
  "email_key" text not null,
  "billing_address" text,
  "shipping_address" text,
  "create_date" integer not null,
  "update_date" integer not null,
  "payment_status_id" integer not null references "payment_status" on delete restrict,
  "shipping_status_id" integer not null references "shipping_status" on delete restrict,
  "customer_id" integer,
  "order_profile_id" integer,
  "shipping_id" integer not null default 0,
  "shipping_method_name" text,
  "notes" text not null default '',
  "admin_notes" text not null default '',
  "currency" text not null,
  "stock_status" text not null default '',
  "version" integer not null default 1) strict;
create table "order_detail" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "name" text not null,
  "value" text not null default '',
  "version" integer not null default 1) strict;
create table "order_history_events" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "date" integer not null,
  "code" text not null default '',
  "description" text not null default '{}',
  "data" text not null default '{}',
  "comment" text not null default '',
  "profile_id" integer,
  "profile_name" text not null default '',
  "ip" text not null default '',
  "details" text not null default '[]',
  "version" integer not null default 1) strict;
create table "order_item" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "product_id" integer references "product" on delete set null,
  "sku" text not null default '',
  "update_date" integer not null,
  "name" text not null default '',
  "price" integer not null,
  "item_net_price" integer not null default 0,
  "discounted_subtotal" integer not null default 0,
  "amount" integer not null,
  "backordered_amount" integer not null default 0,
  "surcharges" text not null default '[]',
  "taken" integer not null default 0,
  "version" integer not null default 1) strict;
create table "transaction" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "public_id" text not null default '',
  "public_txn_id" text,
  "method_id" integer,
  "type" text not null default 'sale',
  "date" integer not null,
  "status" text not null default 'I',
  "name" text not null default '',
  "local_name" text not null default '',
  "currency" text not null,
  "value" integer not null,
  "note" text not null default '',
  "data" text not null default '[]',
  "backend_transactions" text not null default '[]',
  "version" integer not null default 1) strict;
create table "order_tracking_number" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "date" integer not null,
  "value" text not null,
  "version" integer not null default 1) strict;
create table "surcharge" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "type" text not null,
  "code" text not null,
  "class" text not null default '',
  "include" integer not null default 0,
  "available" integer not null default 1,
  "value" integer not null,
  "name" text not null,
  "weight" integer not null default 0,
  "version" integer not null default 1) strict;
create table "order_order_number" (
  "id" integer primary key autoincrement) strict;
create table "kept_answer" (
  "api_key" text not null,
  "key" text not null,
  "fingerprint" text not null,
  "status" integer not null,
  "headers" text not null,
  "body" text not null,
  "created" integer not null,
  primary key ("api_key", "key")) strict, without rowid;
create table "change" (
  "position" integer not null,
  "resource" text not null,
  "record" text not null,
  "kind" text not null,
  "version" integer not null,
  "fields" text not null,
  "key_name" text not null,
  "at" integer not null,
  "path" text not null default '',
  "mark" integer not null default 0,
  primary key ("position")) strict;
create table "change_inbox" (
  "id" integer primary key autoincrement,
  "resource" text not null,
  "record" text not null,
  "kind" text not null,
  "version" integer not null,
  "fields" text not null,
  "key_name" text not null,
  "at" integer not null,
  "path" text not null default '',
  "mark" integer not null default 0) strict;
create table "file_claim" (
  "id" text not null,
  "name" text not null,
  "until" integer not null,
  primary key ("id")) strict;
create table "released_file" (
  "name" text not null,
  "removing_until" integer,
  primary key ("name")) strict;
create index "product_class_text_by_language" on "product_class_text" ("language");
create unique index "product_class_text_by_name_match_language" on "product_class_text" ("name_match", "language");
create index "tax_class_text_by_language" on "tax_class_text" ("language");
create unique index "tax_class_text_by_name_match_language" on "tax_class_text" ("name_match", "language");
create unique index "product_by_sku" on "product" ("sku");
create index "product_by_sku_key" on "product" ("sku_key");
create index "product_by_clean_url" on "product" ("clean_url");
create index "product_by_price" on "product" ("price");
create index "product_by_market_price" on "product" ("market_price");
create index "product_by_cost_price" on "product" ("cost_price");
create index "product_by_weight" on "product" ("weight");
create index "product_by_amount" on "product" ("amount");
create index "product_by_create_date" on "product" ("create_date");
create index "product_by_update_date" on "product" ("update_date");
create index "product_by_arrival_date" on "product" ("arrival_date");
create index "product_by_product_class_id" on "product" ("product_class_id");
create index "product_by_tax_class_id" on "product" ("tax_class_id");
create index "product_text_by_language" on "product_text" ("language");
create index "product_image_by_product_id_position" on "product_image" ("product_id", "position");
create index "product_image_by_file" on "product_image" ("file");
create index "membership_text_by_language" on "membership_text" ("language");
create unique index "membership_text_by_name_match_language" on "membership_text" ("name_match", "language");
create index "tag_text_by_language" on "tag_text" ("language");
create unique index "tag_text_by_name_match_language" on "tag_text" ("name_match", "language");
create index "sticker_text_by_language" on "sticker_text" ("language");
create unique index "sticker_text_by_name_match_language" on "sticker_text" ("name_match", "language");
create index "product_stickers_by_sticker_id" on "product_stickers" ("sticker_id");
create index "product_tags_by_tag_id" on "product_tags" ("tag_id");
create index "product_memberships_by_membership_id" on "product_memberships" ("membership_id");
create unique index "unique_clean_url_by_product_id" on "unique_clean_url" ("product_id");
create index "attribute_group_by_position" on "attribute_group" ("position");
create index "attribute_group_by_product_class_id" on "attribute_group" ("product_class_id");
create index "attribute_group_text_by_language" on "attribute_group_text" ("language");
create index "attribute_by_position" on "attribute" ("position");
create index "attribute_by_group_id" on "attribute" ("group_id");
create index "attribute_by_product_class_id" on "attribute" ("product_class_id");
create index "attribute_by_product_id" on "attribute" ("product_id");
create index "attribute_text_by_language" on "attribute_text" ("language");
create index "attribute_option_by_attribute_id_position" on "attribute_option" ("attribute_id", "position");
create index "attribute_option_text_by_language" on "attribute_option_text" ("language");
create unique index "attribute_property_by_product_id_attribute_id" on "attribute_property" ("product_id", "attribute_id");
create index "attribute_property_by_attribute_id" on "attribute_property" ("attribute_id");
create unique index "attribute_value_checkbox_by_product_id_attribute_id_value" on "attribute_value_checkbox" ("product_id", "attribute_id", "value");
create index "attribute_value_checkbox_by_attribute_id" on "attribute_value_checkbox" ("attribute_id");
create unique index "attribute_value_hidden_by_product_id_attribute_id" on "attribute_value_hidden" ("product_id", "attribute_id");
create index "attribute_value_hidden_by_attribute_id" on "attribute_value_hidden" ("attribute_id");
create index "attribute_value_hidden_by_option_id" on "attribute_value_hidden" ("option_id");
create unique index "attribute_value_select_by_product_id_attribute_id_option_id" on "attribute_value_select" ("product_id", "attribute_id", "option_id");
create index "attribute_value_select_by_attribute_id" on "attribute_value_select" ("attribute_id");
create index "attribute_value_select_by_option_id" on "attribute_value_select" ("option_id");
create unique index "attribute_value_text_by_product_id_attribute_id" on "attribute_value_text" ("product_id", "attribute_id");
create index "attribute_value_text_by_attribute_id" on "attribute_value_text" ("attribute_id");
create index "attribute_value_text_text_by_language" on "attribute_value_text_text" ("language");
create index "category_by_position" on "category" ("position");
create index "category_by_parent_id" on "category" ("parent_id");
create index "category_text_by_language" on "category_text" ("language");
create unique index "category_banner_by_category_id" on "category_banner" ("category_id");
create index "category_banner_by_file" on "category_banner" ("file");
create unique index "category_icon_by_category_id" on "category_icon" ("category_id");
create index "category_icon_by_file" on "category_icon" ("file");
create unique index "category_product_by_category_id_product_id" on "category_product" ("category_id", "product_id");
create index "category_product_by_product_id" on "category_product" ("product_id");
create index "category_memberships_by_membership_id" on "category_memberships" ("membership_id");
create unique index "unique_clean_url_by_category_id" on "unique_clean_url" ("category_id");
create unique index "payment_status_by_code" on "payment_status" ("code");
create index "payment_status_text_by_language" on "payment_status_text" ("language");
create unique index "shipping_status_by_code" on "shipping_status" ("code");
create index "shipping_status_text_by_language" on "shipping_status_text" ("language");
create unique index "order_by_order_number" on "order" ("order_number");
create index "order_by_total" on "order" ("total");
create index "order_by_sub_total" on "order" ("sub_total");
create index "order_by_email" on "order" ("email");
create index "order_by_email_key" on "order" ("email_key");
create index "order_by_create_date" on "order" ("create_date");
create index "order_by_update_date" on "order" ("update_date");
create index "order_by_payment_status_id" on "order" ("payment_status_id");
create index "order_by_shipping_status_id" on "order" ("shipping_status_id");
create index "order_by_customer_id" on "order" ("customer_id");
create index "order_by_currency" on "order" ("currency");
create index "order_detail_by_order_id" on "order_detail" ("order_id");
create index "order_history_events_by_order_id" on "order_history_events" ("order_id");
create index "order_item_by_order_id" on "order_item" ("order_id");
create index "order_item_by_product_id" on "order_item" ("product_id");
create index "order_item_by_sku" on "order_item" ("sku");
create index "transaction_by_order_id" on "transaction" ("order_id");
create index "order_tracking_number_by_order_id" on "order_tracking_number" ("order_id");
create index "surcharge_by_order_id_weight" on "surcharge" ("order_id", "weight");
create index "kept_answer_by_created" on "kept_answer" ("created");
create index "product_by_sku_match" on "product" ("sku_match");
create index "category_by_clean_url" on "category" ("clean_url");
create index "category_by_clean_url_key" on "category" ("clean_url_key");
create index "category_product_by_category_id_position_product_id" on "category_product" ("category_id", "position", "product_id");
create index "file_claim_by_name" on "file_claim" ("name");
create index "change_by_resource_record_position" on "change" ("resource", "record", "position");
