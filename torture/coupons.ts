/**
 * Uses of coupons (pricing.md §8, item 5): concurrent orders, cancellations and reactivations of a few coupons through several servers
 * of one database, which are killed and restarted under load. `uses` is never above `uses_limit`, and at the end it is the number of
 * orders that count. Every acknowledged order is in the store.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/support/postgres-server.ts';
import { Client, type HttpResponse, type NoResponse } from './client.ts';
import { Broken } from './ledger.ts';
import { Random } from './random.ts';
import type { Run } from './report.ts';
import { placeIn, Server } from './server.ts';

export interface CouponsOptions {
  /** Servers on one database; SQLite supports one. */
  readonly servers: number;
  readonly seconds: number;
  /** Seconds between two kills. */
  readonly killEvery: number;
  readonly postgresUrl?: string | undefined;
}

export interface CouponsResult {
  readonly acknowledged: number;
  readonly refused: number;
  readonly kills: number;
}

const COUPONS = 3;
const LIMIT = 5;
const WORKERS = 8;
const STOCK = 1_000_000;
const PAGE = 100;
/** Payment statuses of an order that counts as a use, and of one that does not. */
const COUNTS = ['Q', 'P'] as const;
const COUNTS_NOT = ['C', 'D'] as const;

const WEIGHTS = { place: 5, cancel: 4, reactivate: 3, look: 4 };

export async function coupons({ seed, folder, say }: Run, options: CouponsOptions): Promise<CouponsResult> {
  const location = placeIn(folder, options.postgresUrl);
  const ports: number[] = [];
  while (ports.length < options.servers) ports.push(await freePort());
  const servers: Server[] = [];
  const start = async (index: number): Promise<void> => {
    // On a busy machine a server is slow, but must not count as overloaded.
    const environment = { PORT: String(ports[index]), WAIT_MS_MAX: '0', BLOCKED_EXIT_SECONDS: '0' };
    servers[index] = new Server(location, { environment });
    await servers[index].ready();
  };
  try {
    for (const index of ports.keys()) await start(index);
    const trial = new Trial(ports.map((port) => `http://127.0.0.1:${port}`));
    await trial.prepare();
    const working = Promise.all(
      Array.from({ length: WORKERS }, (_, number) => trial.work(new Random(seed, `worker ${number}`))),
    );
    // Awaited below, after the last kill.
    working.catch(() => {});
    const endAt = performance.now() + options.seconds * 1000;
    let kills = 0;
    for (; performance.now() < endAt && !trial.isOver; kills += 1) {
      await sleep(Math.min(options.killEvery * 1000, Math.max(0, endAt - performance.now())));
      const index = kills % servers.length;
      await servers[index]!.end('SIGKILL');
      await start(index);
    }
    trial.isOver = true;
    await working;
    await trial.compare();
    const { acknowledged, refused, unknown, looks, placed } = trial;
    say(
      `${servers.length} servers, ${kills} kills: ${acknowledged} writes acknowledged, of these ${placed.size} orders, 0 lost; ` +
        `${refused} refused by a limit, ${unknown} without a response; ${looks} reads, none with uses above the limit.`,
    );
    return { acknowledged, refused, kills };
  } finally {
    for (const server of servers) await server.end('SIGKILL');
  }
}

type Response = HttpResponse | NoResponse;

class Trial {
  isOver = false;
  acknowledged = 0;
  refused = 0;
  unknown = 0;
  looks = 0;
  /** Ids of acknowledged orders. */
  readonly placed = new Set<number>();
  readonly #addresses: readonly string[];
  readonly #products: number[] = [];
  readonly #coupons: { readonly id: number; readonly code: string }[] = [];

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  async prepare(): Promise<void> {
    const client = new Client(this.#addresses[0]!);
    for (let number = 0; number < WORKERS; number += 1) {
      const body = { sku: `product-${number}`, name: 'Product', price: 10, amount: STOCK };
      this.#products.push((await client.expect('POST', '/api/products', body)).json.id);
    }
    for (let number = 0; number < COUPONS; number += 1) {
      const body = { code: `COUPON-${number}`, value: 1, uses_limit: LIMIT };
      this.#coupons.push((await client.expect('POST', '/api/coupons', body)).json);
    }
    client.close();
  }

  /** Writes through random servers until the run is over. Only this worker changes the status of its orders. */
  async work(random: Random): Promise<void> {
    const clients = this.#addresses.map((address) => new Client(address));
    const orders: number[] = [];
    try {
      while (!this.isOver) {
        const client = random.pick(clients);
        const action = random.weighted(WEIGHTS);
        if (action === 'look') await this.#look(client);
        else if (action === 'place') await this.#place(client, random, orders);
        else if (orders.length > 0) {
          const code = random.pick(action === 'cancel' ? COUNTS_NOT : COUNTS);
          const path = `/api/orders/${random.pick(orders)}/payment_status`;
          this.#note(path, await client.send('PUT', path, { code }), [409]);
        }
      }
    } catch (error) {
      this.isOver = true;
      throw error;
    } finally {
      for (const client of clients) client.close();
    }
  }

  async #place(client: Client, random: Random, orders: number[]): Promise<void> {
    const codes = this.#coupons.map(({ code }) => code).filter(() => random.chance(0.5));
    const response = await client.send('POST', '/api/orders', {
      email: 'buyer@example.com',
      calculate: true,
      // In random order: orders with the same coupons must not deadlock.
      coupons: random.chance(0.5) ? codes : codes.reverse(),
      items: [{ product_id: random.pick(this.#products), amount: 1 }],
    });
    this.#note('/api/orders', response, [422]);
    if (response.status !== 201) return;
    const { id } = (response as HttpResponse).json;
    this.placed.add(id);
    orders.push(id);
  }

  async #look(client: Client): Promise<void> {
    const response = await client.send('GET', '/api/coupons');
    if (response.status !== 200) return this.#note('/api/coupons', response, []);
    this.looks += 1;
    for (const { code, uses } of (response as HttpResponse).json)
      if (uses < 0 || uses > LIMIT) throw new Broken(`Coupon ${code} has ${uses} uses, and its limit is ${LIMIT}.`);
  }

  #note(path: string, response: Response, refusals: readonly number[]): void {
    const { status } = response;
    if (status === 0 || status === 503) this.unknown += 1;
    else if (refusals.includes(status)) this.refused += 1;
    else if (status === 200 || status === 201) this.acknowledged += 1;
    else throw new Broken(`${path}: ${status} ${'text' in response ? response.text : ''}`);
  }

  /** Compares the uses of each coupon with the orders of the store, and the orders with the acknowledged ones. */
  async compare(): Promise<void> {
    const client = new Client(this.#addresses[0]!);
    const found = new Set<number>();
    const counted = new Map<string, number>(this.#coupons.map(({ code }) => [code, 0]));
    for (let page = 1; ; page += 1) {
      const { json } = await client.expect('GET', `/api/orders?itemsPerPage=${PAGE}&page=${page}`);
      for (const { id, used_coupons, payment_status } of json) {
        found.add(id);
        if (COUNTS_NOT.some((code) => code === (payment_status.code ?? payment_status))) continue;
        for (const { code } of used_coupons) counted.set(code, counted.get(code)! + 1);
      }
      if (json.length < PAGE) break;
    }
    const lost = [...this.placed].filter((id) => !found.has(id));
    if (lost.length > 0) throw new Broken(`Acknowledged orders are missing: ${lost.join(', ')}.`);
    for (const { id, code } of this.#coupons) {
      const { uses } = (await client.expect('GET', `/api/coupons/${id}`)).json;
      if (uses !== counted.get(code) || uses > LIMIT)
        throw new Broken(
          `Coupon ${code} has ${uses} uses; ${counted.get(code)} orders count, and its limit is ${LIMIT}.`,
        );
    }
    client.close();
  }
}
