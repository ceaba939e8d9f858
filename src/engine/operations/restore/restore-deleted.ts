/** Creates a record again from the audit entry of its deletion, with a new identifier, in one unit (access.md §4). */
import { isProblem, type Problem, problem } from '../../errors.ts';
import { readIdentifier } from '../../model/addresses.ts';
import type { Model, ModelField, ModelResource, ModelRoute } from '../../model/model.ts';
import { publishedRoutes } from '../../model/path-forms.ts';
import { API_PATH } from '../../own-address.ts';
import type { Value } from '../../ports.ts';
import { readBody } from '../../request/body.ts';
import type { PreparedFile } from '../../rules.ts';
import * as lookUps from '../../sql/lookups.ts';
import { textKey } from '../../unit/audit/audited-fields.ts';
import { canonicalJson } from '../../unit/audit/canonical-json.ts';
import { ERASURES_LOCK } from '../../unit/audit/erase-audit.ts';
import { type AuditEntry, readDeletedBelow } from '../../unit/audit/read-audit.ts';
import { type RequestOptions, readingOf, type Service, type Target, type Written } from '../../unit/service.ts';
import { inUnit, type Unit } from '../../unit/unit.ts';
import { create } from '../create.ts';
import type { Prepared } from '../images/images.ts';
import { readExisting, unknownParent } from '../read.ts';
import { fileIn, withPastFile } from './past-file.ts';
import { asInput, currentValues, erasedAmong, type PastValues, restorableFields } from './past-values.ts';
import { patch } from './write-past-values.ts';

/** Returns the route that creates the record again, and its parents; undefined if there is none. */
export function targetOfDeleted({ resources }: Model, { head }: Pick<AuditEntry, 'head'>): Target | undefined {
  const { resource: name, path, action } = head;
  const resource = name === null ? undefined : resources.get(name);
  if (!resource || path === null || action !== 'deleted' || resource.declaration.isFinal) return undefined;
  for (const route of publishedRoutes(resource)) {
    const parents = parentsAt(route, path);
    if (parents) return route.operations.has('create') ? { route, parents } : undefined;
  }
  return undefined;
}

/** The identifiers of the parents in the path of a record, if it is one of this route. */
function parentsAt({ path: form, parents }: ModelRoute, path: string): Value[] | undefined {
  const segments = `${API_PATH}${form}`.split('/');
  const own = path.split('/');
  const isParameter = (segment: string): boolean => segment.startsWith('{');
  if (own.length !== segments.length) return undefined;
  if (!segments.every((segment, index) => isParameter(segment) || segment === own[index])) return undefined;
  const values = own.filter((_, index) => isParameter(segments[index]!));
  const ids = parents.map(({ target }, index) => readIdentifier(target, decodeURIComponent(values[index]!)));
  return ids.includes(undefined) ? undefined : (ids as Value[]);
}

/** The new record. */
export interface Restored extends Written {
  /** Names in `changes` of the entry whose values the record does not have, and parts such as `images[12]`. */
  readonly notRestored: readonly string[];
}

type DeletedEntry = Pick<AuditEntry, 'head' | 'changes'>;

interface DeletedOptions {
  /** The entry, with the changes that the client sees. */
  readonly entry: DeletedEntry;
  /** Reads the entry again, because it may have expired or been erased since. */
  readonly readAgain: (unit: Unit) => Promise<DeletedEntry | Problem>;
  /** The languages whose texts the client can write. */
  readonly languages: readonly string[];
  /** Whether the client sees records of a resource. */
  readonly canRead: (resource: ModelResource) => boolean;
  /** Rejects the fields of the new record. */
  readonly check: (fields: Readonly<Record<string, Value>>) => Problem | undefined;
}

/** @param work runs in the unit around the restore, and may run again */
export async function restoreDeleted<T>(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  options: DeletedOptions,
  work: (unit: Unit, restored: () => Promise<Restored | Problem>) => Promise<T | Problem>,
): Promise<T | Problem> {
  const past = pastValues(options.entry);
  const file = fileAmong(restorableFields(target.route.inserts, requestOptions), past);
  return withPastFile(service, file, (prepared) =>
    inUnit(service, requestOptions, (unit) => work(unit, () => restore(unit, target, options, prepared))),
  );
}

function pastValues({ changes }: Pick<AuditEntry, 'changes'>): PastValues {
  const values = Object.entries(changes).map(([key, change]) => [key, (change as { before?: Value }).before] as const);
  return new Map(values.filter((each): each is [string, Value] => each[1] !== undefined && each[1] !== null));
}

function fileAmong(fields: readonly ModelField[], past: PastValues): PreparedFile | undefined {
  return fields.map((field) => fileIn(field, past.get(field.name) ?? null)).find((file) => file !== undefined);
}

async function restore(
  unit: Unit,
  target: Target,
  { readAgain, languages, canRead, check }: DeletedOptions,
  prepared: Prepared,
): Promise<Restored | Problem> {
  await unit.lock(ERASURES_LOCK);
  const entry = await readAgain(unit);
  if (isProblem(entry)) return entry;
  const { route } = target;
  const { resource } = route;
  const past = pastValues(entry);
  const erased = erasedAmong(past.values());
  if (erased) return erased;
  const fields = restorableFields(route.inserts, unit.requestOptions);
  const inDefault = unit.inLanguage(unit.defaultLanguage);
  const plain = await insertable(inDefault, fields, past, prepared);
  if (hasOwnIdentifier(route)) plain[resource.identifierField] = entry.head.record_id;
  const sent = { ...plain, ...textsOf(fields, past, unit.defaultLanguage) };
  const rejected = check(sent) ?? (await goneParent(inDefault, target));
  if (rejected) return rejected;
  const body = readBody(route, 'create', sent, readingOf(unit.service, inDefault.requestOptions));
  const created = await create(inDefault, target, body, prepared);
  if (isProblem(created)) return created;
  for (const language of languages) {
    const texts = language === unit.defaultLanguage ? {} : textsOf(fields, past, language);
    if (Object.keys(texts).length === 0) continue;
    const done = await patch(unit.inLanguage(language), created.target, texts);
    if (isProblem(done)) return done;
  }
  const { id } = (await readExisting(unit, created.target))!;
  unit.records.restored(resource, id);
  const current = await currentValues(unit, resource, id);
  return {
    ...{ ...(await unit.shown(created.target))!, target: created.target },
    notRestored: [...missing(entry.changes, past, current), ...(await deletedParts(unit, entry, canRead))],
  };
}

/** Whether clients choose the identifier of a new record. */
function hasOwnIdentifier({ inserts, resource }: ModelRoute): boolean {
  return inserts.has(resource.fields.get(resource.identifierField)!);
}

/** The parent in the path was deleted as well. */
async function goneParent(unit: Unit, target: Target): Promise<Problem | undefined> {
  const unknown = await unknownParent(unit, target);
  return unknown && problem('conflict', `The parent of this record no longer exists. ${unknown.detail}`);
}

/** The values that a new record can have, without links to records that no longer exist and texts that others have now. */
async function insertable(
  unit: Unit,
  fields: readonly ModelField[],
  past: PastValues,
  { own }: Prepared,
): Promise<Record<string, Value>> {
  const values: Record<string, Value> = {};
  for (const field of fields) {
    const value = past.get(field.name);
    if (value === undefined || field.storage.in === 'translation') continue;
    if (field.field.fileIn && fileIn(field, value)?.name !== own?.name) continue;
    const left = await existing(unit, field, value);
    const isGone = left === null || (!field.field.required && (await isTaken(unit, field, value)));
    if (!isGone) values[field.name] = asInput(field, left);
  }
  return values;
}

/** A link, or a set of links, to records that exist. A required link remains, so that the write is rejected. */
async function existing(unit: Unit, { field, storage, target }: ModelField, value: Value): Promise<Value> {
  if ((storage.in !== 'link' && storage.in !== 'links') || field.required) return value;
  const ids = Array.isArray(value) ? value : [value];
  const rows = await unit.query(`ids ${target!.name}`, lookUps.findIds(target!), { ids });
  const found = new Set(rows.map(([id]) => id as Value));
  if (Array.isArray(value)) return value.filter((id) => found.has(id));
  return found.has(value) ? value : null;
}

/** Whether another record has the unique value now. */
async function isTaken(unit: Unit, { name, field, storage, resource }: ModelField, value: Value): Promise<boolean> {
  const { unique } = field;
  if (!unique || storage.in !== 'column' || value === '') return false;
  if (typeof unique === 'string') return (await unit.used(unique, [value as string])).size > 0;
  return (await unit.find(resource.name, name, value)).length > 0;
}

function textsOf(fields: readonly ModelField[], past: PastValues, language: string): Record<string, Value> {
  const texts = fields.map((field) => [field.name, past.get(textKey(field, language))] as const);
  return Object.fromEntries(texts.filter((each): each is [string, Value] => each[1] !== undefined));
}

/** The kinds of parts with entries of their own that were deleted with the record, such as `variants`. */
async function deletedParts(
  unit: Unit,
  { head }: Pick<AuditEntry, 'head'>,
  canRead: (resource: ModelResource) => boolean,
): Promise<string[]> {
  const names = await readDeletedBelow(unit, head);
  const resources = names.flatMap((name) => unit.service.model.resources.get(name) ?? []);
  return resources.filter(canRead).map(belowOwner).sort();
}

/** The names in the path below that of the owner: `variants` of `/products/{product_id}/variants/{id}`. */
function belowOwner({ routes }: ModelResource): string {
  const [, ...below] = routes[0]!.collectionPath.split('/').filter((segment) => /^\w/.test(segment));
  return below.join('/');
}

const PART = /^\w+\[[^\]]+\](?=\.)/;

/** The values that the record had and does not have now. */
function missing(changes: AuditEntry['changes'], past: PastValues, current: PastValues): string[] {
  const names = Object.keys(changes).flatMap((key) => {
    const [part] = PART.exec(key) ?? [];
    if (part !== undefined) return part;
    const isSecret = 'changed' in (changes[key] as object);
    const before = past.get(key);
    if (before === undefined && !isSecret) return [];
    return canonicalJson(before ?? null) === canonicalJson(current.get(key) ?? null) && !isSecret ? [] : key;
  });
  return [...new Set(names)];
}
