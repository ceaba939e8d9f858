/**
 * `clients/follower.py`, written from the contract alone, keeps copies of a store that is written to through two servers.
 * Servers and followers are killed meanwhile, and the store is restored from a backup. In the end of each round each copy
 * has to be the store, as its pages show it.
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
  /** Two servers at once on one PostgreSQL; without it two take turns on one file. */
  readonly isPostgres: boolean;
  /** That write; four where it is left out. */
  readonly clients?: number;
}

export interface FollowersResult {
  readonly acknowledged: number;
  readonly kills: number;
  /** Of followers. */
  readonly killedFollowers: number;
  readonly restores: number;
  /** Answers that a follower did not get. */
  readonly interruptions: number;
  /** Times that a follower was told that its cursor is gone. */
  readonly gone: number;
  /** Records that were compared. */
  readonly compared: number;
}

const CLIENTS = 4;

/** A round has one restore, and ends with a comparison. */
const ROUND_SECONDS_MAX = 40;

/** Starts of servers and of followers between their kills have to end. */
const DISTURBED_MS_MAX = 4000;
/** So few that each beginning takes several answers. */
const ENTRIES_MAX = 60;

/** @throws {DoesNotApply} where no Python has `requests` */
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
      const began = performance.now();
      const isOver = (part: number): boolean => performance.now() - began > roundMs * part;
      for (const each of following) each.start();
      const load = writers.run();
      await disturb(() => isOver(0.35));
      // A file may also be put back as it was copied, by whoever knows no better.
      const goBack = !isPostgres && round % 2 === 0 ? store.copyOfFile() : await store.backup(`backup-${round}`);
      await disturb(() => isOver(0.7));
      await writers.pause();
      await store.goBack(goBack);
      writers.resume();
      await disturb(() => isOver(1));
      writers.end();
      await load;
      compared += await compare();
      say(`${round} rounds: ${tell()}`);
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

  function tell(): string {
    const interruptions = following.map((each) => `${each.interruptions} interruptions, ${each.gone} cursors gone`);
    return (
      `${writers.acknowledged} writes acknowledged, ${writers.unanswered} unanswered, ${store.kills} kills; ` +
      `followers: ${interruptions.join('; ')}; ${compared} records compared, each equal`
    );
  }

  async function disturb(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      await sleep(random.whole(200, DISTURBED_MS_MAX));
      if (random.chance(0.25)) {
        const one = random.pick(following);
        await one.kill();
        one.start();
      } else await store.killOne(random);
    }
  }

  /** Nobody writes; each follower has read to the end. */
  async function compare(): Promise<number> {
    const read = await store.read();
    for (const each of following) {
      await each.kill();
      await each.catchUp();
      const copy = new Map(await each.copy());
      for (const [path, record] of read)
        assert.deepEqual(copy.get(path), record, `the copy by ${each.begin} at ${path}`);
      assert.deepEqual([...copy.keys()].sort(), [...read.keys()].sort(), `the paths of the copy by ${each.begin}`);
    }
    return read.size * following.length;
  }
}

interface WayBack {
  readonly location: StoreLocation;
  restore(): Promise<void>;
}

/** One store, its two servers, and the places that it was restored to. */
class ServedStore {
  readonly addresses: readonly string[];
  readonly #ports: readonly number[];
  readonly #folder: string;
  readonly #isPostgres: boolean;
  readonly #databases: FreshDatabase[] = [];
  readonly #servers: (Server | undefined)[] = [undefined, undefined];
  #location!: StoreLocation;
  #places = 0;
  kills = 0;

  private constructor(folder: string, isPostgres: boolean, ports: readonly number[]) {
    this.#folder = folder;
    this.#isPostgres = isPostgres;
    this.#ports = ports;
    this.addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  }

  static async make(folder: string, isPostgres: boolean): Promise<ServedStore> {
    const store = new ServedStore(folder, isPostgres, [await freePort(), await freePort()]);
    store.#location = await store.#emptyPlace();
    return store;
  }

  async start(): Promise<void> {
    await this.#serve(0);
    if (this.#isPostgres) await this.#serve(1);
  }

  /** The other server goes on; on a file the other one takes over. */
  async killOne(random: Random): Promise<void> {
    const index = this.#isPostgres ? random.whole(0, 1) : this.#servers.findIndex((server) => server !== undefined);
    await this.#kill(index);
    await this.#serve(this.#isPostgres ? index : 1 - index);
  }

  /** A backup of now. @returns a place that it was not restored to yet, and what restores it */
  async backup(name: string): Promise<WayBack> {
    await this.#command(this.#location, 'backup', join(this.#folder, name));
    const location = await this.#emptyPlace();
    return { location, restore: () => this.#command(location, 'restore', join(this.#folder, name)) };
  }

  /** The file as it is now, which is the same store. */
  copyOfFile(): WayBack {
    this.#places += 1;
    const file = join(this.#folder, `copy-${this.#places}.db`);
    const database = new DatabaseSync(this.#location.file!);
    database.exec(`vacuum into '${file}'`);
    database.close();
    return { location: { ...this.#location, file, databaseUrl: `sqlite:${file}` }, restore: async () => {} };
  }

  async goBack({ location, restore }: WayBack): Promise<void> {
    await this.#kill(0);
    await this.#kill(1);
    await restore();
    this.#location = location;
    await this.start();
  }

  /** Every record of the followed collections, by its path, as pages show it. */
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
        // A page of categories has one level.
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

  async #emptyPlace(): Promise<StoreLocation> {
    this.#places += 1;
    const folder = join(this.#folder, `place-${this.#places}`);
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

/** As `follower.py` has them. */
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
  #said = '';
  kills = 0;

  constructor(python: string, file: string, begin: string, addresses: readonly string[]) {
    this.begin = begin;
    this.#command = [python, PROGRAM, '--begin', begin, '--limit', String(ENTRIES_MAX), '--copy', file];
    this.#addresses = addresses;
  }

  get interruptions(): number {
    return this.#said.split('interrupted:').length - 1;
  }

  get gone(): number {
    return this.#said.split('cursor expired').length - 1;
  }

  start(): void {
    this.#child = this.#spawn(...this.#addresses);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    // It ends by itself only after an answer that no follower should get.
    assert.equal(child.exitCode, null, this.#saidLast());
    this.kills += 1;
    child.kill('SIGKILL');
    if (child.signalCode === null) await once(child, 'exit');
  }

  async catchUp(): Promise<void> {
    const [code] = await once(this.#spawn('--once', ...this.#addresses), 'exit');
    assert.equal(code, 0, this.#saidLast());
  }

  async copy(): Promise<[path: string, record: unknown][]> {
    const [python, ...args] = this.#command;
    const { stdout } = await execute(python, [...args, '--print'], { maxBuffer: 2 ** 30 });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  #saidLast(): string {
    return this.#said.slice(-SAID_MAX);
  }

  #spawn(...args: string[]): ChildProcess {
    const [python, ...before] = this.#command;
    const child = spawn(python, [...before, ...args], {
      env: { ...process.env, KEY },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    return child;
  }
}

const SAID_MAX = 2000;
