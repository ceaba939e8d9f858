/**
 * Assigns journal positions if transactions may commit in another order than they write: one process at a time moves
 * committed changes from the inbox to the journal. A unit writes to the inbox while it holds locks on the changed rows.
 * So of two changes of one record, the earlier has the lower inbox number and commits first.
 */
import { sql } from 'kysely';
import type { Dialect, Row } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import { CHANGE_COLUMNS, LAST_POSITION } from './journal.ts';
import type { Service } from './service.ts';

/**
 * Must run before a read of the journal, so that acknowledged changes are in it. If the database serializes write
 * transactions, the inbox is only used after a restore from another kind of database.
 */
export async function orderChanges({ database, statements }: Pick<Service, 'database' | 'statements'>): Promise<void> {
  const some = statements.get('changes to order', () => sql`select 1 from ${sql.table('change_inbox')} limit 1`);
  if ((await database.query(some, {})).length === 0) return;
  for (let moved = CHANGES_PER_MOVE; moved === CHANGES_PER_MOVE; )
    moved = await database.transaction(async (transaction) => {
      await transaction.lock('order of changes');
      return moveChanges((key, build) => transaction.run(statements.get(key, build), {}), database.dialect);
    });
}

type Query = (key: string, build: (dialect: Dialect) => Expression) => Promise<Row[]>;

/** Moves the oldest changes of the inbox. @returns their number; less than `CHANGES_PER_MOVE` if none are left */
export async function moveChanges(query: Query, { writesInTurn }: Dialect): Promise<number> {
  const atPosition = (
    from: Expression,
  ): Expression => sql`insert into ${sql.table('change')} (position, ${CHANGE_COLUMNS})
    select ${LAST_POSITION} + row_number() over (order by id), ${CHANGE_COLUMNS} from ${from}`;
  if (!writesInTurn) {
    // One statement reads one snapshot, so changes committed after it remain in the inbox.
    const [row] = await query(
      'order changes',
      () => sql`with moved as (delete from ${sql.table('change_inbox')} where ${IS_OLDEST} returning *),
        placed as (${atPosition(sql`moved`)} returning 1) select count(*) from placed`,
    );
    return Number(row![0]);
  }
  await query('place changes', () => atPosition(sql`${sql.table('change_inbox')} where ${IS_OLDEST}`));
  const placed = sql`delete from ${sql.table('change_inbox')} where ${IS_OLDEST} returning 1`;
  return (await query('empty inbox', () => placed)).length;
}

/** An import without a running server may leave millions, and a statement that exceeds its time limit orders none. */
export const CHANGES_PER_MOVE = 10_000;

/** A range instead of a list of ids, because no plan of it compares each change with each other one. */
const IS_OLDEST = sql`id <= (select max(id) from
  (select id from ${sql.table('change_inbox')} order by id limit ${sql.lit(CHANGES_PER_MOVE)}) oldest)`;
