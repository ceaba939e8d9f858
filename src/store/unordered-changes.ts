/** Counts changes that are committed but not ordered yet, so the change feed does not publish them yet. */
import { sql } from 'kysely';
import type { Service } from '../engine/index.ts';

export async function countUnorderedChanges({ database, statements }: Service): Promise<number> {
  const count = statements.get('count changes to order', () => sql`select count(*) from ${sql.table('change_inbox')}`);
  const [row] = await database.query(count, {});
  return Number(row![0]);
}
