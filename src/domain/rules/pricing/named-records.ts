/**
 * Records that discounts, tax rates, tax settings and shipping methods name (pricing.md §7). A record that is named by a link cannot be deleted.
 * The last element of a restriction list cannot be deleted either, because the rule would then apply to everyone.
 */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

/**
 * Writes of such rules, and deletions of the records that they name, wait for each other: each acquires this lock, after the lock
 * of its own record. A link to a record that a deletion has locked does not wait for the deletion, so a single write cannot
 * deadlock; for a bulk with several lines in a transaction, the database resolves a deadlock.
 */
const LOCK = 'pricing rules';

/** Acquires the lock before the links of a rule are resolved. */
export async function lockPricingRules(_draft: Draft<never>, unit: Pick<UnitOfWork, 'lock'>): Promise<void> {
  await unit.lock(LOCK);
}

/** The links that name a record of each kind, by resource. */
const LINKS = {
  Membership: { VolumeDiscount: ['membership'], TaxRate: ['membership'] },
  TaxClass: { TaxRate: ['tax_class'], ShippingMethod: ['tax_class'] },
  Zone: {
    TaxRate: ['zone'],
    TaxSettings: ['default_zone', 'vat_id_exempt_zone'],
    ShippingRate: ['zone_id'],
  },
} as const;

/** The restriction lists with records of each kind, by resource. */
const LISTS = {
  Membership: { SaleDiscount: ['memberships'], Coupon: ['memberships'] },
  ProductClass: { SaleDiscount: ['product_classes'], Coupon: ['product_classes'] },
  Category: { SaleDiscount: ['categories'], Coupon: ['categories'] },
  Zone: { VolumeDiscount: ['zones'], Coupon: ['zones'] },
} as const;

export const USES_OF_PRICING_RULES = {
  SaleDiscount: ['memberships', 'product_classes', 'categories'],
  VolumeDiscount: ['membership', 'zones'],
  Coupon: ['memberships', 'product_classes', 'categories', 'zones'],
  TaxRate: ['membership', 'tax_class', 'zone'],
  TaxSettings: ['default_zone', 'vat_id_exempt_zone'],
  ShippingMethod: ['tax_class'],
  ShippingRate: ['method', 'zone_id'],
} as const;

export const USES_OF_CATEGORY_RULES = { ...USES_OF_PRICING_RULES, Category: ['parent'] } as const;

type Unit = UnitOfWork<typeof USES_OF_PRICING_RULES>;
type RuleResource = keyof typeof USES_OF_PRICING_RULES;
/** The fields of each resource, as the declarations above name them. */
type Fields = Readonly<Partial<Record<RuleResource, readonly string[]>>>;
/** Reads without the narrow types of the names, which come from the tables above. */
type AnyUnit = Pick<UnitOfWork, 'lock' | 'list' | 'linking'>;

const PATHS: Readonly<Record<Exclude<RuleResource, 'ShippingRate'>, string>> = {
  SaleDiscount: '/sale_discounts',
  VolumeDiscount: '/volume_discounts',
  Coupon: '/coupons',
  TaxRate: '/tax_rates',
  TaxSettings: '/tax_settings',
  ShippingMethod: '/shipping_methods',
};

type Removed = { readonly id: Value };

export const membershipNamed = ({ id }: Removed, unit: Unit) => conflictOf(unit, 'Membership', [id]);
export const taxClassNamed = ({ id }: Removed, unit: Unit) => conflictOf(unit, 'TaxClass', [id]);
export const productClassNamed = ({ id }: Removed, unit: Unit) => conflictOf(unit, 'ProductClass', [id]);
export const zoneNamed = ({ id }: Removed, unit: Unit) => conflictOf(unit, 'Zone', [id]);

/** Deleting a category deletes those below it. Changes of the tree are serialized, so the subtree cannot change. */
export async function categoryNamed(
  { id }: Removed,
  unit: UnitOfWork<typeof USES_OF_CATEGORY_RULES>,
): Promise<string | undefined> {
  const removed = [id];
  for (let level = [id]; level.length > 0; ) {
    level = (await unit.list('Category', { parent: level })).map((category) => category.id);
    removed.push(...level);
  }
  return conflictOf(unit, 'Category', removed);
}

async function conflictOf(
  unit: AnyUnit,
  kind: keyof typeof LINKS | keyof typeof LISTS,
  removed: readonly Value[],
): Promise<string | undefined> {
  await unit.lock(LOCK);
  const links = await linking(unit, (kind in LINKS ? LINKS[kind as keyof typeof LINKS] : {}) as Fields, removed);
  const lists = await emptied(unit, (kind in LISTS ? LISTS[kind as keyof typeof LISTS] : {}) as Fields, removed);
  const roomForLists = Math.max(0, NAMED_MAX - links.length);
  const reasons = [
    ...(links.length > 0 ? [`It is used by ${shortened(links, NAMED_MAX)}.`] : []),
    ...(lists.length > 0 ? [`Without it, a list of ${shortened(lists, roomForLists)} would be empty.`] : []),
  ];
  return reasons.length === 0 ? undefined : `${reasons.join(' ')} Change or delete these records first.`;
}

/** The paths of the rules that name one of the records by a link. */
async function linking(unit: AnyUnit, fields: Fields, removed: readonly Value[]): Promise<string[]> {
  const found = new Set<string>();
  for (const [resource, names] of entriesOf(fields))
    for (const name of names)
      for (const rule of await unit.list(resource, { [name]: [...removed] })) found.add(pathOf(resource, rule));
  return [...found];
}

/** The paths of the rules with a list that would be empty. */
async function emptied(unit: AnyUnit, fields: Fields, removed: readonly Value[]): Promise<string[]> {
  const found = new Set<string>();
  for (const [resource, names] of entriesOf(fields))
    for (const name of names) {
      const ids = await unit.linking(resource, name, removed);
      const rules = ids.length === 0 ? [] : await unit.list(resource, { id: ids });
      for (const rule of rules)
        if ((rule[name] as Value[]).every((each) => removed.includes(each))) found.add(pathOf(resource, rule));
    }
  return [...found];
}

function entriesOf(fields: Fields): [RuleResource, readonly string[]][] {
  return Object.entries(fields) as [RuleResource, readonly string[]][];
}

function pathOf(resource: RuleResource, { id, method }: Stored): string {
  if (resource === 'ShippingRate') return `${PATHS.ShippingMethod}/${method}/rates/${id}`;
  return resource === 'TaxSettings' ? PATHS[resource] : `${PATHS[resource]}/${id}`;
}

/** Maximum number of paths listed in a message. */
const NAMED_MAX = 5;

function shortened(paths: readonly string[], most: number): string {
  const others = paths.length - most;
  if (most === 0) return `${others} records`;
  return `${paths.slice(0, most).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
