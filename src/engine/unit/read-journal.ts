/**
 * Reads the journal in its order, as one statement: a span of positions, with all that tells whether a reader's place in it
 * is still good. Call `orderChanges` first, so that what was acknowledged has a position.
 */
import { sql } from 'kysely';
import type { ModelResource } from '../model/model.ts';
import { BindParam, type Database, type Dialect, type Value } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import type { Change } from './commits.ts';
import { LAST_POSITION } from './journal.ts';
import type { Service } from './service.ts';

/** A place in the journal: behind the entry at this position, which is known by its mark. */
export interface JournalPosition {
  readonly position: number;
  readonly mark: number;
}

/** One change of one record, with its place. */
export interface JournalEntry extends JournalPosition, Change {
  /** When it was made, in seconds since 1970. */
  readonly at: number;
}

interface JournalSpan {
  readonly after: number;
  readonly until: number;
  /** Only the newest entry of each living record. */
  readonly isNewest: boolean;
  /** Names of resources; undefined is every one. */
  readonly resources: readonly string[] | undefined;
  readonly limit: number;
}

export interface JournalRead {
  /** Another one after a restore, and after another server took over; undefined where none was drawn yet. */
  readonly epoch: string | undefined;
  readonly last: JournalPosition;
  /** The highest position whose entry was forgotten. */
  readonly forgotten: JournalPosition;
  /** The marks of the entries at the asked positions; undefined where there is none. */
  readonly marks: ReadonlyMap<number, number>;
  readonly entries: readonly JournalEntry[];
}

/** Settings of the store. */
export const EPOCH_SETTING = 'epoch of changes';
export const EXPIRED_SETTING = 'forgotten changes';

const [AFTER, UNTIL, LIMIT] = (['after', 'until', 'limit'] as const).map((name) => new BindParam(name, 'integer')) as [
  BindParam,
  BindParam,
  BindParam,
];
const ASKED = new BindParam('asked', 'integer', true);
const RESOURCES = new BindParam('resources', 'text', true);

/** @param asked positions whose marks are wanted */
export async function readJournal(
  {
    database,
    statements,
    model,
  }: Pick<Service, 'statements' | 'model'> & {
    readonly database: Pick<Database, 'dialect' | 'query'>;
  },
  span: JournalSpan,
  asked: readonly number[],
): Promise<JournalRead> {
  const { after, until, isNewest, resources, limit } = span;
  const name = `journal ${isNewest ? 'newest' : ''} ${resources ? 'some' : ''}`;
  const statement = statements.get(name, (dialect) => lookStatement(dialect, span));
  const values = { after, until, limit, asked: [...asked], ...(resources ? { resources: [...resources] } : {}) };
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

function lookStatement(dialect: Dialect, { isNewest, resources }: JournalSpan): Expression {
  const position = sql.id('position');
  const setting = (name: string): Expression =>
    sql`(select value from ${sql.table('setting')} where name = ${sql.lit(name)})`;
  const aggregated = (columns: readonly string[], from: Expression): Expression =>
    sql`(select ${dialect.jsonAggregate(dialect.jsonArray(columns.map((name) => sql.id(name))), position)} from ${from})`;
  const at = (condition: Expression): Expression =>
    aggregated(['position', 'mark'], sql`${sql.table('change')} where ${position} ${condition}`);
  const newer = sql`select 1 from ${sql.table('change')} as ${sql.id('newer')}
    where ${sql.id('newer', 'resource')} = ${sql.id('told', 'resource')} and ${sql.id('newer', 'record')} = ${sql.id('told', 'record')}
    and ${sql.id('newer', 'position')} > ${sql.id('told', 'position')}`;
  const conditions = [
    sql`${position} > ${dialect.placeholder(AFTER)} and ${position} <= ${dialect.placeholder(UNTIL)}`,
    ...(resources ? [sql`${sql.id('resource')} in (select value from ${dialect.listed(RESOURCES)})`] : []),
    ...(isNewest ? [sql`${sql.id('kind')} <> 'deleted' and not exists (${newer})`] : []),
  ];
  const told = sql`(select * from ${sql.table('change')} as ${sql.id('told')} where ${sql.join(conditions, sql` and `)}
    order by ${position} limit ${dialect.placeholder(LIMIT)}) as ${sql.id('told')}`;
  return sql`select ${setting(EPOCH_SETTING)}, ${dialect.timeline}, ${at(sql`= ${LAST_POSITION}`)}, ${setting(EXPIRED_SETTING)},
    ${at(sql`in (select value from ${dialect.listed(ASKED)})`)}, ${aggregated(ENTRY, told)}`;
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
