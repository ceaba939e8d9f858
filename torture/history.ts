/**
 * Several clients read, replace, patch and delete the same few products, with and without If-Match, through one server
 * or several on one database, while servers are killed and connections are cut. Their answers are judged as a history.
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
import { placeIn, Server, stop } from './server.ts';

export interface HistoryOptions {
  readonly operations: number;
  /** Without it the rows are in a file, and there is one server. */
  readonly postgresUrl?: string | undefined;
  readonly servers: number;
  /** Of each server; with several, half of the kills are of one of them. */
  readonly workers?: number | undefined;
  readonly faults: boolean;
  /** Packets between servers and PostgreSQL are lost and reset; only in a network of its own. */
  readonly badNetwork?: boolean;
  /** Ends the run early; the operations done by then are judged. */
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
/** A server is killed, and connections to PostgreSQL are cut, after so many operations each. */
const KILL_EVERY = 2500;
const CUT_EVERY = 150;
/** The network changes to another way after so many operations; the weights say how often to each. */
const CHANGE_EVERY = 50;
const NETWORK = { clear: 1, lossy: 4, resetting: 3, gone: 1 } satisfies Record<Way, number>;

export async function history({ seed, folder, say }: Run, options: HistoryOptions): Promise<HistoryResult> {
  const { postgresUrl } = options;
  const location = placeIn(folder, postgresUrl, options.workers);
  const servers: Server[] = [];
  const addresses: string[] = [];
  const ports = await Promise.all(Array.from({ length: options.servers }, freePort));
  const start = async (index: number): Promise<void> => {
    // One store has one public address: it is in what is shown, and so in the tags.
    const environment = { PORT: String(ports[index]), BASE_URL: 'http://store.test' };
    servers[index] = new Server(location, { environment });
    addresses[index] = await servers[index].ready();
  };
  const administrator = postgresUrl === undefined ? undefined : new pg.Client({ connectionString: postgresUrl });
  await administrator?.connect();
  const recorder = new Recorder();
  const port = Number(new URL(location.databaseUrl).port);
  const ways: Partial<Record<Way, number>> = {};
  let [kills, cuts, restarting] = [0, 0, Promise.resolve()];
  try {
    for (let index = 0; index < options.servers; index += 1) await start(index);
    const table = new Table(recorder, addresses, seed);
    const endAt = performance.now() + (options.minutesMax ?? Number.POSITIVE_INFINITY) * 60_000;
    const isDone = (): boolean => recorder.operations.length >= options.operations || performance.now() > endAt;
    for (let slot = 0; slot < PRODUCTS; slot += 1) await table.create(slot, new Client(addresses[0]!));
    const random = new Random(seed, 'faults');
    recorder.each = (count) => {
      if (isDone()) return;
      if (options.badNetwork && count % CHANGE_EVERY === 0) {
        const way = random.weighted(NETWORK);
        ways[way] = (ways[way] ?? 0) + 1;
        setNetwork(port, way);
      }
      if (!options.faults) return;
      if (count % KILL_EVERY === 0) {
        kills += 1;
        const index = random.whole(0, servers.length - 1);
        const isOfWorker = location.workers > 1 && random.chance(0.5);
        restarting = restarting.then(async () => {
          if (isOfWorker) return void process.kill(random.pick(servers[index]!.workers()), 'SIGKILL');
          await servers[index]!.end('SIGKILL');
          await start(index);
        });
      }
      if (administrator && count % CUT_EVERY === 0) {
        cuts += 1;
        void administrator.query(CUT);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => table.run(client, isDone)));
    await restarting;
    if (options.badNetwork) setNetwork(port, 'clear');
    await table.readAll();
    for (const server of servers) await stop(server);
  } finally {
    for (const server of servers) server.signal('SIGKILL');
    await administrator?.end();
  }
  const { operations } = recorder;
  writeFileSync(join(folder, 'history.json'), JSON.stringify(operations));
  const breaches = checkHistory(operations);
  const outcomes = Object.fromEntries(
    [...Map.groupBy(operations, ({ kind, outcome }) => `${kind} ${outcome}`)].map(([name, those]) => [
      name,
      those.length,
    ]),
  );
  say(`${operations.length} operations, ${kills} kills, ${cuts} cuts: ${JSON.stringify(outcomes)}`);
  if (options.badNetwork) say(`The network was, for ${CHANGE_EVERY} operations each: ${JSON.stringify(ways)}`);
  if (breaches.length > 0)
    throw new Broken(
      `${breaches.length} breaches:\n${breaches
        .slice(0, 20)
        .map(({ rule, operation }) => `  ${rule}: ${JSON.stringify(operation)}`)
        .join('\n')}`,
    );
  return { operations: operations.length, outcomes, kills, cuts };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** One connection of each server, whatever it is about to do. */
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

/** The products that are fought for; one that is deleted makes room for another. */
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
      // A server that is down refuses faster than it comes back.
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
    // One without an answer is nobody's: its id is not known.
    if (response.status !== 201) return;
    const { json, headers } = response as Extract<typeof response, { json: unknown }>;
    this.#recorder.add({
      ...{ record: json.id, kind: 'create', start, end: this.#recorder.tick(), outcome: 'ok', nonce },
      version: versionOf(headers.etag),
    });
    this.#ids[slot] = json.id;
  }

  /** Reads every record at the end, when every outcome is known. */
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
    // It never reached a server, so it is no part of the history.
    if (outcome === 'refused') return outcome;
    const told = { record, kind, start, end, outcome, ...(known && { ifMatch: known.version }) };
    if ('why' in response || outcome !== 'ok' || kind === 'delete') {
      const etag = 'why' in response || outcome !== 'stale' ? undefined : response.headers.etag;
      this.#recorder.add({
        ...told,
        ...(body && { nonce: body.meta_title }),
        ...(etag !== undefined && { version: versionOf(etag) }),
      });
      return outcome;
    }
    const { etag } = response.headers;
    const { meta_title, description, brief_description } = response.json;
    if (description !== meta_title || brief_description !== meta_title)
      throw new Broken(`Half of a write was seen: ${response.text}`);
    if (body && body.meta_title !== meta_title) throw new Broken(`A write was answered with another: ${response.text}`);
    versions.set(record, { etag: etag!, version: versionOf(etag) });
    this.#recorder.add({ ...told, nonce: meta_title, version: versionOf(etag) });
    return outcome;
  }

  #nonce(): string {
    this.#nonces += 1;
    return `n${this.#nonces}`;
  }
}

/** One write writes all three, so that half of it shows. */
function texts(nonce: string) {
  return { meta_title: nonce, description: nonce, brief_description: nonce };
}

function outcomeOf(status: number): Operation['outcome'] {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 412) return 'stale';
  if (status === 404) return 'missing';
  if (status === 503) return 'unknown';
  throw new Broken(`A ${status} was not to be expected.`);
}

/** `"7-digest"` */
function versionOf(etag: string | undefined): number {
  const [, version] = /^"(\d+)-/.exec(etag ?? '') ?? [];
  if (version === undefined) throw new Broken(`${etag} names no version.`);
  return Number(version);
}
