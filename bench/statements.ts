/**
 * Records the SQL that the engine runs for each measured request, so that the stub can run the same text. All changes are
 * rolled back.
 */

import { fill } from '../src/adapters/sqlite/encode.ts';
import { isProblem, type Problem } from '../src/engine/errors.ts';
import { strictReading } from '../src/engine/field.ts';
import { read } from '../src/engine/operations/read.ts';
import { list } from '../src/engine/operations/reads/list.ts';
import { writeRecord } from '../src/engine/operations/write-record.ts';
import {
  BindParam,
  type Database,
  type Statement,
  type StoreSnapshot,
  type Transaction,
  type Value,
} from '../src/engine/ports.ts';
import { readListQuery } from '../src/engine/request/list-query.ts';
import type { Service } from '../src/engine/unit/service.ts';
import { ownRequestOptions, routeOf, targetAt } from '../src/store/own-requests.ts';
import { openStore } from '../src/wiring/open.ts';
import { newProductBody } from './catalog.ts';
import { FILTERED_QUERY } from './scenarios.ts';
import { storeConfig } from './seed.ts';

/** A statement, the names of its bind parameters, and their SQLite values. */
export interface Recorded {
  readonly sql: string;
  readonly placeholders: readonly string[];
  readonly values: readonly (string | number | null)[];
}

export interface RecordedStatements {
  readonly record: Recorded;
  readonly page: Recorded;
  readonly filteredPage: Recorded;
  /** In execution order, including lookups. */
  readonly create: readonly Recorded[];
}

export async function recordStatements(): Promise<RecordedStatements> {
  const store = await openStore(storeConfig());
  const recorded: Recorded[] = [];
  const service = { ...store.service, database: new RecordingDatabase(store.service.database, recorded) };
  const route = routeOf(service, 'Product');
  const requestOptions = ownRequestOptions('en');
  const during = async (work: () => Promise<unknown>): Promise<Recorded[]> => {
    recorded.length = 0;
    await work();
    return [...recorded];
  };
  const page = async (query: string): Promise<void> => {
    const listQuery = unwrap(readListQuery(route, query, strictReading(service.environment)));
    unwrap(await list(service, requestOptions, targetAt(route), listQuery));
  };
  try {
    const [record] = await during(async () => unwrap(await read(service, requestOptions, targetAt(route, { id: 1 }))));
    const [plainPage] = await during(() => page('page=2'));
    const [filteredPage] = await during(() => page(FILTERED_QUERY(1, 2)));
    const created = await during(() => createAndRollBack(service));
    return { record: record!, page: plainPage!, filteredPage: filteredPage!, create: created };
  } finally {
    await store.close();
  }
}

async function createAndRollBack(service: Service): Promise<void> {
  const target = targetAt(routeOf(service, 'Product'));
  await writeRecord(service, ownRequestOptions('en'), target, 'create', newProductBody('RECORDED')).then(
    unwrap,
    (error) => {
      if (error !== ROLLED_BACK) throw error;
    },
  );
}

function unwrap<T>(result: T | Problem): T {
  if (isProblem(result)) throw new Error(`${result.detail} ${JSON.stringify(result.violations)}`);
  return result as T;
}

const ROLLED_BACK = new Error('The recording of statements rolls back every transaction.');

/** Records every statement and rolls back every transaction. */
class RecordingDatabase implements Database {
  readonly broken = new Promise<Error>(() => {});
  readonly warning = new Promise<string>(() => {});
  readonly #inner: Database;
  readonly #recorded: Recorded[];

  constructor(inner: Database, recorded: Recorded[]) {
    this.#inner = inner;
    this.#recorded = recorded;
  }

  get dialect() {
    return this.#inner.dialect;
  }

  query(statement: Statement, values: Readonly<Record<string, Value>>) {
    this.#record(statement, values);
    return this.#inner.query(statement, values);
  }

  search(statement: Statement, values: Readonly<Record<string, Value>>) {
    return this.query(statement, values);
  }

  scan(statement: Statement, values: Readonly<Record<string, Value>>) {
    return this.query(statement, values);
  }

  snapshot<T>(work: Parameters<Database['snapshot']>[0]): Promise<T> {
    return this.#inner.snapshot(work) as Promise<T>;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#inner.transaction(async (transaction) => {
      await work({
        run: (statement, values) => {
          this.#record(statement, values);
          return transaction.run(statement, values);
        },
        lock: (name) => transaction.lock(name),
      });
      throw ROLLED_BACK;
    });
  }

  generation(): number | undefined {
    return this.#inner.generation();
  }

  generationOfOthers(): number | undefined {
    return this.#inner.generationOfOthers();
  }

  migrate(): Promise<string[]> {
    return Promise.resolve([]);
  }

  applied(): Promise<string[]> {
    return this.#inner.applied();
  }

  faults(): Promise<string[]> {
    return this.#inner.faults();
  }

  scrub(): Promise<void> {
    return this.#inner.scrub();
  }

  storeSnapshot<T>(work: (storeSnapshot: StoreSnapshot) => Promise<T>): Promise<T> {
    return this.#inner.storeSnapshot(work);
  }

  found(): Promise<void> {
    return Promise.reject(ROLLED_BACK);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #record({ sql, placeholders }: Statement, values: Readonly<Record<string, Value>>): void {
    this.#recorded.push({
      sql,
      placeholders: placeholders.map((placeholder) => (placeholder instanceof BindParam ? placeholder.name : '')),
      values: fill(placeholders, values) as Recorded['values'],
    });
  }
}
