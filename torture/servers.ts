/**
 * Several servers of one PostgreSQL and one image store behind a proxy, which are killed in turn under load. No acknowledged
 * write may be lost, every later read through any server must show it, and only requests in flight through a killed server may
 * fail.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FrontProxy, isInstalled, PROXIES, type ProxyKind } from '../test/support/front-proxy.ts';
import { freePort } from '../test/support/postgres-server.ts';
import { Client } from './client.ts';
import { randomImage } from './images.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import { DoesNotApply, type Run } from './report.ts';
import { KEY, placeIn, Server, stop } from './server.ts';

export interface ServersOptions {
  readonly postgresUrl: string;
  readonly minutes: number;
  readonly servers?: number;
  /** The image store of all servers; a folder of the run by default. */
  readonly imagesUrl?: string | undefined;
}

export interface ServersResult {
  readonly acknowledged: number;
  readonly reads: number;
  readonly kills: number;
  /** Requests that were in flight through a server when it was killed. */
  readonly inFlight: number;
}

const CLIENTS = 6;
/** Interval between kills, including the restart. */
const KILL_EVERY_MS = 10_000;
/** Typical delay of a supervisor. */
const DOWN_MS = 1000;
/** Uncertainty of the time at which a killed server has exited. */
const SLACK_MS = 100;
const PAUSE_MS = 5;
const AGAIN_MS = 100;
const AGAIN_MAX = 100;

const WEIGHTS = { create: 3, patch: 10, upload: 1 };

export async function serversTrial({ seed, folder, say }: Run, options: ServersOptions): Promise<ServersResult> {
  const kind = patient(PROXIES.find(({ program }) => program === 'haproxy')!);
  if (!isInstalled(kind.program)) throw new DoesNotApply('haproxy is missing: apt-get install haproxy');
  const location = placeIn(folder, options.postgresUrl);
  const ports = await Promise.all(Array.from({ length: options.servers ?? 3 }, freePort));
  const servers: Server[] = [];
  const start = async (index: number): Promise<void> => {
    const environment = {
      ...{ PORT: String(ports[index]), BASE_URL: 'https://store.test', TRUST_PROXY: '127.0.0.1' },
      // On a busy machine a server is slow, but must not count as unavailable or overloaded.
      ...{ WAIT_MS_MAX: '0', BLOCKED_EXIT_SECONDS: '0' },
      ...(options.imagesUrl !== undefined && { IMAGES_URL: options.imagesUrl }),
    };
    servers[index] = new Server(location, { environment });
    await servers[index].ready();
  };
  const random = new Random(seed, 'kills');
  let proxy: FrontProxy | undefined;
  try {
    for (const index of ports.keys()) await start(index);
    proxy = await FrontProxy.before(
      kind,
      ports.map((port) => `127.0.0.1:${port}`),
    );
    const trial = new Trial(proxy, seed);
    await trial.untilServed();
    const working = trial.run();
    // Awaited below, after the last kill.
    working.catch(() => {});
    const endAt = performance.now() + options.minutes * 60_000;
    for (let index = 0; performance.now() < endAt && !trial.isOver; index = (index + 1) % servers.length) {
      const startedAt = performance.now();
      await sleep(random.whole(0, KILL_EVERY_MS / 2));
      await trial.killing(() => servers[index]!.end('SIGKILL'));
      await sleep(DOWN_MS);
      await start(index);
      await sleep(Math.max(0, startedAt + KILL_EVERY_MS - performance.now()));
    }
    trial.isOver = true;
    await working;
    for (const port of ports) await trial.compare(`http://127.0.0.1:${port}`);
    const { acknowledged, reads, kills, inFlight, again, reopened, milliseconds } = trial;
    const waits = milliseconds.sort((one, other) => one - other);
    const at = (share: number): string => waits[Math.floor(waits.length * share)]!.toFixed(0);
    say(
      `${servers.length} servers, ${kills} kills: ${acknowledged} writes acknowledged, 0 lost, ${again} retries; ` +
        `${reads} reads after them, 0 stale, ${reopened} of them retried after the proxy closed an idle connection; ` +
        `${inFlight} requests in flight at a kill got no response, 0 others; ` +
        `median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1 - Number.EPSILON)} ms.`,
    );
    for (const server of servers) await stop(server);
    return { acknowledged, reads, kills, inFlight };
  } finally {
    await proxy?.stop();
    for (const server of servers) server.signal('SIGKILL');
  }
}

/** Uses longer timeouts than the documented proxy configuration, for busy machines. Killed servers still fail checks immediately. */
function patient(kind: ProxyKind): ProxyKind {
  const wait = /timeout (check|http-request|http-keep-alive) \d+s/g;
  return { ...kind, adapt: (text, places) => kind.adapt(text, places).replace(wait, 'timeout $1 60s') };
}

/** A product that only one client writes. */
interface Product {
  readonly id: number;
  readonly sku: string;
  name: string;
  readonly images: { readonly path: string; readonly bytes: number }[];
}

interface ProxyResponse {
  readonly status: number;
  readonly text: string;
}

class Trial {
  isOver = false;
  acknowledged = 0;
  reads = 0;
  kills = 0;
  inFlight = 0;
  /** Writes without a response that were retried with their key. */
  again = 0;
  /** Reads that were retried because the proxy had just closed the idle connection. */
  reopened = 0;
  readonly milliseconds: number[] = [];
  readonly #proxy: FrontProxy;
  readonly #seed: number;
  readonly #products: Product[][];
  /** Infinity while a server is being killed. */
  #killedAt = Number.NEGATIVE_INFINITY;

  constructor(proxy: FrontProxy, seed: number) {
    this.#proxy = proxy;
    this.#seed = seed;
    this.#products = Array.from({ length: CLIENTS }, () => []);
  }

  /** @param end resolves when the server has exited. Until then it may accept connections without responding */
  async killing(end: () => Promise<unknown>): Promise<void> {
    this.kills += 1;
    this.#killedAt = Number.POSITIVE_INFINITY;
    await end();
    this.#killedAt = performance.now();
  }

  /** Waits until the proxy has detected its servers. */
  async untilServed(): Promise<void> {
    for (let served = 0; served < CLIENTS; served += 1) {
      if ((await this.#proxy.send('GET', '/readyz')).status !== 200) served = -1;
      await sleep(AGAIN_MS);
    }
  }

  async run(): Promise<void> {
    await Promise.all(
      this.#products.map(async (products, client) => {
        const random = new Random(this.#seed, `client ${client}`);
        try {
          for (let count = 0; !this.isOver; count += 1) {
            const product = await this.#write(products, random, `${client}-${count}`);
            await this.#readBack(product, random);
            await sleep(PAUSE_MS);
          }
        } finally {
          this.isOver = true;
        }
      }),
    );
  }

  /** Checks that one server, without the proxy, has all acknowledged records exactly once. */
  async compare(address: string): Promise<void> {
    const client = new Client(address);
    const all = this.#products.flat();
    const { headers } = await client.expect('GET', '/api/products?itemsPerPage=1');
    if (headers['x-total-count'] !== String(all.length))
      throw new Broken(`${address} has ${headers['x-total-count']} products; ${all.length} were acknowledged.`);
    for (const product of all) {
      const { json } = await client.expect('GET', `/api/products/${product.id}?fields=sku,name,images`);
      if (json.sku !== product.sku || json.name !== product.name || json.images.length !== product.images.length)
        throw new Broken(`${address} has ${JSON.stringify(json)}; acknowledged was ${JSON.stringify(product)}.`);
    }
    client.close();
  }

  async #write(products: Product[], random: Random, nonce: string): Promise<Product> {
    const what = products.length === 0 ? 'create' : random.weighted(WEIGHTS);
    if (what === 'create') {
      const body = { sku: `N-${nonce}`, name: nonce, price: 1 };
      const made = JSON.parse(await this.#acknowledge('POST', '/api/products', nonce, body));
      const product = { id: made.id, sku: made.sku, name: nonce, images: [] };
      products.push(product);
      return product;
    }
    const product = random.pick(products);
    if (what === 'patch') {
      await this.#acknowledge('PATCH', `/api/products/${product.id}`, nonce, { name: nonce });
      product.name = nonce;
      return product;
    }
    const { bytes } = randomImage(random, 32);
    const body = { attachment: bytes.toString('base64'), filename: 'a.png' };
    const { url } = JSON.parse(await this.#acknowledge('POST', `/api/products/${product.id}/images`, nonce, body));
    product.images.push({ path: new URL(url).pathname, bytes: bytes.length });
    return product;
  }

  /** Retries a write with the same key until it is acknowledged. @returns the response body */
  async #acknowledge(method: string, path: string, nonce: string, body: object): Promise<string> {
    for (let attempt = 0; attempt < AGAIN_MAX; attempt += 1) {
      const { status, text } = await this.#send(method, path, { 'idempotency-key': nonce }, body);
      if (status >= 200 && status < 300) {
        this.acknowledged += 1;
        return text;
      }
      if (status !== 0 && status !== 502 && status !== 503 && status !== 504)
        throw new Broken(`${method} ${path} returned ${status}: ${text}`);
      this.again += 1;
      await sleep(AGAIN_MS);
    }
    throw new Broken(`${method} ${path} never succeeded.`);
  }

  async #readBack(product: Product, random: Random): Promise<void> {
    const isList = random.chance(0.3);
    const path = isList ? `/api/products?sku=${product.sku}` : `/api/products/${product.id}`;
    const startedAt = performance.now();
    const { status, text } = await this.#send('GET', path);
    this.reads += 1;
    if (status !== 200) {
      // The request was in flight during a kill.
      if (this.#killedAt > startedAt - SLACK_MS) return;
      throw new Broken(`GET ${path} failed with ${status} although no server was killed meanwhile: ${text}`);
    }
    const json = JSON.parse(text);
    const shown = isList ? json[0] : json;
    if (shown?.name !== product.name)
      throw new Broken(`GET ${path} shows ${shown?.name} after ${product.name} was acknowledged.`);
    const image = product.images.at(-1);
    if (!image || !random.chance(0.2)) return;
    const imageStartedAt = performance.now();
    const file = await this.#send('GET', image.path);
    this.reads += 1;
    if (file.status !== 200 && this.#killedAt <= imageStartedAt - SLACK_MS)
      throw new Broken(`GET ${image.path} failed with ${file.status} although no server was killed meanwhile.`);
  }

  async #send(method: string, path: string, headers = {}, body?: object): Promise<ProxyResponse> {
    const sent = {
      headers: { 'x-auth-token': KEY, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    };
    const startedAt = performance.now();
    // An idle connection may be closed just as it is used again; clients then retry reads (RFC 9110 §9.2.2).
    const once = (): Promise<ProxyResponse> => this.#proxy.send(method, path, sent);
    const response = await once()
      .catch((error: Error & { isReused?: boolean }) => {
        if (method !== 'GET' || !error.isReused) throw error;
        this.reopened += 1;
        return once();
      })
      .catch(({ message }: Error): ProxyResponse => ({ status: 0, text: message }));
    this.milliseconds.push(performance.now() - startedAt);
    const isResponse = response.status !== 0 && response.status < 500;
    if (!isResponse && this.#killedAt > startedAt - SLACK_MS) this.inFlight += 1;
    return response;
  }
}
