/** Copies products by SKU, with images, attributes, values and variants. */
import { escapeHtml } from '../../../engine/index.ts';
import type { ApiRecord } from '../../api/store-api.ts';
import { counted } from '../../backup/format.ts';
import { copyAttachments } from './attachments.ts';
import { type Attribute, copyAttributes, SCOPES } from './attributes.ts';
import { forMembers, mapped } from './categories.ts';
import { copyReviews } from './reviews.ts';
import { type Ids, idOf, type ProductIds, picked, type StoreCopy } from './store-copy.ts';
import { copyValues } from './values.ts';
import { copyVariants } from './variants.ts';
import { copyWholesalePrices } from './wholesale-prices.ts';

const FIELDS = (
  'sku name description brief_description meta_tags meta_description meta_description_type meta_title clean_url price ' +
  'market_price cost_price sale_price_value participate_sale discount_type apply_sale_to_wholesale enabled weight ' +
  'free_shipping taxable inventory_traceable available_for_backorder backorder_limit pin_codes_enabled ' +
  'auto_pin_codes facebook_marketing_enabled google_feed_enabled arrival_date separate_box width length height'
).split(' ');

/** Identifiers in both stores of the records to which products link. */
interface Linked {
  readonly classes: Ids;
  readonly taxClasses: Ids;
  readonly memberships: Ids;
  readonly stickers: Ids;
  /** Attributes of the whole store. */
  readonly attributes: readonly Attribute[];
  /** Attributes of classes, by the identifier of the class in the source store. */
  readonly ofClasses: ReadonlyMap<number, readonly Attribute[]>;
}

/** The product has already been given this image. */
const CONFLICT = 409;

export async function copyProducts(storeCopy: StoreCopy, linked: Linked): Promise<Ids> {
  const ids: Ids = new Map();
  const pending: ApiRecord[] = [];
  async function* lines(): AsyncGenerator<ApiRecord> {
    for await (const product of storeCopy.records('/products')) {
      storeCopy.throwIfInterrupted();
      pending.push(product);
      yield {
        ...inputOf(product, linked, await exists(storeCopy, product)),
        ...forMembers(storeCopy, `product ${product.sku}`, product, linked.memberships),
      };
    }
  }
  for await (const { result, id, rejection } of storeCopy.target.bulk('/products', lines())) {
    storeCopy.throwIfInterrupted();
    const product = pending.shift()!;
    const name = String(product.sku);
    if (rejection) storeCopy.failure('products', name, rejection);
    else {
      ids.set(product.id as number, id as number);
      const parts = await copyParts(
        storeCopy,
        product,
        { sourceId: product.id as number, targetId: id as number },
        linked,
      );
      storeCopy.row('products', name, result as 'created', { parts });
    }
  }
  return ids;
}

async function exists({ target }: StoreCopy, { sku }: ApiRecord): Promise<boolean> {
  for await (const _ of target.list('/products', [], { sku: String(sku) })) return true;
  return false;
}

/** @param exists the target store has the product and may already sell it, so its stock is not overwritten */
function inputOf(product: ApiRecord, { classes, taxClasses, stickers }: Linked, exists: boolean): ApiRecord {
  const one = (link: unknown, ids: Ids): number | null => ids.get(idOf(link) ?? 0) ?? null;
  return {
    ...picked(product, exists ? FIELDS : [...FIELDS, 'amount']),
    ...('product_class' in product ? { product_class: one(product.product_class, classes) } : {}),
    ...('tax_class' in product ? { tax_class: one(product.tax_class, taxClasses) } : {}),
    ...('stickers' in product ? { stickers: mapped(product.stickers, stickers) } : {}),
    ...('tags' in product ? { tags: (product.tags as { name: string }[]).map(({ name }) => name) } : {}),
    ...ownMarkup(product),
  };
}

const GENERATED_LINE = /^<meta property="og:(?:description|url|image)" content="[^"]*" \/>$/;

/** Omits markup that the source generated from the product, because the target store generates its own. */
function ownMarkup({ og_meta_tags: markup, name }: ApiRecord): { og_meta_tags?: string } {
  if (typeof markup !== 'string') return {};
  const [title, ...others] = markup.split('\n');
  const isTitle = title === `<meta property="og:title" content="${escapeHtml(String(name))}" />`;
  return isTitle && others.every((line) => GENERATED_LINE.test(line)) ? {} : { og_meta_tags: markup };
}

/** @returns descriptions of what was added, such as `2 images` */
async function copyParts(
  storeCopy: StoreCopy,
  product: ApiRecord,
  ids: ProductIds,
  { attributes, ofClasses, memberships }: Linked,
): Promise<string[]> {
  const name = String(product.sku);
  const images = await copyImages(storeCopy, product, ids.targetId);
  const ofProduct = await copyAttributes(storeCopy, SCOPES.product, {
    source: [ids.sourceId],
    target: [ids.targetId],
  });
  const all = [...attributes, ...(ofClasses.get(idOf(product.product_class) ?? 0) ?? []), ...ofProduct];
  const values = await copyValues(storeCopy, name, ids, all);
  const variants = await copyVariants(storeCopy, name, ids, values.ids);
  const wholesale = await copyPricesOf(storeCopy, name, ids, variants.ids, memberships);
  const reviews = await copyReviews(storeCopy, name, ids);
  const attachments = await copyAttachments(storeCopy, name, ids, memberships);
  return [
    ...(images > 0 ? [counted(images, 'image')] : []),
    ...(values.set > 0 ? [counted(values.set, 'value')] : []),
    ...(variants.saved > 0 ? [counted(variants.saved, 'variant')] : []),
    ...(wholesale > 0 ? [counted(wholesale, 'wholesale price')] : []),
    ...(reviews > 0 ? [counted(reviews, 'review')] : []),
    ...(attachments > 0 ? [counted(attachments, 'attachment')] : []),
  ];
}

/** Copies the wholesale prices of a product and its variants. @returns the number of created or changed prices */
async function copyPricesOf(
  storeCopy: StoreCopy,
  name: string,
  { sourceId, targetId }: ProductIds,
  variants: Ids,
  memberships: Ids,
): Promise<number> {
  const owners = [[], ...variants].map(([source, target]) => ({
    source: source === undefined ? [sourceId] : [sourceId, source],
    target: target === undefined ? [targetId] : [targetId, target],
  }));
  let saved = 0;
  for (const owner of owners) saved += await copyWholesalePrices(storeCopy, name, owner, memberships);
  return saved;
}

/** @returns the number of images that were added */
async function copyImages(storeCopy: StoreCopy, product: ApiRecord, targetId: number): Promise<number> {
  let added = 0;
  for (const image of (product.images ?? []) as ApiRecord[]) {
    const { url: externalUrl } = image;
    if (typeof externalUrl !== 'string' || externalUrl === '') continue;
    const input = { ...picked(image, ['alt', 'position']), externalUrl, once: true };
    const created = await storeCopy.target.post('/products/{product_id}/images', [targetId], input);
    if (created.ok) added += 1;
    else if (created.status !== CONFLICT) storeCopy.failure('images', `${externalUrl} of ${product.sku}`, created);
  }
  return added;
}
