/** Hourly limits for a subject, such as a client address. All servers of the store count together. */
import { sql } from 'kysely';
import { BindParam, type Row, type Service, type Table, type Transaction } from '../../engine/index.ts';
import { hashOf } from '../keys.ts';

export const PERIOD_SECONDS = 3600;

/** The subject is a hash, because it contains e-mail addresses and network addresses. */
export const COUNTED: Table = {
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
const SUBJECT = new BindParam('subject', 'text');
const AT = new BindParam('at', 'timestamp');

/** One thing that counts. */
export interface Counted {
  /** What it counts for, such as `mail from 192.0.2.1`. */
  readonly subject: string;
  /** Maximum in the period; 0: no limit. */
  readonly max: number;
}

/** A limit that is reached. */
export interface Exceeded {
  readonly counted: Counted;
  /** Seconds until one more may be counted. */
  readonly seconds: number;
}

/** A transaction, or a unit. */
type Counting = Pick<Transaction, 'run' | 'lock'>;

/** Runs statements, in a transaction or not. */
type Run = Transaction['run'];

/** Whether none of these would exceed its limit now. Needs no lock. */
export async function isBelow(service: Service, run: Run, all: readonly Counted[]): Promise<boolean> {
  return (await findExceeded(service, run, all)) === undefined;
}

/**
 * Counts all of these, unless one would exceed its limit. Locks their subjects until the transaction ends.
 * @returns undefined if they were counted
 */
export async function count(
  service: Service,
  transaction: Counting,
  all: readonly Counted[],
): Promise<Exceeded | undefined> {
  const rejected = await lockBelow(service, transaction, all);
  if (rejected === undefined) await addCounts(service, transaction, all);
  return rejected;
}

/**
 * Locks the subjects of these until the transaction ends, without counting them.
 * @returns undefined if all of them may be counted
 */
export async function lockBelow(
  service: Service,
  transaction: Counting,
  all: readonly Counted[],
): Promise<Exceeded | undefined> {
  const subjects = new Set(all.filter(({ max }) => max > 0).map(({ subject }) => subject));
  for (const subject of [...subjects].sort()) await transaction.lock(`counted ${hashOf(subject)}`);
  return findExceeded(service, (...query) => transaction.run(...query), all);
}

/** Counts these, also beyond their limits. */
export async function addCounts(
  { statements, uuid, clock }: Service,
  transaction: Pick<Counting, 'run'>,
  all: readonly Counted[],
): Promise<void> {
  const insert = statements.get(
    'count',
    ({ placeholder }) => sql`insert into ${TABLE} (subject, id, at)
      values (${placeholder(SUBJECT)}, ${placeholder(new BindParam('id', 'text'))}, ${placeholder(AT)}) returning 1`,
  );
  const at = clock.now();
  for (const { subject, max } of all)
    if (max > 0) await transaction.run(insert, { subject: hashOf(subject), id: uuid(), at });
}

async function findExceeded(
  { statements, clock }: Service,
  run: Run,
  all: readonly Counted[],
): Promise<Exceeded | undefined> {
  const counts = statements.get(
    'counts of subject',
    ({ placeholder }) => sql`select count(*), min(at) from ${TABLE}
      where subject = ${placeholder(SUBJECT)} and at > ${placeholder(AT)}`,
  );
  const now = clock.now();
  for (const [subject, equal] of Map.groupBy(all, (each) => each.subject)) {
    const [counted] = equal as [Counted];
    if (counted.max === 0) continue;
    const [row] = (await run(counts, { subject: hashOf(subject), at: now - PERIOD_SECONDS })) as [Row];
    if (Number(row[0]) + equal.length > counted.max)
      return { counted, seconds: Math.max(1, Number(row[1] ?? now) + PERIOD_SECONDS - now) };
  }
  return undefined;
}

/** Deletes what no longer counts. */
export async function forgetCounts({ database, statements, clock }: Service): Promise<void> {
  const forget = statements.get(
    'forget counts',
    ({ placeholder }) => sql`delete from ${TABLE} where at <= ${placeholder(AT)} returning 1`,
  );
  await database.transaction((transaction) => transaction.run(forget, { at: clock.now() - PERIOD_SECONDS }));
}
