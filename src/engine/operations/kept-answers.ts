/**
 * Answers kept for a retry: a client that sends the same `Idempotency-Key` again gets the first answer again
 * (http.md §10). An answer is kept in the transaction of its change, so there are both or neither.
 */
import { sql } from 'kysely';
import { Slot, type Value } from '../ports.ts';
import type { Service } from '../service.ts';
import type { Run } from './stored.ts';

/** Which request an answer belongs to. */
export interface Intended {
  /** A digest of the API key. */
  readonly apiKey: string;
  readonly key: string;
  /** A digest of method, address, body and the headers that decide what is written. */
  readonly fingerprint: string;
}

export interface KeptAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TABLE = sql.table('kept_answer');

/** The answer that was given to this key of this API key, whatever the request was. */
export async function findAnswer(
  service: Service,
  run: Run,
  { apiKey, key }: Intended,
): Promise<KeptAnswer | undefined> {
  const select = service.statements.get(
    'find answer',
    ({ place }) => sql`select fingerprint, status, headers, body from ${TABLE}
      where api_key = ${place(new Slot('api_key', 'text'))} and key = ${place(new Slot('key', 'text'))}`,
  );
  const [row] = await run(select, { api_key: apiKey, key });
  if (!row) return undefined;
  const [fingerprint, status, headers, body] = row;
  return {
    fingerprint: fingerprint as string,
    status: Number(status),
    headers: service.database.dialect.decode.json(headers as never) as Record<string, string>,
    body: body as string,
  };
}

export async function keepAnswer(
  service: Service,
  run: Run,
  { apiKey, key, fingerprint }: Intended,
  { status, headers, body }: Omit<KeptAnswer, 'fingerprint'>,
): Promise<void> {
  const insert = service.statements.get('keep answer', ({ place }) => {
    const slots = [
      place(new Slot('api_key', 'text')),
      place(new Slot('key', 'text')),
      place(new Slot('fingerprint', 'text')),
      place(new Slot('status', 'integer')),
      place(new Slot('headers', 'json')),
      place(new Slot('body', 'text')),
      place(new Slot('created', 'timestamp')),
    ];
    return sql`insert into ${TABLE} (api_key, key, fingerprint, status, headers, body, created) values (${sql.join(slots)})`;
  });
  const created = service.clock.now();
  const values: Record<string, Value> = {
    api_key: apiKey,
    key,
    fingerprint,
    status,
    headers: { ...headers },
    body,
    created,
  };
  await run(insert, values);
}

/** Promised are 24 hours; the rest is for clocks that disagree. */
const KEPT_SECONDS = 48 * 3600;
const FORGOTTEN_AT_ONCE = 500;

/** Forgets old answers, few at a time so that no write waits long. */
export async function forgetAnswers(service: Service, stopped: AbortSignal): Promise<void> {
  const forget = service.statements.get(
    'forget answers',
    ({ place }) => sql`delete from ${TABLE} where created < ${place(new Slot('before', 'timestamp'))}
      and (api_key, key) in (select api_key, key from ${TABLE} where created < ${place(new Slot('before', 'timestamp'))}
        limit ${sql.lit(FORGOTTEN_AT_ONCE)}) returning 1`,
  );
  const before = service.clock.now() - KEPT_SECONDS;
  let count = FORGOTTEN_AT_ONCE;
  while (count === FORGOTTEN_AT_ONCE && !stopped.aborted)
    count = (await service.database.transaction((transaction) => transaction.run(forget, { before }))).length;
}
