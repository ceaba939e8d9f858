/**
 * Resolves a client's references: names and ids → ids of records that exist, or names of records to make (http.md §9).
 */

import { shortened } from '../english-names.ts';
import type { Problem } from '../errors.ts';
import { ELEMENTS_MAX, type Reference, TOO_MANY_ELEMENTS } from '../fields/link.ts';
import type { ModelField, ModelResource } from '../model/model.ts';
import { matchOf } from '../model/naming.ts';
import type { Value } from '../ports.ts';
import { addressed } from '../request/references.ts';
import * as lookUps from '../sql/lookups.ts';
import type { Write } from './draft.ts';

/**
 * Replaces the references in `draft.values`: a link by an id, a set by ids ascending and then `{ name }` of those to make.
 * @returns why none can be made, where one is to be made and the request names no language of the store
 */
export async function resolveLinks(write: Write): Promise<Problem | undefined> {
  const { unit, target, draft } = write;
  let makesNames = false;
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
      makesNames ||= linked.some((one) => typeof one === 'object');
    }
  }
  return makesNames ? unit.requestOptions.unknownLanguage : undefined;
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null;
}

async function resolve(
  write: Write,
  field: ModelField,
  references: readonly Reference[],
  path: (index: number) => string,
): Promise<Value[]> {
  const { unit, draft } = write;
  const target = field.target!;
  const match = (name: string): string => (target.naming ? matchOf(target.naming, name) : name);
  const names = references.flatMap((reference) => ('name' in reference ? [match(reference.name)] : []));
  const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []));
  // The name beside the id in an object is looked up with the other names, and never made.
  const beside = references.filter(isById).flatMap((reference) => nameBeside(target, reference) ?? []);
  const asked = [...names, ...beside.map(match)];
  const canMake = field.storage.in === 'links' && field.storage.made;
  let byName = await findNames(write, target, asked);
  if (canMake && names.some((name) => !byName.has(name))) {
    // A write that makes one waits for another that makes some, and then finds them. So two writes at once make a
    // record once.
    await unit.lock(`new ${target.name}`);
    byName = await findNames(write, target, asked);
  }
  const existing = new Set<unknown>();
  if (ids.length > 0) {
    for (const [id] of await unit.ask(`ids ${target.name}`, lookUps.findIds(target), { ids })) existing.add(id);
  }
  const known = references.filter(isById).filter(({ id }) => existing.has(id));
  const contradictions = draft.lenient ? undefined : await contradictionsIn(write, target, known, byName);
  const meant = (reference: Reference): unknown => {
    if ('id' in reference) return existing.has(reference.id) ? reference.id : undefined;
    return 'name' in reference ? byName.get(match(reference.name)) : undefined;
  };
  const found = new Set<number>();
  const made = new Map<string, string>();
  for (const [index, reference] of references.entries()) {
    const id = meant(reference);
    if (id !== undefined) {
      found.add(id as number);
      const contradiction = contradictions?.get(reference);
      if (contradiction !== undefined) draft.violations.add(path(index), 'contradiction', contradiction);
    } else if ('name' in reference && canMake) {
      const name = target.naming!.field.read(reference.name, path(index), draft.violations, {
        ...unit.service.environment,
        lenient: false,
      });
      if (name !== undefined && !made.has(match(reference.name))) made.set(match(reference.name), reference.name);
    } else draft.violations.add(path(index), 'unknown_link', unknownMessage(target, reference));
  }
  if (found.size + made.size > ELEMENTS_MAX) draft.violations.add(field.name, 'too_long', TOO_MANY_ELEMENTS);
  return [...[...found].sort((one, other) => one - other), ...[...made.values()].map((name) => ({ name }))];
}

type ById = Extract<Reference, { readonly id: number }>;

function isById(reference: Reference): reference is ById {
  return 'id' in reference;
}

/** The name that an object has beside its id. */
function nameBeside({ naming, called }: ModelResource, { beside }: ById): string | undefined {
  const field = naming ?? called;
  return field && beside?.[field.name];
}

/** Sentences that tell both records, where an object's parts name different ones. A name that nothing has is none's. */
async function contradictionsIn(
  write: Write,
  target: ModelResource,
  references: readonly ById[],
  byName: ReadonlyMap<unknown, unknown>,
): Promise<Map<Reference, string>> {
  const { baseUrl } = write.unit.service.environment;
  const others = await othersCalled(write, target, references, byName);
  const contradictions = new Map<Reference, string>();
  for (const reference of references) {
    const describe = (what: string, text: string, other: unknown) =>
      contradictions.set(
        reference,
        `The id is ${reference.id}, and the ${what} ${JSON.stringify(shortened(text))} is that of the ${target.name} ${other}; leave one of the two out.`,
      );
    const address = reference.beside?.['@id'];
    const addressedId = addressed(target, address, baseUrl);
    const other = others.get(reference);
    if (addressedId !== undefined && addressedId !== reference.id) describe('@id', address!, addressedId);
    else if (other !== undefined)
      describe((target.naming ?? target.called)!.name, nameBeside(target, reference)!, other);
  }
  return contradictions;
}

/** The ids of the other records that objects call by name, each by its reference. */
async function othersCalled(
  write: Write,
  target: ModelResource,
  references: readonly ById[],
  byName: ReadonlyMap<unknown, unknown>,
): Promise<Map<Reference, unknown>> {
  const { naming, called } = target;
  const field = naming ?? called;
  if (!field) return new Map();
  const match = (reference: ById): string => matchOf(field, nameBeside(target, reference)!);
  const suspects = references.filter((reference) => {
    if (nameBeside(target, reference) === undefined) return false;
    const other = byName.get(match(reference));
    return !naming || (other !== undefined && other !== reference.id);
  });
  const own = await ownNames(write, field, suspects);
  const strange = suspects.filter((reference) => !own.get(reference.id)?.has(match(reference)));
  const besides = called ? await namesBeside(write, called, strange) : undefined;
  return new Map(
    strange.map((reference) => [
      reference,
      besides ? besides.get(reference.id)?.get(match(reference)) : byName.get(match(reference)),
    ]),
  );
}

/** The names of records in every language: in another than the request's, one may be another record's too. */
async function ownNames(
  { unit }: Write,
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

/** By the id of each record, what names mean among the parts of the record that it is a part of: of several the lowest id. */
async function namesBeside(
  { unit }: Write,
  called: ModelField,
  references: readonly ById[],
): Promise<Map<unknown, ReadonlyMap<string, unknown>>> {
  if (references.length === 0) return new Map();
  const { resource, name } = called;
  const rows = await unit.ask(
    `texts beside ${resource.name}.${name}`,
    lookUps.textsBeside(called, unit.service.environment),
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
    const match = matchOf(called, text as string);
    if (!names.has(match)) names.set(match, id);
    byOwner.set(owner, names);
    ofRecord.set(id, names);
  }
  return ofRecord;
}

/** Ids by the match of each name that means a record. */
async function findNames(
  { unit }: Write,
  target: ModelResource,
  names: readonly string[],
): Promise<Map<unknown, unknown>> {
  if (names.length === 0 || !target.naming) return new Map();
  const params = { names: [...names], language: unit.language, default_language: unit.defaultLanguage };
  const rows = await unit.ask(`names ${target.name}`, lookUps.findNames(target.naming), params);
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
