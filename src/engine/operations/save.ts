/** Writes a draft that has passed every check: the record's columns, texts, sets of links, shared unique texts, versions. */
import { isSameAtAnyHost } from '../addresses.ts';
import * as commands from '../commands.ts';
import type { ModelField, ModelResource } from '../model.ts';
import { searchKey, TEXT_FORMS } from '../naming.ts';
import { type ColumnType, Slot, type Transaction, type Value } from '../ports.ts';
import type { Draft, World } from '../resource.ts';
import type { Service } from '../service.ts';
import { isMatched, keyColumn, matchColumn, numberTable } from '../tables.ts';
import { type Run, readStored } from './stored.ts';
import type { Write } from './write.ts';

/** Where and when something is written. */
export interface Pen {
  readonly service: Service;
  readonly run: Run;
  readonly lock: Transaction['lock'];
  readonly language: string;
  readonly now: number;
}

const penOf = ({ service, run, draft, transaction }: Write): Pen => ({
  service,
  run,
  lock: (name) => transaction.lock(name),
  language: draft.language,
  now: draft.now,
});

/** The fields whose stored value the draft changes. What output showed without its being stored is no change. */
export function changesOf(write: Write): Map<ModelField, Value> {
  const { request, draft } = write;
  const changes = new Map<ModelField, Value>();
  for (const field of request.place.resource.fields.values()) {
    const value = draft.values[field.name];
    if (value !== undefined && isKept(field) && isChange(write, field, value)) changes.set(field, value);
  }
  return changes;
}

/** Whether storing the value changes the record: it is not what is stored, nor what output made of what is not. */
export function isChange({ service, draft }: Write, field: ModelField, value: Value): boolean {
  const { stored, shown, literal } = draft;
  if (isSame(value, stored![field.name])) return false;
  if (field.storage.in !== 'translation' || literal.has(field.name)) return true;
  return value !== shown![field.name] && !isMade(field, value, draft, service.world);
}

/** Whether a text is what the store makes while nobody wrote one, as it was read by another name of the store. */
function isMade({ name, field }: ModelField, value: Value, { stored, shown }: Draft, world: World): boolean {
  if (!field.complete || !world.hasOtherAddresses || stored![name]) return false;
  return typeof value === 'string' && isSameAtAnyHost(value, shown![name] as string);
}

/** Inserts the record; gives its identifier. */
export async function saveNew(write: Write): Promise<Value> {
  const { request, draft } = write;
  const { resource } = request.place;
  const id = await insert(penOf(write), resource, draft.values);
  await touchOwner(penOf(write), resource, draft.values);
  return id;
}

export async function saveChanges(write: Write, id: Value, changes: ReadonlyMap<ModelField, Value>): Promise<void> {
  const { request, draft } = write;
  const { resource } = request.place;
  const pen = penOf(write);
  const values = Object.fromEntries([...changes].map(([field, value]) => [field.name, value]));
  await update(pen, resource, id, values);
  await saveTexts(pen, resource, id, values);
  for (const [field, value] of changes) {
    if (field.storage.in === 'links')
      await saveSet(pen, field, id, draft.stored![field.name] as Value[], value as Value[]);
    if (typeof field.field.unique === 'string') await saveSharedText(pen, field, id, value as string);
  }
  await touchOwner(pen, resource, draft.stored!);
}

/** What a body says of a record that is there already; what it leaves out stays. */
export async function saveSent(write: Write, id: Value): Promise<void> {
  const { request, draft, service, run } = write;
  const { resource } = request.place;
  const stored = (await readStored(service, resource, id, request.language, run))!;
  const changed = Object.keys(draft.sent).filter((name) => {
    const { in: kept } = resource.fields.get(name)!.storage;
    return (kept === 'column' || kept === 'link') && !isSame(draft.values[name]!, stored[name]);
  });
  if (changed.length === 0) return;
  await update(penOf(write), resource, id, Object.fromEntries(changed.map((name) => [name, draft.values[name]!])));
  await touchOwner(penOf(write), resource, stored);
}

/** Sets columns of one record, counts its version up and stamps it. */
export async function update(
  pen: Pen,
  resource: ModelResource,
  id: Value,
  values: Readonly<Record<string, Value>>,
): Promise<void> {
  const columns = columnsOf(resource, values);
  const key = `update ${resource.name} ${columns.map(({ column }) => column).join()}`;
  const statement = pen.service.statements.get(key, commands.updateRecord(resource, columns));
  await pen.run(statement, { ...slotsOf(columns), id, now: pen.now });
}

/** A change of a part is a change of what it is part of. */
export async function touchOwner(
  pen: Pen,
  { owner }: ModelResource,
  values: Readonly<Record<string, Value>>,
): Promise<void> {
  if (owner) await update(pen, owner.target!, values[owner.name]!, {});
}

/** Makes a record with its texts, links and the parts that are made together with it; gives its identifier. */
export async function insert(
  pen: Pen,
  resource: ModelResource,
  given: Readonly<Record<string, Value>>,
): Promise<Value> {
  const values: Record<string, Value> = {};
  for (const field of resource.fields.values()) {
    const value = given[field.name];
    // A text that nobody wrote is in no language.
    if (value === undefined && field.storage.in === 'translation') continue;
    values[field.name] = value ?? initialValue(field, pen);
    if (field.field.numbered) values[field.name] = await numbered(pen, field, values[field.name] as string | null);
  }
  const columns = columnsOf(resource, values);
  const statement = pen.service.statements.get(`insert ${resource.name}`, commands.insertRecord(resource, columns));
  const [row] = await pen.run(statement, slotsOf(columns));
  const id = row![0] as Value;
  await saveTexts(pen, resource, id, values);
  for (const field of resource.fields.values()) {
    if (field.storage.in === 'links') await saveSet(pen, field, id, [], values[field.name] as Value[]);
    if (field.storage.in === 'parts') await insertParts(pen, field, id, values[field.name] as Value[]);
    if (typeof field.field.unique === 'string') await saveSharedText(pen, field, id, values[field.name] as string);
  }
  return id;
}

async function insertParts(pen: Pen, { target }: ModelField, id: Value, parts: readonly Value[]): Promise<void> {
  const owner = target!.owner!.name;
  for (const part of parts) await insert(pen, target!, { ...(part as Record<string, Value>), [owner]: id });
}

/** Longer numbers are left alone: a sequence that had reached them would have nothing left to count. */
const DIGITS_COUNTED_MAX = 15;

/** The given number, above which the sequence goes on; or the sequence's next. */
async function numbered({ service, run, lock }: Pen, field: ModelField, given: string | null): Promise<string> {
  const table = numberTable(field);
  const { statements } = service;
  if (given === null) {
    const next = statements.get(`next ${table}`, ({ nextNumber }) => nextNumber(table));
    const taken = statements.get(`taken ${field.resource.name}.${field.name}`, commands.takenText(field));
    // One that a client gave without its being counted is passed over.
    for (;;) {
      const [row] = await run(next, {});
      const text = String(row![0]);
      if ((await run(taken, { text, id: noIdentifier(field.resource) })).length === 0) return text;
    }
  }
  if (!/^\d+$/.test(given) || given.length > DIGITS_COUNTED_MAX) return given;
  await lock(`numbers of ${table}`);
  const raise = statements.get(`raise ${table}`, ({ raiseNumber }) =>
    raiseNumber(table, new Slot('number', 'integer')),
  );
  await run(raise, { number: Number(given) });
  return given;
}

function initialValue({ field, isIdentifier, resource }: ModelField, pen: Pen): Value {
  if (field.stamped) return pen.now;
  return isIdentifier && resource.identifier.kind === 'uuid' ? pen.service.uuid() : field.default;
}

/** Whether the record itself keeps the field. */
function isKept({ storage }: ModelField): boolean {
  return storage.in === 'column' || storage.in === 'translation' || storage.in === 'link' || storage.in === 'links';
}

interface Filled extends commands.Assignment {
  readonly value: Value;
}

/** The columns of the resource's own table that keep these fields. */
function columnsOf(resource: ModelResource, values: Readonly<Record<string, Value>>): Filled[] {
  const columns: Filled[] = [];
  for (const field of resource.fields.values()) {
    const value = values[field.name];
    const { storage, column } = field;
    // The database counts integer identifiers.
    if (value === undefined || (field.isIdentifier && resource.identifier.kind === 'integer')) continue;
    if (storage.in === 'link') columns.push({ column, type: field.target!.identifierType, value });
    if (storage.in === 'column') {
      columns.push({ column, type: storage.type, value });
      if (field.field.searchable)
        columns.push({
          column: keyColumn(field),
          type: 'text',
          value: value === null ? null : searchKey(value as string),
        });
      if (field.field.distinct)
        columns.push({
          column: matchColumn(field),
          type: 'text',
          value: value === null ? null : TEXT_FORMS.loose(value as string),
        });
    }
  }
  return columns;
}

async function saveTexts(
  pen: Pen,
  resource: ModelResource,
  id: Value,
  values: Readonly<Record<string, Value>>,
): Promise<void> {
  const columns: Filled[] = [];
  for (const field of resource.translations) {
    const value = values[field.name];
    if (typeof value !== 'string') continue;
    for (const { column, kind } of commands.textColumns(field, isMatched(field)))
      columns.push({
        column,
        type: 'text' satisfies ColumnType,
        value: kind === 'text' ? value : TEXT_FORMS[kind](value),
      });
  }
  if (columns.length === 0) return;
  const key = `texts ${resource.name} ${columns.map(({ column }) => column).join()}`;
  const statement = pen.service.statements.get(key, commands.writeTexts(resource, columns));
  await pen.run(statement, { ...slotsOf(columns), id, language: pen.language });
}

/** Takes these texts of one language away, so that the record shows another language's again. */
export async function removeTexts(
  pen: Pen,
  resource: ModelResource,
  stored: Readonly<Record<string, Value>>,
  texts: readonly ModelField[],
): Promise<void> {
  const id = stored[resource.identifierField]!;
  const columns = texts.flatMap((field) => commands.textColumns(field, isMatched(field)).map(({ column }) => column));
  const { statements } = pen.service;
  const clear = statements.get(`clear ${resource.name} ${columns.join()}`, commands.clearTexts(resource, columns));
  await pen.run(clear, { id, language: pen.language });
  const forget = statements.get(`forget texts ${resource.name}`, commands.forgetEmptyTexts(resource));
  await pen.run(forget, { id, language: pen.language });
  await update(pen, resource, id, {});
  await touchOwner(pen, resource, stored);
}

async function saveSet(
  pen: Pen,
  field: ModelField,
  id: Value,
  before: readonly Value[],
  after: readonly Value[],
): Promise<void> {
  const wanted: Value[] = [];
  for (const value of after) wanted.push(isNew(value) ? await insert(pen, field.target!, value) : value);
  const removed = before.filter((value) => !wanted.includes(value));
  const added = wanted.filter((value) => !before.includes(value));
  const { statements } = pen.service;
  const key = `${field.resource.name}.${field.name}`;
  if (removed.length > 0)
    await pen.run(statements.get(`unlink ${key}`, commands.removePairs(field)), { id, ids: removed });
  if (added.length > 0) await pen.run(statements.get(`link ${key}`, commands.addPairs(field)), { id, ids: added });
}

async function saveSharedText(pen: Pen, field: ModelField, id: Value, text: string): Promise<void> {
  const { statements } = pen.service;
  const key = `${field.resource.name}.${field.name}`;
  await pen.run(statements.get(`release ${key}`, commands.releaseSharedText(field)), { id });
  if (text !== '') await pen.run(statements.get(`take ${key}`, commands.takeSharedText(field)), { id, text });
}

/** A linked record that is still to be made. */
function isNew(value: Value): value is { [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function slotsOf(columns: readonly Filled[]): Record<string, Value> {
  return Object.fromEntries(columns.map(({ column, value }) => [column, value]));
}

export function isSame(one: Value, other: Value | undefined): boolean {
  const isStructure = typeof one === 'object' && one !== null;
  return one === other || (isStructure && JSON.stringify(one) === JSON.stringify(other));
}

/** What no record is identified by. */
export function noIdentifier({ identifierType }: ModelResource): Value {
  return identifierType === 'integer' ? -1 : '';
}
