/**
 * Many clients that occupy connections: slow senders, slow readers, idle ones, and ones that send a body byte by byte. A
 * well-behaved client must get every response meanwhile. At the end, the server must have closed all other connections.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.ts';
import { randomImage } from './images.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import { DoesNotApply, type Run } from './report.ts';
import { KEY, placeIn, Server, stop } from './server.ts';

export interface ConnectionsOptions {
  readonly slow: number;
  readonly idle: number;
  /** One-byte chunks of one body. */
  readonly chunks: number;
}

export async function connections(run: Run, options: ConnectionsOptions): Promise<void> {
  if (process.platform !== 'linux') throw new DoesNotApply('descriptors and memory are read from /proc.');
  await slowClients(run, options.slow);
  await idleClients(run, options.idle, 'more than CONNECTIONS_MAX', {});
  await idleClients(run, Math.min(options.idle, heldMax()), 'all held', {
    CONNECTIONS_MAX: '0',
    KEEP_ALIVE_SECONDS_MAX: '600',
    STALLED_SECONDS_MAX: '600',
  });
  await smallChunks(run, options.chunks);
}

/** This process and the server have one descriptor for each connection and some of their own. */
function heldMax(): number {
  const [, hard] = /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))!;
  return Number(hard) - 200;
}

const IMAGE_SIDE = 1600;

/** One third of the clients sends headers slowly, one third a JSON body, and one third does not read a large image. */
async function slowClients(run: Run, count: number): Promise<void> {
  await withServer(run, 'slow', {}, async ({ address, server, asked }) => {
    const client = new Client(address);
    await client.expect('POST', '/api/products', { sku: 'ONE', name: 'One' });
    const { bytes } = randomImage(new Random(run.seed, 'picture'), IMAGE_SIDE);
    const image = { attachment: bytes.toString('base64'), filename: 'large.png' };
    const { url } = (await client.expect('POST', '/api/products/1/images', image)).json;
    client.close();
    const file = head(`GET ${new URL(url).pathname}`);
    const starts = {
      headers: 'GET /api/products HTTP/1.1\r\nHost: store\r\nX-Slow: ',
      body: `${head('POST /api/products', `X-Auth-Token: ${KEY}`, JSON_BODY, 'Content-Length: 1000')}{"sku":"`,
      // Larger than the socket buffers between server and client.
      reader: file.repeat(2),
    };
    const kinds = Object.keys(starts) as (keyof typeof starts)[];
    const before = memory(server);
    const crowd = Array.from({ length: count }, (_, index) => {
      const kind = kinds[index % kinds.length]!;
      return { kind, one: new Slow(address, starts[kind], kind === 'reader') };
    });
    const drip = setInterval(() => {
      for (const { kind, one } of crowd) if (kind !== 'reader') one.send('x');
    }, 1000);
    await asked.until(Promise.all(crowd.map(({ one }) => one.closed)));
    clearInterval(drip);
    const reported = kinds.map((kind) => {
      const these = crowd.filter((each) => each.kind === kind);
      const statuses = Map.groupBy(these, ({ one }) => /^HTTP\/1\.1 (\d+)/.exec(one.received)?.[1] ?? 'closed');
      return `${these.length} ${kind}: ${[...statuses].map(([status, all]) => `${all.length} × ${status}`).join(', ')}`;
    });
    run.say(
      `${count} slow clients, all disconnected: ${reported.join('; ')}. ${asked}. ${memorySummary(before, server)}`,
    );
  });
}

/** Each client sends one request and stays connected. The server closes connections above its limit. */
async function idleClients(
  run: Run,
  count: number,
  what: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  await withServer(run, `idle ${what}`, environment, async ({ address, server, asked }) => {
    const before = memory(server);
    const descriptorsBefore = descriptors(server);
    const crowd: Slow[] = [];
    let descriptorsMax = 0;
    const open = async (): Promise<void> => {
      while (crowd.length < count) {
        const next = Array.from(
          { length: Math.min(OPENED_AT_ONCE, count - crowd.length) },
          (_, index) => new Slow(address, head('GET /healthz'), false, `127.0.0.${2 + (index % SOURCES)}`),
        );
        crowd.push(...next);
        await Promise.all(next.map((each) => each.respondedOrClosed));
        descriptorsMax = Math.max(descriptorsMax, descriptors(server));
      }
    };
    await asked.until(open());
    const held = crowd.filter((each) => !each.isClosed).length;
    const responded = crowd.filter((each) => each.received !== '').length;
    const reported = memorySummary(before, server);
    if (environment.CONNECTIONS_MAX === '0') {
      if (responded !== count || held !== count)
        throw new Broken(`${responded} of ${count} clients got a response, ${held} are still connected.`);
      for (const each of crowd) each.leave();
    }
    await asked.until(Promise.all(crowd.map((each) => each.closed)));
    const late = new Client(address);
    await late.expect('GET', '/healthz');
    late.close();
    await untilFew(server, descriptorsBefore);
    run.say(
      `${count} idle, ${what}: ${responded} got a response, ${held} held at the end; at most ${descriptorsMax} descriptors, ` +
        `${descriptors(server)} afterwards (${descriptorsBefore} before). ${asked}. ${reported}`,
    );
  });
}

/** Sends bodies of a million one-byte chunks. Memory must be proportional to the bytes, not to the chunks. */
async function smallChunks(run: Run, count: number): Promise<void> {
  const environment = { JSON_BODY_BYTES_MAX: String(count), BODY_SECONDS_MAX: '100' };
  await withServer(run, 'chunks', environment, async ({ address, server, asked }) => {
    const before = memory(server);
    const send = async (name: string, length: number, path = '/api/products', type = JSON_BODY): Promise<string> => {
      const json = JSON.stringify({ sku: name, name });
      const chunks = [...json.padEnd(length)].map((byte) => `1\r\n${byte}\r\n`).join('');
      const coding = 'Transfer-Encoding: chunked';
      const start = head(`POST ${path}`, `X-Auth-Token: ${KEY}`, type, coding, 'Connection: close');
      const one = new Slow(address, `${start}${chunks}0\r\n\r\n`);
      await one.closed;
      return one.received.slice(9, 12);
    };
    const alone = await asked.until(Promise.all([send('FITS', count), send('LARGER', count + 1)]));
    const several = await asked.until(
      Promise.all(Array.from({ length: SEVERAL }, (_, index) => send(`AT-ONCE-${index}`, count))),
    );
    const lines = await asked.until(
      Promise.all(
        Array.from({ length: BULKS }, (_, index) => send(`LINE-${index}`, count, '/api/products/bulk', LINES_BODY)),
      ),
    );
    const grown = memory(server).most - before.now;
    run.say(
      `${count} chunks of one byte: ${alone[0]}, one more: ${alone[1]}, ${SEVERAL} such bodies at once: ` +
        `${[...new Set(several)]}, ${BULKS} such lines: ${[...new Set(lines)]}. ${asked}. ${memorySummary(before, server)}`,
    );
    const hasResponded = several.every((status) => status === '201') && lines.every((status) => status === '200');
    if (`${alone}` !== '201,413' || !hasResponded) throw new Broken('Unexpected statuses.');
    // Stored as separate chunks they would take about 400 times as much.
    if (grown * 1024 > (SEVERAL + 2) * count * BYTES_A_CHUNK_MAX) throw new Broken(`The server grew by ${grown} KiB.`);
  });
}

const OPENED_AT_ONCE = 250;
const SOURCES = 8;
const SEVERAL = 8;
/** The number of bulk requests that a server runs at once. */
const BULKS = 4;
const BYTES_A_CHUNK_MAX = 50;
const JSON_BODY = 'Content-Type: application/json';
const LINES_BODY = 'Content-Type: application/x-ndjson';

interface Scene {
  readonly address: string;
  readonly server: Server;
  readonly asked: Asker;
}

async function withServer(
  { folder }: Run,
  name: string,
  environment: Readonly<Record<string, string>>,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const server = new Server(placeIn(`${folder}/${name.replaceAll(' ', '-')}`), { environment });
  try {
    const address = await server.ready();
    const asked = new Asker(address);
    await play({ address, server, asked });
    await stop(server);
  } catch (error) {
    (error as Error).message += `\n${server.output}`;
    throw error;
  } finally {
    server.signal('SIGKILL');
  }
}

const ASKS_EVERY_MS = 20;

/** A well-behaved client that requests the server's health and records, one request at a time. */
class Asker {
  #count = 0;
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address);
  }

  /** Sends requests until the work is done. @throws {Broken} if a response is not a 200 */
  async until<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    while (!isDone) {
      for (const path of ['/healthz', '/api/products?itemsPerPage=1']) {
        const { status } = await this.#client.send('GET', path);
        if (status !== 200) throw new Broken(`${path} returned ${status} to the well-behaved client.`);
        this.#count += 1;
      }
      await sleep(ASKS_EVERY_MS);
    }
    return done;
  }

  toString(): string {
    return `Well-behaved client: ${this.#count} of ${this.#count} responses were 200`;
  }
}

/** A client that sends or reads slowly. */
class Slow {
  received = '';
  readonly closed: Promise<unknown>;
  readonly respondedOrClosed: Promise<unknown>;
  readonly #socket: Socket;

  constructor(address: string, start: string, isReader = false, localAddress?: string) {
    const { hostname, port } = new URL(address);
    this.#socket = connect({ host: hostname, port: Number(port), ...(localAddress && { localAddress }) });
    this.#socket.on('error', () => {});
    this.closed = once(this.#socket, 'close').catch(() => {});
    this.#socket.on('data', (bytes) => {
      if (this.received !== '') return;
      this.received = bytes.toString('latin1', 0, 100);
      if (!isReader) return;
      // A slow reader reads only the first chunk until the server gives up.
      this.#socket.pause();
      setTimeout(() => this.#socket.resume(), READER_SLEEPS_MS);
    });
    this.respondedOrClosed = Promise.race([once(this.#socket, 'data'), this.closed]).catch(() => {});
    this.#socket.write(start);
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  send(text: string): void {
    if (!this.#socket.destroyed) this.#socket.write(text);
  }

  leave(): void {
    this.#socket.destroy();
  }
}

/** A paused socket does not notice that it was closed, so it is resumed after the server's timeout of 10 seconds. */
const READER_SLEEPS_MS = 25_000;

function head(line: string, ...headers: readonly string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: store', ...headers].join('\r\n')}\r\n\r\n`;
}

interface Memory {
  /** KiB. */
  readonly now: number;
  readonly most: number;
}

function memory({ pid }: Server): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]);
  return { now: read('VmRSS'), most: read('VmHWM') };
}

function memorySummary(before: Memory, server: Server): string {
  const after = memory(server);
  const megabytes = (kibibytes: number): number => Math.round(kibibytes / 1024);
  return `Memory ${megabytes(before.now)} MB before, ${megabytes(after.most)} MB at most`;
}

function descriptors({ pid }: Server): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Waits until the kernel has released closed descriptors. Those of the well-behaved client and the store remain. */
async function untilFew(server: Server, before: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (descriptors(server) <= before + 2) return;
    await sleep(50);
  }
  throw new Broken(`${descriptors(server)} descriptors are open, ${before} were before.`);
}
