/** Reads the whole store in one PostgreSQL snapshot. */
import { sql } from 'kysely';
import type { StoreSnapshot } from '../../engine/ports.ts';
import { appliedIn } from './migrate.ts';
import { inOwnTransaction } from './own-connection.ts';
import type { StoreAddress } from './store-address.ts';

/**
 * A PostgreSQL snapshot does not include the schema, so the list of migrations is locked: a migration waits until the
 * snapshot ends. The lock precedes the first query, because that query determines the snapshot.
 */
export async function storeSnapshot<T>(
  store: StoreAddress,
  work: (storeSnapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  const applied = await inOwnTransaction(store.url, 'BEGIN READ ONLY', (run) => appliedIn(store, run));
  if (applied.length === 0) return work({ migrations: [], run: refuse });
  return inOwnTransaction(store.url, 'BEGIN ISOLATION LEVEL REPEATABLE READ', async (run) => {
    await run(store.dialect.compile(HOLD_LIST));
    return work({ migrations: await appliedIn(store, run), run });
  });
}

const HOLD_LIST = sql`lock table ${sql.table('migration')} in share mode`;

async function refuse(): Promise<never> {
  throw new Error('There is no store to be read.');
}
