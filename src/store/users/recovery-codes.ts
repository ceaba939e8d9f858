/** Recovery codes: each replaces the second factor once. Only their hashes are stored (access.md §3). */
import { sql } from 'kysely';
import type { Service, Transaction } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { param } from './accounts.ts';
import { newBase32 } from './totp.ts';

const CODES = 10;

/** 80 random bits, so that a hash without a salt suffices. */
const CODE_BYTES = 10;
const CODE = /^[A-Z2-7]{16}$/;

const TABLE = sql.table('staff_recovery_code');
const USER_ID = param('user_id', 'integer');
const HASH = param('hash', 'text');

/** Replaces the recovery codes of a user. @returns the new ones, such as `abcd-efgh-ijkl-mnop` */
export async function insertRecoveryCodes(
  service: Service,
  transaction: Transaction,
  userId: number,
): Promise<readonly string[]> {
  const insert = service.statements.get(
    'insert recovery code',
    ({ placeholder }) =>
      sql`insert into ${TABLE} (user_id, hash) values (${placeholder(USER_ID)}, ${placeholder(HASH)}) returning 1`,
  );
  await deleteRecoveryCodes(service, transaction, userId);
  const codes: string[] = [];
  for (let each = 0; each < CODES; each += 1) {
    const code = await newBase32(CODE_BYTES);
    await transaction.run(insert, { user_id: userId, hash: hashOf(code) });
    codes.push(code.toLowerCase().match(/.{4}/g)!.join('-'));
  }
  return codes;
}

/** Uses a recovery code up. @param code without separators, in upper case. @returns whether it was right */
export async function useRecoveryCode(
  { statements }: Service,
  transaction: Transaction,
  userId: number,
  code: string,
): Promise<boolean> {
  if (!CODE.test(code)) return false;
  const remove = statements.get(
    'use recovery code',
    ({ placeholder }) => sql`delete from ${TABLE} where user_id = ${placeholder(USER_ID)}
      and hash = ${placeholder(HASH)} returning 1`,
  );
  return (await transaction.run(remove, { user_id: userId, hash: hashOf(code) })).length > 0;
}

export async function countRecoveryCodes({ database, statements }: Service, userId: number): Promise<number> {
  const count = statements.get(
    'count recovery codes',
    ({ placeholder }) => sql`select count(*) from ${TABLE} where user_id = ${placeholder(USER_ID)}`,
  );
  const [row] = await database.query(count, { user_id: userId });
  return Number(row![0]);
}

export async function deleteRecoveryCodes(
  { statements }: Service,
  transaction: Transaction,
  userId: number,
): Promise<void> {
  const remove = statements.get(
    'delete recovery codes',
    ({ placeholder }) => sql`delete from ${TABLE} where user_id = ${placeholder(USER_ID)} returning 1`,
  );
  await transaction.run(remove, { user_id: userId });
}
