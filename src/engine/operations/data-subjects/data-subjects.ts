/**
 * Reads and erases the data of a data subject, as declared on resources (`dataSubject`, `ofDataSubject`, `personal`,
 * `retention`) and on fields (`personal`). A data subject is a record, or only a text that names one in other records.
 */
import { sql } from 'kysely';
import { isProblem, type Problem } from '../../errors.ts';
import type { Field, ShownRecord } from '../../field.ts';
import type { JsonObject } from '../../fields/members.ts';
import { type Model, type ModelField, type ModelResource, snakeCase } from '../../model/model.ts';
import { keyColumn } from '../../model/tables.ts';
import { BindParam, type Value } from '../../ports.ts';
import type { Stored } from '../../rules.ts';
import { columnType } from '../../sql/source.ts';
import { looseMatch, TEXT_FORMS } from '../../text-forms.ts';
import { eraseAudit } from '../../unit/audit/erase-audit.ts';
import { pathOf } from '../../unit/paths.ts';
import { readInput } from '../../unit/read-input.ts';
import { committed, type Reads } from '../../unit/reads.ts';
import type { RequestOptions, Service } from '../../unit/service.ts';
import type { Unit } from '../../unit/unit.ts';
import { readChangedRecords } from '../reads/changed-records.ts';
import { deletedPaths, deletedRecords, linkedTo, namedAlone, withDeleted } from './deleted-records.ts';
import { stillRetained } from './retention.ts';

/** The records of a data subject, without their parts: identifiers by resource name. */
export type Roots = ReadonlyMap<string, readonly Value[]>;

/** The records of one resource that were deleted or emptied. */
interface Erased {
  /** Name as in the change feed. */
  readonly resource: string;
  readonly count: number;
  /** Emptied fields; null if the records were deleted. */
  readonly fields: readonly string[] | null;
}

interface Retained {
  readonly resource: string;
  readonly count: number;
  /** Seconds since 1970 until the last retention period ends; null for records without personal data left. */
  readonly until: number | null;
}

export interface Forgotten {
  readonly erased: readonly Erased[];
  readonly retained: readonly Retained[];
  /** Paths of all these records, without their parts, and of those that had been deleted. */
  readonly paths: readonly string[];
}

/** A record in its current state, with its path. */
export interface KnownRecord {
  readonly resource: string;
  readonly path: string;
  readonly record: ShownRecord;
}

/** What the store knows of a data subject. */
interface Known {
  readonly records: readonly KnownRecord[];
  /** Paths of all these records, without their parts, and of those that were deleted. */
  readonly paths: readonly string[];
}

/** The resource whose records are data subjects, if the model has one. */
export function dataSubjectsOf({ resources }: Model): ModelResource | undefined {
  return [...resources.values()].find(({ declaration }) => declaration.dataSubject !== undefined);
}

/**
 * The data subject’s own record, deleted ones with the same name, and all records that link to it, or did when they were deleted.
 */
export async function rootsOfDataSubject(reads: Reads, dataSubject: ModelResource, id: Value): Promise<Roots> {
  const roots = new Map<string, readonly Value[]>([[dataSubject.name, [id]]]);
  const linking = [...reads.service.model.resources.values()].filter(({ declaration }) => declaration.ofDataSubject);
  for (const { name, declaration } of linking)
    roots.set(name, await reads.find(name, declaration.ofDataSubject!.link, id));
  const own = await reads.read(dataSubject.name, id);
  const name = own?.[dataSubject.declaration.dataSubject!.named];
  const deleted = await deletedRecords(reads, [dataSubject.name, ...linking.map(({ name }) => name)], (record) =>
    record.resource === dataSubject ? typeof name === 'string' && namedAlone(record, name) : linkedTo(record, id),
  );
  return withDeleted(roots, deleted);
}

/**
 * Like `rootsOfDataSubject`, for erasure: locks the data subject first, so that no new links to it appear. Empty if it
 * does not exist.
 */
export async function heldRootsOfDataSubject(unit: Unit, dataSubject: ModelResource, id: Value): Promise<Roots> {
  await unit.hold(dataSubject.name, [id]);
  const isThere = (await unit.list(dataSubject.name, { [dataSubject.identifierField]: [id] })).length > 0;
  return isThere ? rootsOfDataSubject(unit, dataSubject, id) : new Map();
}

/**
 * The records that name a data subject only by this text, compared loosely, without a link, or did when they were deleted; and deleted
 * data subjects with this name.
 */
export async function rootsByName(reads: Reads, text: string): Promise<Roots> {
  const roots = new Map<string, readonly Value[]>();
  for (const resource of reads.service.model.resources.values()) {
    const { ofDataSubject } = resource.declaration;
    if (ofDataSubject?.named === undefined) continue;
    const [named, link] = [resource.fields.get(ofDataSubject.named)!, resource.fields.get(ofDataSubject.link)!];
    // All erased data subjects share this name; it identifies none of them.
    const erasedName = named.field.personal?.('') ?? null;
    if (erasedName !== null && looseMatch(erasedName as string) === looseMatch(text)) continue;
    const rows = await reads.query(
      `named alone ${resource.name}`,
      ({
        placeholder,
      }) => sql`select ${sql.id(resource.identifierField)}, ${sql.id(named.column)} from ${sql.table(resource.table)}
        where ${sql.id(keyColumn(named))} = ${placeholder(new BindParam('key', 'text'))} and ${sql.id(link.column)} is null order by 1`,
      { key: TEXT_FORMS.key(text) },
    );
    const isMatch = (written: unknown): boolean => looseMatch(written as string) === looseMatch(text);
    roots.set(
      resource.name,
      rows.filter(([, written]) => isMatch(written)).map(([id]) => id as Value),
    );
  }
  const subjects = dataSubjectsOf(reads.service.model);
  const names = [...roots.keys(), ...(subjects ? [subjects.name] : [])];
  return withDeleted(roots, await deletedRecords(reads, names, (record) => namedAlone(record, text)));
}

/** The input field that names a data subject without a record: that of the first resource with such a text. */
export function dataSubjectInput({ resources }: Model): Readonly<Record<string, Field>> {
  const [named] = [...resources.values()].flatMap(({ declaration, fields }) =>
    declaration.ofDataSubject?.named === undefined ? [] : fields.get(declaration.ofDataSubject.named)!,
  );
  return named ? { [named.name]: { ...named.field, required: true, nullable: false } } : {};
}

/** @returns the text, or all violations of the body */
export function readNamedDataSubject(
  service: Service,
  requestOptions: RequestOptions,
  sent: JsonObject,
): string | Problem {
  const input = dataSubjectInput(service.model);
  const body = readInput(service, requestOptions, input, sent);
  return isProblem(body) ? body : (body[Object.keys(input)[0]!] as string);
}

/** Returns the output of these records, followed by their parts. */
export async function known(
  service: Service,
  requestOptions: RequestOptions,
  rootsOf: (reads: Reads) => Promise<Roots>,
): Promise<Known> {
  const reads = committed(service, requestOptions);
  const roots = await rootsOf(reads);
  const paths = await deletedPaths(reads, roots);
  const found: { resource: string; id: Value; path: string }[] = [];
  for (const [name, ids] of roots)
    await eachKind(reads, service.model.resources.get(name)!, ids, async (resource, records) => {
      for (const { id, path } of records) if (path !== '') found.push({ resource: resource.name, id, path });
      if (resource.name === name) paths.push(...records.map(({ path }) => path));
    });
  const shown = await readChangedRecords(service, requestOptions, found);
  const records = found.flatMap(({ resource, path }) => {
    const record = shown.get(path);
    return record ? [{ resource: snakeCase(resource), path, record }] : [];
  });
  return { records, paths };
}

/** Erases a data subject in an open unit: deletes its record, and empties personal fields of others. */
export async function forget(unit: Unit, roots: Roots): Promise<Forgotten> {
  const { model } = unit.service;
  const erased: Erased[] = [];
  const retained: Retained[] = [];
  const paths = await deletedPaths(unit, roots);
  for (const [name, ids] of roots) {
    if (ids.length === 0) continue;
    const root = model.resources.get(name)!;
    await unit.hold(name, ids);
    const isDeleted = root.declaration.dataSubject !== undefined;
    await eachKind(unit, root, ids, async (resource, records) => {
      if (resource === root) paths.push(...records.map(({ path }) => path));
      if (records.length === 0) return;
      const resourceName = snakeCase(resource.name);
      if (isDeleted) erased.push({ resource: resourceName, count: records.length, fields: null });
      else
        await eraseKind(
          unit,
          resource,
          records.map(({ id }) => id),
          { erased, retained },
        );
    });
    if (isDeleted) await unit.remove(name, { [root.identifierField]: [...ids] });
  }
  await eraseAudit(unit, paths);
  const changes = { erased: { after: paths, before: null } };
  if (paths.length > 0) unit.records.addEvent({ action: 'privacy_erase', changes });
  return { erased, retained, paths };
}

async function eraseKind(
  unit: Unit,
  resource: ModelResource,
  all: readonly Value[],
  report: { readonly erased: Erased[]; readonly retained: Retained[] },
): Promise<void> {
  const { name, declaration } = resource;
  const resourceName = snakeCase(name);
  const { young, untilLast } = await stillRetained(unit, resource, all);
  if (young.size > 0) report.retained.push({ resource: resourceName, count: young.size, until: untilLast });
  const ids = all.filter((id) => !young.has(id));
  if (ids.length === 0) return;
  if (!declaration.personal) report.retained.push({ resource: resourceName, count: ids.length, until: null });
  if (!declaration.personal && personalFields(resource).length === 0) return;
  const { changed, left } = await emptyRecords(unit, resource, ids);
  if (changed > 0) report.erased.push({ resource: resourceName, count: changed, fields: left });
}

/** Erases these parts of records of a data subject once they need not be retained any more. @returns the number of changed ones */
export async function eraseDueParts(unit: Unit, resource: ModelResource, ids: readonly Value[]): Promise<number> {
  const paths = (await located(unit, resource, resource.identifierField, ids)).map(({ path }) => path);
  const { changed } = await emptyRecords(unit, resource, ids);
  await eraseAudit(unit, paths);
  return changed;
}

/**
 * Deletes these records if each is personal data as a whole; otherwise empties their personal fields.
 * @returns the number of changed records and the emptied fields; null if the records were deleted
 */
async function emptyRecords(
  unit: Unit,
  resource: ModelResource,
  ids: readonly Value[],
): Promise<{ readonly changed: number; readonly left: readonly string[] | null }> {
  const { name, identifierField } = resource;
  if (resource.declaration.personal) {
    await unit.remove(name, { [identifierField]: [...ids] });
    return { changed: ids.length, left: null };
  }
  const personal = personalFields(resource);
  const changes = new Map<Value, Record<string, Value>>();
  for (const stored of await unit.list(name, { [identifierField]: [...ids] })) {
    const left = Object.fromEntries(personal.map((each) => [each.name, each.field.personal!(stored[each.name]!)]));
    if (JSON.stringify(left) !== JSON.stringify(pick(stored, left))) changes.set(stored[identifierField]!, left);
  }
  await unit.updateAll(name, changes);
  return { changed: changes.size, left: personal.map((each) => each.name) };
}

function personalFields({ fields }: ModelResource): ModelField[] {
  return [...fields.values()].filter(({ field }) => field.personal);
}

function pick(stored: Stored, names: object): Record<string, Value> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, stored[name]!]));
}

interface Located {
  readonly id: Value;
  readonly path: string;
}

/** Visits the records, then their parts, recursively, once per resource. Resources without records are skipped. */
async function eachKind(
  reads: Reads,
  resource: ModelResource,
  ids: readonly Value[],
  visit: (resource: ModelResource, records: readonly Located[]) => Promise<void>,
): Promise<void> {
  if (ids.length === 0) return;
  const records = await located(reads, resource, resource.identifierField, ids);
  const visitParts: (() => Promise<void>)[] = [];
  for (const part of reads.service.model.resources.values())
    if (part.owner?.target === resource) {
      const owned = await located(reads, part, part.owner.name, ids);
      visitParts.push(() =>
        eachKind(
          reads,
          part,
          owned.map(({ id }) => id),
          visit,
        ),
      );
    }
  await visit(resource, records);
  for (const visitPart of visitParts) await visitPart();
}

async function located(
  reads: Reads,
  resource: ModelResource,
  by: string,
  values: readonly Value[],
): Promise<Located[]> {
  const field = resource.fields.get(by)!;
  const rows = await reads.query(
    `located ${resource.name} by ${by}`,
    (dialect) => sql`select ${sql.id(resource.identifierField)}, ${pathOf(resource)} from ${sql.table(resource.table)}
      where ${sql.id(field.column)} in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('values', columnType(field), true))})
      order by 1`,
    { values: [...values] },
  );
  return rows.map(([id, path]) => ({ id: id as Value, path: path as string }));
}
