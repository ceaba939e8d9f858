/** `Database` on PostgreSQL, with connection pools. Any number of processes may share the database. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type {
  Database,
  Dialect,
  Migration,
  NewStore,
  Row,
  Statement,
  StoreSnapshot,
  Transaction,
  Value,
} from '../../engine/ports.ts';
import { DatabaseUnavailable, SearchGivenUp } from '../../engine/ports.ts';
import {
  CONNECT_MILLISECONDS_MAX,
  isPooled,
  LIMITS_OF_TRANSACTION,
  POOL_SETTINGS,
  rejectUnsafe,
  STARTUP_PARAMETERS,
} from './connection.ts';
import { Prepared } from './encode.ts';
import { afterLastAttempt, isConflict, isTimeout, unavailableOr } from './errors.ts';
import { faultsIn } from './faults.ts';
import { appliedIn, found, migrate } from './migrate.ts';
import { inOwnTransaction, onOwnConnection, translated } from './own-connection.ts';
import { storeSnapshot } from './snapshot.ts';
import { lockName, lockStatement, type StoreAddress, storeAddress } from './store-address.ts';

/** @param schema of the store's tables; empty: the first schema of the connection's `search_path` */
export async function openPostgres(url: string, schema = ''): Promise<Database> {
  const inspect = async (client: pg.Client): Promise<boolean> => {
    await rejectUnsafe(client);
    return isPooled(client);
  };
  const pooled = await translated(onOwnConnection(url, inspect, { query_timeout: POOL_SETTINGS.query_timeout! }));
  const reads = openPool(url, pooled, CONNECT_MILLISECONDS_MAX);
  return new PostgresDatabase(
    reads,
    openPool(url, pooled, WRITE_WAIT_MILLISECONDS_MAX),
    storeAddress(url, schema),
    pooled,
  );
}

/** Maximum wait of a write for a connection: the same as for a lock. */
const WRITE_WAIT_MILLISECONDS_MAX = 5_000;

function openPool(url: string, pooled: boolean, waitMillisecondsMax: number): pg.Pool {
  const pool = new pg.Pool({
    ...{ connectionString: url, ...POOL_SETTINGS, connectionTimeoutMillis: waitMillisecondsMax },
    ...(pooled ? {} : STARTUP_PARAMETERS),
  });
  // A lost connection leaves the pool on its own. Its 'error' event would end the process without a listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Maximum attempts of a transaction that conflicts with others. */
const ATTEMPTS_MAX = 4;

/** Upper bound of the random pause before another attempt; grows with each attempt. */
const RETRY_MILLISECONDS_MAX = 20;

/** Interval for checking a connection whose COMMIT waits for a standby. */
const UNCONFIRMED_PAUSE_MILLISECONDS = 2_000;

/** It is unknown whether the transaction was committed. */
class CommitInDoubt extends DatabaseUnavailable {}

const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const READ_ONLY_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

class PostgresDatabase implements Database {
  readonly dialect: Dialect;
  /** Never resolves: the server itself detects failures of its disks and stops. */
  readonly broken = new Promise<Error>(() => {});
  readonly warning = new Promise<string>(() => {});
  /** Separate from writes, which may wait for each other's locks; reads never do. */
  readonly #reads: pg.Pool;
  readonly #writes: pg.Pool;
  readonly #store: StoreAddress;
  readonly #prepared: Prepared;
  readonly #begin: string;
  readonly #limits: pg.ClientConfig;
  readonly #scanning = new Set<pg.Client>();
  readonly #pooled: boolean;
  readonly #closing = new AbortController();

  constructor(reads: pg.Pool, writes: pg.Pool, store: StoreAddress, pooled: boolean) {
    this.dialect = store.dialect;
    this.#reads = reads;
    this.#writes = writes;
    this.#store = store;
    this.#pooled = pooled;
    this.#prepared = new Prepared(pooled);
    this.#limits = { query_timeout: POOL_SETTINGS.query_timeout!, ...(pooled ? {} : STARTUP_PARAMETERS) };
    this.#begin = pooled ? `${BEGIN}; ${LIMITS_OF_TRANSACTION}` : BEGIN;
  }

  async query(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    const config = this.#prepared.bind(statement, values);
    try {
      return (await this.#reads.query(config)).rows;
    } catch (error) {
      throw unavailableOr(error);
    }
  }

  /** The server itself cancels statements that take too long (`statement_timeout`). */
  async search(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    try {
      return await this.query(statement, values);
    } catch (error) {
      throw isTimeout(error) ? new SearchGivenUp((error as Error).message, { cause: error }) : error;
    }
  }

  /** Uses a separate connection, so that reads do not wait for it. */
  scan(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    const read = async (client: pg.Client): Promise<Row[]> => {
      this.#scanning.add(client);
      try {
        return (await translated(client.query(this.#prepared.bind(statement, values)))).rows;
      } finally {
        this.#scanning.delete(client);
      }
    };
    return onOwnConnection(this.#store.url, read, this.#limits);
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (attempt === ATTEMPTS_MAX) throw afterLastAttempt(error);
        await sleep(Math.random() * RETRY_MILLISECONDS_MAX * attempt);
      }
    }
  }

  /** Unknown, because finding out would cost a query. */
  generation(): undefined {}

  generationOfOthers(): undefined {}

  migrate(migrations: readonly Migration[]): Promise<string[]> {
    return migrate(this.#store, migrations);
  }

  applied(): Promise<string[]> {
    return inOwnTransaction(this.#store.url, 'BEGIN READ ONLY', (run) => appliedIn(this.#store, run));
  }

  faults(): Promise<string[]> {
    return inOwnTransaction(this.#store.url, READ_ONLY_SNAPSHOT, (run) => faultsIn(this.#store, run));
  }

  storeSnapshot<T>(work: (storeSnapshot: StoreSnapshot) => Promise<T>): Promise<T> {
    return storeSnapshot(this.#store, work);
  }

  snapshot<T>(work: (run: StoreSnapshot['run']) => Promise<T>): Promise<T> {
    return inOwnTransaction(this.#store.url, READ_ONLY_SNAPSHOT, work);
  }

  found(migrations: readonly Migration[], fill: (store: NewStore) => Promise<void>): Promise<void> {
    return found(this.#store, migrations, fill);
  }

  /**
   * Does no work: the server removes deleted rows itself (VACUUM), and its write-ahead log is managed by its operator.
   */
  async scrub(): Promise<void> {}

  async close(): Promise<void> {
    this.#closing.abort();
    for (const client of this.#scanning) void client.end();
    await Promise.all([this.#reads.end(), this.#writes.end()]);
  }

  async #attempt<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#writes.connect().catch((error) => {
      throw unavailableOr(error);
    });
    const transaction = new PostgresTransaction(client, this.#prepared, this.#store.schema);
    try {
      await transaction.begin(this.#begin);
      const result = await work(transaction).finally(() => transaction.end());
      await transaction.commit();
      client.release();
      return result;
    } catch (error) {
      // The state of a failed connection is unknown. Closing it rolls back what was not committed.
      if (error instanceof CommitInDoubt) void this.#releaseConfirmed(client);
      else if (error instanceof DatabaseUnavailable) client.release(true);
      else
        await client.query('ROLLBACK').then(
          () => client.release(),
          () => client.release(true),
        );
      throw error;
    }
  }

  /**
   * While no synchronous standby is available, PostgreSQL lets each COMMIT and its connection wait, even after the
   * client has timed out. Such a connection occupies its place in the pool until then. Otherwise writes would use up
   * the server's connections and leave none for reads.
   */
  async #releaseConfirmed(client: pg.PoolClient): Promise<void> {
    const { signal } = this.#closing;
    const pid = (client as pg.PoolClient & { readonly processID: number }).processID;
    // Behind a pooler the process id is the pooler's, which limits its own connections.
    while (!this.#pooled && !signal.aborted) {
      const waits = await this.#reads.query(WAITS_FOR_STANDBY, [pid]).catch(() => undefined);
      if (!waits?.rowCount) break;
      await sleep(UNCONFIRMED_PAUSE_MILLISECONDS, undefined, { signal, ref: false }).catch(() => {});
    }
    client.release(true);
  }
}

const WAITS_FOR_STANDBY = "select 1 from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'";

class PostgresTransaction implements Transaction {
  readonly #client: pg.PoolClient;
  readonly #prepared: Prepared;
  readonly #schema: string;
  #failure: unknown;
  #ended = false;

  constructor(client: pg.PoolClient, prepared: Prepared, schema: string) {
    this.#client = client;
    this.#prepared = prepared;
    this.#schema = schema;
  }

  async run(statement: Statement, values: Readonly<Record<string, Value>>): Promise<Row[]> {
    if (this.#ended) throw new Error('A statement was run in a transaction that has ended.');
    const config = this.#prepared.bind(statement, values);
    try {
      return (await this.#client.query(config)).rows;
    } catch (error) {
      const failure = unavailableOr(error);
      this.#failure ??= failure;
      throw failure;
    }
  }

  async lock(name: string): Promise<void> {
    await this.run(lockStatement, { name: lockName(this.#schema, name) });
  }

  async begin(sql: string): Promise<void> {
    await this.#client.query(sql).catch((error) => {
      throw unavailableOr(error);
    });
  }

  end(): void {
    this.#ended = true;
  }

  async commit(): Promise<void> {
    // PostgreSQL responds to COMMIT of a failed transaction with a silent ROLLBACK.
    if (this.#failure !== undefined) throw this.#failure;
    let command: string;
    try {
      command = (await this.#client.query('COMMIT')).command;
    } catch (error) {
      throw new CommitInDoubt('The connection failed during the commit, so its result is unknown.', {
        cause: error,
      });
    }
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back because a statement in it had failed.');
  }
}
