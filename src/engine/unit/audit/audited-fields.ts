/** The fields whose changes the audit records, their names in `changes`, and their values there (access.md §4). */
import type { Environment } from '../../field.ts';
import type { Model, ModelField, ModelResource } from '../../model/model.ts';
import type { Value } from '../../ports.ts';

/** A field in `changes`: its name includes the language of a text. */
export type FieldKey = string;

const known = new WeakMap<ModelResource, readonly ModelField[]>();

/** The stored fields that output shows, links, and secrets, by name. Excludes identifiers and the time of the last change. */
export function auditedFields(resource: ModelResource): readonly ModelField[] {
  const decided = known.get(resource);
  if (decided) return decided;
  const fields = [...resource.fields.values()].filter((field) => isAudited(field));
  fields.sort((one, other) => (one.name < other.name ? -1 : 1));
  known.set(resource, fields);
  return fields;
}

const audited = new WeakMap<ModelField, boolean>();

/** Decided once for each field, because every write asks for it. */
export function isAudited(field: ModelField): boolean {
  const known = audited.get(field);
  if (known !== undefined) return known;
  const decided = isShownOrSecret(field);
  audited.set(field, decided);
  return decided;
}

function isShownOrSecret({ field, storage, isIdentifier, resource, name }: ModelField): boolean {
  if (isIdentifier || field.unpublished || field.stamped === 'changed') return false;
  if (storage.in === 'link') return !(field.owns && resource.isPublishedByOwner);
  if (storage.in !== 'column') return storage.in === 'translation' || storage.in === 'links';
  return isSecret(field) || [...resource.outputs, ...resource.onRequest].some((output) => output.name === name);
}

/** Whether only the fact of a change is recorded. */
export function isSecret({ hashed, once }: Pick<ModelField['field'], 'hashed' | 'once'>): boolean {
  return hashed === true || once === true;
}

export function textKey({ name }: ModelField, language: string): FieldKey {
  return `${name}.${language}`;
}

/** The name of the parts of a record, as in `images[12].alt`, if their changes are changes of the record. */
export function partsName({ changedAs, routes, table }: ModelResource): string {
  const segments = routes[0]?.collectionPath.split('/').filter((segment) => /^\w/.test(segment)) ?? [];
  return changedAs ?? segments.at(-1) ?? table;
}

/** Values do not depend on settings that may change. */
const ENVIRONMENT: Environment = { baseUrl: '', timeZone: 'UTC', settings: {} };

/** A stored value as output shows it, with timestamps in UTC and files by name. */
export function shownValue({ field }: ModelField, value: Value): Value {
  if (value === null || field.file || !field.show) return value;
  return field.show(value, ENVIRONMENT);
}

/** Sets of links in the order of output. */
export function sortedSet(ids: readonly Value[]): Value[] {
  return ids.toSorted((one, other) => (one! < other! ? -1 : one! > other! ? 1 : 0));
}

/** The resources whose records are parts of this one without entries of their own. */
export function partsOf({ resources }: Pick<Model, 'resources'>, resource: ModelResource): ModelResource[] {
  return [...resources.values()].filter(
    ({ isPublishedByOwner, owner }) => isPublishedByOwner && owner?.target === resource,
  );
}

/** What a name in `changes` stands for. */
export interface ChangedField {
  readonly field: ModelField;
  /** The language of a text. */
  readonly language?: string;
  /** The resource of the part that has the field, and the part's identifier. */
  readonly part?: { readonly resource: ModelResource; readonly id: string };
}

/** @returns undefined for a field that this version of the program does not have */
export function changedField(
  model: Pick<Model, 'resources'>,
  resource: ModelResource,
  key: FieldKey,
): ChangedField | undefined {
  const [, name, id, inPart] = /^(\w+)\[([^\]]+)\]\.(.+)$/.exec(key) ?? [];
  const part = name === undefined ? undefined : partsOf(model, resource).find((each) => partsName(each) === name);
  if (name !== undefined && !part) return undefined;
  const own = inPart ?? key;
  const field = fieldOf(part ?? resource, own);
  if (!field) return undefined;
  const language = field.storage.in === 'translation' ? { language: own.slice(field.name.length + 1) } : {};
  return { field, ...language, ...(part ? { part: { resource: part, id: id! } } : {}) };
}

/** The field of a name in `changes`, without that of its part. */
export function fieldOf({ fields }: ModelResource, key: FieldKey): ModelField | undefined {
  return fields.get(key) ?? fields.get(key.slice(0, key.lastIndexOf('.')));
}
