/**
 * Resolves a client's references: names and ids become ids of existing records, or names of records to create
 * (http.md §9).
 */

import { shortened } from '../english-names.ts';
import type { Problem } from '../errors.ts';
import { strictReading } from '../field.ts';
import { ELEMENTS_MAX, type Reference, tooManyElements } from '../fields/link.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import type { Value } from '../ports.ts';
import { addressed } from '../request/references.ts';
import * as lookUps from '../sql/lookups.ts';
import type { PendingWrite } from './pending-write.ts';

/**
 * Replaces the references in `draft.values`: a link by an id, a set by ascending ids followed by `{ name }` of records
 * to create.
 * @returns a problem if a record is to be created and the request names no language of the store
 */
export async function resolveLinks(write: PendingWrite): Promise<Problem | undefined> {
  const { unit, target, draft } = write;
  let createsNames = false;
  for (const field of target.route.resource.fields.values()) {
    const { storage, name } = field;
    const value = draft.values[name];
    if (storage.in === 'link' && isReference(value)) {
      const [found] = await resolve(write, field, [value], () => name);
      if (found !== undefined) draft.values[name] = found;
    }
    if (storage.in === 'links' && Array.isArray(value)) {
      const references = value as unknown as Reference[];
      const linked = await resolve(write, field, references, (index) => `${name}[${index}]`);
      draft.values[name] = linked;
      if (!linked.some((one) => typeof one === 'object')) continue;
      const rejection = unit.requestOptions.rejectNaming?.(field.target!);
      if (rejection) return rejection;
      createsNames = true;
    }
  }
  return createsNames ? unit.requestOptions.unknownLanguage : undefined;
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null;
}

async function resolve(
  write: PendingWrite,
  field: ModelField,
  references: readonly Reference[],
  path: (index: number) => string,
): Promise<Value[]> {
  const { unit, draft } = write;
  const target = field.target!;
  const match = (name: string): string => (target.naming ? matchOf(target.naming, name) : name);
  const names = references.flatMap((reference) => ('name' in reference ? [match(reference.name)] : []));
  const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []));
  // A name next to the id in an object is looked up with the other names, but never created.
  const otherNames = references.filter(isById).flatMap((reference) => nameNextToId(target, reference) ?? []);
  const canCreate = field.storage.in === 'links' && field.storage.made;
  const byName = await findOrLockNames(write, target, [...names, ...otherNames.map(match)], canCreate ? names : []);
  const existing = await existingIds(write, target, ids);
  const resolved = references.filter(isById).filter(({ id }) => existing.has(id));
  const contradictions = draft.lenient ? undefined : await contradictionsIn(write, target, resolved, byName);
  const idOf = (reference: Reference): unknown => {
    if ('id' in reference) return existing.has(reference.id) ? reference.id : undefined;
    return 'name' in reference ? byName.get(match(reference.name)) : undefined;
  };
  const found = new Set<number>();
  const created = new Map<string, string>();
  for (const [index, reference] of references.entries()) {
    const id = idOf(reference);
    if (id !== undefined) {
      found.add(id as number);
      const contradiction = contradictions?.get(reference);
      if (contradiction !== undefined) draft.violations.add(path(index), 'contradiction', contradiction);
    } else if ('name' in reference && canCreate) {
      const name = target.naming!.field.read(
        reference.name,
        path(index),
        draft.violations,
        strictReading(unit.service.environment),
      );
      if (name !== undefined && !created.has(match(reference.name))) created.set(match(reference.name), reference.name);
    } else draft.violations.add(path(index), 'unknown_link', unknownMessage(target, reference));
  }
  const { elementsMax = ELEMENTS_MAX } = field.field;
  if (found.size + created.size > elementsMax)
    draft.violations.add(field.name, 'too_long', tooManyElements(elementsMax));
  return [...[...found].sort((one, other) => one - other), ...[...created.values()].map((name) => ({ name }))];
}

type ById = Extract<Reference, { readonly id: number }>;

function isById(reference: Reference): reference is ById {
  return 'id' in reference;
}

/** The name in an object that also has an id. */
function nameNextToId({ naming, label }: ModelResource, { otherTexts }: ById): string | undefined {
  const field = naming ?? label;
  return field && otherTexts?.[field.name];
}

/** Messages for objects whose id and name (or address) identify different records. A name of no record is ignored. */
async function contradictionsIn(
  write: PendingWrite,
  target: ModelResource,
  references: readonly ById[],
  byName: ReadonlyMap<unknown, unknown>,
): Promise<Map<Reference, string>> {
  const { baseUrl } = write.unit.service.environment;
  const others = await recordsByOtherName(write, target, references, byName);
  const contradictions = new Map<Reference, string>();
  for (const reference of references) {
    const describe = (what: string, text: string, other: unknown) =>
      contradictions.set(
        reference,
        `The id is ${reference.id}, but the ${what} ${JSON.stringify(shortened(text))} belongs to the ${target.name} ${other}. Leave one of the two out.`,
      );
    const address = reference.otherTexts?.['@id'];
    const addressedId = addressed(target, address, baseUrl);
    const other = others.get(reference);
    if (addressedId !== undefined && addressedId !== reference.id) describe('@id', address!, addressedId);
    else if (other !== undefined)
      describe((target.naming ?? target.label)!.name, nameNextToId(target, reference)!, other);
  }
  return contradictions;
}

/** By reference, the id of the other record that its name identifies. */
async function recordsByOtherName(
  write: PendingWrite,
  target: ModelResource,
  references: readonly ById[],
  byName: ReadonlyMap<unknown, unknown>,
): Promise<Map<Reference, unknown>> {
  const { naming, label } = target;
  const field = naming ?? label;
  if (!field) return new Map();
  const match = (reference: ById): string => matchOf(field, nameNextToId(target, reference)!);
  const suspects = references.filter((reference) => {
    if (nameNextToId(target, reference) === undefined) return false;
    const other = byName.get(match(reference));
    return !naming || (other !== undefined && other !== reference.id);
  });
  const own = await ownNames(write, field, suspects);
  const conflicting = suspects.filter((reference) => !own.get(reference.id)?.has(match(reference)));
  const siblings = label ? await siblingsByLabel(write, label, conflicting) : undefined;
  return new Map(
    conflicting.map((reference) => [
      reference,
      siblings ? siblings.get(reference.id)?.get(match(reference)) : byName.get(match(reference)),
    ]),
  );
}

/** Names of records in all languages. In other languages than the request's, another record may have the same name. */
async function ownNames(
  { unit }: PendingWrite,
  field: ModelField,
  references: readonly ById[],
): Promise<Map<unknown, Set<string>>> {
  const names = new Map<unknown, Set<string>>();
  if (references.length === 0 || field.storage.in !== 'translation') return names;
  const texts = await unit.texts(
    field.resource.name,
    references.map(({ id }) => id),
    field.name,
  );
  for (const [id, own] of texts) names.set(id, new Set(Object.values(own).map((text) => matchOf(field, text))));
  return names;
}

/** By id of a record, the parts of the same owner by label. If several have the label, the lowest id wins. */
async function siblingsByLabel(
  { unit }: PendingWrite,
  label: ModelField,
  references: readonly ById[],
): Promise<Map<unknown, ReadonlyMap<string, unknown>>> {
  if (references.length === 0) return new Map();
  const { resource, name } = label;
  const rows = await unit.query(
    `sibling texts ${resource.name}.${name}`,
    lookUps.siblingTexts(label, unit.service.environment),
    {
      ids: references.map(({ id }) => id),
      language: unit.language,
      default_language: unit.defaultLanguage,
    },
  );
  const byOwner = new Map<unknown, Map<string, unknown>>();
  const ofRecord = new Map<unknown, ReadonlyMap<string, unknown>>();
  for (const [owner, id, text] of rows) {
    const names = byOwner.get(owner) ?? new Map<string, unknown>();
    const match = matchOf(label, text as string);
    if (!names.has(match)) names.set(match, id);
    byOwner.set(owner, names);
    ofRecord.set(id, names);
  }
  return ofRecord;
}

/** @param creatable names to create if they do not exist; a lock then prevents others from creating them twice */
async function findOrLockNames(
  write: PendingWrite,
  target: ModelResource,
  names: readonly string[],
  creatable: readonly string[],
): Promise<Map<unknown, unknown>> {
  const byName = await findNames(write, target, names);
  if (creatable.every((name) => byName.has(name))) return byName;
  await write.unit.lock(`new ${target.name}`);
  return findNames(write, target, names);
}
async function existingIds(
  { unit }: PendingWrite,
  target: ModelResource,
  ids: readonly number[],
): Promise<ReadonlySet<unknown>> {
  if (ids.length === 0) return new Set();
  const rows = await unit.query(`ids ${target.name}`, lookUps.findIds(target), { ids: [...ids] });
  return new Set(rows.map(([id]) => id));
}

/** Ids by the comparison form of each name that identifies a record. */
async function findNames(
  { unit }: PendingWrite,
  target: ModelResource,
  names: readonly string[],
): Promise<Map<unknown, unknown>> {
  if (names.length === 0 || !target.naming) return new Map();
  const params = { names: [...names], language: unit.language, default_language: unit.defaultLanguage };
  const rows = await unit.query(`names ${target.name}`, lookUps.findNames(target.naming), params);
  return new Map(rows.filter(([, id]) => id !== null).map(([name, id]) => [name, id]));
}

function unknownMessage(target: ModelResource, reference: Reference): string {
  if ('id' in reference) return `There is no ${target.name} with the id ${reference.id}.`;
  if ('address' in reference) return `There is no ${target.name} at ${JSON.stringify(shortened(reference.address))}.`;
  const name = JSON.stringify(shortened(reference.name));
  return target.naming
    ? `There is no ${target.name} with the ${target.naming.name} ${name}.`
    : `A record of ${target.name} is named by its id, which is an integer, or as output shows it; ${name} is neither.`;
}
