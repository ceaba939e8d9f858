/** Limits of mails that requests without a key cause, counted for all servers of the store (mail.md §3). */
import { sql } from 'kysely';
import { looseMatch, type Row, type Service, type Table, type Transaction } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';
import { param } from './outbox.ts';

const PERIOD_SECONDS = 3600;

/** The subject is the hash of an e-mail address or of a client's address. */
export const COUNTED_MAILS: Table = {
  name: 'counted_mail',
  columns: [
    { name: 'subject', type: 'text', nullable: false },
    { name: 'id', type: 'text', nullable: false },
    { name: 'at', type: 'timestamp', nullable: false },
  ],
  primaryKey: ['subject', 'id'],
  counted: false,
};

const TABLE = sql.table('counted_mail');
const LOCK = 'counted mails';

/** Mails in an hour; 0: no limit. */
export interface MailLimits {
  /** To one e-mail address. */
  readonly to: number;
  /** Caused by one client address. */
  readonly from: number;
}

/** Who gets mails, and who causes them. */
interface MailCause {
  /** E-mail addresses, one for each mail. */
  readonly to: readonly string[];
  /** Address of the client, or its group of addresses. */
  readonly address: string;
}

/** Whether mails are below the limits now. Needs no lock. Only `countMails` decides whether they may be sent. */
export async function isBelowLimits(service: Service, cause: MailCause, limits: MailLimits): Promise<boolean> {
  return areBelow(service, (...query) => service.database.query(...query), subjectsOf(cause, limits));
}

/**
 * Counts mails unless one of them would exceed a limit.
 * @returns whether they may be sent
 */
export async function countMails(
  service: Service,
  transaction: Transaction,
  cause: MailCause,
  limits: MailLimits,
): Promise<boolean> {
  await transaction.lock(LOCK);
  const subjects = subjectsOf(cause, limits);
  if (!(await areBelow(service, (...query) => transaction.run(...query), subjects))) return false;
  const insert = service.statements.get(
    'count mail',
    ({ placeholder }) => sql`insert into ${TABLE} (subject, id, at) values (${placeholder(param('subject', 'text'))},
      ${placeholder(param('id', 'text'))}, ${placeholder(param('at', 'timestamp'))}) returning 1`,
  );
  const at = service.clock.now();
  for (const { subject } of subjects) await transaction.run(insert, { subject, id: service.uuid(), at });
  return true;
}

/** What a mail counts for, with the maximum in the period. */
interface Subject {
  readonly subject: string;
  readonly max: number;
}

function subjectsOf({ to, address }: MailCause, limits: MailLimits): Subject[] {
  return to
    .flatMap((each) => [
      { subject: hashOf(`mail to ${looseMatch(each)}`), max: limits.to },
      { subject: hashOf(`mail from ${address}`), max: limits.from },
    ])
    .filter(({ max }) => max > 0);
}

async function areBelow(
  { statements, clock }: Service,
  run: Transaction['run'],
  subjects: readonly Subject[],
): Promise<boolean> {
  const count = statements.get(
    'count counted mails',
    ({ placeholder }) => sql`select count(*) from ${TABLE} where subject = ${placeholder(param('subject', 'text'))}
      and at > ${placeholder(param('at', 'timestamp'))}`,
  );
  for (const [subject, equal] of Map.groupBy(subjects, (each) => each.subject)) {
    const [row] = (await run(count, { subject, at: clock.now() - PERIOD_SECONDS })) as [Row];
    if (Number(row[0]) + equal.length > equal[0]!.max) return false;
  }
  return true;
}

/** Deletes mails that no longer count. */
export async function forgetCountedMails({ database, statements, clock }: Service): Promise<void> {
  const forget = statements.get(
    'forget counted mails',
    ({ placeholder }) => sql`delete from ${TABLE} where at <= ${placeholder(param('at', 'timestamp'))} returning 1`,
  );
  await database.transaction((transaction) => transaction.run(forget, { at: clock.now() - PERIOD_SECONDS }));
}
