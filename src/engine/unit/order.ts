/**
 * Gives positions to changes where the order in which transactions write is not that in which they commit: one process at a
 * time moves what is committed from the inbox to the journal. A unit writes into the inbox once it holds the rows that it
 * changed, so of two changes of one record the earlier has the lower number in the inbox, and is committed first.
 */
import { sql } from 'kysely';
import { CHANGE_COLUMNS, LAST_POSITION } from './journal.ts';
import type { Service } from './service.ts';

/** Whoever reads the journal calls this first, so that what was acknowledged before is in it. */
export async function orderChanges({ database, statements }: Service): Promise<void> {
  if (database.dialect.writesInTurn) return;
  const some = statements.get('changes to order', () => sql`select 1 from ${sql.table('change_inbox')} limit 1`);
  if ((await database.query(some, {})).length === 0) return;
  const move = statements.get(
    'order changes',
    () => sql`with moved as (
        delete from ${sql.table('change_inbox')}
        where id in (select id from ${sql.table('change_inbox')} order by id limit ${sql.lit(CHANGES_AT_ONCE)}) returning *
      ), placed as (
        insert into ${sql.table('change')} (position, ${CHANGE_COLUMNS})
        select ${LAST_POSITION} + row_number() over (order by id), ${CHANGE_COLUMNS} from moved returning 1
      ) select count(*) from placed`,
  );
  for (let placed = CHANGES_AT_ONCE; placed === CHANGES_AT_ONCE; ) {
    const [row] = await database.transaction(async (transaction) => {
      await transaction.lock('order of changes');
      return transaction.run(move, {});
    });
    placed = Number(row![0]);
  }
}

/** An import while no server runs leaves millions; a statement has its time, after which none would be in order. */
const CHANGES_AT_ONCE = 10_000;
