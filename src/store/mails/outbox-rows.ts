/**
 * Claims mails that are due, and records the results of attempts. A claim prevents other servers from sending a mail at the same
 * time. It ends by the clock of the database, which all servers share, so a mail of a killed server is sent again.
 */
import { sql } from 'kysely';
import { BindParam, type Row, type Service, type Value } from '../../engine/index.ts';
import { param } from './outbox.ts';

export interface ClaimedMail {
  readonly id: number;
  readonly template: string;
  readonly to: string;
  /** Id of the customer whose data it is. */
  readonly profile: number | null;
  readonly data: Readonly<Record<string, Value>>;
  readonly messageId: string;
  /** Before this one. */
  readonly attempts: number;
  readonly date: number;
  /** Seconds since 1970 from which a failed attempt is the last one. */
  readonly giveUp: number;
}

interface Claimer {
  /** Names the process. */
  readonly claim: string;
  /** Whether no other process can serve the store, so that all other claims are those of ended processes. */
  readonly isOnlyProcess: boolean;
  readonly domain: string;
}

/** Longer than an attempt takes. */
const CLAIM_SECONDS = 45;

const TABLE = sql.table('mail');
const LOCK = 'mail claims';
const NOW = param('now', 'timestamp');
const CLAIM = param('claim', 'text');

/** @param isOnlyProcess as of `Claimer` */
function dueMails({ statements }: Service, isOnlyProcess: boolean) {
  return statements.get(`due mails ${isOnlyProcess}`, ({ placeholder, now }) => {
    const isForeign = isOnlyProcess ? sql`or claim <> ${placeholder(CLAIM)}` : sql``;
    return sql`select id from ${TABLE} where status = 'queued' and next_attempt <= ${placeholder(NOW)}
      and (claimed_until is null or claimed_until <= ${now} ${isForeign})
      order by next_attempt, id limit ${placeholder(param('count', 'integer'))}`;
  });
}

/** Claims mails that are due, the longest due first. */
export async function claimMails(service: Service, claimer: Claimer, count: number): Promise<ClaimedMail[]> {
  const { database, statements, clock } = service;
  const { claim, isOnlyProcess, domain } = claimer;
  const due = dueMails(service, isOnlyProcess);
  const values = { now: clock.now(), count, ...(isOnlyProcess ? { claim } : {}) };
  // Most of the time there is none, and a read does not delay writes.
  if ((await database.query(due, { ...values, count: 1 })).length === 0) return [];
  const take = statements.get(
    'claim mails',
    (dialect) => sql`update ${TABLE} set claim = ${dialect.placeholder(CLAIM)},
      claimed_until = ${dialect.now} + ${sql.lit(CLAIM_SECONDS)},
      message_id = case when message_id like '%@%' then message_id
        else message_id || '@' || ${dialect.placeholder(param('domain', 'text'))} end
      where id in (select ${sql.id('listed', 'value')} from ${dialect.listed(new BindParam('ids', 'integer', true))})
      returning id, template, ${sql.id('to')}, profile_id, data, message_id, attempts, date, give_up`,
  );
  return database.transaction(async (transaction) => {
    await transaction.lock(LOCK);
    const ids = (await transaction.run(due, values)).map(([id]) => id as Value);
    const rows = ids.length === 0 ? [] : await transaction.run(take, { claim, domain, ids });
    return rows.map((row) => claimedMail(row, service));
  });
}

function claimedMail(row: Row, { database }: Service): ClaimedMail {
  const [id, template, to, profile, data, messageId, attempts, date, giveUp] = row;
  return {
    ...{ id: Number(id), template: template as string, to: to as string, messageId: messageId as string },
    profile: profile === null ? null : Number(profile),
    data: database.dialect.decode.json(data as never) as ClaimedMail['data'],
    ...{ attempts: Number(attempts), date: Number(date), giveUp: Number(giveUp) },
  };
}

interface Result {
  readonly status: 'queued' | 'sent' | 'failed';
  readonly template: string;
  /** Of a mail that is sent again. */
  readonly nextAttempt: number;
}

/** Records an attempt. A failed one changes nothing if another process has claimed the mail since. */
export async function recordAttempt(
  { database, statements }: Service,
  id: number,
  claim: string,
  { status, template, nextAttempt }: Result,
): Promise<void> {
  const record = statements.get(
    'record attempt of mail',
    ({ placeholder }) => sql`update ${TABLE} set attempts = attempts + 1, claim = '', claimed_until = null,
      status = ${placeholder(param('status', 'text'))}, template = ${placeholder(param('template', 'text'))},
      next_attempt = ${placeholder(param('next_attempt', 'timestamp'))}
      where id = ${placeholder(param('id', 'integer'))}
      and (claim = ${placeholder(CLAIM)} or ${placeholder(param('status', 'text'))} = 'sent') returning 1`,
  );
  const values = { id, claim, status, template, next_attempt: nextAttempt };
  await database.transaction((transaction) => transaction.run(record, values));
}

/** Deletes a mail that is no longer needed, such as one to somebody who is not a user. */
export async function deleteMail({ database, statements }: Service, id: number): Promise<void> {
  const remove = statements.get(
    'delete mail',
    ({ placeholder }) => sql`delete from ${TABLE} where id = ${placeholder(param('id', 'integer'))} returning 1`,
  );
  await database.transaction((transaction) => transaction.run(remove, { id }));
}

const RETENTION_SECONDS = 30 * 24 * 3600;

/** Deletes sent and failed mails that were queued more than 30 days ago. */
export async function forgetMails({ database, statements, clock }: Service): Promise<void> {
  const forget = statements.get(
    'forget mails',
    ({ placeholder }) => sql`delete from ${TABLE} where status <> 'queued' and date < ${placeholder(NOW)} returning 1`,
  );
  await database.transaction((transaction) => transaction.run(forget, { now: clock.now() - RETENTION_SECONDS }));
}
