/**
 * What a key cannot see: the records of families that it may not read, and the fields of other records that show them
 * (access.md §2). Derived from the declarations, so a new field is hidden as soon as its declaration names such a resource.
 */
import {
  fieldsAlong,
  linkedResource,
  type Model,
  type ModelField,
  type ModelFilter,
  type ModelResource,
  type Uses,
  usingField,
} from '../engine/index.ts';
import { usedFields, withDerived } from './derived-fields.ts';
import { familiesOf } from './families.ts';
import { followedFields, followedResources } from './followed-events.ts';
import { maskableFields } from './masks.ts';
import { usedBy } from './scopes.ts';

/** What a request lacks is named by texts: a scope such as `tags:read`, or a masked field such as `Product.cost_price`. */
export interface HiddenData {
  /** Equal for keys that see the same data. */
  readonly id: string;
  /** Whether every family is readable, so that only masks hide data. */
  readonly readsAll: boolean;
  canRead(resource: ModelResource): boolean;
  hides(field: ModelField): boolean;
  /** Returns the scopes that a client lacks to see these resources. */
  missingFor(resources: readonly ModelResource[]): readonly string[];
  /** Returns the scopes that a client lacks to see a field, or the masks that hide it. */
  missingForField(field: ModelField): readonly string[];
  /** Returns the masks that hide some of these fields. */
  masksOf(fields: Iterable<ModelField>): readonly string[];
  /** Returns the scopes that a client lacks to see what a rule uses, and the masks that hide it. */
  missingToUse(uses: Uses): readonly string[];
  /** Returns what a client lacks to see everything that these events are about, such as `product.updated`, `order.*` or `*`. */
  missingToFollow(events: readonly string[]): readonly string[];
}

/**
 * @param masks names of the fields that are hidden by themselves
 * @returns undefined if every family is readable and no field is masked
 */
export function createHiddenData(
  model: Model,
  has: (scope: string) => boolean,
  masks: readonly string[],
): HiddenData | undefined {
  const families = familiesOf(model);
  const open = new Set(
    [...model.resources.values()].flatMap((resource) =>
      resource.declaration.isOpen ? families.ofResource(resource) : [],
    ),
  );
  const unreadable = new Set(families.all.filter((family) => !open.has(family) && !has(`${family}:read`)));
  const masked = maskedFields(model, masks);
  if (unreadable.size === 0 && masked.size === 0) return undefined;
  const canRead = (resource: ModelResource): boolean => {
    const own = families.ofResource(resource);
    return own.length > 0 && !own.some((family) => unreadable.has(family));
  };
  const missingFor = (resources: readonly ModelResource[]): readonly string[] => [
    ...new Set(
      resources.flatMap((resource) =>
        families.ofResource(resource).flatMap((family) => (unreadable.has(family) ? `${family}:read` : [])),
      ),
    ),
  ];
  const masksOf = (fields: Iterable<ModelField>): readonly string[] => [
    ...new Set([...fields].flatMap((field) => masked.get(field) ?? [])),
  ];
  const missingForField = (field: ModelField): readonly string[] => {
    const missing = [...missingFor([...shownResources(field), ...evaluatedFrom(model, field)]), ...masksOf([field])];
    return missing.length > 0 ? missing : missingFor([field.resource]);
  };
  const missingToUse = (uses: Uses): readonly string[] => [
    ...missingFor(usedBy(model, { uses })),
    ...masksOf(usedFields(model, uses)),
  ];
  const missingToFollow = (events: readonly string[]): readonly string[] => {
    const followed = followedResources(model, events);
    return [...missingFor(followed), ...masksOf(followedFields(model, followed))];
  };
  const isHidden = (field: ModelField): boolean =>
    shownResources(field).some((resource) => !canRead(resource)) || missingFor(evaluatedFrom(model, field)).length > 0;
  const hidden = withDerived(model, [...fieldsOf(model).filter(isHidden), ...masked.keys()]);
  const hides = (field: ModelField): boolean => hidden.has(field);
  const id = [...unreadable, ...masks].join();
  const readsAll = unreadable.size === 0;
  return { id, readsAll, canRead, hides, missingFor, missingForField, masksOf, missingToUse, missingToFollow };
}

/** The masks that hide each field. */
function maskedFields(model: Model, masks: readonly string[]): ReadonlyMap<ModelField, readonly string[]> {
  const masked = new Map<ModelField, string[]>();
  for (const mask of masks) {
    const field = maskableFields(model).get(mask);
    // A key of another version may have a mask of a field that this one does not have.
    for (const each of field ? withDerived(model, [field]) : []) masked.set(each, [...(masked.get(each) ?? []), mask]);
  }
  return masked;
}

function fieldsOf({ resources }: Model): ModelField[] {
  return [...resources.values()].flatMap((resource) => [...resource.fields.values()]);
}

/** The resources that the evaluation of a field reads. */
function evaluatedFrom(model: Model, { storage, resource, name }: ModelField): ModelResource[] {
  const evaluation = storage.in === 'evaluated' ? resource.declaration.evaluations?.[name] : undefined;
  return evaluation ? usedBy(model, evaluation) : [];
}

/** The resources whose records a field shows, or that a filter by it reads. Bare identifiers are not shown records. */
function shownResources(field: ModelField): ModelResource[] {
  const { storage, target, resource } = field;
  switch (storage.in) {
    case 'link':
    case 'links':
      return storage.embedded ? [target!] : [];
    case 'parts':
    case 'part':
    case 'summary':
    case 'path':
    case 'count':
    case 'average':
    case 'inheritedTotal':
    case 'texts':
      return [target!];
    case 'linked':
      return [target!, ...(linksOthers(field) ? [linkedResource(field)] : [])];
    case 'linkedText':
      return storage.links.map((name) => resource.fields.get(name)!.target!);
    case 'linkedValues':
      return storage.sets.flatMap(({ links, members }) => {
        const set = resource.fields.get(links)!;
        const reached = Object.values(members).flatMap((path) => fieldsAlong(set.target!, path));
        return [set.target!, ...reached.map((each) => each!.resource)];
      });
    default:
      return [];
  }
}

function linksOthers({ storage, target }: ModelField): boolean {
  return storage.in === 'linked' && target!.fields.get(storage.to)!.target !== undefined;
}

/** Returns the fields that a filter reads: its own, the links that it follows, and the one by which it names a linked record. */
export function filteredFields({ field, kind, linkedField }: ModelFilter): ModelField[] {
  const isByName = kind === 'name' || kind === 'sharedName';
  const naming = isByName && field.target ? (linkedResource(field) ?? field.target).naming : undefined;
  return [field, ...followedLinks(field), ...(linkedField ? [linkedField] : []), ...(naming ? [naming] : [])];
}

/** The links of other records that lead from a record to those of the field. */
function followedLinks(field: ModelField): ModelField[] {
  const { storage, target } = field;
  if (storage.in !== 'linked') return [];
  const names = [storage.to, ...(storage.keyed ? [storage.keyed.by] : [])];
  return [...names.flatMap((name) => target!.fields.get(name) ?? []), usingField(field) ?? []].flat();
}

/** Returns the resources that a filter reads: those that its field shows, and a linked record if it is named by a text. */
export function filteredResources({ field, kind, linkedField }: ModelFilter): ModelResource[] {
  const { target } = field;
  const isByText = kind === 'name' || kind === 'sharedName' || (linkedField !== undefined && !linkedField.isIdentifier);
  const shown = shownResources(field);
  return isByText && target ? [...shown, linkedResource(field) ?? target] : shown;
}
