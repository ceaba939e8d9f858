/**
 * Checks that the journal matches the store: no unordered changes, no gaps, and the current version of every existing
 * record. Reads in spans of one statement each, so that the store can be written meanwhile.
 */
import { sql } from 'kysely';
import type { Model, ModelResource } from '../model/model.ts';
import { VERSION } from '../model/tables.ts';
import { BindParam, type ColumnType, type Database, type Row, type Value } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import { LAST_POSITION } from './journal.ts';
import { EXPIRED_SETTING } from './read-journal.ts';

/** Positions or records per statement. */
export const SPAN = 20_000;

/** A change that waits longer was not ordered after its commit, as it should be. */
const WAITING_SECONDS_MAX = 60;

const CHANGE = sql.table('change');
const INBOX = sql.table('change_inbox');
const POSITION = sql.id('position');

/** @param now seconds since 1970 @returns one sentence per fault */
export async function* journalFaults(
  database: Database,
  model: Model,
  now: number,
  each: (done: number, total: number) => void,
): AsyncGenerator<string> {
  const published = [...model.resources.values()].filter(
    ({ isPublishedByOwner, isUnpublished }) => !isPublishedByOwner && !isUnpublished,
  );
  yield* waiting(database, now);
  yield* gaps(database);
  for (const [index, resource] of published.entries()) {
    yield* outdatedEntries(database, resource);
    yield* orphanedEntries(database, resource);
    each(index + 1, published.length);
  }
}

async function* waiting(database: Database, now: number): AsyncGenerator<string> {
  const before = new BindParam('before', 'timestamp');
  const [row] = await query(
    database,
    sql`select count(*) from ${INBOX} where ${sql.id('at')} < ${database.dialect.placeholder(before)}`,
    { before: now - WAITING_SECONDS_MAX },
  );
  const count = Number(row![0]);
  if (count > 0)
    yield `Changes not in the journal yet: ${count}. A running server adds them, otherwise the next one to start.`;
}

/** Positions may be missing up to the highest deleted one. */
async function* gaps(database: Database): AsyncGenerator<string> {
  const { placeholder } = database.dialect;
  const [from, until] = [new BindParam('from', 'integer'), new BindParam('until', 'integer')];
  const statement = sql`select (select value from ${sql.table('setting')} where name = ${sql.lit(EXPIRED_SETTING)}), ${LAST_POSITION},
    (select count(*) from ${CHANGE} where ${POSITION} > ${placeholder(from)} and ${POSITION} <= ${placeholder(until)})`;
  for (let start = 0; ; ) {
    const [row] = await query(database, statement, { from: start, until: start + SPAN });
    const [forgotten, last, count] = row!;
    const first = Number(String(forgotten ?? '0').split(' ')[0]);
    if (first > start) {
      start = first;
      continue;
    }
    const end = Math.min(start + SPAN, Number(last));
    const missing = end - start - Number(count);
    if (missing > 0)
      yield `The journal has a gap between the positions ${start} and ${end + 1}. Missing entries: ${missing}.`;
    if (end === Number(last)) return;
    start = end;
  }
}

/** Existing records whose newest entry differs or is missing. Records with an unordered change are skipped. */
async function* outdatedEntries(database: Database, resource: ModelResource): AsyncGenerator<string> {
  const { dialect } = database;
  const { name, table, identifierField: key, identifierType: type } = resource;
  const id = sql.id('a', key);
  const record = sql`cast(${id} as text)`;
  const isOf = (alias: string): Expression =>
    sql`${sql.id(alias, 'resource')} = ${sql.lit(name)} and ${sql.id(alias, 'record')} = ${record}`;
  const newest = (column: string): Expression =>
    sql`(select ${sql.id('c', column)} from ${CHANGE} as ${sql.id('c')} where ${isOf('c')} order by ${sql.id('c', 'position')} desc limit 1)`;
  const rows = inSpans(
    database,
    type,
    (after) => sql`select ${id}, ${sql.id('a', VERSION)}, ${newest('kind')}, ${newest('version')},
      exists (select 1 from ${INBOX} as ${sql.id('i')} where ${isOf('i')})
      from ${sql.table(table)} as ${sql.id('a')} where ${after ? sql`${id} > ${dialect.placeholder(after)}` : sql`1 = 1`}
      order by ${id} limit ${sql.lit(SPAN)}`,
  );
  for await (const [own, version, kind, recorded, waits] of rows) {
    if (dialect.decode.boolean(waits as never)) continue;
    const which = `${name} ${own}`;
    if (kind === null) yield `The journal has no entry for ${which}.`;
    else if (kind === 'deleted') yield `The journal records ${which} as deleted, but it exists.`;
    else if (Number(recorded) !== Number(version))
      yield `The journal records version ${recorded} of ${which}, but it has version ${version}.`;
  }
}

/** Entries that are the newest of their record and no deletion, but whose record does not exist. */
async function* orphanedEntries(
  database: Database,
  { name, table, identifierField: key, identifierType: type }: ModelResource,
): AsyncGenerator<string> {
  const { dialect } = database;
  const id = type === 'integer' ? sql`cast(${sql.id('c', 'record')} as bigint)` : sql.id('c', 'record');
  const c = (column: string): Expression => sql.id('c', column);
  const isSame = (alias: string): Expression =>
    sql`${sql.id(alias, 'resource')} = ${c('resource')} and ${sql.id(alias, 'record')} = ${c('record')}`;
  const rows = inSpans(
    database,
    'integer',
    (after) => sql`select ${c('position')}, ${c('record')}, ${c('kind')} <> 'deleted'
        and not exists (select 1 from ${CHANGE} as ${sql.id('n')} where ${isSame('n')} and ${sql.id('n', 'position')} > ${c('position')})
        and not exists (select 1 from ${INBOX} as ${sql.id('i')} where ${isSame('i')})
        and not exists (select 1 from ${sql.table(table)} as ${sql.id('a')} where ${sql.id('a', key)} = ${id})
      from ${CHANGE} as ${sql.id('c')} where ${c('resource')} = ${sql.lit(name)}
        and ${after ? sql`${c('position')} > ${dialect.placeholder(after)}` : sql`1 = 1`} order by ${c('position')} limit ${sql.lit(SPAN)}`,
  );
  for await (const [, record, isOrphaned] of rows)
    if (dialect.decode.boolean(isOrphaned as never))
      yield `The journal records ${name} ${record}, which does not exist.`;
}

/** Pages through a statement's rows (at most `SPAN`), starting each page after the first column of the last row. */
export async function* inSpans(
  database: Database,
  type: ColumnType,
  select: (after: BindParam | undefined) => Expression,
): AsyncGenerator<Row> {
  const param = new BindParam('after', type);
  for (let last: Value | undefined; ; ) {
    const rows = await query(
      database,
      select(last === undefined ? undefined : param),
      last === undefined ? {} : { after: last },
    );
    yield* rows;
    if (rows.length < SPAN) return;
    last = rows.at(-1)![0] as Value;
  }
}

/** Without a time limit, unlike `search`. */
function query(database: Database, statement: Expression, values: Readonly<Record<string, Value>>): Promise<Row[]> {
  return database.query(database.dialect.compile(statement), values);
}
