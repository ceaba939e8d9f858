/**
 * Counts failed sign-ins by e-mail address and by client address, for all servers of the store (access.md §6). An attempt counts as
 * failed from its beginning until it succeeds, so concurrent attempts cannot exceed a limit.
 */
import { sql } from 'kysely';
import { looseMatch, type Row, type Service, type Transaction } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { param } from './accounts.ts';

const PERIOD_SECONDS = 3600;
const FAILURES_PER_EMAIL_MAX = 10;
const LOCKED_SECONDS = 900;
const FAILURES_PER_ADDRESS_MAX = 50;

/** Begins the subjects of failures that the audit counts by the minute (`audit/failed-sign-in-entries.ts`). */
export const AUDITED_PREFIX = 'audit ';

/** Held while failures are counted. */
export const FAILURES_LOCK = 'failed sign-ins';

const TABLE = sql.table('failed_sign_in');
const SUBJECT = param('subject', 'text');
const AT = param('at', 'timestamp');

/** An attempt that is counted. */
export interface SignInAttempt {
  readonly id: string;
  readonly email: string;
  readonly address: string;
}

/**
 * Counts an attempt.
 * @param address of the client, or its group of addresses
 * @returns the attempt, or the seconds to wait before the next one
 */
export async function beginSignIn(
  service: Service,
  sent: { readonly email: string; readonly address: string },
): Promise<SignInAttempt | { readonly waitSeconds: number }> {
  const now = service.clock.now();
  const attempt = {
    ...{ id: service.uuid(), email: subjectOf(sent.email) },
    address: hashOf(`address ${sent.address}`),
  };
  return service.database.transaction(async (transaction) => {
    await transaction.lock(FAILURES_LOCK);
    const ofEmail = await countOf(service, transaction, attempt.email, now);
    const ofAddress = await countOf(service, transaction, attempt.address, now);
    const isLocked = ofEmail.count >= FAILURES_PER_EMAIL_MAX && ofEmail.last > now - LOCKED_SECONDS;
    const waits = [
      ...(isLocked ? [ofEmail.last + LOCKED_SECONDS - now] : []),
      ...(ofAddress.count >= FAILURES_PER_ADDRESS_MAX ? [ofAddress.first + PERIOD_SECONDS - now] : []),
    ];
    if (waits.length > 0) return { waitSeconds: Math.max(1, ...waits) };
    const insert = service.statements.get(
      'count failed sign-in',
      ({ placeholder }) =>
        sql`insert into ${TABLE} (subject, id, at) values (${placeholder(SUBJECT)}, ${placeholder(param('id', 'text'))}, ${placeholder(AT)}) returning 1`,
    );
    for (const subject of [attempt.email, attempt.address])
      await transaction.run(insert, { subject, id: attempt.id, at: now });
    return attempt;
  });
}

async function countOf({ statements }: Service, transaction: Transaction, subject: string, now: number) {
  const count = statements.get(
    'count failed sign-ins',
    ({ placeholder }) => sql`select count(*), min(at), max(at) from ${TABLE}
      where subject = ${placeholder(SUBJECT)} and at > ${placeholder(AT)}`,
  );
  const [row] = (await transaction.run(count, { subject, at: now - PERIOD_SECONDS })) as [Row];
  return { count: Number(row[0]), first: Number(row[1]), last: Number(row[2]) };
}

/** A success resets the count of the e-mail address. The failures of others from the same client address remain. */
export async function succeedSignIn(service: Service, transaction: Transaction, attempt: SignInAttempt): Promise<void> {
  await resetSubject(service, transaction, attempt.email);
  await uncount(service, transaction, attempt);
}

/** Resets the count of an e-mail address after a sign-in that was no attempt, such as one with a link. */
export function resetFailures(service: Service, transaction: Transaction, email: string): Promise<void> {
  return resetSubject(service, transaction, subjectOf(email));
}

async function resetSubject({ statements }: Service, transaction: Transaction, subject: string): Promise<void> {
  const remove = statements.get(
    'forget failed sign-ins of e-mail',
    ({ placeholder }) => sql`delete from ${TABLE} where subject = ${placeholder(SUBJECT)} returning 1`,
  );
  await transaction.run(remove, { subject });
}

function subjectOf(email: string): string {
  return hashOf(`e-mail ${looseMatch(email)}`);
}

/** Takes back an attempt that had no result. */
export async function cancelSignIn(service: Service, attempt: SignInAttempt): Promise<void> {
  await service.database.transaction((transaction) => uncount(service, transaction, attempt));
}

/** Takes back an attempt in a transaction, without a reset of the count of the e-mail address. */
export async function uncount(
  { statements }: Service,
  transaction: Transaction,
  attempt: SignInAttempt,
): Promise<void> {
  const remove = statements.get(
    'take back failed sign-in',
    ({ placeholder }) => sql`delete from ${TABLE} where subject = ${placeholder(SUBJECT)}
      and id = ${placeholder(param('id', 'text'))} returning 1`,
  );
  for (const subject of [attempt.email, attempt.address]) await transaction.run(remove, { subject, id: attempt.id });
}

/** Deletes failures that no longer count, and expired links, tickets, challenges and sign-ins at the identity provider. */
export async function forgetFailedSignIns({ database, statements, clock }: Service): Promise<void> {
  const forget = statements.get(
    'forget failed sign-ins',
    ({ placeholder }) => sql`delete from ${TABLE} where at <= ${placeholder(AT)}
      and subject not like ${sql.lit(`${AUDITED_PREFIX}%`)} returning 1`,
  );
  const forgetLinks = statements.get(
    'forget links of users',
    ({ placeholder }) => sql`delete from ${sql.table('staff_link')} where expires <= ${placeholder(AT)} returning 1`,
  );
  const forgetTickets = statements.get(
    'forget tickets of users',
    ({ placeholder }) => sql`delete from ${sql.table('staff_ticket')} where expires <= ${placeholder(AT)} returning 1`,
  );
  const forgetChallenges = statements.get(
    'forget challenges',
    ({ placeholder }) =>
      sql`delete from ${sql.table('staff_challenge')} where expires <= ${placeholder(AT)} returning 1`,
  );
  const forgetAtProvider = statements.get(
    'forget sign-ins at provider',
    ({ placeholder }) =>
      sql`delete from ${sql.table('staff_provider_sign_in')} where expires <= ${placeholder(AT)} returning 1`,
  );
  const now = clock.now();
  await database.transaction(async (transaction) => {
    await transaction.run(forget, { at: now - PERIOD_SECONDS });
    await transaction.run(forgetLinks, { at: now });
    await transaction.run(forgetTickets, { at: now });
    await transaction.run(forgetChallenges, { at: now });
    await transaction.run(forgetAtProvider, { at: now });
  });
}
