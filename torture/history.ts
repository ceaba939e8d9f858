/**
 * Several clients read, replace, patch and delete the same few products, with and without If-Match, through one or several
 * servers of one database, while servers are killed and connections cut. The responses are checked as a history.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { Client } from './client.ts';
import { checkHistory, type Operation } from './history-check.ts';
import { Broken } from './ledger.ts';
import { setNetwork, type Way } from './network.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server, type StoreLocation, stop } from './server.ts';

export interface HistoryOptions {
  readonly operations: number;
  /** If undefined, the store uses SQLite and one server. */
  readonly postgresUrl?: string | undefined;
  readonly servers: number;
  /** Worker processes of each server. With several, half of the kills hit one worker. */
  readonly workers?: number | undefined;
  readonly faults: boolean;
  /** Drops and resets packets between servers and PostgreSQL. Requires a separate network namespace. */
  readonly badNetwork?: boolean;
  /** Time limit. The operations done by then are checked. */
  readonly minutesMax?: number;
}

export interface HistoryResult {
  readonly operations: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly cuts: number;
}

const CLIENTS = 8;
const PRODUCTS = 6;
const WEIGHTS = { read: 40, put: 12, patch: 18, 'put if': 12, 'patch if': 17, delete: 1 };
/** Numbers of operations between kills of servers, and between cuts of connections to PostgreSQL. */
const KILL_EVERY = 2500;
const CUT_EVERY = 150;
/** Number of operations between changes of the network state, and the weights of the states. */
const CHANGE_EVERY = 50;
const NETWORK = { clear: 1, lossy: 4, resetting: 3, gone: 1 } satisfies Record<Way, number>;

export async function history({ seed, folder, say }: Run, options: HistoryOptions): Promise<HistoryResult> {
  const { postgresUrl } = options;
  const location = placeIn(folder, postgresUrl, options.workers);
  const servers: Server[] = [];
  const addresses: string[] = [];
  const ports = await Promise.all(Array.from({ length: options.servers }, freePort));
  const start = async (index: number): Promise<void> => {
    // All servers need the same public address, because it is part of responses and of their ETags.
    const environment = { PORT: String(ports[index]), BASE_URL: 'http://store.test' };
    servers[index] = new Server(location, { environment });
    addresses[index] = await servers[index].ready();
  };
  const administrator = postgresUrl === undefined ? undefined : new pg.Client({ connectionString: postgresUrl });
  await administrator?.connect();
  const recorder = new Recorder();
  const faults = new Faults(options, location, servers, start, administrator, new Random(seed, 'faults'));
  try {
    for (let index = 0; index < options.servers; index += 1) await start(index);
    const table = new Table(recorder, addresses, seed);
    const endAt = performance.now() + (options.minutesMax ?? Number.POSITIVE_INFINITY) * 60_000;
    const isDone = (): boolean => recorder.operations.length >= options.operations || performance.now() > endAt;
    for (let slot = 0; slot < PRODUCTS; slot += 1) await table.create(slot, new Client(addresses[0]!));
    recorder.each = (count) => {
      if (!isDone()) faults.inject(count);
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => table.run(client, isDone)));
    await faults.end();
    await table.readAll();
    for (const server of servers) await stop(server);
  } finally {
    for (const server of servers) server.signal('SIGKILL');
    await administrator?.end();
  }
  const { operations } = recorder;
  writeFileSync(join(folder, 'history.json'), JSON.stringify(operations));
  const outcomes = Object.fromEntries(
    [...Map.groupBy(operations, ({ kind, outcome }) => `${kind} ${outcome}`)].map(([name, those]) => [
      name,
      those.length,
    ]),
  );
  const { kills, cuts, networks } = faults;
  say(`${operations.length} operations, ${kills} kills, ${cuts} connection cuts: ${JSON.stringify(outcomes)}`);
  if (options.badNetwork) say(`Network states, ${CHANGE_EVERY} operations each: ${JSON.stringify(networks)}`);
  assertNoBreaches(operations);
  return { operations: operations.length, outcomes, kills, cuts };
}

function assertNoBreaches(operations: readonly Operation[]): void {
  const breaches = checkHistory(operations);
  if (breaches.length > 0)
    throw new Broken(
      `${breaches.length} breaches:\n${breaches
        .slice(0, 20)
        .map(({ rule, operation }) => `  ${rule}: ${JSON.stringify(operation)}`)
        .join('\n')}`,
    );
}

/** Kills servers, cuts connections to PostgreSQL and degrades the network after given numbers of operations. */
class Faults {
  kills = 0;
  cuts = 0;
  /** How often each network state was set. */
  readonly networks: Partial<Record<Way, number>> = {};
  readonly #options: HistoryOptions;
  readonly #workers: number;
  readonly #port: number;
  readonly #servers: readonly Server[];
  readonly #start: (index: number) => Promise<void>;
  readonly #administrator: pg.Client | undefined;
  readonly #random: Random;
  #restarting: Promise<void> = Promise.resolve();

  /** @param start starts the server with this index again */
  constructor(
    options: HistoryOptions,
    { databaseUrl, workers }: StoreLocation,
    servers: readonly Server[],
    start: (index: number) => Promise<void>,
    administrator: pg.Client | undefined,
    random: Random,
  ) {
    this.#options = options;
    this.#workers = workers;
    this.#port = Number(new URL(databaseUrl).port);
    this.#servers = servers;
    this.#start = start;
    this.#administrator = administrator;
    this.#random = random;
  }

  /** Called after each operation. @param count of operations so far */
  inject(count: number): void {
    const { badNetwork, faults } = this.#options;
    if (badNetwork && count % CHANGE_EVERY === 0) {
      const way = this.#random.weighted(NETWORK);
      this.networks[way] = (this.networks[way] ?? 0) + 1;
      setNetwork(this.#port, way);
    }
    if (!faults) return;
    if (count % KILL_EVERY === 0) this.#kill();
    if (this.#administrator && count % CUT_EVERY === 0) {
      this.cuts += 1;
      void this.#administrator.query(CUT);
    }
  }

  /** Waits for restarts and repairs the network. */
  async end(): Promise<void> {
    await this.#restarting;
    if (this.#options.badNetwork) setNetwork(this.#port, 'clear');
  }

  #kill(): void {
    this.kills += 1;
    const index = this.#random.whole(0, this.#servers.length - 1);
    const isOfWorker = this.#workers > 1 && this.#random.chance(0.5);
    this.#restarting = this.#restarting.then(async () => {
      const server = this.#servers[index]!;
      if (isOfWorker) return void process.kill(this.#random.pick(server.workers()), 'SIGKILL');
      await server.end('SIGKILL');
      await this.#start(index);
    });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Terminates up to two active connections. */
const CUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 2`;

class Recorder {
  readonly operations: Operation[] = [];
  each: (count: number) => void = () => {};
  #clock = 0;

  tick(): number {
    this.#clock += 1;
    return this.#clock;
  }

  add(operation: Operation): void {
    this.operations.push(operation);
    this.each(this.operations.length);
  }
}

/** The products for which the clients compete. A deleted one is replaced. */
class Table {
  readonly #recorder: Recorder;
  readonly #addresses: readonly string[];
  readonly #seed: number;
  readonly #ids: number[] = [];
  #made = 0;
  #nonces = 0;

  constructor(recorder: Recorder, addresses: readonly string[], seed: number) {
    this.#recorder = recorder;
    this.#addresses = addresses;
    this.#seed = seed;
  }

  async run(number: number, isDone: () => boolean): Promise<void> {
    const random = new Random(this.#seed, `client ${number}`);
    const clients = new Map<string, Client>();
    const versions = new Map<number, { etag: string; version: number }>();
    while (!isDone()) {
      const address = random.pick(this.#addresses);
      const client = clients.get(address) ?? new Client(address);
      clients.set(address, client);
      const slot = random.whole(0, PRODUCTS - 1);
      const outcome = await this.#perform(client, slot, random.weighted(WEIGHTS), versions);
      // A stopped server rejects connections faster than it restarts.
      if (outcome === 'unknown' || outcome === 'refused') await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const client of clients.values()) client.close();
  }

  async create(slot: number, client: Client): Promise<void> {
    this.#made += 1;
    const nonce = this.#nonce();
    const start = this.#recorder.tick();
    const body = { sku: `H-${this.#seed}-${this.#made}`, name: 'H', ...texts(nonce) };
    const response = await client.send('POST', '/api/products', body);
    // Without a response the id is unknown, so no client uses the product.
    if (response.status !== 201) return;
    const { json, headers } = response as Extract<typeof response, { json: unknown }>;
    this.#recorder.add({
      ...{ record: json.id, kind: 'create', start, end: this.#recorder.tick(), outcome: 'ok', nonce },
      version: versionOf(headers.etag),
    });
    this.#ids[slot] = json.id;
  }

  /** Reads every record at the end, when every write has an outcome. */
  async readAll(): Promise<void> {
    const client = new Client(this.#addresses[0]!);
    for (const record of new Set(this.#recorder.operations.map((operation) => operation.record)))
      await this.#send(client, record, 'read', 'GET', undefined, new Map(), false);
    client.close();
  }

  async #perform(
    client: Client,
    slot: number,
    what: keyof typeof WEIGHTS,
    versions: Map<number, { etag: string; version: number }>,
  ): Promise<Operation['outcome']> {
    const record = this.#ids[slot]!;
    const [method, condition] = what.split(' ');
    switch (method) {
      case 'read':
        return this.#send(client, record, 'read', 'GET', undefined, versions, false);
      case 'delete': {
        const outcome = await this.#send(client, record, 'delete', 'DELETE', undefined, versions, false);
        if (outcome === 'ok' || outcome === 'missing') await this.create(slot, client);
        return outcome;
      }
      default: {
        const nonce = this.#nonce();
        const put = method === 'put' ? { sku: `H-${this.#seed}-R${record}`, name: 'H' } : {};
        const body = { ...put, ...texts(nonce) };
        return this.#send(client, record, 'write', method!.toUpperCase(), body, versions, condition === 'if');
      }
    }
  }

  async #send(
    client: Client,
    record: number,
    kind: Operation['kind'],
    method: string,
    body: { meta_title: string } | undefined,
    versions: Map<number, { etag: string; version: number }>,
    isConditional: boolean,
  ): Promise<Operation['outcome']> {
    const known = isConditional ? versions.get(record) : undefined;
    const start = this.#recorder.tick();
    const headers = {
      ...(method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }),
      ...(known && { 'if-match': known.etag }),
    };
    const response = await client.send(method, `/api/products/${record}`, body, headers);
    const end = this.#recorder.tick();
    const outcome = 'why' in response ? (response.sent ? 'unknown' : 'refused') : outcomeOf(response.status);
    // The request never reached a server, so it is not part of the history.
    if (outcome === 'refused') return outcome;
    const observed = { record, kind, start, end, outcome, ...(known && { ifMatch: known.version }) };
    if ('why' in response || outcome !== 'ok' || kind === 'delete') {
      const etag = 'why' in response || outcome !== 'stale' ? undefined : response.headers.etag;
      this.#recorder.add({
        ...observed,
        ...(body && { nonce: body.meta_title }),
        ...(etag !== undefined && { version: versionOf(etag) }),
      });
      return outcome;
    }
    const { etag } = response.headers;
    const { meta_title, description, brief_description } = response.json;
    if (description !== meta_title || brief_description !== meta_title)
      throw new Broken(`A read saw half of a write: ${response.text}`);
    if (body && body.meta_title !== meta_title)
      throw new Broken(`The response of a write contains another write: ${response.text}`);
    versions.set(record, { etag: etag!, version: versionOf(etag) });
    this.#recorder.add({ ...observed, nonce: meta_title, version: versionOf(etag) });
    return outcome;
  }

  #nonce(): string {
    this.#nonces += 1;
    return `n${this.#nonces}`;
  }
}

/** Every write sets all three texts, so that a partial write is visible. */
function texts(nonce: string) {
  return { meta_title: nonce, description: nonce, brief_description: nonce };
}

function outcomeOf(status: number): Operation['outcome'] {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 412) return 'stale';
  if (status === 404) return 'missing';
  if (status === 503) return 'unknown';
  throw new Broken(`Unexpected status ${status}.`);
}

/** `"7-digest"` */
function versionOf(etag: string | undefined): number {
  const [, version] = /^"(\d+)-/.exec(etag ?? '') ?? [];
  if (version === undefined) throw new Broken(`The ETag ${etag} contains no version.`);
  return Number(version);
}
