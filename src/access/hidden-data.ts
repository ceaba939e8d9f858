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
} from '../engine/index.ts';
import { familiesOf } from './families.ts';
import { usedBy } from './scopes.ts';

export interface HiddenData {
  /** Equal for keys that see the same data. */
  readonly id: string;
  canRead(resource: ModelResource): boolean;
  hides(field: ModelField): boolean;
  /** Returns the scopes that a client lacks to see these resources. */
  missingFor(resources: readonly ModelResource[]): readonly string[];
  /** Returns the scopes that a client lacks to see a field. */
  missingForField(field: ModelField): readonly string[];
}

/** @returns undefined if every family is readable */
export function createHiddenData(model: Model, has: (scope: string) => boolean): HiddenData | undefined {
  const families = familiesOf(model);
  const open = new Set(
    [...model.resources.values()].flatMap((resource) =>
      resource.declaration.isOpen ? families.ofResource(resource) : [],
    ),
  );
  const unreadable = new Set(families.all.filter((family) => !open.has(family) && !has(`${family}:read`)));
  if (unreadable.size === 0) return undefined;
  const canRead = (resource: ModelResource): boolean => {
    const own = families.ofResource(resource);
    return own.length > 0 && !resource.declaration.followsAll && !own.some((family) => unreadable.has(family));
  };
  const missingFor = (resources: readonly ModelResource[]): readonly string[] => [
    ...new Set(
      resources.flatMap((resource) =>
        families.ofResource(resource).flatMap((family) => (unreadable.has(family) ? `${family}:read` : [])),
      ),
    ),
  ];
  const missingForField = (field: ModelField): readonly string[] => {
    const missing = missingFor([...shownResources(field), ...evaluatedFrom(model, field)]);
    return missing.length > 0 ? missing : missingFor([field.resource]);
  };
  const isHidden = (field: ModelField): boolean =>
    shownResources(field).some((resource) => !canRead(resource)) || missingFor(evaluatedFrom(model, field)).length > 0;
  const hidden = hiddenFields(model, isHidden);
  return { id: [...unreadable].join(), canRead, hides: (field) => hidden.has(field), missingFor, missingForField };
}

/** The resources that the evaluation of a field reads. */
function evaluatedFrom(model: Model, { storage, resource, name }: ModelField): ModelResource[] {
  const evaluation = storage.in === 'evaluated' ? resource.declaration.evaluations?.[name] : undefined;
  return evaluation ? usedBy(model, evaluation) : [];
}

/** The fields that show a record that cannot be read, or that are derived from such fields. */
function hiddenFields({ resources }: Model, isHidden: (field: ModelField) => boolean): ReadonlySet<ModelField> {
  const fields = [...resources.values()].flatMap((resource) => [...resource.fields.values()]);
  const hidden = new Set(fields.filter(isHidden));
  for (let size = -1; size !== hidden.size; ) {
    size = hidden.size;
    for (const field of fields) if (sourcesOf(field).some((source) => hidden.has(source))) hidden.add(field);
  }
  return hidden;
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

/** The fields of the same record or its parts from which output computes a field. */
function sourcesOf({ storage, target, resource, field }: ModelField): ModelField[] {
  const own = (names: readonly string[]): ModelField[] => names.flatMap((name) => resource.fields.get(name) ?? []);
  const ofTarget = (names: readonly string[]): ModelField[] => names.flatMap((name) => target!.fields.get(name) ?? []);
  const completed = own(field.completedFrom ?? []);
  switch (storage.in) {
    case 'sum':
      return [...completed, ...own(storage.of)];
    case 'summary':
      return [...completed, ...ofTarget(storage.reads)];
    case 'average':
      return [...completed, ...ofTarget([storage.averaged, ...Object.keys(storage.where ?? {})])];
    case 'inheritedTotal':
      return [...completed, ...own([storage.field]), ...ofTarget([storage.field])];
    default:
      return completed;
  }
}

/** Returns the resources that a filter reads: those that its field shows, and a linked record if it is named by a text. */
export function filteredResources({ field, kind, linkedField }: ModelFilter): ModelResource[] {
  const { target } = field;
  const isByText = kind === 'name' || kind === 'sharedName' || (linkedField !== undefined && !linkedField.isIdentifier);
  const shown = shownResources(field);
  return isByText && target ? [...shown, linkedResource(field) ?? target] : shown;
}
