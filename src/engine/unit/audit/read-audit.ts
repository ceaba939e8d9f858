/** Reads audit entries: one, or a page of those that meet all conditions. Call `chainAudit` first. */
import { sql } from 'kysely';
import { AUDIT_TABLE } from '../../model/audit-tables.ts';
import { BindParam, type ColumnType, type Dialect, type Row, type Value } from '../../ports.ts';
import { and, type Expression } from '../../sql/source.ts';
import type { Reads } from '../reads.ts';
import type { Service } from '../service.ts';
import { type AuditHead, HEAD_COLUMNS, headOf } from './entry.ts';
import { IS_NEW_PATH, idsOfPath, isAbout } from './path-index.ts';
import type { Changes } from './record-changes.ts';
import { countVisible, IS_NEW, idsInPeriod, idsWith, VALUE_COLUMNS } from './value-index.ts';

export interface AuditEntry {
  readonly head: AuditHead;
  readonly changes: Changes;
  readonly changesHash: string;
  readonly hash: string;
}

/** Conditions by column, as in the table. */
export interface AuditFilter {
  readonly equal: Readonly<Partial<Record<EqualColumn, string>>>;
  /** Seconds since 1970, inclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Only entries of these resources, and those without a resource that have one of these actions. */
  readonly visible?: readonly string[] | undefined;
}

export type EqualColumn =
  | 'path'
  | 'resource'
  | 'record'
  | 'action'
  | 'actor_type'
  | 'actor_id'
  | 'address'
  | 'request_id';

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly total: number;
}

type AuditService = Pick<Service, 'database' | 'statements' | 'model'>;

const CHAIN = sql.table(AUDIT_TABLE);
const COLUMNS = sql.join(['id', ...HEAD_COLUMNS, 'changes', 'changes_hash', 'hash'].map((name) => sql.id(name)));

export async function readAuditPage(
  { database, statements, model }: AuditService,
  filter: AuditFilter,
  page: { readonly limit: number; readonly offset: number; readonly direction: 'asc' | 'desc' },
): Promise<AuditPage> {
  const { limit, offset, direction } = page;
  const parts: FilterParts = {
    columns: Object.keys(filter.equal) as EqualColumn[],
    bounds: BOUNDS.filter((name) => filter[name] !== undefined),
  };
  const key = `${parts.columns.join()} ${parts.bounds.join()}`;
  const values: Record<string, Value> = {
    ...filter.equal,
    ...Object.fromEntries(parts.bounds.map((name) => [name, filter[name] as Value])),
  };
  const count = statements.get(`count audit ${key}`, (dialect) => countFound(dialect, parts));
  const select = statements.get(`audit ${key} ${direction}`, (dialect) => {
    const [most, skipped] = [param('limit', 'integer'), param('offset', 'integer')].map(dialect.placeholder);
    const found = foundEntries(dialect, parts, COLUMNS);
    return sql`select * from (${found}) as found order by id ${sql.raw(direction)} limit ${most!} offset ${skipped!}`;
  });
  const [[total] = []] = await database.search(count, values);
  const rows = await database.search(select, { ...values, limit, offset });
  return { entries: rows.map((row) => entryOf(model, row)), total: Number(total) };
}

const BOUNDS = ['from', 'until', 'visible'] as const;

interface FilterParts {
  readonly columns: readonly EqualColumn[];
  readonly bounds: readonly (typeof BOUNDS)[number][];
}

/** Selects the entries that meet all conditions: those that an index finds, and those that are not in it yet. */
function foundEntries(dialect: Dialect, { columns, bounds }: FilterParts, selected: Expression): Expression {
  const where = and(conditions(dialect, columns, bounds));
  const index = indexedIds(dialect, columns);
  if (!index) return sql`select ${selected} from ${CHAIN} where ${where}`;
  const { ids, isNew } = index;
  return sql`select ${selected} from ${CHAIN} where ${isNew} and ${where}
    union all select ${selected} from (${sql`select id as found_id from (${ids}) as of`}) as known
    join ${CHAIN} on ${sql.id('id')} = ${sql.id('found_id')} where ${where}`;
}

/** The entries that one of the conditions finds in an index. */
function indexedIds(dialect: Dialect, columns: readonly EqualColumn[]) {
  if (columns.includes('path')) return { ids: idsOfPath(dialect), isNew: IS_NEW_PATH };
  const column = VALUE_COLUMNS.find((name) => columns.includes(name));
  return column && { ids: idsWith(column, dialect.placeholder(param(column, 'text'))), isNew: IS_NEW };
}

/** Counts the entries that meet all conditions, without their rows if possible. */
function countFound(dialect: Dialect, parts: FilterParts): Expression {
  const { columns, bounds } = parts;
  const all = [...columns, ...bounds];
  // The ids have no gaps.
  if (all.length === 0)
    return sql`select coalesce((select max(id) from ${CHAIN}) - (select min(id) from ${CHAIN}) + 1, 0)`;
  const index = indexedIds(dialect, columns);
  if (all.length > 1 || (!index && all[0] !== 'visible'))
    return sql`select count(*) from (${foundEntries(dialect, parts, sql`id`)}) as found`;
  const visible = () => dialect.listed(new BindParam('visible', 'text', true));
  const known = index ? sql`select count(*) from (${index.ids}) as of` : countVisible(visible());
  return sql`select (select count(*) from ${CHAIN} where ${index?.isNew ?? IS_NEW} and ${and(conditions(dialect, columns, bounds))})
    + (${known})`;
}

/** Reads the entries of the records with these paths and of their parts, by id. */
export async function readAuditAbout(
  { database, statements, model }: AuditService,
  paths: readonly string[],
  filter: Pick<AuditFilter, 'visible'>,
): Promise<AuditEntry[]> {
  const bounds = filter.visible ? (['visible'] as const) : [];
  const statement = statements.get(
    `audit about ${bounds.join()}`,
    (dialect) =>
      sql`select ${COLUMNS} from ${CHAIN} where ${and([
        isAbout(dialect, AUDIT_TABLE),
        ...conditions(dialect, [], bounds),
      ])} order by id`,
  );
  const visible: Record<string, Value> = filter.visible ? { visible: [...filter.visible] } : {};
  const rows = await database.search(statement, { paths: [...paths], ...visible });
  return rows.map((row) => entryOf(model, row));
}

/** The names of the resources whose records below this one were deleted at the same time. Call `chainAudit` first. */
export async function readDeletedBelow(
  reads: Pick<Reads, 'query'>,
  { path, request_id: request, date }: AuditHead,
): Promise<string[]> {
  const build = (dialect: Dialect) => {
    const [own, sent] = ['own', 'request'].map((name) => dialect.placeholder(param(name, 'text')));
    return sql`select distinct resource from ${CHAIN} where ${isAbout(dialect, AUDIT_TABLE)} and action = 'deleted'
      and path <> ${own!} and coalesce(request_id, '') = ${sent!} and at = ${dialect.placeholder(param('at', 'timestamp'))}
      and resource is not null`;
  };
  const rows = await reads.query('audit deleted below', build, {
    ...{ paths: [path], own: path, request: request ?? '' },
    at: Date.parse(date) / 1000,
  });
  return rows.map(([name]) => name as string);
}

/** @returns undefined if there is none with this id that is visible */
export async function readAuditEntry(
  reads: Pick<Reads, 'query' | 'service'>,
  id: number,
  { visible }: Pick<AuditFilter, 'visible'>,
): Promise<AuditEntry | undefined> {
  const [row] = await reads.query(
    'audit entry',
    ({ placeholder }) => sql`select ${COLUMNS} from ${CHAIN} where id = ${placeholder(param('id', 'integer'))}`,
    { id },
  );
  const entry = row && entryOf(reads.service.model, row);
  const shown = entry?.head.resource ?? entry?.head.action;
  return visible && shown !== undefined && !visible.includes(shown) ? undefined : entry;
}

function conditions(dialect: Dialect, columns: readonly EqualColumn[], bounds: FilterParts['bounds']): Expression[] {
  const at = sql.id('at');
  const bound = (name: 'from' | 'until', operator: '>=' | '<=') => {
    const time = dialect.placeholder(param(name, 'timestamp'));
    return sql`${at} ${sql.raw(operator)} ${time} and ${idsInPeriod(time, operator)}`;
  };
  const named = {
    from: () => bound('from', '>='),
    until: () => bound('until', '<='),
    visible: () => {
      const visible = dialect.listed(new BindParam('visible', 'text', true));
      return sql`coalesce(resource, action) in (select value from ${visible})`;
    },
  };
  return [
    ...columns.map((name) => sql`${sql.id(name)} = ${dialect.placeholder(param(name, 'text'))}`),
    ...bounds.map((name) => named[name]()),
  ];
}

function param(name: string, type: ColumnType): BindParam {
  return new BindParam(name, type);
}

function entryOf(model: Service['model'], row: Row): AuditEntry {
  const [id, ...head] = row;
  const [changes, changesHash, hash] = row.slice(HEAD_COLUMNS.length + 1) as string[];
  return {
    head: headOf(model, Number(id), head),
    changes: JSON.parse(changes!) as Changes,
    ...{ changesHash: changesHash!, hash: hash! },
  };
}
