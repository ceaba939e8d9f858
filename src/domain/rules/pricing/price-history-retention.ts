/** Replaces expired earlier values of products by the newest change of their price (pricing.md §6). */
import type { UnitOfWork, Value } from '../../../engine/vocabulary.ts';
import {
  changesOf,
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
  /** Only products whose history depends on expired values of rules, which will be deleted. */
  readonly onlyByRules: boolean;
  readonly pause: () => Promise<void>;
}

/** A product or one of its variants. */
interface Owner {
  readonly product: Value;
  readonly variant: Value;
  readonly history: PricedHistory;
}

/**
 * Deletes expired earlier values of products and their variants. The change that is the newest one before the expiry is
 * stored instead, so that histories do not change.
 */
export async function expireFormerValues(
  unit: UnitOfWork<typeof USES_OF_PRICE_HISTORY>,
  products: readonly Value[],
  { currency, now, before, onlyByRules, pause }: Expiry,
): Promise<void> {
  await unit.hold('Product', products);
  const owners = await readOwners(unit, products);
  const histories = owners.map(({ history }) => history);
  const historyOf = new Map(owners.map((owner) => [owner, owner.history]));
  const changes = await changesOf(historyOf, await readRules(unit, histories, currency), { now, pause });
  const laterRules = onlyByRules ? await readRules(unit, histories, currency, before) : undefined;
  const later = laterRules && (await changesOf(historyOf, laterRules, { now, pause }));
  const isUnchanged = (owner: Owner): boolean =>
    later !== undefined &&
    JSON.stringify(since(later.get(owner)!, before)) === JSON.stringify(since(changes.get(owner)!, before));
  const changed = new Set(owners.filter((owner) => !isUnchanged(owner)).map(({ product }) => product));
  if (changed.size === 0) return;
  const stored = await unit.list('ProductFormerValue', { product: [...changed] });
  const expired = stored.filter(({ until }) => (until as number) <= before).map(({ id }) => id);
  if (expired.length > 0) await unit.remove('ProductFormerValue', { id: expired });
  const newest = owners.flatMap((owner) => {
    const change = changes.get(owner)!.findLast(({ time }) => time < before);
    const { product, variant } = owner;
    if (!change || !changed.has(product)) return [];
    const values = [change.time, change.price, change.regular_price];
    return [{ product, variant, resource: NEWEST_CHANGE, until: before, values }];
  });
  await unit.insertAll('ProductFormerValue', newest);
}

async function readOwners(
  unit: UnitOfWork<typeof USES_OF_PRICE_HISTORY>,
  products: readonly Value[],
): Promise<Owner[]> {
  const variants = (await unit.list('Variant', { product_id: [...products] }, { only: [] })).map(({ id }) => id);
  const ofProducts = [...(await productHistories(unit, products))];
  const ofVariants = variants.length === 0 ? [] : [...(await variantHistories(unit, variants))];
  return [
    ...ofProducts.map(([product, history]) => ({ product, variant: null, history })),
    ...ofVariants.map(([variant, history]) => ({ product: history.product, variant, history })),
  ];
}
