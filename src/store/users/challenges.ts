/**
 * Challenges: random bytes that a passkey signs, once and within 5 minutes, on any server of the store (access.md §3). Only their
 * hashes are stored.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Service, Transaction } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { param } from './accounts.ts';

/** What the answer to a challenge is for. */
export type ChallengePurpose = 'registration' | 'sign_in' | 'second_factor' | 'confirmation';

interface Challenge {
  readonly bytes: Buffer;
  /** How long it is valid. */
  readonly seconds: number;
}

const VALID_SECONDS = 300;
const BYTES = 32;

/** Challenges of one subject that are not used yet. A further one replaces the oldest. */
const UNUSED_MAX = 20;

const TABLE = sql.table('staff_challenge');
const HASH = param('hash', 'text');
const SUBJECT = param('subject', 'text');
const PURPOSE = param('purpose', 'text');
const TIME = param('time', 'timestamp');

/** @param subject hash of the user; if the user is not known yet, hash of the client’s address */
export async function insertChallenge(
  { statements, clock }: Service,
  transaction: Transaction,
  purpose: ChallengePurpose,
  subject: string,
): Promise<Challenge> {
  const shrink = statements.get(
    'discard old challenges',
    ({ placeholder }) => sql`delete from ${TABLE} where subject = ${placeholder(SUBJECT)} and hash not in
      (select hash from ${TABLE} where subject = ${placeholder(SUBJECT)}
        order by expires desc, hash limit ${placeholder(param('others', 'integer'))}) returning 1`,
  );
  const insert = statements.get(
    'insert challenge',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, subject, purpose, expires)
      values (${placeholder(HASH)}, ${placeholder(SUBJECT)}, ${placeholder(PURPOSE)}, ${placeholder(TIME)}) returning 1`,
  );
  const bytes = randomBytes(BYTES);
  await transaction.lock('passkey challenges');
  await transaction.run(shrink, { subject, others: UNUSED_MAX - 1 });
  const hash = hashOf(bytes.toString('base64url'));
  await transaction.run(insert, { hash, subject, purpose, time: clock.now() + VALID_SECONDS });
  return { bytes, seconds: VALID_SECONDS };
}

/**
 * Uses a challenge up.
 * @param challenge in base64url
 * @returns its subject; undefined if it is unknown, expired, used, or for another purpose
 */
export async function useChallenge(
  { database, statements, clock }: Service,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<string | undefined> {
  const remove = statements.get(
    'use challenge',
    ({ placeholder }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)}
      and purpose = ${placeholder(PURPOSE)} and expires > ${placeholder(TIME)} returning subject`,
  );
  const used = { hash: hashOf(challenge), purpose, time: clock.now() };
  const [row] = await database.transaction((transaction) => transaction.run(remove, used));
  return row?.[0] as string | undefined;
}
