/** The roles that every store has (access.md §3). They are not stored: scopes and masks follow from the declarations. */
import type { Model } from '../engine/index.ts';
import { familiesOf } from './families.ts';
import { maskableFields, maskRecords } from './masks.ts';
import { allScopes } from './scopes.ts';

interface PresetRole {
  readonly id: number;
  readonly name: string;
  /** Both in code point order. */
  readonly scopes: readonly string[];
  readonly masks: readonly string[];
}

/** The role of which at least one active user must remain. */
export const OWNER_ROLE = 1;

/** What the shop pays, which is not for all of its staff. */
const COSTS = ['Product.cost_price'];

const known = new WeakMap<Model, readonly PresetRole[]>();

export function presetRoles(model: Model): readonly PresetRole[] {
  const roles = known.get(model) ?? createRoles(model);
  known.set(model, roles);
  return roles;
}

function createRoles(model: Model): readonly PresetRole[] {
  const scopes = allScopes(model);
  const families = familiesOf(model);
  const maskable = maskableFields(model);
  const personal = maskRecords(model).flatMap((mask) => (mask.personal ? mask.field : []));
  const inGroup = (name: string): string[] =>
    [...model.resources.values()].flatMap((resource) =>
      resource.declaration.group === name ? families.ofResource(resource) : [],
    );
  const of = (all: readonly string[], ...operations: string[]): string[] =>
    all.flatMap((family) => operations.map((operation) => `${family}:${operation}`)).filter((each) => scopes.has(each));
  const role = (id: number, name: string, ...granted: string[]): PresetRole => ({
    ...{ id, name, scopes: [...new Set(granted)].sort(), masks: [] },
  });
  const without = (masks: readonly string[], masking: PresetRole): PresetRole => ({
    ...masking,
    masks: masks.filter((mask) => maskable.has(mask)).sort(),
  });
  const catalog = inGroup('Catalog');
  const store = inGroup('Store');
  const both = [...catalog, ...store];
  const own = [...catalog, 'tags', 'stickers'];
  return [
    role(OWNER_ROLE, 'Owner', '*:*'),
    role(
      ...([2, 'Manager', '*:read', '*:write', '*:export'] as const),
      ...['orders:refund', 'profiles:check_password', 'privacy:export'],
    ),
    role(3, 'Catalog editor', ...of(own, 'read', 'write', 'export'), ...of([...store, 'memberships'], 'read')),
    without(
      COSTS,
      role(
        ...([4, 'Order desk', ...of(['orders', 'profiles'], 'read', 'write')] as const),
        // Reads of the pricing rules let it calculate orders.
        ...of([...both, ...inGroup('Pricing'), 'memberships', 'statistics'], 'read'),
      ),
    ),
    without(
      [...COSTS, ...personal],
      role(
        ...([5, 'Analyst', ...of([...both, 'memberships', 'orders'], 'read', 'export')] as const),
        ...of(['statistics'], 'read'),
      ),
    ),
  ];
}
