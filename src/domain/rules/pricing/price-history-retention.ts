/** Replaces expired earlier values of products by the newest change of their price (pricing.md §6). */
import type { UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import {
  changesOf,
  type HistoryReads,
  NEWEST_CHANGE,
  productHistories,
  readRules,
  type USES_OF_PRICE_HISTORY,
  variantHistories,
} from './price-history-facts.ts';
import { type PricedHistory, since } from './price-timeline.ts';

interface Expiry {
  readonly currency: string;
  readonly now: number;
  /** Values that were in force only until this time have expired. */
  readonly before: number;
  readonly pause: () => Promise<void>;
}

/** A product or one of its variants. */
interface Owner {
  readonly product: Value;
  readonly variant: Value;
  readonly history: PricedHistory;
}

/** Products and variants whose values are replaced in one unit, so that no write waits long. */
const OWNERS_PER_UNIT = 200;

/** Divides products into lists for one unit of work each. A product with very many variants has its own. */
export async function productsPerUnit(reads: HistoryReads, products: readonly Value[]): Promise<Value[][]> {
  const variants = await reads.list('Variant', { product_id: [...products] }, { only: ['product_id'] });
  const variantsOf = Map.groupBy(variants, ({ product_id }) => product_id);
  const units: Value[][] = [];
  let owners = OWNERS_PER_UNIT;
  for (const product of products) {
    const own = 1 + (variantsOf.get(product)?.length ?? 0);
    owners += own;
    if (owners > OWNERS_PER_UNIT) {
      units.push([]);
      owners = own;
    }
    units.at(-1)!.push(product);
  }
  return units;
}

/** Finds those of the products whose history would change if the expired values of rules were deleted. */
export async function productsChangedByRules(
  reads: HistoryReads,
  products: readonly Value[],
  { currency, now, before, pause }: Expiry,
): Promise<Value[]> {
  const owners = await readOwners(reads, products);
  const histories = owners.map(({ history }) => history);
  const historyOf = new Map(owners.map((owner) => [owner, owner.history]));
  const changes = await changesOf(historyOf, await readRules(reads, histories, currency), { now, pause });
  const laterRules = await readRules(reads, histories, currency, before);
  const later = await changesOf(historyOf, laterRules, { now, pause });
  const sinceBefore = (all: typeof later, owner: Owner): string => JSON.stringify(since(all.get(owner)!, before));
  const changed = owners.filter((owner) => sinceBefore(later, owner) !== sinceBefore(changes, owner));
  return [...new Set(changed.map(({ product }) => product))];
}

/**
 * Deletes expired earlier values of products and their variants. The change that is the newest one before the expiry is
 * stored instead, so that histories do not change.
 */
export async function expireFormerValues(
  unit: UnitOfWork<typeof USES_OF_PRICE_HISTORY>,
  products: readonly Value[],
  { currency, now, before, pause }: Expiry,
): Promise<void> {
  await unit.hold('Product', products);
  const owners = await readOwners(unit, products);
  const histories = owners.map(({ history }) => history);
  const historyOf = new Map(owners.map((owner) => [owner, owner.history]));
  const changes = await changesOf(historyOf, await readRules(unit, histories, currency), { now, pause });
  const stored = await unit.list('ProductFormerValue', { product: [...products] }, { only: ['until'] });
  const expired = stored.filter(({ until }) => (until as number) <= before).map(({ id }) => id);
  if (expired.length > 0) await unit.remove('ProductFormerValue', { id: expired });
  const newest = owners.flatMap((owner) => {
    const change = changes.get(owner)!.findLast(({ time }) => time < before);
    if (!change) return [];
    const { product, variant } = owner;
    const values = [change.time, change.price, change.regular_price];
    return [{ product, variant, resource: NEWEST_CHANGE, until: before, values }];
  });
  await unit.insertAll('ProductFormerValue', newest);
}

async function readOwners(reads: HistoryReads, products: readonly Value[]): Promise<Owner[]> {
  const variants = (await reads.list('Variant', { product_id: [...products] }, { only: [] })).map(({ id }) => id);
  const ofProducts = [...(await productHistories(reads, products))];
  const ofVariants = variants.length === 0 ? [] : [...(await variantHistories(reads, variants))];
  return [
    ...ofProducts.map(([product, history]) => ({ product, variant: null, history })),
    ...ofVariants.map(([variant, history]) => ({ product: history.product, variant, history })),
  ];
}
