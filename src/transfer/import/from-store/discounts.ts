/**
 * Copies sale discounts, volume discounts and coupons. An existing coupon is found by its code, a sale discount by its clean URL
 * or name; both are updated. A volume discount has no name, so it exists if all its fields are equal.
 */
import type { ApiRecord, Rejection } from '../../api/store-api.ts';
import { mapped } from './categories.ts';
import { differing, type Ids, idOf, picked, type StoreCopy } from './store-copy.ts';

/** Identifiers in both stores of the records that restrict a discount. */
interface Restrictions {
  readonly products: Ids;
  readonly product_classes: Ids;
  readonly categories: Ids;
  readonly memberships: Ids;
  readonly zones: Ids;
}

interface Kind {
  readonly collection: string;
  /** Plural noun. */
  readonly kind: string;
  readonly fields: readonly string[];
  readonly name: (discount: ApiRecord) => string;
  /** Whether a record of the target store is the copied one. */
  readonly isSame: (found: ApiRecord, input: ApiRecord) => boolean;
}

const DATES = ['date_range_begin', 'date_range_end'];

const KINDS: readonly Kind[] = [
  {
    ...{ collection: '/sale_discounts', kind: 'sale discounts', name: ({ name }) => String(name) },
    fields: [
      ...['name', 'enabled', 'value', ...DATES, 'specific_products', 'show_in_separate_section', 'apply_to_wholesale'],
      ...['meta_tags', 'meta_description', 'meta_title', 'clean_url'],
    ],
    isSame: (found, { clean_url, name }) =>
      clean_url === undefined ? found.name === name : found.clean_url === clean_url,
  },
  {
    ...{ collection: '/volume_discounts', kind: 'volume discounts' },
    name: ({ subtotal_range_begin, value, type }) => `${value} ${type ?? '%'} from ${subtotal_range_begin ?? 0}`,
    fields: ['value', 'type', 'subtotal_range_begin', ...DATES],
    isSame: (found, input) => differing(found, input).length === 0,
  },
  {
    ...{ collection: '/coupons', kind: 'coupons', name: ({ code }) => String(code) },
    fields: [
      ...['code', 'enabled', 'value', 'type', ...DATES, 'total_range_begin', 'total_range_end', 'uses_limit'],
      ...['uses_limit_per_user', 'single_use', 'specific_products', 'comment'],
    ],
    isSame: ({ code }, input) => String(code).toLowerCase() === String(input.code).toLowerCase(),
  },
];

export async function copyDiscounts(storeCopy: StoreCopy, restrictions: Restrictions): Promise<void> {
  for (const kind of KINDS) {
    const discounts = await Array.fromAsync(storeCopy.source.list(kind.collection));
    if (discounts.length === 0) continue;
    const known = await Array.fromAsync(storeCopy.target.list(kind.collection));
    for (const discount of discounts) {
      storeCopy.throwIfInterrupted();
      await copyDiscount(storeCopy, kind, discount, restrictions, known);
    }
  }
}

async function copyDiscount(
  storeCopy: StoreCopy,
  { collection, kind, fields, name, isSame }: Kind,
  discount: ApiRecord,
  restrictions: Restrictions,
  known: readonly ApiRecord[],
): Promise<void> {
  const label = name(discount);
  const restricted = restrictionsOf(discount, restrictions);
  if ('missing' in restricted) {
    storeCopy.failure(kind, label, incomplete(restricted.missing));
    return;
  }
  const { clean_url = '', ...own } = picked(discount, fields);
  // The target store generates a clean URL if it is empty.
  const input = { ...own, ...(clean_url === '' ? {} : { clean_url }), ...restricted.links };
  const found = known.find((one) => isSame(one, input));
  await storeCopy.save({ collection, kind, name: label }, input, found);
}

/**
 * A shorter restriction list could become empty and apply to everyone, so every record of it must have been copied. An empty
 * list of products matches none.
 */
function restrictionsOf(
  discount: ApiRecord,
  restrictions: Restrictions,
): { readonly links: ApiRecord } | { readonly missing: string } {
  const links: Record<string, unknown> = {};
  for (const [field, ids] of Object.entries(restrictions) as [string, Ids][]) {
    const linked = discount[field];
    if (!Array.isArray(linked)) continue;
    const found = mapped(linked, ids);
    if (field !== 'products' && found.length < linked.length) return { missing: field };
    links[field] = found.sort((one, other) => one - other);
  }
  if ('membership' in discount) {
    const id = idOf(discount.membership);
    const membership = id === undefined ? null : restrictions.memberships.get(id);
    if (membership === undefined) return { missing: 'membership' };
    links.membership = membership;
  }
  return { links };
}

function incomplete(field: string): Rejection {
  const message = `A record in "${field}" could not be copied. Without it, the discount would apply more widely. Fix that record and import again.`;
  return { status: 422, problems: [{ path: field, message }] };
}
