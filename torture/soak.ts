/**
 * Hours at a part of the full load with one wrong request in a hundred: the run samples the server's memory, handles, disk and times of
 * responds, fits a line and draws a plot. The run deletes what it makes, so all growth is a leak.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.ts';
import { randomImage } from './images.ts';
import { Broken } from './ledger.ts';
import { plot } from './plot.ts';
import { Random } from './random.ts';
import { DoesNotApply, type Run } from './report.ts';
import { KEY, placeIn, Server, type StoreLocation, stop } from './server.ts';

const CLIENTS = 8;
const PRODUCTS = 500;
/** How long full load is measured first. */
const MEASURED_SECONDS = 10;
const WRONG = 0.01;
const SAMPLE_SECONDS = 5;
/** The fitted line starts after this share of the time, when caches are filled and code is compiled. */
const WARM_UP = 0.3;
/** A larger increase of handles, descriptors or files is a leak. */
const HANDLES_GROWN_MAX = 20;

const LEAVES_AFTER_MS = 20;
const BODY_TO_COME = 'Content-Type: application/json\r\nContent-Length: 1000';

interface Sample {
  readonly seconds: number;
  /** MB. */
  readonly memory: number;
  /** MB of JavaScript objects, including garbage. */
  readonly heap: number;
  readonly descriptors: number;
  readonly handles: number;
  readonly files: number;
  /** MB, with the write-ahead log. */
  readonly disk: number;
  /** Response times in milliseconds since the previous sample. */
  readonly median: number;
  readonly p99: number;
}

interface SoakOptions {
  readonly minutes: number;
  /** Share of the maximum rate, up to 1. */
  readonly load: number;
  /** SVG file for the plot; none if undefined. */
  readonly plotFile?: string | undefined;
}

export async function soak(run: Run, { minutes, load: share, plotFile }: SoakOptions): Promise<void> {
  if (process.platform !== 'linux') throw new DoesNotApply('memory and descriptors are read from /proc.');
  const location = placeIn(run.folder);
  const reports = join(run.folder, 'reports');
  await mkdir(reports);
  const nodeArguments = [
    '--report-on-signal',
    '--report-compact',
    '--report-exclude-network',
    `--report-dir=${reports}`,
  ];
  const server = new Server(location, { nodeArguments });
  try {
    const address = await server.ready();
    const load = new SoakLoad(address, run.seed);
    await load.fill();
    const full = await load.measure(MEASURED_SECONDS);
    const rate = full * share;
    run.say(`Full load is ${Math.round(full)} requests per second; running ${minutes} minutes at ${Math.round(rate)}`);
    const samples: Sample[] = [];
    const working = load.run(rate, minutes * 60);
    const start = performance.now();
    load.takeTimes();
    while (!load.isOver) {
      await sleep(SAMPLE_SECONDS * 1000);
      const figures = await take(server, location, reports, (performance.now() - start) / 1000);
      samples.push({ ...figures, ...load.takeTimes() });
    }
    await working;
    run.say(`${load.summary()}; ${samples.length} samples`);
    if (plotFile !== undefined) {
      const title = `${minutes} minutes at ${Math.round(rate)} requests per second, one in ${1 / WRONG} invalid (seed ${run.seed})`;
      writeFileSync(plotFile, drawn(title, samples));
      run.say(`The plot is in ${plotFile}.`);
    }
    judge(run, samples.slice(Math.floor(samples.length * WARM_UP)));
    load.close();
    await stop(server);
  } finally {
    server.signal('SIGKILL');
  }
}

function judge({ say }: Run, samples: readonly Sample[]): void {
  const grown: string[] = [];
  for (const what of ['memory', 'heap', 'disk', 'median', 'p99', 'descriptors', 'handles', 'files'] as const) {
    const values = samples.map((sample) => sample[what]);
    const { slope, error } = fit(
      samples.map(({ seconds }) => seconds / 3600),
      values,
    );
    const digits = what === 'median' ? 1 : 0;
    const [first, last, least, most] = [values[0]!, values.at(-1)!, Math.min(...values), Math.max(...values)].map(
      (value) => value.toFixed(digits),
    );
    const ends = `${first} → ${last}, ${least} to ${most}`;
    say(`  ${what.padEnd(11)} ${ends}; slope ${slope.toFixed(1)} ± ${error.toFixed(1)} per hour`);
    const isCounted = what === 'descriptors' || what === 'handles' || what === 'files';
    if (isCounted && values.at(-1)! - values[0]! > HANDLES_GROWN_MAX) grown.push(what);
  }
  if (grown.length > 0) throw new Broken(`${grown.join(' and ')} grew.`);
}

/** Fits a line by least squares. @returns the slope and its standard error */
function fit(xs: readonly number[], ys: readonly number[]): { slope: number; error: number } {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const spread = xs.reduce((sum, each) => sum + (each - x) ** 2, 0);
  const slope = xs.reduce((sum, each, index) => sum + (each - x) * (ys[index]! - y), 0) / spread;
  const rest = xs.reduce((sum, each, index) => sum + (ys[index]! - y - slope * (each - x)) ** 2, 0);
  return { slope, error: Math.sqrt(rest / (xs.length - 2) / spread) };
}

function drawn(title: string, samples: readonly Sample[]): string {
  const line = (name: string, what: keyof Sample) => ({ name, values: samples.map((sample) => sample[what]) });
  return plot(
    title,
    samples.map(({ seconds }) => seconds / 60),
    [
      { title: 'Memory, MB', lines: [line('resident', 'memory'), line('JavaScript objects', 'heap')] },
      {
        title: 'Open files and connections, handles',
        lines: [line('descriptors', 'descriptors'), line('handles', 'handles')],
      },
      { title: 'Response time, ms', lines: [line('p99', 'p99'), line('median', 'median')] },
      { title: 'Database with its log, MB', lines: [line('database', 'disk')] },
    ],
  );
}

async function take(
  server: Server,
  location: StoreLocation,
  reports: string,
  seconds: number,
): Promise<Omit<Sample, 'median' | 'p99'>> {
  const { javascriptHeap, libuv } = await report(server, reports);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const images = readdirSync(location.imagesFolder, { recursive: true, withFileTypes: true });
  const disk = ['', '-wal'].reduce((sum, end) => sum + statSync(`${location.file}${end}`).size, 0);
  return {
    seconds,
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024,
    heap: javascriptHeap.usedMemory / 2 ** 20,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    handles: libuv.length,
    files: images.filter((file) => file.isFile()).length,
    disk: disk / 2 ** 20,
  };
}

interface Report {
  readonly javascriptHeap: { readonly usedMemory: number };
  readonly libuv: readonly unknown[];
}

/** Requests and reads a Node diagnostic report. */
async function report(server: Server, folder: string): Promise<Report> {
  server.signal('SIGUSR2');
  for (;;) {
    const [file] = readdirSync(folder);
    await sleep(50);
    if (file === undefined) continue;
    try {
      const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report;
      rmSync(join(folder, file));
      return content;
    } catch {
      // The file is still being written.
    }
  }
}

class SoakLoad {
  readonly #clients: readonly Client[];
  readonly #random: Random;
  readonly #address: string;
  readonly #counts: Record<string, number> = {};
  readonly #products: number[] = [];
  #made = 0;
  /** Response times in milliseconds since the last `takeTimes`. */
  #times: number[] = [];
  isOver = false;

  constructor(address: string, seed: number) {
    this.#address = address;
    this.#random = new Random(seed, 'soak');
    this.#clients = Array.from({ length: CLIENTS }, () => new Client(address));
  }

  async fill(): Promise<void> {
    while (this.#products.length < PRODUCTS) await this.#create(this.#clients[0]!);
  }

  /** @returns requests per second if each client sends as soon as it has its response */
  async measure(seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1000;
    let count = 0;
    await Promise.all(
      this.#clients.map(async (client) => {
        while (performance.now() < end) {
          const requests = await this.#one(client);
          count += requests;
        }
      }),
    );
    return count / seconds;
  }

  /** Each client sends at a fixed interval. Late clients do not catch up. */
  async run(rate: number, seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1000;
    const interval = (1000 * CLIENTS) / rate;
    await Promise.all(
      this.#clients.map(async (client) => {
        while (performance.now() < end) {
          const start = performance.now();
          const requests = await this.#one(client);
          await sleep(Math.max(0, requests * interval - (performance.now() - start)));
        }
      }),
    );
    this.isOver = true;
  }

  /** Returns the response times since the previous call. */
  takeTimes(): { median: number; p99: number } {
    const times = this.#times.sort((one, other) => one - other);
    this.#times = [];
    const at = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
    return { median: at(0.5), p99: at(0.99) };
  }

  summary(): string {
    return JSON.stringify(this.#counts);
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  /** @returns the number of requests sent */
  async #one(client: Client): Promise<number> {
    const random = this.#random;
    if (random.chance(WRONG)) return this.#wrong(client);
    const id = random.pick(this.#products);
    switch (random.weighted({ read: 60, list: 10, patch: 15, renew: 12, image: 3 })) {
      case 'read':
        return this.#send(client, 'GET', `/api/products/${id}`);
      case 'list':
        return this.#send(client, 'GET', `/api/products?itemsPerPage=20&page=${random.whole(1, 20)}&price[gt]=5`);
      case 'patch':
        return this.#send(client, 'PATCH', `/api/products/${id}`, { price: random.whole(1, 100) });
      case 'renew': {
        this.#products.splice(this.#products.indexOf(id), 1);
        await this.#send(client, 'DELETE', `/api/products/${id}`);
        await this.#create(client);
        return 2;
      }
      case 'image': {
        const attachment = randomImage(random, 32).bytes.toString('base64');
        const images = `/api/products/${this.#products[0]!}/images`;
        const response = await client.send('POST', images, { attachment, filename: 'a.png' });
        this.#count(response.status);
        if (response.status !== 201 || 'why' in response) return 1;
        await this.#send(client, 'DELETE', `${images}/${response.json.id}`);
        return 2;
      }
    }
  }

  async #wrong(client: Client): Promise<number> {
    switch (this.#random.whole(0, 4)) {
      case 0:
        return this.#send(client, 'GET', '/api/nothing');
      case 1:
        return this.#send(client, 'GET', '/api/products/1', undefined, { 'x-auth-token': 'wrong-key-of-the-torture' });
      case 2:
        return this.#send(client, 'POST', '/api/products', { sku: 7, nmae: 'x' });
      case 3:
        return this.#send(client, 'GET', '/api/products?price[gt]=dear');
      default: {
        // Disconnects in the middle of a body.
        const { hostname, port } = new URL(this.#address);
        const socket = connect(Number(port), hostname).on('error', () => {});
        socket.write(`POST /api/products HTTP/1.1\r\nHost: store\r\nX-Auth-Token: ${KEY}\r\n${BODY_TO_COME}\r\n\r\n{`);
        await sleep(LEAVES_AFTER_MS);
        socket.destroy();
        this.#count('left');
        return 1;
      }
    }
  }

  async #create(client: Client): Promise<void> {
    this.#made += 1;
    const response = await client.send('POST', '/api/products', {
      ...{ sku: `SOAK-${this.#made}`, name: `Product ${this.#made}`, price: 10 },
      description: 'x'.repeat(500),
    });
    this.#count(response.status);
    if (response.status === 201 && !('why' in response)) this.#products.push(response.json.id);
  }

  async #send(
    client: Client,
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<number> {
    const start = performance.now();
    this.#count((await client.send(method, path, body, headers)).status);
    this.#times.push(performance.now() - start);
    return 1;
  }

  #count(status: number | string): void {
    this.#counts[status] = (this.#counts[status] ?? 0) + 1;
  }
}
