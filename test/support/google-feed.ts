/** The rules of Google's product data specification for the elements that feeds contain. */
import assert from 'node:assert/strict';

const text = (charactersMax: number) => (value: string) => value.trim() !== '' && [...value].length <= charactersMax;
const pattern = (form: RegExp) => (value: string) => form.test(value);
const ADDRESS = /^https?:\/\/[^\s<>"]{1,1990}$/;
const MONEY = /^\d+\.\d\d [A-Z]{3}$/;
const LENGTH = /^\d+(\.\d+)? (in|cm)$/;
const BUYABLE_LATER = new Set(['preorder', 'backorder']);

const RULES: Readonly<Record<string, (value: string) => boolean>> = {
  ...{ id: text(50), item_group_id: text(50), title: text(150), description: text(5000) },
  ...{ link: pattern(ADDRESS), image_link: pattern(ADDRESS) },
  additional_image_link: (value) => {
    const links = value.split(' ');
    return links.length <= 10 && links.every(pattern(ADDRESS));
  },
  ...{ price: pattern(MONEY), sale_price: pattern(MONEY) },
  availability: pattern(/^(in_stock|out_of_stock|preorder|backorder)$/),
  availability_date: pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?([+-]\d\d:?\d\d|Z)$/),
  ...{ brand: text(70), mpn: text(70), product_type: text(750), google_product_category: text(750) },
  gtin: pattern(/^(\d{8}|\d{12,14})$/),
  ...{ identifier_exists: pattern(/^(yes|no)$/), condition: pattern(/^(new|refurbished|used)$/) },
  shipping_weight: pattern(/^\d+(\.\d+)? (lb|oz|g|kg)$/),
  ...{ shipping_length: pattern(LENGTH), shipping_width: pattern(LENGTH), shipping_height: pattern(LENGTH) },
};

const REQUIRED = ['id', 'title', 'description', 'link', 'image_link', 'price', 'availability', 'condition'];

/** @param items as of `itemsIn` */
export function assertGoogleItems(items: readonly Readonly<Record<string, string>>[]): void {
  for (const item of items) {
    const named = `item ${item.id}`;
    for (const name of REQUIRED) assert.ok(item[name] !== undefined, `${named} has no ${name}`);
    for (const [name, value] of Object.entries(item)) assert.ok(RULES[name]?.(value), `${named}: ${name} ${value}`);
    assert.ok(Number.parseFloat(item.price!) > 0);
    if (item.sale_price) assert.ok(Number.parseFloat(item.sale_price) < Number.parseFloat(item.price!), named);
    assert.equal(item.availability_date !== undefined, BUYABLE_LATER.has(item.availability!), named);
    assert.equal(item.identifier_exists === 'no', item.gtin === undefined && item.mpn === undefined, named);
  }
  assert.equal(new Set(items.map(({ id }) => id)).size, items.length, 'each id is on one item');
}
