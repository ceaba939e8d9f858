/**
 * Checks the audit: the chain of hashes has no gap and fits the entries, the index tables have all entries, and the last value of
 * each field is that of the record. Each page is one snapshot, so that the store can be written meanwhile.
 */
import { sql } from 'kysely';
import { AUDIT_INBOX, AUDIT_TABLE } from '../../model/audit-tables.ts';
import type { Model, ModelResource } from '../../model/model.ts';
import { BindParam, type Database, type HashedPart, type Row, type Value } from '../../ports.ts';
import * as lookUps from '../../sql/lookups.ts';
import { Statements } from '../../sql/shapes.ts';
import { pathOf } from '../paths.ts';
import { Reads } from '../reads.ts';
import type { Service } from '../service.ts';
import { type ChangedField, changedField } from './audited-fields.ts';
import { canonicalJson } from './canonical-json.ts';
import { ANCHOR_SETTING, type AuditEnd, anchorOf } from './chain.ts';
import { changesHashOf, entryHash, HEAD_COLUMNS, headOf } from './entry.ts';
import { indexFaults } from './index-faults.ts';
import { isOf } from './path-index.ts';
import { hasErased, isErased } from './personal-values.ts';
import type { Changes } from './record-changes.ts';
import { readRecordValues } from './record-values.ts';

interface CheckedStore {
  readonly database: Database;
  readonly model: Model;
  readonly sha256: (parts: readonly HashedPart[]) => string;
  /** An entry that a copy of the head names. */
  readonly head?: AuditEnd | undefined;
}

const ENTRIES_PER_PAGE = 1000;
const RECORDS_PER_PAGE = 200;

const RESOURCE = HEAD_COLUMNS.indexOf('resource');

const CHAIN = sql.table(AUDIT_TABLE);
const ID = sql.id('id');

/** @returns one sentence per fault */
export async function* auditFaults(
  store: CheckedStore,
  each: (done: number, total: number) => void,
): AsyncGenerator<string> {
  const statements = new Statements(store.database.dialect);
  yield* chainFaults(store, statements);
  yield* indexFaults(store.database);
  const resources = [...store.model.resources.values()].filter(
    ({ isPublishedByOwner, isUnpublished }) => !isPublishedByOwner && !isUnpublished,
  );
  for (const [index, resource] of resources.entries()) {
    yield* recordFaults(store, statements, resource);
    each(index + 1, resources.length);
  }
}

/** The first fault of the chain. After it, no hash fits. */
async function* chainFaults(
  { database, model, sha256, head }: CheckedStore,
  statements: Statements,
): AsyncGenerator<string> {
  const columns = sql.join(
    ['id', ...HEAD_COLUMNS, 'changes', 'salt', 'changes_hash', 'hash'].map((name) => sql.id(name)),
  );
  const page = statements.get(
    'audit entries after',
    ({
      placeholder,
    }) => sql`select ${columns} from ${CHAIN} where ${ID} > ${placeholder(new BindParam('after', 'integer'))}
      order by ${ID} limit ${sql.lit(ENTRIES_PER_PAGE)}`,
  );
  const anchor = statements.get(
    'audit anchor',
    () => sql`select value from ${sql.table('setting')} where name = ${sql.lit(ANCHOR_SETTING)}`,
  );
  let rows: Row[] = [];
  // Of one snapshot, because entries may expire meanwhile.
  let end = await database.snapshot(async (run) => {
    const [found] = await run(anchor, {});
    rows = await run(page, { after: 0 });
    return anchorOf((found?.[0] ?? null) as string | null);
  });
  let isHeadFound = head === undefined || head.id < end.id || (head.id === end.id && head.hash === end.hash);
  for (; rows.length > 0; rows = await database.query(page, { after: end.id })) {
    for (const row of rows) {
      const fault = entryFault({ model, sha256 }, end, row);
      if (fault !== undefined) {
        yield fault;
        return;
      }
      end = { id: Number(row[0]), hash: row.at(-1) as string };
      if (end.id === head?.id) isHeadFound = end.hash === head.hash;
    }
  }
  if (!isHeadFound)
    yield `The audit has no entry ${head!.id} with the hash ${head!.hash}. Entries were changed or removed since that head was copied.`;
}

function entryFault(
  { model, sha256 }: Pick<CheckedStore, 'model' | 'sha256'>,
  before: AuditEnd,
  row: Row,
): string | undefined {
  const [ownId, ...head] = row;
  const id = Number(ownId);
  const [changes, salt, changesHash, hash] = row.slice(HEAD_COLUMNS.length + 1) as string[];
  if (id !== before.id + 1) return `The audit has a gap between the entries ${before.id} and ${id}.`;
  // Only an erasure of personal values removes the salt, and then the changes cannot be verified.
  const isWrong =
    salt === null
      ? !hasErased(model, head[RESOURCE] as string | null, JSON.parse(changes!) as Changes)
      : changesHashOf(sha256, salt!, changes!) !== changesHash;
  if (isWrong) return `The changes of audit entry ${id} do not match its changes_hash.`;
  if (entryHash(sha256, before.hash, headOf(model, id, head), changesHash!) !== hash)
    return `The hash of audit entry ${id} does not match its content and the hash of entry ${before.id}.`;
  return undefined;
}

/** Records whose values differ from the last ones in the audit. */
async function* recordFaults(
  { database, model }: CheckedStore,
  statements: Statements,
  resource: ModelResource,
): AsyncGenerator<string> {
  const { dialect } = database;
  const id = sql.id(resource.identifierField);
  const next = (isFirst: boolean) =>
    statements.get(`audited ${resource.name} ${isFirst}`, ({ placeholder }) => {
      const after = isFirst ? sql`1 = 1` : sql`${id} > ${placeholder(new BindParam('after', resource.identifierType))}`;
      return sql`select ${id}, ${pathOf(resource)} from ${sql.table(resource.table)} where ${after} order by ${id} limit ${sql.lit(RECORDS_PER_PAGE)}`;
    });
  for (let last: Value | undefined; ; ) {
    const faults: string[] = [];
    const count = await database.snapshot(async (run) => {
      const rows = await run(next(last === undefined), last === undefined ? {} : { after: last });
      const ids = rows.map(([each]) => each as Value);
      if (ids.length === 0) return 0;
      last = ids.at(-1)!;
      const service = { model, statements, database: { dialect } } as Service;
      const reads = new Reads(service, run, { language: '', defaultLanguage: '' });
      const paths = rows.map(([, path]) => path as string);
      const audited = await lastValues(reads, resource, ids, paths);
      const values = await readRecordValues(reads, resource, [...audited.keys()]);
      for (const [own, expected] of audited)
        faults.push(...(await differences(reads, resource, own, expected, values.get(own)!)));
      return ids.length;
    });
    yield* faults;
    if (count < RECORDS_PER_PAGE) return;
  }
}

/** The last value of each field by its name in `changes`, for records with an entry since they exist. */
async function lastValues(
  reads: Reads,
  { name }: ModelResource,
  ids: readonly Value[],
  paths: readonly string[],
): Promise<Map<Value, Map<string, Value>>> {
  const texts = new Map(ids.map((id) => [String(id), id]));
  const values = new Map<Value, Map<string, Value>>();
  const ofRecords = (table: string) =>
    reads.query(
      `changes of ${table}`,
      (dialect) => sql`select record, action, changes from ${sql.table(table)} where ${isOf(dialect, table)}
        and resource = ${dialect.placeholder(new BindParam('resource', 'text'))} order by ${ID}`,
      { resource: name, paths: [...paths] },
    );
  const rows = [...(await ofRecords(AUDIT_TABLE)), ...(await ofRecords(AUDIT_INBOX))];
  for (const [record, action, json] of rows as string[][]) {
    const id = texts.get(record!)!;
    const own = values.get(id) ?? new Map<string, Value>();
    values.set(id, own);
    if (action === 'deleted') own.clear();
    for (const [key, change] of Object.entries(JSON.parse(json!) as Changes)) {
      const { after } = change as { after?: Value };
      if (after !== undefined && action !== 'deleted') own.set(key, after);
    }
  }
  return values;
}

async function differences(
  reads: Reads,
  resource: ModelResource,
  id: Value,
  expected: ReadonlyMap<string, Value>,
  values: ReadonlyMap<string, Value>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [key, value] of expected) {
    const actual = values.get(key) ?? null;
    if (canonicalJson(value) === canonicalJson(actual) || isErased(value)) continue;
    if (!(await isOnlyUnlinked(reads, changedField(reads.service.model, resource, key), value, actual)))
      faults.push(`${resource.name} ${id}: the value of ${key} differs from that of the last audit entry.`);
  }
  return faults;
}

/** Whether values of links differ only by records that do not exist: the deletion of a record removes links to it. */
async function isOnlyUnlinked(
  reads: Reads,
  changed: ChangedField | undefined,
  expected: Value,
  actual: Value,
): Promise<boolean> {
  const target = changed?.field.target;
  if (!target || !['link', 'links'].includes(changed.field.storage.in)) return false;
  const [before, now] = [expected, actual].map((value) =>
    Array.isArray(value) ? value : value === null ? [] : [value],
  );
  if (now!.some((id) => !before!.includes(id))) return false;
  const ids = before!.filter((id) => !now!.includes(id));
  return (await reads.query(`ids ${target.name}`, lookUps.findIds(target), { ids })).length === 0;
}
