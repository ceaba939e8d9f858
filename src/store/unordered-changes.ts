/** How many changes are committed and not in their order yet, which the change feed does not tell therefore. */
import { sql } from 'kysely';
import type { Service } from '../engine/index.ts';

export async function countUnorderedChanges({ database, statements }: Service): Promise<number> {
  const count = statements.get('count changes to order', () => sql`select count(*) from ${sql.table('change_inbox')}`);
  const [row] = await database.query(count, {});
  return Number(row![0]);
}
