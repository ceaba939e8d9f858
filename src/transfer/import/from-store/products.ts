/** Products by their SKU, through bulk, each with its images, attributes, values and variants. */

import type { ApiRecord } from '../../api/store-api.ts';
import { counted } from '../../backup/format.ts';
import { type Attribute, copyAttributes, SCOPES } from './attributes.ts';
import { forMembers, mapped } from './categories.ts';
import { type Ids, idOf, picked, type StoreCopy } from './store-copy.ts';
import { copyValues } from './values.ts';
import { copyVariants } from './variants.ts';

const FIELDS = (
  'sku name description brief_description meta_tags meta_description meta_description_type meta_title clean_url price ' +
  'market_price cost_price sale_price_value participate_sale discount_type apply_sale_to_wholesale enabled weight ' +
  'free_shipping taxable inventory_traceable available_for_backorder backorder_limit pin_codes_enabled ' +
  'auto_pin_codes facebook_marketing_enabled google_feed_enabled arrival_date'
).split(' ');

/** The records that products link to: of each kind which is which. */
interface Linked {
  readonly classes: Ids;
  readonly taxClasses: Ids;
  readonly memberships: Ids;
  readonly stickers: Ids;
  /** Of the whole store. */
  readonly attributes: readonly Attribute[];
  /** By the class of the other store. */
  readonly ofClasses: ReadonlyMap<number, readonly Attribute[]>;
}

/** The refusal of an image that was given before. */
const CONFLICT = 409;

export async function copyProducts(storeCopy: StoreCopy, linked: Linked): Promise<Ids> {
  const ids: Ids = new Map();
  const underway: ApiRecord[] = [];
  async function* lines(): AsyncGenerator<ApiRecord> {
    for await (const product of storeCopy.records('/products')) {
      storeCopy.throwIfInterrupted();
      underway.push(product);
      yield {
        ...inputOf(product, linked, await isHere(storeCopy, product)),
        ...forMembers(storeCopy, `product ${product.sku}`, product, linked.memberships),
      };
    }
  }
  for await (const { result, id, rejection } of storeCopy.target.bulk('/products', lines())) {
    storeCopy.throwIfInterrupted();
    const product = underway.shift()!;
    const name = String(product.sku);
    if (rejection) storeCopy.failure('products', name, rejection);
    else {
      ids.set(product.id as number, id as number);
      const parts = await copyParts(storeCopy, product, { there: product.id as number, here: id as number }, linked);
      storeCopy.row('products', name, result as 'created', { parts });
    }
  }
  return ids;
}

async function isHere({ target }: StoreCopy, { sku }: ApiRecord): Promise<boolean> {
  for await (const _ of target.list('/products', [], { sku: String(sku) })) return true;
  return false;
}

/** @param isHere it is in this store, which may sell already: then its stock stays */
function inputOf(product: ApiRecord, { classes, taxClasses, stickers }: Linked, isHere: boolean): ApiRecord {
  const one = (link: unknown, ids: Ids): number | null => ids.get(idOf(link) ?? 0) ?? null;
  return {
    ...picked(product, isHere ? FIELDS : [...FIELDS, 'amount']),
    ...('product_class' in product ? { product_class: one(product.product_class, classes) } : {}),
    ...('tax_class' in product ? { tax_class: one(product.tax_class, taxClasses) } : {}),
    ...('stickers' in product ? { stickers: mapped(product.stickers, stickers) } : {}),
    ...('tags' in product ? { tags: (product.tags as { name: string }[]).map(({ name }) => name) } : {}),
    ...ownMarkup(product),
  };
}

/** Markup with an address in it was made from the product, and is made here too. */
function ownMarkup({ og_meta_tags: markup }: ApiRecord): { og_meta_tags?: string } {
  return typeof markup === 'string' && !/property="og:url"/.test(markup) ? { og_meta_tags: markup } : {};
}

/** @returns words for what is new */
async function copyParts(
  storeCopy: StoreCopy,
  product: ApiRecord,
  own: { readonly there: number; readonly here: number },
  { attributes, ofClasses }: Linked,
): Promise<string[]> {
  const name = String(product.sku);
  const images = await copyImages(storeCopy, product, own.here);
  const ofProduct = await copyAttributes(storeCopy, SCOPES.product, { there: [own.there], here: [own.here] });
  const all = [...attributes, ...(ofClasses.get(idOf(product.product_class) ?? 0) ?? []), ...ofProduct];
  const values = await copyValues(storeCopy, name, own, all);
  const variants = await copyVariants(storeCopy, name, own, values.ids);
  return [
    ...(images > 0 ? [counted(images, 'image')] : []),
    ...(values.set > 0 ? [counted(values.set, 'value')] : []),
    ...(variants > 0 ? [counted(variants, 'variant')] : []),
  ];
}

/** @returns how many the product was given now */
async function copyImages(storeCopy: StoreCopy, product: ApiRecord, here: number): Promise<number> {
  let added = 0;
  for (const image of (product.images ?? []) as ApiRecord[]) {
    const { url: externalUrl } = image;
    if (typeof externalUrl !== 'string' || externalUrl === '') continue;
    const input = { ...picked(image, ['alt', 'position']), externalUrl, once: true };
    const made = await storeCopy.target.post('/products/{product_id}/images', [here], input);
    if (made.ok) added += 1;
    else if (made.status !== CONFLICT) storeCopy.failure('images', `${externalUrl} of ${product.sku}`, made);
  }
  return added;
}
