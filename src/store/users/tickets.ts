/**
 * Tickets: the proof that a user has given the right password, or used a link, and has yet to give a code of the second factor
 * (access.md §3). Only their hashes are stored.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Service, Transaction } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { param } from './accounts.ts';

export interface Ticket {
  readonly ticket: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

const VALID_SECONDS = 300;
const FAILURES_MAX = 5;

const TICKET = /^pv_ti_[\w-]{43}$/;
const TICKET_BYTES = 32;

const TABLE = sql.table('staff_ticket');
const HASH = param('hash', 'text');
const USER_ID = param('user_id', 'integer');
const TIME = param('time', 'timestamp');

export async function insertTicket(
  { statements, clock }: Service,
  transaction: Transaction,
  userId: number,
): Promise<Ticket> {
  const insert = statements.get(
    'insert ticket of user',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, user_id, expires, failures)
      values (${placeholder(HASH)}, ${placeholder(USER_ID)}, ${placeholder(TIME)}, 0) returning 1`,
  );
  const ticket = `pv_ti_${randomBytes(TICKET_BYTES).toString('base64url')}`;
  const expires = clock.now() + VALID_SECONDS;
  await transaction.run(insert, { hash: hashOf(ticket), user_id: userId, time: expires });
  return { ticket, expires };
}

/** Returns the id of a ticket’s user; undefined if the ticket is unknown, expired or used. */
export async function userOfTicket(
  { database, statements, clock }: Service,
  ticket: string,
): Promise<number | undefined> {
  if (!TICKET.test(ticket)) return undefined;
  const find = statements.get(
    'find ticket of user',
    ({ placeholder }) => sql`select user_id from ${TABLE} where hash = ${placeholder(HASH)}
      and expires > ${placeholder(TIME)}`,
  );
  const [row] = await database.query(find, { hash: hashOf(ticket), time: clock.now() });
  return row === undefined ? undefined : Number(row[0]);
}

/** Uses a ticket up. @returns undefined if it is unknown, expired or used; else it can be put back with `failTicket` */
export async function useTicket(
  { statements, clock }: Service,
  transaction: Transaction,
  ticket: string,
): Promise<UsedTicket | undefined> {
  const remove = statements.get(
    'use ticket of user',
    ({ placeholder }) => sql`delete from ${TABLE} where hash = ${placeholder(HASH)}
      and expires > ${placeholder(TIME)} returning hash, user_id, expires, failures`,
  );
  const [row] = await transaction.run(remove, { hash: hashOf(ticket), time: clock.now() });
  if (!row) return undefined;
  const [hash, userId, expires, failures] = row;
  return { hash: hash as string, userId: Number(userId), expires: Number(expires), failures: Number(failures) };
}

interface UsedTicket {
  readonly hash: string;
  readonly userId: number;
  readonly expires: number;
  readonly failures: number;
}

/** Puts a ticket back after a wrong code, unless it was the last attempt. */
export async function failTicket(
  { statements }: Service,
  transaction: Transaction,
  { hash, userId, expires, failures }: UsedTicket,
): Promise<void> {
  if (failures + 1 >= FAILURES_MAX) return;
  const restore = statements.get(
    'put ticket of user back',
    ({ placeholder }) => sql`insert into ${TABLE} (hash, user_id, expires, failures)
      values (${placeholder(HASH)}, ${placeholder(USER_ID)}, ${placeholder(TIME)},
        ${placeholder(param('failures', 'integer'))}) returning 1`,
  );
  await transaction.run(restore, { hash, user_id: userId, time: expires, failures: failures + 1 });
}

export async function deleteTickets({ statements }: Service, transaction: Transaction, userId: number): Promise<void> {
  const remove = statements.get(
    'delete tickets of user',
    ({ placeholder }) => sql`delete from ${TABLE} where user_id = ${placeholder(USER_ID)} returning 1`,
  );
  await transaction.run(remove, { user_id: userId });
}
