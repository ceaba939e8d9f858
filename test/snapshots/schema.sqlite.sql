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
  "sku_match" text,
  "separate_box" integer not null default 0,
  "width" integer not null default 0,
  "length" integer not null default 0,
  "height" integer not null default 0,
  "recorded_since" integer not null default 0) strict;
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
  "sale_discount_id" integer references "sale_discount" on delete cascade,
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
  "expires" integer,
  "old_hash" text,
  "old_expires" integer,
  "last_used" integer,
  "scopes" text,
  "masks" text,
  "networks" text,
  "created_by" text,
  "key_id" text,
  "origins" text,
  "plain_key" text,
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
  "update_date" integer not null default 0,
  "flyout_columns" integer not null default 0) strict;
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
  "position" integer not null default 0,
  "recorded_since" integer not null default 0) strict;
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
  "order_profile_id" integer,
  "shipping_id" integer not null default 0,
  "shipping_method_name" text,
  "notes" text not null default '',
  "admin_notes" text not null default '',
  "currency" text not null,
  "stock_status" text not null default '',
  "version" integer not null default 1,
  "customer_id" integer references "profile" on delete set null,
  "order_number_key" text not null default '',
  "billing_address_key" text,
  "shipping_address_key" text,
  "vat_id" text not null default '') strict;
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
  "version" integer not null default 1,
  "variant_id" integer references "variant" on delete set null,
  "weight" integer not null default 0,
  "options" text not null default '[]',
  "of_variant" integer not null default 0,
  "shipped_amount" integer not null default 0,
  "cancelled_amount" integer not null default 0,
  "returned_amount" integer not null default 0,
  "restocked_amount" integer not null default 0,
  "refunded_value" integer not null default 0,
  "sku_key" text not null default '') strict;
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
  "version" integer not null default 1,
  "lines" text not null default '[]') strict;
create table "order_tracking_number" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "date" integer not null,
  "value" text not null,
  "version" integer not null default 1,
  "shipment_id" integer references "order_shipment" on delete cascade) strict;
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
  "version" integer not null default 1,
  "source" text) strict;
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
  "about" text,
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
create table "variant" (
  "id" integer primary key autoincrement,
  "price" integer not null default 0,
  "default_price" integer not null default 1,
  "amount" integer not null default 0,
  "default_amount" integer not null default 1,
  "weight" integer not null default 0,
  "default_weight" integer not null default 1,
  "default_variant" integer not null default 0,
  "sku" text,
  "sku_match" text,
  "image" text,
  "image_file" text,
  "product_id" integer not null references "product" on delete cascade,
  "attributes" text not null default '',
  "combination" text not null default '',
  "version" integer not null default 1,
  "sale_discount_type" text not null default 'sale_percent',
  "sale_price_value" integer not null default 0,
  "default_sale_price" integer not null default 1,
  "recorded_since" integer not null default 0) strict;
create table "variant_attribute_checkbox_values" (
  "variant_id" integer not null references "variant" on delete cascade,
  "attribute_value_checkbox_id" integer not null references "attribute_value_checkbox" on delete cascade,
  primary key ("variant_id", "attribute_value_checkbox_id")) strict, without rowid;
create table "variant_attribute_select_values" (
  "variant_id" integer not null references "variant" on delete cascade,
  "attribute_value_select_id" integer not null references "attribute_value_select" on delete cascade,
  primary key ("variant_id", "attribute_value_select_id")) strict, without rowid;
create table "webhook" (
  "id" integer primary key autoincrement,
  "url" text not null,
  "events" text not null,
  "enabled" integer not null default 1,
  "payload" text not null default 'thin',
  "description" text not null default '',
  "secret" text,
  "since" integer not null,
  "status" text not null default 'ok',
  "reason" text,
  "failing_since" integer,
  "next_attempt" integer,
  "pending" integer not null default 0,
  "old_secret" text,
  "old_secret_until" integer,
  "cursor" text not null default '',
  "failures" text not null default '{"message":"","count":0,"own":0,"set_aside":0}',
  "asked" text not null default '[]',
  "is_gone" integer not null default 0,
  "version" integer not null default 1,
  "former_events" text not null default '[]',
  "owner" text,
  "owner_created" integer) strict;
create table "webhook_delivery" (
  "id" integer primary key autoincrement,
  "webhook_id" integer not null references "webhook" on delete cascade,
  "message_id" text not null default '',
  "type" text not null default '',
  "path" text not null default '',
  "cursor" text,
  "status" text not null default 'waiting',
  "date" integer not null,
  "attempts" text not null default '[]',
  "entry" text not null default '{}',
  "version" integer not null default 1) strict;
create table "admin_session" (
  "hash" text not null,
  "key_hash" text not null,
  "created" integer not null,
  "used" integer not null,
  "host" text,
  "user_id" integer,
  "address" text,
  "user_agent" text,
  "confirmed" integer,
  "by_provider" integer,
  primary key ("hash")) strict;
create table "sign_in_token" (
  "hash" text not null,
  "key_hash" text not null,
  "expires" integer not null,
  primary key ("hash")) strict;
create table "profile" (
  "id" integer primary key autoincrement,
  "login" text not null,
  "login_key" text not null,
  "login_match" text,
  "password" text,
  "access_level" integer not null default 0,
  "status" text not null default 'E',
  "status_comment" text not null default '',
  "referer" text not null default '',
  "language" text not null default '',
  "membership_id" integer references "membership" on delete set null,
  "pending_membership_id" integer references "membership" on delete set null,
  "force_change_password" integer not null default 0,
  "role_ids" text not null default '[]',
  "create_date" integer not null,
  "first_login_date" integer,
  "last_login_date" integer,
  "version" integer not null default 1,
  "tax_exempt" integer not null default 0,
  "vat_id" text not null default '',
  "email_verified_at" integer) strict;
create table "profile_address" (
  "id" integer primary key autoincrement,
  "profile_id" integer not null references "profile" on delete cascade,
  "is_billing" integer not null default 0,
  "is_shipping" integer not null default 0,
  "is_work" integer not null default 0,
  "type" text not null default 'R',
  "title" text not null default '',
  "firstname" text not null default '',
  "lastname" text not null default '',
  "company" text not null default '',
  "phone" text not null default '',
  "street" text not null default '',
  "city" text not null default '',
  "zipcode" text not null default '',
  "country_code" text,
  "state" integer,
  "state_name" text not null default '',
  "custom_fields" text not null default '[]',
  "version" integer not null default 1,
  "firstname_key" text not null default '',
  "lastname_key" text not null default '') strict;
create table "order_shipment" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "carrier" text not null default '',
  "tracking_numbers" text not null default '[]',
  "date" integer not null,
  "note" text not null default '',
  "version" integer not null default 1) strict;
create table "order_shipment_line" (
  "id" integer primary key autoincrement,
  "shipment_id" integer not null references "order_shipment" on delete cascade,
  "item_id" integer not null references "order_item" on delete cascade,
  "amount" integer not null,
  "version" integer not null default 1) strict;
create table "order_return" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "status" text not null default 'requested',
  "date" integer not null,
  "version" integer not null default 1) strict;
create table "order_return_line" (
  "id" integer primary key autoincrement,
  "return_id" integer not null references "order_return" on delete cascade,
  "item_id" integer not null references "order_item" on delete cascade,
  "amount" integer not null,
  "restock" integer not null default 0,
  "reason" text not null default '',
  "version" integer not null default 1) strict;
create table "order_invoice" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "number" text not null default '',
  "kind" text not null default 'invoice',
  "of_id" integer references "order_invoice" on delete set null,
  "date" integer not null,
  "seller" text not null default '',
  "billing_address" text,
  "shipping_address" text,
  "lines" text not null default '[]',
  "surcharges" text not null default '[]',
  "sub_total" integer not null default 0,
  "total" integer not null default 0,
  "currency" text not null default '',
  "version" integer not null default 1,
  "tax_number" text not null default '',
  "shares" text not null default '[]') strict;
create table "invoice_series" (
  "id" integer primary key autoincrement,
  "kind" text not null default '',
  "last" integer not null default 0,
  "version" integer not null default 1) strict;
create table "store_info" (
  "id" integer primary key autoincrement,
  "seller" text,
  "shop_url" text,
  "tax_number" text,
  "invoice_header" text,
  "invoice_footer" text,
  "email_header" text,
  "email_footer" text,
  "address" text,
  "logo" text,
  "logo_file" text,
  "version" integer not null default 1) strict;
create table "featured_product" (
  "id" integer primary key autoincrement,
  "category_id" integer not null references "category" on delete cascade,
  "product_id" integer not null references "product" on delete cascade,
  "position" integer not null default 0,
  "version" integer not null default 1) strict;
create table "review" (
  "id" integer primary key autoincrement,
  "rating" integer not null,
  "reviewer_name" text not null,
  "review" text not null default '',
  "response" text,
  "addition_date" integer not null,
  "response_date" integer,
  "profile_id" integer references "profile" on delete set null,
  "respondent_id" integer references "profile" on delete set null,
  "status" integer not null default 1,
  "use_for_meta" integer not null default 0,
  "product_id" integer not null references "product" on delete cascade,
  "version" integer not null default 1) strict;
create table "related_product" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "position" integer not null default 0,
  "owner_id" integer not null references "product" on delete cascade,
  "version" integer not null default 1) strict;
create table "front_page_product" (
  "id" integer primary key autoincrement,
  "product_id" integer not null references "product" on delete cascade,
  "position" integer not null default 0,
  "version" integer not null default 1) strict;
create table "custom_product_tab" (
  "id" integer primary key autoincrement,
  "version" integer not null default 1) strict;
create table "custom_product_tab_text" (
  "custom_product_tab_id" integer not null references "custom_product_tab" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "content" text,
  "brief_info" text,
  primary key ("custom_product_tab_id", "language")) strict, without rowid;
create table "product_attachment" (
  "id" integer primary key autoincrement,
  "position" integer not null default 0,
  "access" text not null default 'A',
  "file" text not null default '',
  "filename" text not null default '',
  "size" integer not null default 0,
  "mime_type" text not null default '',
  "product_id" integer not null references "product" on delete cascade,
  "version" integer not null default 1) strict;
create table "product_attachment_text" (
  "product_attachment_id" integer not null references "product_attachment" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "title" text,
  "description" text,
  primary key ("product_attachment_id", "language")) strict, without rowid;
create table "old_url" (
  "id" integer primary key autoincrement,
  "clean_url" text not null default '',
  "until" integer,
  "product_id" integer references "product" on delete cascade,
  "category_id" integer references "category" on delete cascade,
  "version" integer not null default 1) strict;
create table "wholesale_price" (
  "id" integer primary key autoincrement,
  "type" text not null default 'price',
  "price" integer not null default 0,
  "quantity_range_begin" integer not null default 2,
  "membership_id" integer references "membership" on delete cascade,
  "product_id" integer not null references "product" on delete cascade,
  "variant_id" integer references "variant" on delete cascade,
  "owner_key" text not null default '',
  "membership_key" integer not null default 0,
  "version" integer not null default 1) strict;
create table "sale_discount" (
  "id" integer primary key autoincrement,
  "enabled" integer not null default 1,
  "value" integer not null default 0,
  "date_range_begin" integer,
  "date_range_end" integer,
  "specific_products" integer not null default 0,
  "show_in_separate_section" integer not null default 0,
  "apply_to_wholesale" integer not null default 0,
  "clean_url" text not null default '',
  "version" integer not null default 1,
  "recorded_since" integer not null default 0) strict;
create table "sale_discount_text" (
  "sale_discount_id" integer not null references "sale_discount" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "meta_tags" text,
  "meta_description" text,
  "meta_title" text,
  primary key ("sale_discount_id", "language")) strict, without rowid;
create table "volume_discount" (
  "id" integer primary key autoincrement,
  "value" integer not null default 0,
  "type" text not null default '%',
  "subtotal_range_begin" integer not null default 0,
  "membership_id" integer references "membership" on delete restrict,
  "date_range_begin" integer,
  "date_range_end" integer,
  "version" integer not null default 1) strict;
create table "coupon" (
  "id" integer primary key autoincrement,
  "code" text not null,
  "code_key" text not null,
  "code_match" text,
  "enabled" integer not null default 1,
  "value" integer not null default 0,
  "type" text not null default '%',
  "date_range_begin" integer,
  "date_range_end" integer,
  "total_range_begin" integer not null default 0,
  "total_range_end" integer not null default 0,
  "uses_limit" integer not null default 0,
  "uses_limit_per_user" integer not null default 0,
  "single_use" integer not null default 0,
  "specific_products" integer not null default 0,
  "comment" text not null default '',
  "uses" integer not null default 0,
  "version" integer not null default 1) strict;
create table "zone" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "name_key" text not null,
  "elements" text not null default '[]',
  "version" integer not null default 1) strict;
create table "tax_settings" (
  "id" integer primary key autoincrement,
  "prices_include_tax" integer not null default 0,
  "default_zone_id" integer references "zone" on delete restrict,
  "outside_zone" text not null default 'net',
  "address" text not null default 'shipping',
  "shipping" text not null default 'rates',
  "rounding" text not null default 'half_up',
  "rounding_target" text not null default 'line',
  "vat_id_exempt_zone_id" integer references "zone" on delete restrict,
  "version" integer not null default 1) strict;
create table "tax_rate" (
  "id" integer primary key autoincrement,
  "tax" text not null,
  "tax_key" text not null,
  "enabled" integer not null default 1,
  "position" integer not null default 0,
  "date_range_begin" integer,
  "date_range_end" integer,
  "zone_id" integer references "zone" on delete restrict,
  "tax_class_id" integer references "tax_class" on delete restrict,
  "membership_id" integer references "membership" on delete restrict,
  "type" text not null default '%',
  "value" integer not null,
  "base" text not null default 'discounted_subtotal',
  "version" integer not null default 1) strict;
create table "tax_rate_text" (
  "tax_rate_id" integer not null references "tax_rate" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  primary key ("tax_rate_id", "language")) strict, without rowid;
create table "sale_discount_products" (
  "sale_discount_id" integer not null references "sale_discount" on delete cascade,
  "product_id" integer not null references "product" on delete cascade,
  primary key ("sale_discount_id", "product_id")) strict, without rowid;
create table "sale_discount_product_classes" (
  "sale_discount_id" integer not null references "sale_discount" on delete cascade,
  "product_class_id" integer not null references "product_class" on delete cascade,
  primary key ("sale_discount_id", "product_class_id")) strict, without rowid;
create table "sale_discount_categories" (
  "sale_discount_id" integer not null references "sale_discount" on delete cascade,
  "category_id" integer not null references "category" on delete cascade,
  primary key ("sale_discount_id", "category_id")) strict, without rowid;
create table "sale_discount_memberships" (
  "sale_discount_id" integer not null references "sale_discount" on delete cascade,
  "membership_id" integer not null references "membership" on delete cascade,
  primary key ("sale_discount_id", "membership_id")) strict, without rowid;
create table "volume_discount_zones" (
  "volume_discount_id" integer not null references "volume_discount" on delete cascade,
  "zone_id" integer not null references "zone" on delete cascade,
  primary key ("volume_discount_id", "zone_id")) strict, without rowid;
create table "coupon_products" (
  "coupon_id" integer not null references "coupon" on delete cascade,
  "product_id" integer not null references "product" on delete cascade,
  primary key ("coupon_id", "product_id")) strict, without rowid;
create table "coupon_product_classes" (
  "coupon_id" integer not null references "coupon" on delete cascade,
  "product_class_id" integer not null references "product_class" on delete cascade,
  primary key ("coupon_id", "product_class_id")) strict, without rowid;
create table "coupon_categories" (
  "coupon_id" integer not null references "coupon" on delete cascade,
  "category_id" integer not null references "category" on delete cascade,
  primary key ("coupon_id", "category_id")) strict, without rowid;
create table "coupon_memberships" (
  "coupon_id" integer not null references "coupon" on delete cascade,
  "membership_id" integer not null references "membership" on delete cascade,
  primary key ("coupon_id", "membership_id")) strict, without rowid;
create table "coupon_zones" (
  "coupon_id" integer not null references "coupon" on delete cascade,
  "zone_id" integer not null references "zone" on delete cascade,
  primary key ("coupon_id", "zone_id")) strict, without rowid;
create table "used_coupon" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "code" text not null default '',
  "value" integer not null default 0,
  "type" text not null default '%',
  "coupon_id" integer references "coupon" on delete set null,
  "is_counted" integer not null default 0,
  "buyer" text not null default '',
  "version" integer not null default 1) strict;
create table "order_calculation" (
  "id" integer primary key autoincrement,
  "order_id" integer not null references "order" on delete cascade,
  "input" text not null default '{}',
  "result" text not null default '{}',
  "version" integer not null default 1) strict;
create table "product_former_value" (
  "id" integer primary key autoincrement,
  "product_id" integer references "product" on delete cascade,
  "variant_id" integer references "variant" on delete cascade,
  "resource" text not null default '',
  "until" integer,
  "values" text not null default '[]',
  "version" integer not null default 1) strict;
create table "rule_former_value" (
  "id" integer primary key autoincrement,
  "record" integer not null default 0,
  "resource" text not null default '',
  "until" integer,
  "values" text not null default '[]',
  "version" integer not null default 1) strict;
create table "staff_user" (
  "id" integer primary key autoincrement,
  "email" text not null,
  "name" text not null,
  "status" text not null,
  "language" text not null,
  "role_ids" text not null,
  "password" text,
  "last_sign_in" integer,
  "created" integer not null,
  "totp" text,
  "totp_setup" text,
  "totp_step" integer) strict;
create table "staff_role" (
  "id" integer primary key autoincrement,
  "name" text not null,
  "scopes" text not null,
  "masks" text) strict;
create table "staff_link" (
  "hash" text not null,
  "user_id" integer not null,
  "expires" integer not null,
  primary key ("hash")) strict;
create table "failed_sign_in" (
  "subject" text not null,
  "id" text not null,
  "at" integer not null,
  primary key ("subject", "id")) strict, without rowid;
create table "staff_view" (
  "id" integer primary key autoincrement,
  "user_id" integer not null,
  "name" text not null,
  "screen" text not null,
  "query" text not null) strict;
create table "staff_recovery_code" (
  "user_id" integer not null,
  "hash" text not null,
  primary key ("user_id", "hash")) strict, without rowid;
create table "staff_ticket" (
  "hash" text not null,
  "user_id" integer not null,
  "expires" integer not null,
  "failures" integer not null,
  primary key ("hash")) strict;
create table "audit_entry" (
  "id" integer not null,
  "at" integer not null,
  "actor_type" text not null,
  "actor_id" text,
  "address" text,
  "request_id" text,
  "action" text not null,
  "resource" text,
  "record" text,
  "path" text,
  "version" integer,
  "changes" text not null,
  "salt" text,
  "changes_hash" text not null,
  "hash" text not null,
  primary key ("id")) strict;
create table "audit_inbox" (
  "id" integer primary key autoincrement,
  "at" integer not null,
  "actor_type" text not null,
  "actor_id" text,
  "address" text,
  "request_id" text,
  "action" text not null,
  "resource" text,
  "record" text,
  "path" text,
  "version" integer,
  "changes" text not null,
  "salt" text,
  "changes_hash" text not null) strict;
create table "audit_path" (
  "path" text not null,
  "id" integer not null,
  primary key ("path", "id")) strict, without rowid;
create table "staff_passkey" (
  "id" integer primary key autoincrement,
  "user_id" integer not null,
  "name" text not null,
  "credential_id" text not null,
  "public_key" text not null,
  "counter" integer not null,
  "transports" text not null,
  "created" integer not null,
  "last_used" integer) strict;
create table "staff_challenge" (
  "hash" text not null,
  "subject" text not null,
  "purpose" text not null,
  "expires" integer not null,
  primary key ("hash")) strict;
create table "staff_identity" (
  "issuer" text not null,
  "subject" text not null,
  "user_id" integer not null,
  primary key ("issuer", "subject")) strict, without rowid;
create table "staff_provider_sign_in" (
  "hash" text not null,
  "session" text,
  "confirms" integer not null,
  "client" text not null,
  "created" integer not null,
  "expires" integer not null,
  primary key ("hash")) strict;
create table "mail" (
  "id" integer primary key autoincrement,
  "template" text not null default '',
  "to" text not null default '',
  "to_key" text not null default '',
  "status" text not null default 'queued',
  "attempts" integer not null default 0,
  "date" integer not null,
  "profile_id" integer references "profile" on delete set null,
  "data" text not null default '{}',
  "message_id" text not null default '',
  "next_attempt" integer not null,
  "give_up" integer not null,
  "claim" text not null default '',
  "claimed_until" integer,
  "version" integer not null default 1) strict;
create table "counted_mail" (
  "subject" text not null,
  "id" text not null,
  "at" integer not null,
  primary key ("subject", "id")) strict, without rowid;
create table "mail_template" (
  "name" text not null,
  "language" text not null,
  "subject" text not null,
  "text" text not null,
  "html" text not null,
  primary key ("name", "language")) strict, without rowid;
create table "audit_value" (
  "name" text not null,
  "value" text not null,
  "id" integer not null,
  primary key ("name", "value", "id")) strict, without rowid;
create table "audit_hour" (
  "hour" integer not null,
  "first_id" integer not null,
  "last_id" integer not null,
  primary key ("hour")) strict;
create table "shipping_method" (
  "id" integer primary key autoincrement,
  "enabled" integer not null default 1,
  "position" integer not null default 0,
  "carrier" text not null default '',
  "code" text not null default '',
  "tax_class_id" integer references "tax_class" on delete restrict,
  "handling_fee" integer not null default 0,
  "processor" text not null default 'offline',
  "free_from" integer,
  "free_by_coupon" integer not null default 1,
  "pickup_address" text,
  "version" integer not null default 1) strict;
create table "shipping_method_text" (
  "shipping_method_id" integer not null references "shipping_method" on delete cascade,
  "language" text not null references "language" on delete restrict,
  "name" text,
  "name_key" text,
  "delivery_time" text,
  primary key ("shipping_method_id", "language")) strict, without rowid;
create table "shipping_rate" (
  "id" integer primary key autoincrement,
  "method_id" integer not null references "shipping_method" on delete cascade,
  "zone_id" integer not null references "zone" on delete restrict,
  "min_weight" integer not null default 0,
  "max_weight" integer,
  "min_total" integer not null default 0,
  "max_total" integer,
  "min_discounted_total" integer not null default 0,
  "max_discounted_total" integer,
  "min_items" integer not null default 0,
  "max_items" integer,
  "markup_flat" integer not null default 0,
  "markup_percent" integer not null default 0,
  "markup_per_item" integer not null default 0,
  "markup_per_weight" integer not null default 0,
  "version" integer not null default 1) strict;
create table "shopper_session" (
  "id" integer primary key autoincrement,
  "profile_id" integer not null references "profile" on delete cascade,
  "hash" text not null default '',
  "created" integer not null,
  "used" integer not null,
  "version" integer not null default 1) strict;
create table "former_shopper_token" (
  "id" integer primary key autoincrement,
  "session_id" integer not null references "shopper_session" on delete cascade,
  "hash" text not null default '',
  "until" integer not null,
  "version" integer not null default 1) strict;
create table "one_time_token" (
  "id" integer primary key autoincrement,
  "mail_id" integer not null references "mail" on delete cascade,
  "hash" text not null default '',
  "purpose" text not null default '',
  "expires" integer not null,
  "version" integer not null default 1) strict;
create table "cart" (
  "id" integer primary key autoincrement,
  "state" text not null default 'open',
  "customer_id" integer references "profile" on delete cascade,
  "email" text,
  "email_key" text,
  "notes" text not null default '',
  "currency" text not null,
  "billing_address" text,
  "shipping_address" text,
  "shipping" text,
  "coupons" text not null default '[]',
  "lines" text not null default '[]',
  "sub_total" integer not null default 0,
  "total" integer not null default 0,
  "create_date" integer not null,
  "update_date" integer not null,
  "expires_at" integer not null,
  "hash" text not null default '',
  "revision" integer not null default 1,
  "last_line" integer not null default 0,
  "version" integer not null default 1) strict;
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
create unique index "variant_by_product_id_combination" on "variant" ("product_id", "combination");
create unique index "variant_by_sku" on "variant" ("sku");
create index "variant_by_sku_match" on "variant" ("sku_match");
create index "variant_by_image_file" on "variant" ("image_file");
create index "variant_attribute_checkbox_values_by_attribute_value_checkbox_id" on "variant_attribute_checkbox_values" ("attribute_value_checkbox_id");
create index "variant_attribute_select_values_by_attribute_value_select_id" on "variant_attribute_select_values" ("attribute_value_select_id");
create unique index "webhook_delivery_by_webhook_id_message_id" on "webhook_delivery" ("webhook_id", "message_id");
create index "order_item_by_variant_id" on "order_item" ("variant_id");
create unique index "profile_by_login" on "profile" ("login");
create index "profile_by_login_key" on "profile" ("login_key");
create index "profile_by_login_match" on "profile" ("login_match");
create index "profile_by_membership_id" on "profile" ("membership_id");
create index "profile_by_pending_membership_id" on "profile" ("pending_membership_id");
create index "profile_by_create_date" on "profile" ("create_date");
create index "profile_by_first_login_date" on "profile" ("first_login_date");
create index "profile_by_last_login_date" on "profile" ("last_login_date");
create index "profile_address_by_profile_id" on "profile_address" ("profile_id");
create index "order_by_customer_id" on "order" ("customer_id");
create index "kept_answer_by_about" on "kept_answer" ("about");
create index "order_shipment_by_order_id" on "order_shipment" ("order_id");
create index "order_tracking_number_by_shipment_id" on "order_tracking_number" ("shipment_id");
create index "order_shipment_line_by_shipment_id" on "order_shipment_line" ("shipment_id");
create index "order_shipment_line_by_item_id" on "order_shipment_line" ("item_id");
create index "order_return_by_order_id" on "order_return" ("order_id");
create index "order_return_line_by_return_id" on "order_return_line" ("return_id");
create index "order_return_line_by_item_id" on "order_return_line" ("item_id");
create index "order_invoice_by_order_id" on "order_invoice" ("order_id");
create unique index "order_invoice_by_number" on "order_invoice" ("number");
create index "order_invoice_by_of_id" on "order_invoice" ("of_id");
create unique index "invoice_series_by_kind" on "invoice_series" ("kind");
create index "store_info_by_logo_file" on "store_info" ("logo_file");
create index "product_by_width" on "product" ("width");
create index "product_by_length" on "product" ("length");
create index "product_by_height" on "product" ("height");
create unique index "featured_product_by_category_id_product_id" on "featured_product" ("category_id", "product_id");
create index "featured_product_by_category_id_position_product_id" on "featured_product" ("category_id", "position", "product_id");
create index "featured_product_by_product_id" on "featured_product" ("product_id");
create index "review_by_product_id_addition_date" on "review" ("product_id", "addition_date");
create index "review_by_profile_id" on "review" ("profile_id");
create index "review_by_respondent_id" on "review" ("respondent_id");
create unique index "related_product_by_owner_id_product_id" on "related_product" ("owner_id", "product_id");
create index "related_product_by_owner_id_position" on "related_product" ("owner_id", "position");
create index "related_product_by_product_id" on "related_product" ("product_id");
create unique index "front_page_product_by_product_id" on "front_page_product" ("product_id");
create index "front_page_product_by_position" on "front_page_product" ("position");
create index "custom_product_tab_text_by_language" on "custom_product_tab_text" ("language");
create index "product_attachment_by_product_id_position" on "product_attachment" ("product_id", "position");
create index "product_attachment_by_file" on "product_attachment" ("file");
create index "product_attachment_text_by_language" on "product_attachment_text" ("language");
create unique index "old_url_by_clean_url" on "old_url" ("clean_url");
create index "old_url_by_product_id" on "old_url" ("product_id");
create index "old_url_by_category_id" on "old_url" ("category_id");
create unique index "wholesale_price_by_owner_key_membership_key_quantity_range_begin" on "wholesale_price" ("owner_key", "membership_key", "quantity_range_begin");
create index "wholesale_price_by_product_id_quantity_range_begin" on "wholesale_price" ("product_id", "quantity_range_begin");
create index "wholesale_price_by_membership_id" on "wholesale_price" ("membership_id");
create index "wholesale_price_by_variant_id" on "wholesale_price" ("variant_id");
create index "sale_discount_by_value" on "sale_discount" ("value");
create index "sale_discount_by_date_range_begin" on "sale_discount" ("date_range_begin");
create index "sale_discount_by_date_range_end" on "sale_discount" ("date_range_end");
create index "sale_discount_by_clean_url" on "sale_discount" ("clean_url");
create index "sale_discount_text_by_language" on "sale_discount_text" ("language");
create index "volume_discount_by_value" on "volume_discount" ("value");
create index "volume_discount_by_subtotal_range_begin" on "volume_discount" ("subtotal_range_begin");
create index "volume_discount_by_membership_id" on "volume_discount" ("membership_id");
create index "volume_discount_by_date_range_begin" on "volume_discount" ("date_range_begin");
create index "volume_discount_by_date_range_end" on "volume_discount" ("date_range_end");
create unique index "coupon_by_code" on "coupon" ("code");
create index "coupon_by_code_key" on "coupon" ("code_key");
create index "coupon_by_code_match" on "coupon" ("code_match");
create index "coupon_by_value" on "coupon" ("value");
create index "coupon_by_date_range_begin" on "coupon" ("date_range_begin");
create index "coupon_by_date_range_end" on "coupon" ("date_range_end");
create unique index "zone_by_name" on "zone" ("name");
create index "zone_by_name_key" on "zone" ("name_key");
create index "tax_settings_by_default_zone_id" on "tax_settings" ("default_zone_id");
create index "tax_settings_by_vat_id_exempt_zone_id" on "tax_settings" ("vat_id_exempt_zone_id");
create index "tax_rate_by_tax" on "tax_rate" ("tax");
create index "tax_rate_by_tax_key" on "tax_rate" ("tax_key");
create index "tax_rate_by_position" on "tax_rate" ("position");
create index "tax_rate_by_date_range_begin" on "tax_rate" ("date_range_begin");
create index "tax_rate_by_date_range_end" on "tax_rate" ("date_range_end");
create index "tax_rate_by_zone_id" on "tax_rate" ("zone_id");
create index "tax_rate_by_tax_class_id" on "tax_rate" ("tax_class_id");
create index "tax_rate_by_membership_id" on "tax_rate" ("membership_id");
create index "tax_rate_text_by_language" on "tax_rate_text" ("language");
create index "sale_discount_products_by_product_id" on "sale_discount_products" ("product_id");
create index "sale_discount_product_classes_by_product_class_id" on "sale_discount_product_classes" ("product_class_id");
create index "sale_discount_categories_by_category_id" on "sale_discount_categories" ("category_id");
create index "sale_discount_memberships_by_membership_id" on "sale_discount_memberships" ("membership_id");
create index "volume_discount_zones_by_zone_id" on "volume_discount_zones" ("zone_id");
create index "coupon_products_by_product_id" on "coupon_products" ("product_id");
create index "coupon_product_classes_by_product_class_id" on "coupon_product_classes" ("product_class_id");
create index "coupon_categories_by_category_id" on "coupon_categories" ("category_id");
create index "coupon_memberships_by_membership_id" on "coupon_memberships" ("membership_id");
create index "coupon_zones_by_zone_id" on "coupon_zones" ("zone_id");
create unique index "unique_clean_url_by_sale_discount_id" on "unique_clean_url" ("sale_discount_id");
create index "used_coupon_by_order_id" on "used_coupon" ("order_id");
create index "order_calculation_by_order_id" on "order_calculation" ("order_id");
create index "product_former_value_by_product_id" on "product_former_value" ("product_id");
create index "product_former_value_by_variant_id" on "product_former_value" ("variant_id");
create index "used_coupon_by_coupon_id_buyer" on "used_coupon" ("coupon_id", "buyer");
create index "mail_by_status_next_attempt" on "mail" ("status", "next_attempt");
create index "mail_by_template" on "mail" ("template");
create index "mail_by_to" on "mail" ("to");
create index "mail_by_date" on "mail" ("date");
create index "mail_by_profile_id" on "mail" ("profile_id");
create index "shipping_method_by_position" on "shipping_method" ("position");
create index "shipping_method_by_carrier" on "shipping_method" ("carrier");
create index "shipping_method_by_code" on "shipping_method" ("code");
create index "shipping_method_by_tax_class_id" on "shipping_method" ("tax_class_id");
create index "shipping_method_text_by_language" on "shipping_method_text" ("language");
create index "shipping_rate_by_method_id" on "shipping_rate" ("method_id");
create index "shipping_rate_by_zone_id" on "shipping_rate" ("zone_id");
create index "shopper_session_by_profile_id" on "shopper_session" ("profile_id");
create unique index "shopper_session_by_hash" on "shopper_session" ("hash");
create index "former_shopper_token_by_session_id" on "former_shopper_token" ("session_id");
create unique index "former_shopper_token_by_hash" on "former_shopper_token" ("hash");
create index "one_time_token_by_mail_id" on "one_time_token" ("mail_id");
create unique index "one_time_token_by_hash" on "one_time_token" ("hash");
create index "cart_by_state_expires_at" on "cart" ("state", "expires_at");
create index "cart_by_customer_id" on "cart" ("customer_id");
create index "cart_by_email" on "cart" ("email");
create index "cart_by_total" on "cart" ("total");
create index "cart_by_create_date" on "cart" ("create_date");
create index "cart_by_update_date" on "cart" ("update_date");
create index "cart_by_expires_at" on "cart" ("expires_at");
create unique index "cart_by_hash" on "cart" ("hash");
create virtual table "product_class_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "product_class_text_containing_name_key" (rowid, texts)
      select "product_class_id", group_concat(coalesce("name_key", ''), ' ') from "product_class_text"
      where true and ("name_key" <> '') group by "product_class_id";
insert into "product_class_text_containing_name_key" ("product_class_text_containing_name_key") values ('optimize');
create trigger "product_class_text_containing_name_key_on_insert" after insert on "product_class_text" begin
      delete from "product_class_text_containing_name_key" where rowid in (new."product_class_id");
      insert into "product_class_text_containing_name_key" (rowid, texts)
      select "product_class_id", group_concat(coalesce("name_key", ''), ' ') from "product_class_text"
      where "product_class_id" in (new."product_class_id") and ("name_key" <> '') group by "product_class_id";
    end;
create trigger "product_class_text_containing_name_key_on_delete" after delete on "product_class_text" begin
      delete from "product_class_text_containing_name_key" where rowid in (old."product_class_id");
      insert into "product_class_text_containing_name_key" (rowid, texts)
      select "product_class_id", group_concat(coalesce("name_key", ''), ' ') from "product_class_text"
      where "product_class_id" in (old."product_class_id") and ("name_key" <> '') group by "product_class_id";
    end;
create trigger "product_class_text_containing_name_key_on_update" after update of "product_class_id", "name_key" on "product_class_text" when new."product_class_id" is not old."product_class_id" or new."name_key" is not old."name_key" begin
      delete from "product_class_text_containing_name_key" where rowid in (old."product_class_id", new."product_class_id");
      insert into "product_class_text_containing_name_key" (rowid, texts)
      select "product_class_id", group_concat(coalesce("name_key", ''), ' ') from "product_class_text"
      where "product_class_id" in (old."product_class_id", new."product_class_id") and ("name_key" <> '') group by "product_class_id";
    end;
create virtual table "tax_class_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "tax_class_text_containing_name_key" (rowid, texts)
      select "tax_class_id", group_concat(coalesce("name_key", ''), ' ') from "tax_class_text"
      where true and ("name_key" <> '') group by "tax_class_id";
insert into "tax_class_text_containing_name_key" ("tax_class_text_containing_name_key") values ('optimize');
create trigger "tax_class_text_containing_name_key_on_insert" after insert on "tax_class_text" begin
      delete from "tax_class_text_containing_name_key" where rowid in (new."tax_class_id");
      insert into "tax_class_text_containing_name_key" (rowid, texts)
      select "tax_class_id", group_concat(coalesce("name_key", ''), ' ') from "tax_class_text"
      where "tax_class_id" in (new."tax_class_id") and ("name_key" <> '') group by "tax_class_id";
    end;
create trigger "tax_class_text_containing_name_key_on_delete" after delete on "tax_class_text" begin
      delete from "tax_class_text_containing_name_key" where rowid in (old."tax_class_id");
      insert into "tax_class_text_containing_name_key" (rowid, texts)
      select "tax_class_id", group_concat(coalesce("name_key", ''), ' ') from "tax_class_text"
      where "tax_class_id" in (old."tax_class_id") and ("name_key" <> '') group by "tax_class_id";
    end;
create trigger "tax_class_text_containing_name_key_on_update" after update of "tax_class_id", "name_key" on "tax_class_text" when new."tax_class_id" is not old."tax_class_id" or new."name_key" is not old."name_key" begin
      delete from "tax_class_text_containing_name_key" where rowid in (old."tax_class_id", new."tax_class_id");
      insert into "tax_class_text_containing_name_key" (rowid, texts)
      select "tax_class_id", group_concat(coalesce("name_key", ''), ' ') from "tax_class_text"
      where "tax_class_id" in (old."tax_class_id", new."tax_class_id") and ("name_key" <> '') group by "tax_class_id";
    end;
create virtual table "product_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "product_text_containing_name_key" (rowid, texts)
      select "product_id", group_concat(coalesce("name_key", ''), ' ') from "product_text"
      where true and ("name_key" <> '') group by "product_id";
insert into "product_text_containing_name_key" ("product_text_containing_name_key") values ('optimize');
create trigger "product_text_containing_name_key_on_insert" after insert on "product_text" begin
      delete from "product_text_containing_name_key" where rowid in (new."product_id");
      insert into "product_text_containing_name_key" (rowid, texts)
      select "product_id", group_concat(coalesce("name_key", ''), ' ') from "product_text"
      where "product_id" in (new."product_id") and ("name_key" <> '') group by "product_id";
    end;
create trigger "product_text_containing_name_key_on_delete" after delete on "product_text" begin
      delete from "product_text_containing_name_key" where rowid in (old."product_id");
      insert into "product_text_containing_name_key" (rowid, texts)
      select "product_id", group_concat(coalesce("name_key", ''), ' ') from "product_text"
      where "product_id" in (old."product_id") and ("name_key" <> '') group by "product_id";
    end;
create trigger "product_text_containing_name_key_on_update" after update of "product_id", "name_key" on "product_text" when new."product_id" is not old."product_id" or new."name_key" is not old."name_key" begin
      delete from "product_text_containing_name_key" where rowid in (old."product_id", new."product_id");
      insert into "product_text_containing_name_key" (rowid, texts)
      select "product_id", group_concat(coalesce("name_key", ''), ' ') from "product_text"
      where "product_id" in (old."product_id", new."product_id") and ("name_key" <> '') group by "product_id";
    end;
create virtual table "product_searched" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "product_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "product"
      where true and ("sku_key" <> '') group by "id";
insert into "product_searched" ("product_searched") values ('optimize');
create trigger "product_searched_on_insert" after insert on "product" begin
      delete from "product_searched" where rowid in (new."id");
      insert into "product_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "product"
      where "id" in (new."id") and ("sku_key" <> '') group by "id";
    end;
create trigger "product_searched_on_delete" after delete on "product" begin
      delete from "product_searched" where rowid in (old."id");
      insert into "product_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "product"
      where "id" in (old."id") and ("sku_key" <> '') group by "id";
    end;
create trigger "product_searched_on_update" after update of "id", "sku_key" on "product" when new."id" is not old."id" or new."sku_key" is not old."sku_key" begin
      delete from "product_searched" where rowid in (old."id", new."id");
      insert into "product_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "product"
      where "id" in (old."id", new."id") and ("sku_key" <> '') group by "id";
    end;
create virtual table "product_text_searched" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "product_text_searched" (rowid, texts)
      select "product_id", group_concat(coalesce("brief_description_key", '') || ' ' || coalesce("description_key", ''), ' ') from "product_text"
      where true and ("brief_description_key" <> '' or "description_key" <> '') group by "product_id";
insert into "product_text_searched" ("product_text_searched") values ('optimize');
create trigger "product_text_searched_on_insert" after insert on "product_text" begin
      delete from "product_text_searched" where rowid in (new."product_id");
      insert into "product_text_searched" (rowid, texts)
      select "product_id", group_concat(coalesce("brief_description_key", '') || ' ' || coalesce("description_key", ''), ' ') from "product_text"
      where "product_id" in (new."product_id") and ("brief_description_key" <> '' or "description_key" <> '') group by "product_id";
    end;
create trigger "product_text_searched_on_delete" after delete on "product_text" begin
      delete from "product_text_searched" where rowid in (old."product_id");
      insert into "product_text_searched" (rowid, texts)
      select "product_id", group_concat(coalesce("brief_description_key", '') || ' ' || coalesce("description_key", ''), ' ') from "product_text"
      where "product_id" in (old."product_id") and ("brief_description_key" <> '' or "description_key" <> '') group by "product_id";
    end;
create trigger "product_text_searched_on_update" after update of "product_id", "brief_description_key", "description_key" on "product_text" when new."product_id" is not old."product_id" or new."brief_description_key" is not old."brief_description_key" or new."description_key" is not old."description_key" begin
      delete from "product_text_searched" where rowid in (old."product_id", new."product_id");
      insert into "product_text_searched" (rowid, texts)
      select "product_id", group_concat(coalesce("brief_description_key", '') || ' ' || coalesce("description_key", ''), ' ') from "product_text"
      where "product_id" in (old."product_id", new."product_id") and ("brief_description_key" <> '' or "description_key" <> '') group by "product_id";
    end;
create virtual table "attribute_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "attribute_text_containing_name_key" (rowid, texts)
      select "attribute_id", group_concat(coalesce("name_key", ''), ' ') from "attribute_text"
      where true and ("name_key" <> '') group by "attribute_id";
insert into "attribute_text_containing_name_key" ("attribute_text_containing_name_key") values ('optimize');
create trigger "attribute_text_containing_name_key_on_insert" after insert on "attribute_text" begin
      delete from "attribute_text_containing_name_key" where rowid in (new."attribute_id");
      insert into "attribute_text_containing_name_key" (rowid, texts)
      select "attribute_id", group_concat(coalesce("name_key", ''), ' ') from "attribute_text"
      where "attribute_id" in (new."attribute_id") and ("name_key" <> '') group by "attribute_id";
    end;
create trigger "attribute_text_containing_name_key_on_delete" after delete on "attribute_text" begin
      delete from "attribute_text_containing_name_key" where rowid in (old."attribute_id");
      insert into "attribute_text_containing_name_key" (rowid, texts)
      select "attribute_id", group_concat(coalesce("name_key", ''), ' ') from "attribute_text"
      where "attribute_id" in (old."attribute_id") and ("name_key" <> '') group by "attribute_id";
    end;
create trigger "attribute_text_containing_name_key_on_update" after update of "attribute_id", "name_key" on "attribute_text" when new."attribute_id" is not old."attribute_id" or new."name_key" is not old."name_key" begin
      delete from "attribute_text_containing_name_key" where rowid in (old."attribute_id", new."attribute_id");
      insert into "attribute_text_containing_name_key" (rowid, texts)
      select "attribute_id", group_concat(coalesce("name_key", ''), ' ') from "attribute_text"
      where "attribute_id" in (old."attribute_id", new."attribute_id") and ("name_key" <> '') group by "attribute_id";
    end;
create virtual table "attribute_option_text_containing_value_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "attribute_option_text_containing_value_key" (rowid, texts)
      select "attribute_option_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_option_text"
      where true and ("value_key" <> '') group by "attribute_option_id";
insert into "attribute_option_text_containing_value_key" ("attribute_option_text_containing_value_key") values ('optimize');
create trigger "attribute_option_text_containing_value_key_on_insert" after insert on "attribute_option_text" begin
      delete from "attribute_option_text_containing_value_key" where rowid in (new."attribute_option_id");
      insert into "attribute_option_text_containing_value_key" (rowid, texts)
      select "attribute_option_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_option_text"
      where "attribute_option_id" in (new."attribute_option_id") and ("value_key" <> '') group by "attribute_option_id";
    end;
create trigger "attribute_option_text_containing_value_key_on_delete" after delete on "attribute_option_text" begin
      delete from "attribute_option_text_containing_value_key" where rowid in (old."attribute_option_id");
      insert into "attribute_option_text_containing_value_key" (rowid, texts)
      select "attribute_option_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_option_text"
      where "attribute_option_id" in (old."attribute_option_id") and ("value_key" <> '') group by "attribute_option_id";
    end;
create trigger "attribute_option_text_containing_value_key_on_update" after update of "attribute_option_id", "value_key" on "attribute_option_text" when new."attribute_option_id" is not old."attribute_option_id" or new."value_key" is not old."value_key" begin
      delete from "attribute_option_text_containing_value_key" where rowid in (old."attribute_option_id", new."attribute_option_id");
      insert into "attribute_option_text_containing_value_key" (rowid, texts)
      select "attribute_option_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_option_text"
      where "attribute_option_id" in (old."attribute_option_id", new."attribute_option_id") and ("value_key" <> '') group by "attribute_option_id";
    end;
create virtual table "attribute_value_text_text_searched" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "attribute_value_text_text_searched" (rowid, texts)
      select "attribute_value_text_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_value_text_text"
      where true and ("value_key" <> '') group by "attribute_value_text_id";
insert into "attribute_value_text_text_searched" ("attribute_value_text_text_searched") values ('optimize');
create trigger "attribute_value_text_text_searched_on_insert" after insert on "attribute_value_text_text" begin
      delete from "attribute_value_text_text_searched" where rowid in (new."attribute_value_text_id");
      insert into "attribute_value_text_text_searched" (rowid, texts)
      select "attribute_value_text_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_value_text_text"
      where "attribute_value_text_id" in (new."attribute_value_text_id") and ("value_key" <> '') group by "attribute_value_text_id";
    end;
create trigger "attribute_value_text_text_searched_on_delete" after delete on "attribute_value_text_text" begin
      delete from "attribute_value_text_text_searched" where rowid in (old."attribute_value_text_id");
      insert into "attribute_value_text_text_searched" (rowid, texts)
      select "attribute_value_text_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_value_text_text"
      where "attribute_value_text_id" in (old."attribute_value_text_id") and ("value_key" <> '') group by "attribute_value_text_id";
    end;
create trigger "attribute_value_text_text_searched_on_update" after update of "attribute_value_text_id", "value_key" on "attribute_value_text_text" when new."attribute_value_text_id" is not old."attribute_value_text_id" or new."value_key" is not old."value_key" begin
      delete from "attribute_value_text_text_searched" where rowid in (old."attribute_value_text_id", new."attribute_value_text_id");
      insert into "attribute_value_text_text_searched" (rowid, texts)
      select "attribute_value_text_id", group_concat(coalesce("value_key", ''), ' ') from "attribute_value_text_text"
      where "attribute_value_text_id" in (old."attribute_value_text_id", new."attribute_value_text_id") and ("value_key" <> '') group by "attribute_value_text_id";
    end;
create virtual table "category_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "category_text_containing_name_key" (rowid, texts)
      select "category_id", group_concat(coalesce("name_key", ''), ' ') from "category_text"
      where true and ("name_key" <> '') group by "category_id";
insert into "category_text_containing_name_key" ("category_text_containing_name_key") values ('optimize');
create trigger "category_text_containing_name_key_on_insert" after insert on "category_text" begin
      delete from "category_text_containing_name_key" where rowid in (new."category_id");
      insert into "category_text_containing_name_key" (rowid, texts)
      select "category_id", group_concat(coalesce("name_key", ''), ' ') from "category_text"
      where "category_id" in (new."category_id") and ("name_key" <> '') group by "category_id";
    end;
create trigger "category_text_containing_name_key_on_delete" after delete on "category_text" begin
      delete from "category_text_containing_name_key" where rowid in (old."category_id");
      insert into "category_text_containing_name_key" (rowid, texts)
      select "category_id", group_concat(coalesce("name_key", ''), ' ') from "category_text"
      where "category_id" in (old."category_id") and ("name_key" <> '') group by "category_id";
    end;
create trigger "category_text_containing_name_key_on_update" after update of "category_id", "name_key" on "category_text" when new."category_id" is not old."category_id" or new."name_key" is not old."name_key" begin
      delete from "category_text_containing_name_key" where rowid in (old."category_id", new."category_id");
      insert into "category_text_containing_name_key" (rowid, texts)
      select "category_id", group_concat(coalesce("name_key", ''), ' ') from "category_text"
      where "category_id" in (old."category_id", new."category_id") and ("name_key" <> '') group by "category_id";
    end;
create virtual table "order_containing_email_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "order_containing_email_key" (rowid, texts)
      select "id", group_concat(coalesce("email_key", ''), ' ') from "order"
      where true and ("email_key" <> '') group by "id";
insert into "order_containing_email_key" ("order_containing_email_key") values ('optimize');
create trigger "order_containing_email_key_on_insert" after insert on "order" begin
      delete from "order_containing_email_key" where rowid in (new."id");
      insert into "order_containing_email_key" (rowid, texts)
      select "id", group_concat(coalesce("email_key", ''), ' ') from "order"
      where "id" in (new."id") and ("email_key" <> '') group by "id";
    end;
create trigger "order_containing_email_key_on_delete" after delete on "order" begin
      delete from "order_containing_email_key" where rowid in (old."id");
      insert into "order_containing_email_key" (rowid, texts)
      select "id", group_concat(coalesce("email_key", ''), ' ') from "order"
      where "id" in (old."id") and ("email_key" <> '') group by "id";
    end;
create trigger "order_containing_email_key_on_update" after update of "id", "email_key" on "order" when new."id" is not old."id" or new."email_key" is not old."email_key" begin
      delete from "order_containing_email_key" where rowid in (old."id", new."id");
      insert into "order_containing_email_key" (rowid, texts)
      select "id", group_concat(coalesce("email_key", ''), ' ') from "order"
      where "id" in (old."id", new."id") and ("email_key" <> '') group by "id";
    end;
create virtual table "membership_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "membership_text_containing_name_key" (rowid, texts)
      select "membership_id", group_concat(coalesce("name_key", ''), ' ') from "membership_text"
      where true and ("name_key" <> '') group by "membership_id";
insert into "membership_text_containing_name_key" ("membership_text_containing_name_key") values ('optimize');
create trigger "membership_text_containing_name_key_on_insert" after insert on "membership_text" begin
      delete from "membership_text_containing_name_key" where rowid in (new."membership_id");
      insert into "membership_text_containing_name_key" (rowid, texts)
      select "membership_id", group_concat(coalesce("name_key", ''), ' ') from "membership_text"
      where "membership_id" in (new."membership_id") and ("name_key" <> '') group by "membership_id";
    end;
create trigger "membership_text_containing_name_key_on_delete" after delete on "membership_text" begin
      delete from "membership_text_containing_name_key" where rowid in (old."membership_id");
      insert into "membership_text_containing_name_key" (rowid, texts)
      select "membership_id", group_concat(coalesce("name_key", ''), ' ') from "membership_text"
      where "membership_id" in (old."membership_id") and ("name_key" <> '') group by "membership_id";
    end;
create trigger "membership_text_containing_name_key_on_update" after update of "membership_id", "name_key" on "membership_text" when new."membership_id" is not old."membership_id" or new."name_key" is not old."name_key" begin
      delete from "membership_text_containing_name_key" where rowid in (old."membership_id", new."membership_id");
      insert into "membership_text_containing_name_key" (rowid, texts)
      select "membership_id", group_concat(coalesce("name_key", ''), ' ') from "membership_text"
      where "membership_id" in (old."membership_id", new."membership_id") and ("name_key" <> '') group by "membership_id";
    end;
create virtual table "tag_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "tag_text_containing_name_key" (rowid, texts)
      select "tag_id", group_concat(coalesce("name_key", ''), ' ') from "tag_text"
      where true and ("name_key" <> '') group by "tag_id";
insert into "tag_text_containing_name_key" ("tag_text_containing_name_key") values ('optimize');
create trigger "tag_text_containing_name_key_on_insert" after insert on "tag_text" begin
      delete from "tag_text_containing_name_key" where rowid in (new."tag_id");
      insert into "tag_text_containing_name_key" (rowid, texts)
      select "tag_id", group_concat(coalesce("name_key", ''), ' ') from "tag_text"
      where "tag_id" in (new."tag_id") and ("name_key" <> '') group by "tag_id";
    end;
create trigger "tag_text_containing_name_key_on_delete" after delete on "tag_text" begin
      delete from "tag_text_containing_name_key" where rowid in (old."tag_id");
      insert into "tag_text_containing_name_key" (rowid, texts)
      select "tag_id", group_concat(coalesce("name_key", ''), ' ') from "tag_text"
      where "tag_id" in (old."tag_id") and ("name_key" <> '') group by "tag_id";
    end;
create trigger "tag_text_containing_name_key_on_update" after update of "tag_id", "name_key" on "tag_text" when new."tag_id" is not old."tag_id" or new."name_key" is not old."name_key" begin
      delete from "tag_text_containing_name_key" where rowid in (old."tag_id", new."tag_id");
      insert into "tag_text_containing_name_key" (rowid, texts)
      select "tag_id", group_concat(coalesce("name_key", ''), ' ') from "tag_text"
      where "tag_id" in (old."tag_id", new."tag_id") and ("name_key" <> '') group by "tag_id";
    end;
create virtual table "sticker_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "sticker_text_containing_name_key" (rowid, texts)
      select "sticker_id", group_concat(coalesce("name_key", ''), ' ') from "sticker_text"
      where true and ("name_key" <> '') group by "sticker_id";
insert into "sticker_text_containing_name_key" ("sticker_text_containing_name_key") values ('optimize');
create trigger "sticker_text_containing_name_key_on_insert" after insert on "sticker_text" begin
      delete from "sticker_text_containing_name_key" where rowid in (new."sticker_id");
      insert into "sticker_text_containing_name_key" (rowid, texts)
      select "sticker_id", group_concat(coalesce("name_key", ''), ' ') from "sticker_text"
      where "sticker_id" in (new."sticker_id") and ("name_key" <> '') group by "sticker_id";
    end;
create trigger "sticker_text_containing_name_key_on_delete" after delete on "sticker_text" begin
      delete from "sticker_text_containing_name_key" where rowid in (old."sticker_id");
      insert into "sticker_text_containing_name_key" (rowid, texts)
      select "sticker_id", group_concat(coalesce("name_key", ''), ' ') from "sticker_text"
      where "sticker_id" in (old."sticker_id") and ("name_key" <> '') group by "sticker_id";
    end;
create trigger "sticker_text_containing_name_key_on_update" after update of "sticker_id", "name_key" on "sticker_text" when new."sticker_id" is not old."sticker_id" or new."name_key" is not old."name_key" begin
      delete from "sticker_text_containing_name_key" where rowid in (old."sticker_id", new."sticker_id");
      insert into "sticker_text_containing_name_key" (rowid, texts)
      select "sticker_id", group_concat(coalesce("name_key", ''), ' ') from "sticker_text"
      where "sticker_id" in (old."sticker_id", new."sticker_id") and ("name_key" <> '') group by "sticker_id";
    end;
create virtual table "profile_containing_login_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "profile_containing_login_key" (rowid, texts)
      select "id", group_concat(coalesce("login_key", ''), ' ') from "profile"
      where true and ("login_key" <> '') group by "id";
insert into "profile_containing_login_key" ("profile_containing_login_key") values ('optimize');
create trigger "profile_containing_login_key_on_insert" after insert on "profile" begin
      delete from "profile_containing_login_key" where rowid in (new."id");
      insert into "profile_containing_login_key" (rowid, texts)
      select "id", group_concat(coalesce("login_key", ''), ' ') from "profile"
      where "id" in (new."id") and ("login_key" <> '') group by "id";
    end;
create trigger "profile_containing_login_key_on_delete" after delete on "profile" begin
      delete from "profile_containing_login_key" where rowid in (old."id");
      insert into "profile_containing_login_key" (rowid, texts)
      select "id", group_concat(coalesce("login_key", ''), ' ') from "profile"
      where "id" in (old."id") and ("login_key" <> '') group by "id";
    end;
create trigger "profile_containing_login_key_on_update" after update of "id", "login_key" on "profile" when new."id" is not old."id" or new."login_key" is not old."login_key" begin
      delete from "profile_containing_login_key" where rowid in (old."id", new."id");
      insert into "profile_containing_login_key" (rowid, texts)
      select "id", group_concat(coalesce("login_key", ''), ' ') from "profile"
      where "id" in (old."id", new."id") and ("login_key" <> '') group by "id";
    end;
create virtual table "order_searched" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "order_searched" (rowid, texts)
      select "id", group_concat(coalesce("order_number_key", '') || ' ' || coalesce("billing_address_key", '') || ' ' || coalesce("shipping_address_key", ''), ' ') from "order"
      where true and ("order_number_key" <> '' or "billing_address_key" <> '' or "shipping_address_key" <> '') group by "id";
insert into "order_searched" ("order_searched") values ('optimize');
create trigger "order_searched_on_insert" after insert on "order" begin
      delete from "order_searched" where rowid in (new."id");
      insert into "order_searched" (rowid, texts)
      select "id", group_concat(coalesce("order_number_key", '') || ' ' || coalesce("billing_address_key", '') || ' ' || coalesce("shipping_address_key", ''), ' ') from "order"
      where "id" in (new."id") and ("order_number_key" <> '' or "billing_address_key" <> '' or "shipping_address_key" <> '') group by "id";
    end;
create trigger "order_searched_on_delete" after delete on "order" begin
      delete from "order_searched" where rowid in (old."id");
      insert into "order_searched" (rowid, texts)
      select "id", group_concat(coalesce("order_number_key", '') || ' ' || coalesce("billing_address_key", '') || ' ' || coalesce("shipping_address_key", ''), ' ') from "order"
      where "id" in (old."id") and ("order_number_key" <> '' or "billing_address_key" <> '' or "shipping_address_key" <> '') group by "id";
    end;
create trigger "order_searched_on_update" after update of "id", "order_number_key", "billing_address_key", "shipping_address_key" on "order" when new."id" is not old."id" or new."order_number_key" is not old."order_number_key" or new."billing_address_key" is not old."billing_address_key" or new."shipping_address_key" is not old."shipping_address_key" begin
      delete from "order_searched" where rowid in (old."id", new."id");
      insert into "order_searched" (rowid, texts)
      select "id", group_concat(coalesce("order_number_key", '') || ' ' || coalesce("billing_address_key", '') || ' ' || coalesce("shipping_address_key", ''), ' ') from "order"
      where "id" in (old."id", new."id") and ("order_number_key" <> '' or "billing_address_key" <> '' or "shipping_address_key" <> '') group by "id";
    end;
create virtual table "order_item_searched" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "order_item_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "order_item"
      where true and ("sku_key" <> '') group by "id";
insert into "order_item_searched" ("order_item_searched") values ('optimize');
create trigger "order_item_searched_on_insert" after insert on "order_item" begin
      delete from "order_item_searched" where rowid in (new."id");
      insert into "order_item_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "order_item"
      where "id" in (new."id") and ("sku_key" <> '') group by "id";
    end;
create trigger "order_item_searched_on_delete" after delete on "order_item" begin
      delete from "order_item_searched" where rowid in (old."id");
      insert into "order_item_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "order_item"
      where "id" in (old."id") and ("sku_key" <> '') group by "id";
    end;
create trigger "order_item_searched_on_update" after update of "id", "sku_key" on "order_item" when new."id" is not old."id" or new."sku_key" is not old."sku_key" begin
      delete from "order_item_searched" where rowid in (old."id", new."id");
      insert into "order_item_searched" (rowid, texts)
      select "id", group_concat(coalesce("sku_key", ''), ' ') from "order_item"
      where "id" in (old."id", new."id") and ("sku_key" <> '') group by "id";
    end;
create virtual table "zone_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "zone_containing_name_key" (rowid, texts)
      select "id", group_concat(coalesce("name_key", ''), ' ') from "zone"
      where true and ("name_key" <> '') group by "id";
insert into "zone_containing_name_key" ("zone_containing_name_key") values ('optimize');
create trigger "zone_containing_name_key_on_insert" after insert on "zone" begin
      delete from "zone_containing_name_key" where rowid in (new."id");
      insert into "zone_containing_name_key" (rowid, texts)
      select "id", group_concat(coalesce("name_key", ''), ' ') from "zone"
      where "id" in (new."id") and ("name_key" <> '') group by "id";
    end;
create trigger "zone_containing_name_key_on_delete" after delete on "zone" begin
      delete from "zone_containing_name_key" where rowid in (old."id");
      insert into "zone_containing_name_key" (rowid, texts)
      select "id", group_concat(coalesce("name_key", ''), ' ') from "zone"
      where "id" in (old."id") and ("name_key" <> '') group by "id";
    end;
create trigger "zone_containing_name_key_on_update" after update of "id", "name_key" on "zone" when new."id" is not old."id" or new."name_key" is not old."name_key" begin
      delete from "zone_containing_name_key" where rowid in (old."id", new."id");
      insert into "zone_containing_name_key" (rowid, texts)
      select "id", group_concat(coalesce("name_key", ''), ' ') from "zone"
      where "id" in (old."id", new."id") and ("name_key" <> '') group by "id";
    end;
create virtual table "shipping_method_text_containing_name_key" using fts5(texts, content='', contentless_delete=1, detail=none,
      tokenize='trigram case_sensitive 1');
insert into "shipping_method_text_containing_name_key" (rowid, texts)
      select "shipping_method_id", group_concat(coalesce("name_key", ''), ' ') from "shipping_method_text"
      where true and ("name_key" <> '') group by "shipping_method_id";
insert into "shipping_method_text_containing_name_key" ("shipping_method_text_containing_name_key") values ('optimize');
create trigger "shipping_method_text_containing_name_key_on_insert" after insert on "shipping_method_text" begin
      delete from "shipping_method_text_containing_name_key" where rowid in (new."shipping_method_id");
      insert into "shipping_method_text_containing_name_key" (rowid, texts)
      select "shipping_method_id", group_concat(coalesce("name_key", ''), ' ') from "shipping_method_text"
      where "shipping_method_id" in (new."shipping_method_id") and ("name_key" <> '') group by "shipping_method_id";
    end;
create trigger "shipping_method_text_containing_name_key_on_delete" after delete on "shipping_method_text" begin
      delete from "shipping_method_text_containing_name_key" where rowid in (old."shipping_method_id");
      insert into "shipping_method_text_containing_name_key" (rowid, texts)
      select "shipping_method_id", group_concat(coalesce("name_key", ''), ' ') from "shipping_method_text"
      where "shipping_method_id" in (old."shipping_method_id") and ("name_key" <> '') group by "shipping_method_id";
    end;
create trigger "shipping_method_text_containing_name_key_on_update" after update of "shipping_method_id", "name_key" on "shipping_method_text" when new."shipping_method_id" is not old."shipping_method_id" or new."name_key" is not old."name_key" begin
      delete from "shipping_method_text_containing_name_key" where rowid in (old."shipping_method_id", new."shipping_method_id");
      insert into "shipping_method_text_containing_name_key" (rowid, texts)
      select "shipping_method_id", group_concat(coalesce("name_key", ''), ' ') from "shipping_method_text"
      where "shipping_method_id" in (old."shipping_method_id", new."shipping_method_id") and ("name_key" <> '') group by "shipping_method_id";
    end;
