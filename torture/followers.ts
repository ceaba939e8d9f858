/**
 * `clients/follower.py`, which was written from the contract alone, maintains copies of a store while clients write through
 * two servers. The run kills servers and followers and restores the store from a backup. At the end of each round, each copy
 * must equal the store as its lists show it.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bareEnvironment } from '../test/support/compiled.ts';
import { type FreshDatabase, freshDatabase } from '../test/support/databases.ts';
import { freePort } from '../test/support/postgres-server.ts';
import { Client } from './client.ts';
import { FollowedWriters } from './followed-writers.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import { DoesNotApply, type Run } from './report.ts';
import { KEY, placeIn, Server, type StoreLocation } from './server.ts';

const execute = promisify(execFile);

const PROGRAM = fileURLToPath(new URL('../clients/follower.py', import.meta.url));
const PURVEYOR = fileURLToPath(new URL('../bin/purveyor.js', import.meta.url));

export interface FollowersOptions {
  readonly seconds: number;
  /** Two concurrent servers on PostgreSQL; otherwise two that alternate on one SQLite file. */
  readonly isPostgres: boolean;
  /** Number of writing clients; 4 by default. */
  readonly clients?: number;
}

export interface FollowersResult {
  readonly acknowledged: number;
  readonly kills: number;
  /** Kills of followers. */
  readonly killedFollowers: number;
  readonly restores: number;
  /** Responses that a follower did not get. */
  readonly interruptions: number;
  /** Times that a follower's cursor was rejected as expired. */
  readonly gone: number;
  /** Records that were compared. */
  readonly compared: number;
}

const CLIENTS = 4;

/** Each round has one restore and ends with a comparison. */
const ROUND_SECONDS_MAX = 40;

/** Maximum pause between kills, in which servers and followers can finish their start. */
const DISTURBED_MS_MAX = 4000;
/** Few enough that the initial copy takes several responses. */
const ENTRIES_MAX = 60;

/** Finds a Python with `requests`. @throws {DoesNotApply} if there is none */
export function pythonWithRequests(): string {
  const found = ['/usr/bin/python3', 'python3'].find(
    (python) => spawnSync(python, ['-c', 'import requests']).status === 0,
  );
  if (found === undefined) throw new DoesNotApply('python3-requests is missing: apt-get install python3-requests');
  return found;
}

export async function followers(
  { seed, folder, say }: Run,
  { seconds, isPostgres, clients = CLIENTS }: FollowersOptions,
): Promise<FollowersResult> {
  const python = pythonWithRequests();
  const random = new Random(seed, 'followers');
  const store = await ServedStore.make(folder, isPostgres);
  const following = (['feed', 'export'] as const).map(
    (begin) => new FollowerProcess(python, join(folder, `${begin}.db`), begin, store.addresses),
  );
  const writers = new FollowedWriters(store.addresses, seed, clients);
  const rounds = Math.ceil(seconds / ROUND_SECONDS_MAX);
  const roundMs = (seconds / rounds) * 1000;
  let compared = 0;
  try {
    await store.start();
    for (let round = 1; round <= rounds; round += 1) {
      const startedAt = performance.now();
      const isOver = (part: number): boolean => performance.now() - startedAt > roundMs * part;
      for (const each of following) each.start();
      const load = writers.run();
      await disturb(store, following, random, () => isOver(0.35));
      // In every second round on SQLite, the file is replaced with a copy instead of restored.
      const restorePoint = !isPostgres && round % 2 === 0 ? store.copyOfFile() : await store.backup(`backup-${round}`);
      await disturb(store, following, random, () => isOver(0.7));
      await writers.pause();
      await store.restore(restorePoint);
      writers.resume();
      await disturb(store, following, random, () => isOver(1));
      writers.end();
      await load;
      compared += await compareCopies(store, following);
      say(`${round} rounds: ${summary()}`);
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw new Broken(error.message);
    throw error;
  } finally {
    writers.end();
    for (const each of following) await each.kill();
    await store.remove();
  }
  const sum = (of: (each: FollowerProcess) => number): number => following.reduce((all, each) => all + of(each), 0);
  return {
    acknowledged: writers.acknowledged,
    kills: store.kills,
    killedFollowers: sum(({ kills }) => kills),
    restores: rounds,
    interruptions: sum(({ interruptions }) => interruptions),
    gone: sum(({ gone }) => gone),
    compared,
  };

  function summary(): string {
    const interruptions = following.map((each) => `${each.interruptions} interruptions, ${each.gone} expired cursors`);
    return (
      `${writers.acknowledged} writes acknowledged, ${writers.withoutResponse} without a response, ${store.kills} kills; ` +
      `followers: ${interruptions.join('; ')}; ${compared} records compared, all equal`
    );
  }
}

/** Kills servers and followers at random until `isDone`. */
async function disturb(
  store: ServedStore,
  following: readonly FollowerProcess[],
  random: Random,
  isDone: () => boolean,
): Promise<void> {
  while (!isDone()) {
    await sleep(random.whole(200, DISTURBED_MS_MAX));
    if (random.chance(0.25)) {
      const follower = random.pick(following);
      await follower.kill();
      follower.start();
    } else await store.killOne(random);
  }
}

/** Lets each follower read to the end and compares its copy. Writers must be stopped. @returns the number of comparisons */
async function compareCopies(store: ServedStore, following: readonly FollowerProcess[]): Promise<number> {
  const read = await store.read();
  for (const each of following) {
    await each.kill();
    await each.catchUp();
    const copy = new Map(await each.copy());
    for (const [path, record] of read) assert.deepEqual(copy.get(path), record, `the copy by ${each.begin} at ${path}`);
    assert.deepEqual([...copy.keys()].sort(), [...read.keys()].sort(), `the paths of the copy by ${each.begin}`);
  }
  return read.size * following.length;
}

interface RestorePoint {
  readonly location: StoreLocation;
  restore(): Promise<void>;
}

/** One store, its two servers, and the locations to which it was restored. */
class ServedStore {
  readonly addresses: readonly string[];
  readonly #ports: readonly number[];
  readonly #folder: string;
  readonly #isPostgres: boolean;
  readonly #databases: FreshDatabase[] = [];
  readonly #servers: (Server | undefined)[] = [undefined, undefined];
  #location!: StoreLocation;
  #locations = 0;
  kills = 0;

  private constructor(folder: string, isPostgres: boolean, ports: readonly number[]) {
    this.#folder = folder;
    this.#isPostgres = isPostgres;
    this.#ports = ports;
    this.addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  }

  static async make(folder: string, isPostgres: boolean): Promise<ServedStore> {
    const store = new ServedStore(folder, isPostgres, [await freePort(), await freePort()]);
    store.#location = await store.#emptyLocation();
    return store;
  }

  async start(): Promise<void> {
    await this.#serve(0);
    if (this.#isPostgres) await this.#serve(1);
  }

  /** On PostgreSQL the other server continues; on SQLite the other one starts. */
  async killOne(random: Random): Promise<void> {
    const index = this.#isPostgres ? random.whole(0, 1) : this.#servers.findIndex((server) => server !== undefined);
    await this.#kill(index);
    await this.#serve(this.#isPostgres ? index : 1 - index);
  }

  /** Makes a backup. @returns a new location, and a function that restores the backup to it */
  async backup(name: string): Promise<RestorePoint> {
    await this.#command(this.#location, 'backup', join(this.#folder, name));
    const location = await this.#emptyLocation();
    return { location, restore: () => this.#command(location, 'restore', join(this.#folder, name)) };
  }

  /** Copies the file, which remains the same store. */
  copyOfFile(): RestorePoint {
    this.#locations += 1;
    const file = join(this.#folder, `copy-${this.#locations}.db`);
    const database = new DatabaseSync(this.#location.file!);
    database.exec(`vacuum into '${file}'`);
    database.close();
    return { location: { ...this.#location, file, databaseUrl: `sqlite:${file}` }, restore: async () => {} };
  }

  async restore({ location, restore }: RestorePoint): Promise<void> {
    await this.#kill(0);
    await this.#kill(1);
    await restore();
    this.#location = location;
    await this.start();
  }

  /** Reads every record of the followed collections, by path. */
  async read(): Promise<Map<string, unknown>> {
    const index = this.#servers.findIndex((server) => server !== undefined);
    const client = new Client(this.addresses[index]!);
    const records = new Map<string, unknown>();
    const lists = COLLECTIONS.map((collection) => `${collection}?`);
    for (const list of lists)
      for (let page = 1; ; page += 1) {
        const { json } = await client.expect('GET', `/api/${list}page=${page}&itemsPerPage=${PAGE}`);
        const [collection] = list.split('?');
        for (const record of json) records.set(`/api/${collection}/${record.id ?? record.code}`, record);
        // A list of categories contains one level of the tree.
        if (collection === 'categories')
          lists.push(...json.map(({ id }: { id: number }) => `categories?parent=${id}&`));
        if (json.length < PAGE) break;
      }
    client.close();
    return records;
  }

  async remove(): Promise<void> {
    for (const server of this.#servers) await server?.end('SIGKILL');
    for (const database of this.#databases) await database.remove();
  }

  async #emptyLocation(): Promise<StoreLocation> {
    this.#locations += 1;
    const folder = join(this.#folder, `place-${this.#locations}`);
    mkdirSync(folder);
    if (!this.#isPostgres) return placeIn(folder);
    const database = await freshDatabase('postgres');
    this.#databases.push(database);
    return placeIn(folder, database.url);
  }

  async #serve(index: number): Promise<void> {
    const environment = { PORT: String(this.#ports[index]), BASE_URL: 'http://store.test', LANGUAGES: 'de' };
    const server = new Server(this.#location, { environment });
    this.#servers[index] = server;
    await server.ready();
  }

  async #kill(index: number): Promise<void> {
    const server = this.#servers[index];
    if (server === undefined) return;
    this.#servers[index] = undefined;
    this.kills += 1;
    await server.end('SIGKILL');
  }

  async #command({ databaseUrl, imagesFolder }: StoreLocation, ...args: string[]): Promise<void> {
    const env = { ...bareEnvironment(), DATABASE_URL: databaseUrl, IMAGES_URL: `file:${imagesFolder}` };
    await execute(process.execPath, [PURVEYOR, ...args], { env });
  }
}

/** The collections that `follower.py` copies. */
const COLLECTIONS = [
  'languages',
  'payment_statuses',
  'shipping_statuses',
  'tags',
  'memberships',
  'stickers',
  'tax_classes',
  'product_classes',
  'categories',
  'products',
  'orders',
];
const PAGE = 100;

class FollowerProcess {
  readonly begin: string;
  readonly #command: readonly [python: string, ...args: string[]];
  readonly #addresses: readonly string[];
  #child: ChildProcess | undefined;
  #output = '';
  kills = 0;

  constructor(python: string, file: string, begin: string, addresses: readonly string[]) {
    this.begin = begin;
    this.#command = [python, PROGRAM, '--begin', begin, '--limit', String(ENTRIES_MAX), '--copy', file];
    this.#addresses = addresses;
  }

  get interruptions(): number {
    return this.#output.split('interrupted:').length - 1;
  }

  get gone(): number {
    return this.#output.split('cursor expired').length - 1;
  }

  start(): void {
    this.#child = this.#spawn(...this.#addresses);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    // A follower exits by itself only after an unexpected response.
    assert.equal(child.exitCode, null, this.#lastOutput());
    this.kills += 1;
    child.kill('SIGKILL');
    if (child.signalCode === null) await once(child, 'exit');
  }

  async catchUp(): Promise<void> {
    const [code] = await once(this.#spawn('--once', ...this.#addresses), 'exit');
    assert.equal(code, 0, this.#lastOutput());
  }

  async copy(): Promise<[path: string, record: unknown][]> {
    const [python, ...args] = this.#command;
    const { stdout } = await execute(python, [...args, '--print'], { maxBuffer: 2 ** 30 });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  #lastOutput(): string {
    return this.#output.slice(-OUTPUT_MAX);
  }

  #spawn(...args: string[]): ChildProcess {
    const [python, ...before] = this.#command;
    const child = spawn(python, [...before, ...args], {
      env: { ...process.env, KEY },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
    return child;
  }
}

const OUTPUT_MAX = 2000;
