/** Finds audit entries by the values of other columns than the path, and by time. The job `index-audit.ts` fills the tables. */
import { sql } from 'kysely';
import { AUDIT_TABLE } from '../../model/audit-tables.ts';
import { BindParam, type Dialect } from '../../ports.ts';
import type { Expression } from '../../sql/source.ts';
import { INDEXED_VALUES, indexedUpTo, isNext } from './index-progress.ts';

const CHAIN = sql.table('audit_entry');
const VALUES = sql.table('audit_value');
const HOURS = sql.table('audit_hour');

const [NAME, VALUE] = [sql.id('name'), sql.id('value')];

const SECONDS_PER_HOUR = 3600;

/** What the table has of each entry: names and their values. */
const INDEXED: Readonly<Record<string, Expression>> = {
  ...{ action: sql`action`, actor_type: sql`actor_type`, actor_id: sql`actor_id`, address: sql`address` },
  ...{ record: sql`record`, request_id: sql`request_id`, resource: sql`resource` },
  // Erasures look for the deleted records of a resource.
  deleted: sql`case when action = 'deleted' then resource end`,
  // Which keys see an entry without a resource depends on its action.
  event: sql`case when resource is null then action end`,
};

/** The columns of the chain that the table finds, those with the most values first. */
export const VALUE_COLUMNS = [
  ...['request_id', 'record', 'address', 'actor_id'],
  ...['action', 'resource', 'actor_type'],
] as const;

/** Entries that are not in the table yet. */
export const IS_NEW = sql`id > ${indexedUpTo(INDEXED_VALUES)}`;

/** Adds the values of entries to the table. */
export function addValues(dialect: Dialect): Expression {
  const next = isNext(dialect, INDEXED_VALUES);
  const selects = Object.entries(INDEXED).map(
    ([name, value]) => sql`select ${sql.lit(name)} as name, ${value} as value, id from ${CHAIN} where ${next}`,
  );
  return sql`insert into ${VALUES} (name, value, id) select name, value, id
    from (${sql.join(selects, sql` union all `)}) as next where value is not null order by 1, 2, 3`;
}

/** Condition for the entries of the chain without all their rows in the table. */
export const LACKS_VALUES = sql.join(
  Object.entries(INDEXED).map(
    ([
      name,
      value,
    ]) => sql`(${value} is not null and (select 1 from ${VALUES} as ${sql.id('of')} where ${sql.id('of', 'name')} = ${sql.lit(name)}
      and ${sql.id('of', 'value')} = ${value} and ${sql.id('of', 'id')} = ${sql.id(AUDIT_TABLE, 'id')}) is null)`,
  ),
  sql` or `,
);

/** The number of rows that the table needs for the selected entries. */
export const VALUE_ROWS = sql.join(
  Object.values(INDEXED).map((value) => sql`count(${value})`),
  sql` + `,
);

/** Adds the first and the last entry of each hour. */
export function addHours(dialect: Dialect): Expression {
  return sql`insert into ${HOURS} (hour, first_id, last_id)
    select at / ${sql.lit(SECONDS_PER_HOUR)}, min(id), max(id) from ${CHAIN} where ${isNext(dialect, INDEXED_VALUES)} group by 1
    on conflict (hour) do update set last_id = ${sql.id('excluded', 'last_id')}`;
}

/** Condition for the entries of the chain that are not between the first and the last one of their hour. */
export const LACKS_HOUR = sql`(select 1 from ${HOURS} where hour = at / ${sql.lit(SECONDS_PER_HOUR)}
  and ${sql.id(AUDIT_TABLE, 'id')} between first_id and last_id) is null`;

/** Ids of the entries in the table with this value of a column. @param value a parameter */
export function idsWith(name: (typeof VALUE_COLUMNS)[number], value: Expression): Expression {
  return sql`select id from ${VALUES} where ${NAME} = ${sql.lit(name)} and ${VALUE} = ${value}`;
}

/** The number of entries in the table that a key sees. @param listed resources, and actions of entries without one */
export function countVisible(listed: Expression): Expression {
  return sql`select count(*) from ${VALUES} where ${NAME} in ('event', 'resource') and ${VALUE} in (select value from ${listed})`;
}

/** Condition for the deletions of records of these resources, and for all entries that are not in the table yet. */
export function isIndexedDeletion(resources: Expression): Expression {
  return sql`id in (select id from ${VALUES} where ${NAME} = 'deleted' and ${VALUE} in (select value from ${resources})
    union all select id from ${CHAIN} where ${IS_NEW})`;
}

/** Bounds of the ids of entries since a time or until it. The order of the ids is nearly that of the times. */
export function idsInPeriod(at: Expression, operator: '>=' | '<='): Expression {
  const hour = sql`${at} / ${sql.lit(SECONDS_PER_HOUR)}`;
  const last = indexedUpTo(INDEXED_VALUES);
  if (operator === '>=')
    return sql`id >= coalesce((select min(first_id) from ${HOURS} where hour >= ${hour}), ${last} + 1)`;
  return sql`id <= coalesce((select max(id) from ${CHAIN} where ${IS_NEW} and at <= ${at}),
    (select max(last_id) from ${HOURS} where hour <= ${hour}), 0)`;
}

/** Statements that remove the entries up to `id` from the tables, before they are deleted. */
export const removeValues: readonly ((dialect: Dialect) => Expression)[] = [
  ({ placeholder }) => {
    const id = placeholder(new BindParam('id', 'integer'));
    const selects = Object.entries(INDEXED).map(
      ([name, value]) => sql`select ${sql.lit(name)}, ${value} from ${CHAIN} where id <= ${id}`,
    );
    return sql`delete from ${VALUES} where id <= ${id} and (name, value) in (${sql.join(selects, sql` union `)})`;
  },
  ({ placeholder }) => sql`delete from ${HOURS} where last_id <= ${placeholder(new BindParam('id', 'integer'))}`,
];
