/**
 * Deletes expired journal entries that are not needed for the current state: those replaced by a newer entry of their
 * record, and those of deleted records. A reader with a cursor before a deleted entry receives an error (`cursor.ts`).
 */
import { sql } from 'kysely';
import { BindParam, type Dialect, type Value } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import { LAST_POSITION } from './journal.ts';
import { EXPIRED_SETTING } from './read-journal.ts';
import type { Service } from './service.ts';

/** Entries per statement, so that no write is blocked for long. */
const ENTRIES_PER_SPAN = 1000;

/** Pause between two statements, for other work. */
const PAUSE_MS = 5;

/** @param before seconds since 1970; newer entries are preserved */
export async function forgetChanges(service: Service, before: number, stopped: AbortSignal): Promise<void> {
  const { database, statements, clock } = service;
  for (let from = 0; !stopped.aborted; await clock.pause(PAUSE_MS)) {
    const [end] = await database.query(statements.get('end of old changes', endOfSpan), { from });
    const [until, oldest] = end!;
    if (until === null || Number(oldest) >= before) return;
    const span = { from, until: until as Value, before };
    const rows = await database.query(statements.get('forgettable changes', forgettable), span);
    if (rows.length > 0)
      await forget(
        service,
        rows.map(([position, mark]) => [Number(position), Number(mark)]),
      );
    from = Number(until);
  }
}

const [FROM, UNTIL] = [new BindParam('from', 'integer'), new BindParam('until', 'integer')];
const CHANGE = sql.table('change');
const POSITION = sql.id('position');

/** Rows: the last position of the next entries, and the time of the oldest; null if there are none. */
function endOfSpan({ placeholder }: Dialect): Expression {
  return sql`select max(${POSITION}), min(${sql.id('at')}) from (select ${POSITION}, ${sql.id('at')} from ${CHANGE}
    where ${POSITION} > ${placeholder(FROM)} order by ${POSITION} limit ${sql.lit(ENTRIES_PER_SPAN)}) as ${sql.id('next')}`;
}

/** Rows: position and mark, ascending. Excludes the last entry of the journal, so that no position is reused. */
function forgettable({ placeholder }: Dialect): Expression {
  const of = (column: string): Expression => sql.id('old', column);
  const isSame = ['resource', 'record'].map((column) => sql`${sql.id('newer', column)} = ${of(column)}`);
  return sql`select ${of('position')}, ${of('mark')} from ${CHANGE} as ${sql.id('old')}
    where ${of('position')} > ${placeholder(FROM)} and ${of('position')} <= ${placeholder(UNTIL)} and ${of('position')} < ${LAST_POSITION}
    and ${of('at')} < ${placeholder(new BindParam('before', 'timestamp'))}
    and (${of('kind')} = 'deleted' or exists (select 1 from ${CHANGE} as ${sql.id('newer')}
      where ${sql.join(isSame, sql` and `)} and ${sql.id('newer', 'position')} > ${of('position')}))
    order by ${of('position')}`;
}

/** Deletes the entries and records the highest deleted position, in one transaction. */
async function forget(
  { database, statements }: Service,
  entries: readonly (readonly [number, number])[],
): Promise<void> {
  const remove = statements.get('forget changes', (dialect) => {
    const listed = dialect.listed(new BindParam('positions', 'integer', true));
    return sql`delete from ${CHANGE} where ${POSITION} in (select value from ${listed})`;
  });
  const current = statements.get(
    'forgotten',
    () => sql`select value from ${sql.table('setting')} where ${IS_FORGOTTEN}`,
  );
  const save = statements.get(
    'save forgotten',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${sql.lit(EXPIRED_SETTING)}, ${placeholder(new BindParam('value', 'text'))})
      on conflict (name) do update set value = ${sql.id('excluded', 'value')}`,
  );
  await database.transaction(async (transaction) => {
    await transaction.lock('forgotten changes');
    await transaction.run(remove, { positions: entries.map(([position]) => position) });
    const [row] = await transaction.run(current, {});
    const [position, mark] = entries.at(-1)!;
    const before = Number(String(row?.[0] ?? '0').split(' ')[0]);
    if (position > before) await transaction.run(save, { value: `${position} ${mark}` });
  });
}

const IS_FORGOTTEN = sql`name = ${sql.lit(EXPIRED_SETTING)}`;
