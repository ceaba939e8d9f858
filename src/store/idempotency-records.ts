/**
 * Answers kept for a retry: a client that sends the same `Idempotency-Key` again gets the first answer again
 * (http.md §10). An answer is kept in the transaction of its change, so there are both or neither.
 */
import { sql } from 'kysely';
import { BindParam, type ColumnType, type Reads, type Service, type Unit, type Value } from '../engine/index.ts';

/** Which request an answer belongs to. */
export interface Intended {
  /** A digest of the API key. */
  readonly apiKey: string;
  readonly key: string;
  /** A digest of method, address, body and the headers that decide what is written. */
  readonly fingerprint: string;
}

export interface IdempotencyRecord {
  /** Empty once the answer was erased. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TABLE = sql.table('kept_answer');

/** The answer that was given to this key of this API key, whatever the request was. */
export async function findIdempotencyRecord(
  reads: Reads,
  { apiKey, key }: Intended,
): Promise<IdempotencyRecord | undefined> {
  const [row] = await reads.query(
    'find answer',
    ({ placeholder }) => sql`select fingerprint, status, headers, body from ${TABLE}
      where api_key = ${placeholder(new BindParam('api_key', 'text'))} and key = ${placeholder(new BindParam('key', 'text'))}`,
    { api_key: apiKey, key },
  );
  if (!row) return undefined;
  const [fingerprint, status, headers, body] = row;
  return {
    fingerprint: fingerprint as string,
    status: Number(status),
    headers: reads.service.database.dialect.decode.json(headers as never) as Record<string, string>,
    body: body as string,
  };
}

/** @param about the path of the record at the top that the answer is about, as `/api/orders/7` */
export async function saveIdempotencyRecord(
  unit: Unit,
  { apiKey, key, fingerprint }: Intended,
  { status, headers, body }: Omit<IdempotencyRecord, 'fingerprint'>,
  about: string,
): Promise<void> {
  const columns: Readonly<Record<string, readonly [type: ColumnType, value: Value]>> = {
    api_key: ['text', apiKey],
    key: ['text', key],
    fingerprint: ['text', fingerprint],
    status: ['integer', status],
    headers: ['json', { ...headers }],
    body: ['text', body],
    created: ['timestamp', unit.now],
    about: ['text', about],
  };
  const names = Object.keys(columns);
  await unit.query(
    'keep answer',
    ({ placeholder }) => sql`insert into ${TABLE} (${sql.join(names.map((name) => sql.id(name)))})
      values (${sql.join(names.map((name) => placeholder(new BindParam(name, columns[name]![0]))))})`,
    Object.fromEntries(names.map((name) => [name, columns[name]![1]])),
  );
}

/** A retry of such a request is told that it was done, and that its answer is gone. */
export const ERASED_STATUS = 410;

/**
 * Erases the answers about these records, and those of which is not known what they are about, as an earlier version kept them. The keys
 * stay, so that no retry does anything a second time.
 */
export async function eraseAnswersAbout(unit: Unit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await unit.query(
    'erase answers',
    (dialect) => sql`update ${TABLE} set fingerprint = '', status = ${sql.lit(ERASED_STATUS)}, body = '',
      headers = ${dialect.placeholder(new BindParam('headers', 'json'))}
      where about is null or about in (select value from ${dialect.listed(new BindParam('paths', 'text', true))})`,
    { paths: [...paths], headers: {} },
  );
}

/** Promised are 24 hours; the rest is for clocks that disagree. */
const RETENTION_SECONDS = 48 * 3600;
const FORGOTTEN_AT_ONCE = 500;

/**
 * Forgets old answers, few at a time so that no write waits long.
 * @param dayAgo of `ServedHours`: what came later is kept, whatever the clock says of it
 */
export async function forgetAnswers(service: Service, dayAgo: number | undefined, stopped: AbortSignal): Promise<void> {
  if (dayAgo === undefined) return;
  const forget = service.statements.get(
    'forget answers',
    ({ placeholder }) => sql`delete from ${TABLE} where created < ${placeholder(new BindParam('before', 'timestamp'))}
      and (api_key, key) in (select api_key, key from ${TABLE} where created < ${placeholder(new BindParam('before', 'timestamp'))}
        limit ${sql.lit(FORGOTTEN_AT_ONCE)}) returning 1`,
  );
  const before = Math.min(service.clock.now() - RETENTION_SECONDS, dayAgo);
  let count = FORGOTTEN_AT_ONCE;
  while (count === FORGOTTEN_AT_ONCE && !stopped.aborted)
    count = (await service.database.transaction((transaction) => transaction.run(forget, { before }))).length;
}
