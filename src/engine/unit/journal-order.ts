/**
 * Gives positions to changes where the order in which transactions write is not that in which they commit: one process at a
 * time moves what is committed from the inbox to the journal. A unit writes into the inbox once it holds the rows that it
 * changed, so of two changes of one record the earlier has the lower number in the inbox, and is committed first.
 */
import { sql } from 'kysely';
import type { Dialect, Row } from '../ports.ts';
import type { Expression } from '../sql/source.ts';
import { CHANGE_COLUMNS, LAST_POSITION } from './journal.ts';
import type { Service } from './service.ts';

/**
 * Whoever reads the journal calls this first, so that what was acknowledged before is in it. Where transactions write in
 * turn, something waits only in a store that was restored from another kind of database.
 */
export async function orderChanges({ database, statements }: Pick<Service, 'database' | 'statements'>): Promise<void> {
  const some = statements.get('changes to order', () => sql`select 1 from ${sql.table('change_inbox')} limit 1`);
  if ((await database.query(some, {})).length === 0) return;
  for (let moved = CHANGES_AT_ONCE; moved === CHANGES_AT_ONCE; )
    moved = await database.transaction(async (transaction) => {
      await transaction.lock('order of changes');
      return moveChanges((key, build) => transaction.run(statements.get(key, build), {}), database.dialect);
    });
}

type Ask = (key: string, build: (dialect: Dialect) => Expression) => Promise<Row[]>;

/** Moves the oldest changes that wait. @returns how many; fewer than at most when none is left */
export async function moveChanges(ask: Ask, { writesInTurn }: Dialect): Promise<number> {
  const atPosition = (
    from: Expression,
  ): Expression => sql`insert into ${sql.table('change')} (position, ${CHANGE_COLUMNS})
    select ${LAST_POSITION} + row_number() over (order by id), ${CHANGE_COLUMNS} from ${from}`;
  if (!writesInTurn) {
    // One statement sees one moment: what is committed after it stays where it is.
    const [row] = await ask(
      'order changes',
      () => sql`with moved as (delete from ${sql.table('change_inbox')} where id in (${OLDEST}) returning *),
        placed as (${atPosition(sql`moved`)} returning 1) select count(*) from placed`,
    );
    return Number(row![0]);
  }
  await ask('place changes', () => atPosition(sql`${sql.table('change_inbox')} where id in (${OLDEST})`));
  const placed = sql`delete from ${sql.table('change_inbox')} where id in (${OLDEST}) returning 1`;
  return (await ask('empty inbox', () => placed)).length;
}

/** An import while no server runs leaves millions; a statement has its time, after which none would be in order. */
export const CHANGES_AT_ONCE = 10_000;

const OLDEST = sql`select id from ${sql.table('change_inbox')} order by id limit ${sql.lit(CHANGES_AT_ONCE)}`;
