/**
 * One-time tokens that sign in to the admin page without a key. The first start shows one, and `purveyor admin link`
 * creates others. A token has the permissions of the key it was created for. Only its hash is stored.
 */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Actor, BindParam, type Service, type Table, type Transaction } from '../engine/index.ts';
import { auditedTransaction } from './audit/audited-transaction.ts';

/** Times are seconds since 1970. */
export const SIGN_IN_TOKENS: Table = {
  name: 'sign_in_token',
  columns: [
    { name: 'hash', type: 'text', nullable: false },
    { name: 'key_hash', type: 'text', nullable: false },
    { name: 'expires', type: 'timestamp', nullable: false },
  ],
  primaryKey: ['hash'],
  counted: false,
};

const TABLE = sql.table('sign_in_token');
const HASH = new BindParam('hash', 'text');
const KEY_HASH = new BindParam('key_hash', 'text');
const NOW = new BindParam('now', 'timestamp');

const TOKEN = /^pv_si_[\w-]{43}$/;
const TOKEN_BYTES = 32;
const TOKEN_SECONDS = 600;

/** `changes` of the audit entries of a new and of a used token. */
const LINK_CHANGED = { link: { changed: true } };

/** Creates a token for a key, in its own transaction. @param by who creates it */
export function makeToken(
  service: Service,
  key: { readonly id: string; readonly hash: string },
  by: Actor,
): Promise<string> {
  return auditedTransaction(service, by, (transaction) => {
    transaction.record('updated', 'Key', key.id, LINK_CHANGED);
    return insertToken(service, transaction, key.hash);
  });
}

/** Also deletes expired tokens, so that there are few. @returns the token, which is not stored */
export async function insertToken(
  { statements, clock }: Pick<Service, 'statements' | 'clock'>,
  transaction: Transaction,
  keyHash: string,
): Promise<string> {
  const forget = statements.get(
    'forget sign-in tokens',
    ({ placeholder }) => sql`delete from ${TABLE} where expires <= ${placeholder(NOW)} returning 1`,
  );
  const insert = statements.get(
    'insert sign-in token',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, key_hash, expires)
      values (${placeholder(HASH)}, ${placeholder(KEY_HASH)}, ${placeholder(new BindParam('expires', 'timestamp'))}) returning 1`,
  );
  const token = `pv_si_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const now = clock.now();
  await transaction.run(forget, { now });
  await transaction.run(insert, { hash: hashOfToken(token), key_hash: keyHash, expires: now + TOKEN_SECONDS });
  return token;
}

/**
 * Redeems a token. Of several concurrent requests with the same token, one succeeds.
 * @param by the key of the token
 * @returns whether the token was valid and not used yet
 */
export function spendToken(service: Service, token: string, by: Actor): Promise<boolean> {
  const { statements, clock } = service;
  const spend = statements.get(
    'spend sign-in token',
    ({ placeholder }) =>
      sql`delete from ${TABLE} where hash = ${placeholder(HASH)} and expires > ${placeholder(NOW)} returning 1`,
  );
  return auditedTransaction(service, by, async (transaction) => {
    const rows = await transaction.run(spend, { hash: hashOfToken(token), now: clock.now() });
    if (rows.length === 0) return false;
    transaction.recordOwn('updated', LINK_CHANGED);
    return true;
  });
}

/** @returns hash of the key of a token that can be redeemed; it stays redeemable */
export async function findToken({ database, statements, clock }: Service, token: string): Promise<string | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const find = statements.get(
    'find sign-in token',
    ({ placeholder }) =>
      sql`select key_hash from ${TABLE} where hash = ${placeholder(HASH)} and expires > ${placeholder(NOW)}`,
  );
  const [row] = await database.query(find, { hash: hashOfToken(token), now: clock.now() });
  return row?.[0] as string | undefined;
}

function hashOfToken(token: string): string {
  return hash('sha256', token, 'hex');
}
