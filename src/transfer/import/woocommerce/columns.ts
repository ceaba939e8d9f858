/** The columns of an export that are imported, besides weight and numbered attributes. The report lists all others. */
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

/** `Weight (kg)`, with the unit of the other shop. */
export const WEIGHT_COLUMN = /^Weight \((kg|g|lbs|oz)\)$/;

/** `Attribute 2 value(s)`. `visible`, `global` and `default` are settings of the other shop without an equivalent here. */
export const ATTRIBUTE_COLUMN = /^Attribute (\d{1,3}) (name|value\(s\)|visible|global|default)$/;
