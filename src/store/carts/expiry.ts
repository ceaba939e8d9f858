/** When carts expire and are deleted (storefront.md §5). */
import { sql } from 'kysely';
import { BindParam, type Service } from '../../engine/index.ts';

const DAY_SECONDS = 24 * 3600;
const GUEST_SECONDS = 30 * DAY_SECONDS;
const CUSTOMER_SECONDS = 90 * DAY_SECONDS;
const EMPTY_SECONDS = DAY_SECONDS;

/** Retention after `expires_at`. Until it ends, requests with the token are a 410. */
const ERASED_AFTER_SECONDS = 30 * DAY_SECONDS;

interface Lifetime {
  readonly customer_id: number | null;
  readonly lines: readonly unknown[];
}

/** @param written time of the last write. @returns when the cart expires, in seconds since 1970 */
export function expiryOf(written: number, { customer_id, lines }: Lifetime): number {
  if (lines.length === 0) return written + EMPTY_SECONDS;
  return written + (customer_id === null ? GUEST_SECONDS : CUSTOMER_SECONDS);
}

/** Deletes empty carts when they expire, and others 30 days later. Until then, these are marked as expired. */
export async function expireCarts({ database, statements, clock }: Service): Promise<void> {
  const now = clock.now();
  const isOver = (name: string) => new BindParam(name, 'timestamp');
  const isEmpty = sql`state <> 'merged' and cast(lines as text) = '[]'`;
  const forget = statements.get(
    'forget carts',
    ({ placeholder }) => sql`delete from ${sql.table('cart')} where expires_at <= ${placeholder(isOver('long_ago'))}
      or (expires_at <= ${placeholder(isOver('now'))} and ${isEmpty}) returning 1`,
  );
  // Responses about other carts are older than their retention, and already deleted.
  const forgetResponses = statements.get(
    'forget responses about carts',
    ({ placeholder }) => sql`delete from ${sql.table('kept_answer')} where about in (
      select '/api/carts/' || id from ${sql.table('cart')} where expires_at <= ${placeholder(isOver('now'))} and ${isEmpty}
      ) returning 1`,
  );
  const expire = statements.get(
    'expire carts',
    ({ placeholder }) => sql`update ${sql.table('cart')} set state = 'expired'
      where state = 'open' and expires_at <= ${placeholder(isOver('now'))} returning 1`,
  );
  await database.transaction(async (transaction) => {
    await transaction.run(forgetResponses, { now });
    await transaction.run(forget, { long_ago: now - ERASED_AFTER_SECONDS, now });
  });
  await database.transaction((transaction) => transaction.run(expire, { now }));
}
