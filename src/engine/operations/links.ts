/** What a client's references mean: names and ids → ids of records that exist, or names of records to make (http.md §9). */
import * as commands from '../commands.ts';
import { ELEMENTS_MAX, type Reference, TOO_MANY_ELEMENTS } from '../fields/link.ts';
import type { ModelField, ModelResource } from '../model.ts';
import { matchOf } from '../naming.ts';
import type { Value } from '../ports.ts';
import { shortened } from '../query-string.ts';
import { addressed } from '../references.ts';
import type { Write } from './write.ts';

/** Replaces the references in `draft.values`: a link by an id, a set by ids ascending and then `{ name }` of those to make. */
export async function resolveLinks(write: Write): Promise<void> {
  const { request, draft } = write;
  for (const field of request.place.resource.fields.values()) {
    const { storage, name } = field;
    const value = draft.values[name];
    if (storage.in === 'link' && isReference(value)) {
      const [found] = await resolve(write, field, [value], () => name);
      if (found !== undefined) draft.values[name] = found;
    }
    if (storage.in === 'links' && Array.isArray(value))
      draft.values[name] = await resolve(write, field, value as unknown as Reference[], (index) => `${name}[${index}]`);
  }
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
  const { service, transaction, draft } = write;
  const target = field.target!;
  const match = (name: string): string => (target.naming ? matchOf(target.naming, name) : name);
  const names = references.flatMap((reference) => ('name' in reference ? [match(reference.name)] : []));
  const ids = references.flatMap((reference) => ('id' in reference ? [reference.id] : []));
  // What an object calls the record beside its id is looked up with the names, and never made.
  const asked = [...names, ...references.flatMap((reference) => nameBeside(target, reference)).map(match)];
  const canMake = field.storage.in === 'links' && field.storage.made;
  let byName = await findNames(write, target, asked);
  if (canMake && names.some((name) => !byName.has(name))) {
    // Whoever makes one waits for who is making some, and finds them: a record that two writes make at once is made once.
    await transaction.lock(`new ${target.name}`);
    byName = await findNames(write, target, asked);
  }
  const existing = new Set<unknown>();
  if (ids.length > 0) {
    const statement = service.statements.get(`ids ${target.name}`, commands.findIds(target));
    for (const [id] of await transaction.run(statement, { ids })) existing.add(id);
  }
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
      const contradiction = await contradictionIn(write, target, reference, byName);
      if (contradiction !== undefined) draft.violations.add(path(index), 'contradiction', contradiction);
    } else if ('name' in reference && canMake) {
      const name = target.naming!.field.read(reference.name, path(index), draft.violations, {
        ...service.world,
        lenient: false,
      });
      if (name !== undefined && !made.has(match(reference.name))) made.set(match(reference.name), reference.name);
    } else draft.violations.add(path(index), 'unknown_link', unknownMessage(target, reference));
  }
  if (found.size + made.size > ELEMENTS_MAX) draft.violations.add(field.name, 'too_long', TOO_MANY_ELEMENTS);
  return [...[...found].sort((one, other) => one - other), ...[...made.values()].map((name) => ({ name }))];
}

/** What an object calls the record that its id means. */
function nameBeside({ naming }: ModelResource, reference: Reference): string[] {
  const name = 'id' in reference && naming ? reference.beside?.[naming.name] : undefined;
  return name === undefined ? [] : [name];
}

/** A sentence that tells both records, where an object's parts name different ones. A name that nothing has is none's. */
async function contradictionIn(
  write: Write,
  target: ModelResource,
  reference: Reference,
  byName: ReadonlyMap<unknown, unknown>,
): Promise<string | undefined> {
  const { request, service } = write;
  if (request.lenient || !('id' in reference)) return undefined;
  const { id, beside = {} } = reference;
  const told = (what: string, other: unknown): string =>
    `The id is ${id}, and ${what} is that of the ${target.name} ${other}; leave one of the two out.`;
  const address = beside['@id'];
  const addressedId = addressed(target, address, service.world.baseUrl);
  if (addressedId !== undefined && addressedId !== id)
    return told(`the @id ${JSON.stringify(shortened(address!))}`, addressedId);
  const [name] = nameBeside(target, reference);
  const other = name === undefined ? undefined : byName.get(matchOf(target.naming!, name));
  if (name === undefined || other === undefined || other === id) return undefined;
  if (await isCalled(write, target.naming!, id, name)) return undefined;
  return told(`the ${target.naming!.name} ${JSON.stringify(shortened(name))}`, other);
}

/** Whether this is the record's name in any language: in another than the request's, it may be another record's too. */
async function isCalled({ service, run }: Write, naming: ModelField, id: Value, name: string): Promise<boolean> {
  if (naming.storage.in !== 'translation') return false;
  const statement = service.statements.get(`texts of ${naming.resource.name}.${naming.name}`, commands.textsOf(naming));
  const texts = await run(statement, { id });
  return texts.some(([, text]) => matchOf(naming, text as string) === matchOf(naming, name));
}

/** Ids by the match of each name that means a record. */
async function findNames(
  { service, request, transaction }: Write,
  target: ModelResource,
  names: readonly string[],
): Promise<Map<unknown, unknown>> {
  if (names.length === 0 || !target.naming) return new Map();
  const statement = service.statements.get(`names ${target.name}`, commands.findNames(target.naming));
  const slots = { names: [...names], language: request.language, default_language: request.defaultLanguage };
  const rows = await transaction.run(statement, slots);
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
