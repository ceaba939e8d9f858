/** Stores opened in the test's own process, so that a test can interrupt a write between its steps. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProblem } from '../../src/engine/errors.ts';
import type { ModelRoute } from '../../src/engine/model/model.ts';
import { remove } from '../../src/engine/operations/remove.ts';
import { writeRecord } from '../../src/engine/operations/write-record.ts';
import type { Database, Statement, Value } from '../../src/engine/ports.ts';
import type { Service, Written } from '../../src/engine/unit/service.ts';
import { inUnit } from '../../src/engine/unit/unit.ts';
import { createKey, type NewKey } from '../../src/store/keys.ts';
import { ownRequestOptions, routeOf, targetAt } from '../../src/store/own-requests.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { fillSettings } from '../../src/wiring/first-start.ts';
import { openStore } from '../../src/wiring/open.ts';
import { type DatabaseName, freshDatabase } from './databases.ts';

export const REQUEST_OPTIONS = ownRequestOptions('en');

/** Who changes keys and accounts. */
export const ACTOR = REQUEST_OPTIONS.actor;

export interface OpenedStore {
  readonly service: Service;
  /** The database URL. */
  readonly url: string;
  remove(): Promise<void>;
}

/** @param content `empty` runs all migrations here instead of copying the migrated database of the run */
export async function openedStore(
  name: DatabaseName,
  content: 'empty' | 'migrated' = 'migrated',
): Promise<OpenedStore> {
  const { url, remove } = await freshDatabase(name, content);
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-images-'));
  const config = readConfig({
    ...{ DATABASE_URL: url, IMAGES_URL: `file:${folder}`, LANGUAGES: 'de' },
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  });
  const { service, close } = await openStore(config);
  await fillSettings(service, config);
  return {
    service,
    url,
    async remove() {
      await close();
      await remove();
      await rm(folder, { recursive: true });
    },
  };
}

/** Creates a record. @throws {Error} if the write is rejected */
export async function made(
  service: Service,
  resource: string,
  body: Readonly<Record<string, unknown>>,
  parents: Value[] = [],
  path?: string,
): Promise<Written> {
  const outcome = await writeRecord(
    service,
    REQUEST_OPTIONS,
    targetAt(routeAt(service, resource, path), { parents }),
    'create',
    body,
  );
  if (isProblem(outcome)) throw new Error(`${resource}: ${outcome.detail} ${JSON.stringify(outcome.violations)}`);
  return outcome;
}

/** Changes a record. @throws {Error} if the write is rejected */
export async function changed(
  service: Service,
  resource: string,
  id: Value,
  body: Readonly<Record<string, unknown>>,
  requestOptions = REQUEST_OPTIONS,
): Promise<void> {
  const outcome = await writeRecord(
    service,
    requestOptions,
    targetAt(routeOf(service, resource), { id }),
    'patch',
    body,
  );
  if (isProblem(outcome)) throw new Error(`${resource} ${id}: ${outcome.detail}`);
}

/** Deletes a record. @throws {Error} if the removal is rejected */
export async function removed(service: Service, resource: string, id: Value, path?: string): Promise<void> {
  const target = targetAt(routeAt(service, resource, path), { id });
  const outcome = await inUnit(service, REQUEST_OPTIONS, (unit) => remove(unit, target));
  if (isProblem(outcome)) throw new Error(`${resource} ${id}: ${outcome.detail}`);
}

/** @param path the collection path of the route; by default the first route */
function routeAt(service: Service, resource: string, path: string | undefined): ModelRoute {
  const { routes } = service.model.resources.get(resource)!;
  return routes.find(({ collectionPath }) => path === undefined || collectionPath === path)!;
}

/** Creates an API key. */
export async function newKey(service: Service, key: NewKey): Promise<string> {
  const created = await createKey(service, key, ACTOR);
  if ('taken' in created) throw new Error(`Another key has this ${created.taken}.`);
  return created.key;
}

/** Returns an object with some of its methods replaced. */
export function withOverrides<T extends object>(whole: T, others: Partial<T>): T {
  return new Proxy(whole, {
    get(target, name) {
      const own = others[name as keyof T] ?? target[name as keyof T];
      return typeof own === 'function' && !(name in others) ? own.bind(target) : own;
    },
  });
}

/** A service whose transactions wait for `gate` after their work and before their commit. */
export function blockCommits(service: Service, gate: Promise<void>, isReached: () => void): Service {
  const { database } = service;
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (inner) => {
      const result = await work(inner);
      isReached();
      await gate;
      return result;
    });
  return { ...service, database: withOverrides(database, { transaction }) };
}

/** Blocks a statement until `release` is called. */
export interface ReadBlocker {
  readonly service: Service;
  /** Blocks the next statement that contains this text, before or after it has run. */
  blockNext(text: string, when?: 'before' | 'after'): void;
  /** Waits until the statement is blocked. @throws {Error} if no statement contains the text within a minute */
  reached(): Promise<void>;
  release(): void;
}

export function blockReads(service: Service): ReadBlocker {
  const { database } = service;
  let [text, when]: [string | undefined, 'before' | 'after'] = [undefined, 'after'];
  let [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const blocked =
    (read: Database['query']): Database['query'] =>
    async (statement, values) => {
      if (text === undefined || !statement.sql.includes(text)) return read.call(database, statement, values);
      text = undefined;
      const rows = when === 'after' ? await read.call(database, statement, values) : undefined;
      reached.resolve();
      await released.promise;
      return rows ?? read.call(database, statement, values);
    };
  const others = { query: blocked(database.query), search: blocked(database.search), scan: blocked(database.scan) };
  return {
    service: { ...service, database: withOverrides(database, others) },
    blockNext(part, time = 'after') {
      [text, when] = [part, time];
      [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    },
    reached: () => Promise.race([reached.promise, timeout(text)]),
    release: () => released.resolve(),
  };
}

async function timeout(text: string | undefined): Promise<never> {
  await sleep(60_000, undefined, { ref: false });
  throw new Error(`No statement contains: ${text}`);
}

/** A service that reports every statement of its transactions. */
export function recordingStatements(service: Service, onStatement: (statement: Statement) => void): Service {
  const { database } = service;
  const transaction: Database['transaction'] = (work) =>
    database.transaction((inner) =>
      work({
        run: (statement, values) => {
          onStatement(statement);
          return inner.run(statement, values);
        },
        lock: (name) => inner.lock(name),
      }),
    );
  return { ...service, database: withOverrides(database, { transaction }) };
}
