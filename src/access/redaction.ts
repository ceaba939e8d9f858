/** Removes the fields from output that a key cannot see (access.md §2). */
import type { ModelField, ModelResource, ShownRecord } from '../engine/index.ts';
import { eventsOf, followingFields } from './followed-events.ts';
import type { HiddenData } from './hidden-data.ts';

/** The members to remove from a record, and those that contain records themselves. */
interface Plan {
  readonly removed: ReadonlySet<string>;
  readonly inside: ReadonlyMap<string, Plan>;
  /** Sets of parts whose order depends on hidden fields, with the fields by which they are sorted instead. */
  readonly sorted: ReadonlyMap<string, string>;
  /** Returns further members to remove from a record. */
  readonly removedFrom?: ((record: ShownRecord) => ReadonlySet<string>) | undefined;
}

const known = new WeakMap<HiddenData, Map<ModelResource, Plan | undefined>>();

/** Returns the record as a key sees it, in plain JSON or JSON-LD. */
export function redacted(record: ShownRecord, resource: ModelResource, hidden: HiddenData): ShownRecord {
  const plan = planOf(resource, hidden);
  return plan ? applied(record, plan) : record;
}

function planOf(resource: ModelResource, hidden: HiddenData): Plan | undefined {
  const plans = known.get(hidden) ?? new Map<ModelResource, Plan | undefined>();
  known.set(hidden, plans);
  if (!plans.has(resource)) plans.set(resource, createPlan(resource, hidden, []));
  return plans.get(resource);
}

/** @param outer resources that contain this one; a tree shows no records below the second of its kind */
function createPlan(resource: ModelResource, hidden: HiddenData, outer: readonly ModelResource[]): Plan | undefined {
  const removed = new Set<string>();
  const inside = new Map<string, Plan>();
  const sorted = new Map<string, string>();
  for (const field of resource.fields.values()) {
    const target = embeddedIn(field);
    const nested = target && !outer.includes(target) ? createPlan(target, hidden, [...outer, target]) : undefined;
    if (hidden.hides(field)) removed.add(field.name);
    else if (nested) inside.set(field.name, nested);
    if (field.storage.in === 'parts' && target?.defaultOrder.some((order) => hidden.hides(order.field)))
      sorted.set(field.name, target.identifierField);
  }
  const removedFrom = removedByEvents(resource, hidden);
  if (removed.size === 0 && inside.size === 0 && sorted.size === 0 && !removedFrom) return undefined;
  return { removed, inside, sorted, removedFrom };
}

const NONE: ReadonlySet<string> = new Set();

/** What a client does not see of a record that follows events of others. */
function removedByEvents(resource: ModelResource, hidden: HiddenData): Plan['removedFrom'] {
  const following = new Set(followingFields(resource));
  if (following.size === 0) return undefined;
  return (record) => (hidden.missingToFollow(eventsOf(resource, record)).length > 0 ? following : NONE);
}

/** The resource whose records are members of a field’s value. */
function embeddedIn({ storage, target }: ModelField): ModelResource | undefined {
  const isEmbedded = (storage.in === 'link' || storage.in === 'links') && storage.embedded;
  return isEmbedded || ['parts', 'part', 'path'].includes(storage.in) ? target : undefined;
}

function applied(record: ShownRecord, plan: Plan): ShownRecord {
  const shown: ShownRecord = {};
  const removed = plan.removedFrom?.(record) ?? NONE;
  for (const [name, value] of Object.entries(record)) {
    if (plan.removed.has(name) || removed.has(name)) continue;
    const nested = plan.inside.get(name);
    const by = plan.sorted.get(name);
    const ordered = by === undefined ? value : sortedBy(value, by);
    shown[name] = nested ? appliedInside(ordered, nested) : ordered;
  }
  return shown;
}

function sortedBy<T>(value: T, name: string): T {
  if (!Array.isArray(value)) return value;
  return value.toSorted((one, other) => Number(one[name]) - Number(other[name])) as T;
}

/** Records that JSON-LD shows as addresses stay as they are. */
function appliedInside<T>(value: T, plan: Plan): T {
  if (Array.isArray(value)) return value.map((each) => appliedInside(each, plan)) as T;
  return typeof value === 'object' && value !== null ? (applied(value as ShownRecord, plan) as T) : value;
}
