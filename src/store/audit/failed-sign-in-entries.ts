/**
 * Failed sign-ins in the audit (access.md §4). For each client address and minute, the first failure has its own entry, and after
 * the minute, one entry has the number of the others. Until then, each has a row in the table of failures, so all servers count
 * together.
 */
import { sql } from 'kysely';
import { type Actor, type Service, type Transaction, writeAuditEntries } from '../../engine/index.ts';
import { param } from '../users/accounts.ts';
import { AUDITED_PREFIX, FAILURES_LOCK } from '../users/failed-sign-ins.ts';
import { recordOf } from './audited-transaction.ts';

const MINUTE_SECONDS = 60;

const TABLE = sql.table('failed_sign_in');
const SUBJECT = param('subject', 'text');
const AT = param('at', 'timestamp');

const WITHOUT_RECORD = { resource: null, record: null, path: null, version: null };

/**
 * Records a failed sign-in.
 * @param client who has sent the request
 * @param kind of the account. Also recorded if the account does not exist, so that only clients that may see accounts learn
 * whether it does.
 * @param id of the account; null if it does not exist
 */
export function recordFailedSignIn(
  service: Service,
  client: Actor,
  kind: 'User' | 'Key',
  id: number | string | null,
): Promise<void> {
  const { database, statements, clock, uuid } = service;
  const find = statements.get(
    'failure of this minute',
    ({ placeholder }) => sql`select 1 from ${TABLE} where subject = ${placeholder(SUBJECT)}
      and at >= ${placeholder(AT)} limit 1`,
  );
  const insert = statements.get(
    'add failure of this minute',
    ({ placeholder }) => sql`insert into ${TABLE} (subject, id, at)
      values (${placeholder(SUBJECT)}, ${placeholder(param('id', 'text'))}, ${placeholder(AT)})`,
  );
  const subject = `${AUDITED_PREFIX}${client.address}`;
  return database.transaction(async (transaction) => {
    await transaction.lock(FAILURES_LOCK);
    const now = clock.now();
    await countEnded(service, transaction, now);
    const isFirst = (await transaction.run(find, { subject, at: minuteOf(now) })).length === 0;
    await transaction.run(insert, { subject, id: uuid(), at: now });
    if (!isFirst) return;
    const action = 'sign_in_failed';
    const about = id === null ? { ...WITHOUT_RECORD, resource: kind } : recordOf(kind, id);
    await writeAuditEntries(service, transaction, client, [{ action, ...about, changes: {} }], now);
  });
}

/** Writes the entries of minutes that have ended. */
export async function countFailedSignIns(service: Service): Promise<void> {
  const { database, clock } = service;
  // Most of the time there are none, which needs no transaction.
  const ended = await database.query(endedStatement(service), { at: minuteOf(clock.now()) });
  if (ended.length === 0) return;
  await database.transaction(async (transaction) => {
    await transaction.lock(FAILURES_LOCK);
    await countEnded(service, transaction, clock.now());
  });
}

/** Rows: subject, number and last time of the failures in one minute. */
function endedStatement({ statements }: Service) {
  return statements.get(
    'failures of ended minutes',
    ({ placeholder }) => sql`select subject, count(*), max(at) from ${TABLE} where ${IS_AUDITED}
      and at < ${placeholder(AT)} group by subject, at / ${sql.lit(MINUTE_SECONDS)} order by 3, 1`,
  );
}

const IS_AUDITED = sql`subject like ${sql.lit(`${AUDITED_PREFIX}%`)}`;

async function countEnded(service: Service, transaction: Transaction, now: number): Promise<void> {
  const at = minuteOf(now);
  const ended = await transaction.run(endedStatement(service), { at });
  if (ended.length === 0) return;
  for (const [subject, count, last] of ended) {
    // The first one has its own entry.
    const others = Number(count) - 1;
    if (others === 0) continue;
    const address = (subject as string).slice(AUDITED_PREFIX.length);
    const entry = { action: 'sign_in_failed', ...WITHOUT_RECORD, changes: { count: others } };
    const client = { type: 'user', id: '', keyName: '', address };
    await writeAuditEntries(service, transaction, client, [entry], Number(last));
  }
  const forget = service.statements.get(
    'forget failures of ended minutes',
    ({ placeholder }) => sql`delete from ${TABLE} where ${IS_AUDITED} and at < ${placeholder(AT)}`,
  );
  await transaction.run(forget, { at });
}

/** The beginning of a minute. */
function minuteOf(seconds: number): number {
  return seconds - (seconds % MINUTE_SECONDS);
}
