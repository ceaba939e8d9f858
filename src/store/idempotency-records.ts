/**
 * Idempotency records: a client that repeats a request with the same `Idempotency-Key` gets the first response again
 * (http.md §10). A record is saved in the transaction of its change, so either both exist or neither.
 */
import { sql } from 'kysely';
import { BindParam, type ColumnType, type Reads, type Service, type Unit, type Value } from '../engine/index.ts';

/** Identifies the request that a record belongs to. */
export interface Intended {
  /** Digest of the API key. */
  readonly apiKey: string;
  readonly key: string;
  /** Digest of method, address, body and the headers that affect what is written. */
  readonly fingerprint: string;
}

export interface IdempotencyRecord {
  /** Empty once the response was erased. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TABLE = sql.table('kept_answer');

/** Finds the record of this idempotency key and API key, whatever the request was. */
export async function findIdempotencyRecord(
  reads: Reads,
  { apiKey, key }: Intended,
): Promise<IdempotencyRecord | undefined> {
  const [row] = await reads.query(
    'find idempotency record',
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

/** @param about path of the top-level record that the response is about, such as `/api/orders/7` */
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
    'store idempotency record',
    ({ placeholder }) => sql`insert into ${TABLE} (${sql.join(names.map((name) => sql.id(name)))})
      values (${sql.join(names.map((name) => placeholder(new BindParam(name, columns[name]![0]))))})`,
    Object.fromEntries(names.map((name) => [name, columns[name]![1]])),
  );
}

/** Status of an erased record. A retry learns that its request was carried out and its response erased. */
export const ERASED_STATUS = 410;

/**
 * Erases the responses about these records. The keys remain, so a retry never repeats the change.
 * @param others also erases responses saved by earlier versions without the path of their record
 */
export async function eraseIdempotencyRecords(unit: Unit, paths: readonly string[], others = true): Promise<void> {
  if (paths.length === 0) return;
  const unknown = others ? sql`about is null or` : sql``;
  await unit.query(
    `erase idempotency records ${others}`,
    (dialect) => sql`update ${TABLE} set fingerprint = '', status = ${sql.lit(ERASED_STATUS)}, body = '',
      headers = ${dialect.placeholder(new BindParam('headers', 'json'))}
      where ${unknown} about in (select value from ${dialect.listed(new BindParam('paths', 'text', true))})`,
    { paths: [...paths], headers: {} },
  );
}

/** The contract promises 24 hours; the rest allows for clocks that disagree. */
const RETENTION_SECONDS = 48 * 3600;
const DELETED_AT_ONCE = 500;

/**
 * Deletes old records, a few per transaction so that no write waits long.
 * @param dayAgo from `ServedHours`: newer records stay, whatever the clock says
 */
export async function deleteOldIdempotencyRecords(
  service: Service,
  dayAgo: number | undefined,
  stopped: AbortSignal,
): Promise<void> {
  if (dayAgo === undefined) return;
  const forget = service.statements.get(
    'delete old idempotency records',
    ({ placeholder }) => sql`delete from ${TABLE} where created < ${placeholder(new BindParam('before', 'timestamp'))}
      and (api_key, key) in (select api_key, key from ${TABLE} where created < ${placeholder(new BindParam('before', 'timestamp'))}
        limit ${sql.lit(DELETED_AT_ONCE)}) returning 1`,
  );
  const before = Math.min(service.clock.now() - RETENTION_SECONDS, dayAgo);
  let count = DELETED_AT_ONCE;
  while (count === DELETED_AT_ONCE && !stopped.aborted)
    count = (await service.database.transaction((transaction) => transaction.run(forget, { before }))).length;
}
