/**
 * The columns of a WooCommerce product export that are read; all others are told in the report and passed over. Attributes are
 * numbered and have four columns each.
 */
export const WOOCOMMERCE_COLUMNS = [
  'ID',
  'Type',
  'SKU',
  'Name',
  'Published',
  'Short description',
  'Description',
  'Tax status',
  'In stock?',
  'Stock',
  'Backorders allowed?',
  'Sale price',
  'Date sale price starts',
  'Date sale price ends',
  'Regular price',
  'Categories',
  'Tags',
  'Images',
  'Parent',
] as const;

/** `Weight (kg)`: the unit is that of the other shop. */
export const WEIGHT_COLUMN = /^Weight \((kg|g|lbs|oz)\)$/;

/** `Attribute 2 value(s)`; the columns `visible` and `global` say how the other shop shows and shares it. */
export const ATTRIBUTE_COLUMN = /^Attribute (\d{1,3}) (name|value\(s\)|visible|global|default)$/;
