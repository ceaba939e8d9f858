/**
 * Reads a range of journal entries with one statement, including what determines whether a reader's position is still
 * valid. Call `orderChanges` first, so that acknowledged changes have positions.
 */
import { sql } from 'kysely';
import type { ModelResource } from '../model/model.ts';
import { BindParam, type Database, type Dialect, type Value } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import type { Change } from './commits.ts';
import { LAST_POSITION } from './journal.ts';
import type { Service } from './service.ts';

/** A position in the journal, after the entry with this position and mark. */
export interface JournalPosition {
  readonly position: number;
  readonly mark: number;
}

/** One change of one record, with its position. */
export interface JournalEntry extends JournalPosition, Change {
  /** Time of the change, in seconds since 1970. */
  readonly at: number;
}

interface JournalSpan {
  readonly after: number;
  readonly until: number;
  /** Only the newest entry of each existing record. */
  readonly isNewest: boolean;
  /** Names of resources; undefined means all. */
  readonly resources: readonly string[] | undefined;
  readonly limit: number;
}

export interface JournalRead {
  /** Changes after a restore and after a failover; undefined before the first one is generated. */
  readonly epoch: string | undefined;
  readonly last: JournalPosition;
  /** The highest position whose entry was deleted. */
  readonly forgotten: JournalPosition;
  /** Marks of the entries at the requested positions, if they exist. */
  readonly marks: ReadonlyMap<number, number>;
  readonly entries: readonly JournalEntry[];
}

/** Names of settings in the database. */
export const EPOCH_SETTING = 'epoch of changes';
export const EXPIRED_SETTING = 'forgotten changes';

const [AFTER, UNTIL, LIMIT] = (['after', 'until', 'limit'] as const).map((name) => new BindParam(name, 'integer')) as [
  BindParam,
  BindParam,
  BindParam,
];
const MARKED = new BindParam('marked', 'integer', true);
const RESOURCES = new BindParam('resources', 'text', true);

/** @param marked positions whose marks to return */
export async function readJournal(
  {
    database,
    statements,
    model,
  }: Pick<Service, 'statements' | 'model'> & {
    readonly database: Pick<Database, 'dialect' | 'query'>;
  },
  span: JournalSpan,
  marked: readonly number[],
): Promise<JournalRead> {
  const { after, until, isNewest, resources, limit } = span;
  const name = `journal ${isNewest ? 'newest' : ''} ${resources ? 'some' : ''}`;
  const statement = statements.get(name, (dialect) => journalQuery(dialect, span));
  const values = { after, until, limit, marked: [...marked], ...(resources ? { resources: [...resources] } : {}) };
  const [row] = await database.query(statement, values);
  const [epoch, timeline, last, forgotten, marks, entries] = row!;
  const json = (raw: unknown): Value[][] => database.dialect.decode.json(raw as never) as unknown as Value[][];
  const [[position, mark] = [0, 0]] = json(last);
  const [lostPosition, lostMark] = ((forgotten as string | null) ?? '0 0').split(' ');
  return {
    epoch: epoch === null ? undefined : `${epoch} ${timeline}`,
    last: { position: Number(position), mark: Number(mark) },
    forgotten: { position: Number(lostPosition), mark: Number(lostMark) },
    marks: new Map(json(marks).map(([at, its]) => [Number(at), Number(its)])),
    entries: json(entries).map((entry) => entryOf(entry, model.resources, database.dialect)),
  };
}

/** The position of the last entry. */
export async function lastPosition({
  database,
  statements,
}: Pick<Service, 'database' | 'statements'>): Promise<number> {
  const [row] = await database.query(
    statements.get('last position', () => sql`select ${LAST_POSITION}`),
    {},
  );
  return Number(row![0]);
}

const ENTRY = ['position', 'mark', 'resource', 'record', 'path', 'kind', 'version', 'fields', 'at'];

function journalQuery(dialect: Dialect, { isNewest, resources }: JournalSpan): Expression {
  const position = sql.id('position');
  const setting = (name: string): Expression =>
    sql`(select value from ${sql.table('setting')} where name = ${sql.lit(name)})`;
  const aggregated = (columns: readonly string[], from: Expression): Expression =>
    sql`(select ${dialect.jsonAggregate(dialect.jsonArray(columns.map((name) => sql.id(name))), position)} from ${from})`;
  const at = (condition: Expression): Expression =>
    aggregated(['position', 'mark'], sql`${sql.table('change')} where ${position} ${condition}`);
  const newer = sql`select 1 from ${sql.table('change')} as ${sql.id('newer')}
    where ${sql.id('newer', 'resource')} = ${sql.id('entry', 'resource')} and ${sql.id('newer', 'record')} = ${sql.id('entry', 'record')}
    and ${sql.id('newer', 'position')} > ${sql.id('entry', 'position')}`;
  const conditions = [
    sql`${position} > ${dialect.placeholder(AFTER)} and ${position} <= ${dialect.placeholder(UNTIL)}`,
    ...(resources ? [sql`${sql.id('resource')} in (select value from ${dialect.listed(RESOURCES)})`] : []),
    ...(isNewest ? [sql`${sql.id('kind')} <> 'deleted' and not exists (${newer})`] : []),
  ];
  const selected = sql`(select * from ${sql.table('change')} as ${sql.id('entry')} where ${sql.join(conditions, sql` and `)}
    order by ${position} limit ${dialect.placeholder(LIMIT)}) as ${sql.id('entry')}`;
  return sql`select ${setting(EPOCH_SETTING)}, ${dialect.timeline}, ${at(sql`= ${LAST_POSITION}`)}, ${setting(EXPIRED_SETTING)},
    ${at(sql`in (select value from ${dialect.listed(MARKED)})`)}, ${aggregated(ENTRY, selected)}`;
}

function entryOf(
  entry: readonly Value[],
  resources: ReadonlyMap<string, ModelResource>,
  dialect: Dialect,
): JournalEntry {
  const [position, mark, resource, record, path, kind, version, fields, at] = entry;
  const isNumber = resources.get(resource as string)?.identifierType === 'integer';
  return {
    position: Number(position),
    mark: Number(mark),
    resource: resource as string,
    id: isNumber ? Number(record) : record!,
    path: path as string,
    kind: kind as Change['kind'],
    version: Number(version),
    fields: dialect.decode.json(fields as never) as string[],
    at: Number(at),
  };
}
