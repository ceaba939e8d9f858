/** Helpers for tests of orders, their stock and their history, and stores with several server processes. */
import assert from 'node:assert/strict';
import { Folder, type Running } from '../cli/program.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from './client.ts';
import { type DatabaseName, type FreshDatabase, freshDatabase } from './databases.ts';
import { assertProblem } from './expect.ts';
import { startOf } from './start-line.ts';
import { type Json, READ_WRITE_KEY, type Store } from './store.ts';

export const PAYMENT_STATUSES = {
  Q: 'Awaiting payment',
  A: 'Authorized',
  PP: 'Partially Paid',
  P: 'Paid',
  D: 'Declined',
  C: 'Cancelled',
  R: 'Refunded',
};

export const SHIPPING_STATUSES = {
  N: 'New',
  P: 'Processing',
  S: 'Shipped',
  D: 'Delivered',
  WND: 'Will Not Deliver',
  R: 'Returned',
  WFA: 'Waiting for approval',
  NBA: 'New, backordered',
};

/** A minimal order with these items. */
export function orderOf(items: readonly Json[], fields: Json = {}): Json {
  return { email: 'buyer@example.com', items, ...fields };
}

export function place(store: Store, items: readonly Json[], fields?: Json, headers?: RequestOptions['headers']) {
  return store.post('/api/orders', orderOf(items, fields), headers);
}

/** Places an order and asserts 201. @returns its output */
export async function placed(
  store: Store,
  items: readonly Json[],
  fields?: Json,
  headers?: RequestOptions['headers'],
): Promise<HttpResponse['json']> {
  const response = await place(store, items, fields, headers);
  assert.equal(response.status, 201, response.text);
  return response.json;
}

/** An order item with this many units of a product. */
export function orderItem(product: { readonly id: number }, amount: number, fields: Json = {}): Json {
  return { product_id: product.id, amount, ...fields };
}

export type Side = 'payment' | 'shipping';
export const SIDES: readonly Side[] = ['payment', 'shipping'];

export function setStatus(store: Store, order: number, side: Side, code: string): Promise<HttpResponse> {
  return store.put(`/api/orders/${order}/${side}_status`, { code });
}

/** Sets a status and asserts 200. @returns the order afterwards */
export async function withStatus(store: Store, order: number, side: Side, code: string): Promise<HttpResponse['json']> {
  const response = await setStatus(store, order, side, code);
  assert.equal(response.status, 200, response.text);
  return orderAt(store, order);
}

export async function orderAt(store: Store, order: number): Promise<HttpResponse['json']> {
  const response = await store.get(`/api/orders/${order}`);
  assert.equal(response.status, 200, response.text);
  return response.json;
}

export async function stockOf(store: Store, { id }: { readonly id: number }): Promise<number> {
  const response = await store.get(`/api/products/${id}`);
  assert.equal(response.status, 200, response.text);
  return response.json.amount;
}

/** The newest 100 events, oldest first. */
export async function historyOf(store: Store, order: number, headers?: RequestOptions['headers']) {
  const response = await store.get(`/api/orders/${order}/history?itemsPerPage=100`, headers);
  assert.equal(response.status, 200, response.text);
  return response.json as Event[];
}

/** The events that an action adds to an order's history. */
export async function eventsOf(store: Store, order: number, act: () => Promise<unknown>) {
  const earlier = await historyOf(store, order);
  await act();
  const later = await historyOf(store, order);
  assert.deepEqual(later.slice(0, earlier.length), earlier, 'earlier events are unchanged');
  return later.slice(earlier.length);
}

export interface Event {
  readonly id: number;
  readonly code: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  readonly [field: string]: any;
}

export async function countOrders(store: Store, query = ''): Promise<number> {
  const response = await store.get(`/api/orders?itemsPerPage=1${query}`);
  assert.equal(response.status, 200, response.text);
  return Number(response.headers['x-total-count']);
}

/** An expected violation; code and message are compared only if given. */
export type Broken = readonly [path: string | RegExp, code?: string | undefined, message?: string | RegExp];

/** Asserts a 422 with all expected violations and no others. */
export function assertBroken(response: HttpResponse, ...expected: readonly Broken[]): void {
  assertProblem(response, 422);
  const violations: Violation[] = response.json.violations;
  const isIt = ({ propertyPath, code, message }: Violation, [path, ...rest]: Broken): boolean =>
    matches(propertyPath, path) &&
    (rest[0] === undefined || rest[0] === code) &&
    (rest[1] === undefined || matches(message, rest[1]));
  for (const broken of expected)
    assert.ok(
      violations.some((violation) => isIt(violation, broken)),
      `${broken} is missing: ${response.text}`,
    );
  for (const violation of violations)
    assert.ok(
      expected.some((broken) => isIt(violation, broken)),
      `${violation.propertyPath} ${violation.code} is unexpected: ${response.text}`,
    );
}

interface Violation {
  readonly propertyPath: string;
  readonly code: string;
  readonly message: string;
}

function matches(text: string, pattern: string | RegExp): boolean {
  return typeof pattern === 'string' ? text === pattern : pattern.test(text);
}

export const BLANK = 'This value should not be blank.';
export const NULL = 'This value should not be null.';
export const NOT_NEGATIVE = 'This value should be either positive or zero.';
export const USED = 'This value is already used.';
export const tooLong = (count: number) => `This value is too long. It should have ${count} characters or less.`;
export const ofType = (type: string) => `This value should be of type ${type}.`;

/** The version in a record's entity tag. */
export function versionOf({ headers }: HttpResponse): number {
  const match = /^"(\d+)-[^"]+"$/.exec(headers.etag ?? '');
  assert.ok(match, `${headers.etag} is "<version>-<digest>"`);
  return Number(match[1]);
}

/** Counts responses by status, and asserts that none is a 5xx. */
export function statuses(responses: readonly HttpResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status, text } of responses) {
    assert.ok(status < 500, text);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

export function times<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}

/** Server processes on one database. */
export interface Servers {
  readonly database: FreshDatabase;
  readonly addresses: readonly string[];
  /** Runs a command on the same database. @returns its standard output */
  run(...args: readonly string[]): Promise<string>;
  /** Sends a request to one of the servers. @param server a number, modulo the number of servers */
  send(server: number, method: string, path: string, options?: RequestOptions): Promise<HttpResponse>;
  /** Kills all servers and starts as many new ones. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startServers(
  name: DatabaseName,
  count: number,
  settings: Record<string, string> = {},
): Promise<Servers> {
  const [database, folder] = [await freshDatabase(name, 'migrated'), await Folder.make()];
  const environment = {
    DATABASE_URL: database.url,
    API_KEY_READ_WRITE: READ_WRITE_KEY,
    LOG_LEVEL: 'silent',
    // Admission control is off, as in other tests.
    WAIT_MS_MAX: '0',
    ...settings,
  };
  const addresses: string[] = [];
  let running: Running[] = [];
  const start = async () => {
    running = [];
    addresses.length = 0;
    for (let server = 0; server < count; server += 1) running.push(folder.start(['serve'], environment));
    for (const server of running) addresses.push((await startOf(server)).address);
  };
  const servers: Servers = {
    database,
    addresses,
    async run(...args) {
      const { code, stdout, stderr } = await folder.run(args, environment);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    },
    send: (server, method, path, options) =>
      sendRequest(addresses[server % count]!, method, path, { key: READ_WRITE_KEY, ...options }),
    async restart() {
      for (const each of running) each.signal('SIGKILL');
      await Promise.all(running.map(({ ended }) => ended));
      await start();
    },
    async stop() {
      await folder.remove();
      await database.remove();
    },
  };
  try {
    await start();
  } catch (error) {
    await servers.stop();
    throw error;
  }
  return servers;
}
