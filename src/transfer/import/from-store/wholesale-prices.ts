/** Copies the wholesale prices of a product or variant. An existing one is found by its membership and quantity. */
import type { ApiRecord } from '../../api/store-api.ts';
import { differing, type Ids, idOf, picked, type StoreCopy } from './store-copy.ts';

const OF_PRODUCT = '/products/{product_id}/wholesale_prices';
const OF_VARIANT = '/products/{product_id}/variants/{variant_id}/wholesale_prices';

const FIELDS = ['type', 'price', 'quantity_range_begin'];

/** The owner in one store: a product, or a product and its variant. */
type Owner = readonly number[];

const MEMBERSHIP_MISSING = {
  status: 422,
  problems: [{ path: 'membership', message: 'The membership could not be copied. Fix it and import again.' }],
};

/** @returns the number of created or changed prices */
export async function copyWholesalePrices(
  storeCopy: StoreCopy,
  name: string,
  { source, target }: { readonly source: Owner; readonly target: Owner },
  memberships: Ids,
): Promise<number> {
  const path = source.length === 1 ? OF_PRODUCT : OF_VARIANT;
  const prices = await Array.fromAsync(storeCopy.source.list(path, source));
  if (prices.length === 0) return 0;
  const known = new Map<string, ApiRecord>();
  for await (const price of storeCopy.target.list(path, target)) known.set(keyOf(price), price);
  let saved = 0;
  for (const price of prices) {
    const label = `from ${price.quantity_range_begin} of ${name}`;
    const asked = idOf(price.membership);
    const membership = asked === undefined ? null : memberships.get(asked);
    if (membership === undefined) {
      storeCopy.failure('wholesale prices', label, MEMBERSHIP_MISSING);
      continue;
    }
    const input = { ...picked(price, FIELDS), membership };
    const found = known.get(keyOf(input));
    const changed = found && differing(found, input);
    if (changed?.length === 0) continue;
    const outcome = await (found
      ? storeCopy.target.patch(`${path}/{id}`, [...target, found.id as number], picked(input, changed!))
      : storeCopy.target.post(path, target, input));
    if (outcome.ok) saved += 1;
    else storeCopy.failure('wholesale prices', label, outcome);
  }
  return saved;
}

function keyOf(price: ApiRecord): string {
  return `${idOf(price.membership) ?? 0} ${price.quantity_range_begin}`;
}
