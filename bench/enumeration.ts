/**
 * `npm run bench:enumeration`: whether the time of a response reveals that a customer or an order exists (storefront.md §3). Sends
 * requests that name existing customers, and others, in random order to one server, on both databases. Asserts no times.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort, PostgresServer } from '../test/support/postgres-server.ts';
import { Client } from '../torture/client.ts';
import { placeIn, Server, type StoreLocation, stop } from '../torture/server.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';

/** Customers with an order each, and as many unknown logins. */
const LOGINS = 20;
const WARM_UP = 10;
const PASSWORD = 'correct horse battery';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    databases: { type: 'string', default: 'SQLite,PostgreSQL' },
  },
});
const requests = Number(options.requests);

/** A request that names a customer. */
interface Named {
  readonly login: string;
  readonly order_number: string;
}

interface Compared {
  readonly path: string;
  readonly status: number;
  readonly body: (named: Named) => object;
}

const COMPARED: readonly Compared[] = [
  { path: '/account', status: 202, body: ({ login }) => ({ login, password: PASSWORD }) },
  { path: '/password/reset', status: 202, body: ({ login }) => ({ login }) },
  { path: '/order_links', status: 202, body: ({ login, order_number }) => ({ email: login, order_number }) },
  { path: '/session', status: 422, body: ({ login }) => ({ login, password: 'wrong horse battery' }) },
];

const chosen = COMPARED.filter(({ path }) => options.only === '' || options.only.split(',').includes(path));
console.log(`${describeMachine()}; ${requests} requests of each kind, one at a time.\n`);
console.log('| median, ms | unknown | known | known ÷ unknown |\n|---|---|---|---|');
if (options.databases.includes('SQLite')) await compare('SQLite', (folder) => placeIn(folder));
if (options.databases.includes('PostgreSQL')) {
  const postgres = await PostgresServer.make();
  try {
    const administrator = new pg.Client({ connectionString: postgres.url });
    await administrator.connect();
    await administrator.query('create database bench_enumeration encoding UTF8 template template0');
    await administrator.end();
    const url = Object.assign(new URL(postgres.url), { pathname: '/bench_enumeration' }).href;
    await compare('PostgreSQL', (folder) => placeIn(folder, url));
  } finally {
    await postgres.remove();
  }
}

async function compare(title: string, locationIn: (folder: string) => StoreLocation): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purveyor-enumeration-'));
  const port = await freePort();
  const environment = {
    ...{ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` },
    ...{ MAIL_VIA: 'folder', MAIL_FOLDER: join(folder, 'mails'), MAIL_FROM: 'shop@example.com' },
    // High limits are counted like the usual ones. Each request comes from another address.
    ...{ LIMIT_MAILS_TO: '1000000', FAILED_LOGINS_PER_MINUTE: '1000000', TRUST_PROXY: '127.0.0.1' },
  };
  const server = new Server(locationIn(folder), { environment });
  try {
    const client = new Client(await server.ready());
    const { key, known } = await prepare(client);
    for (const compared of chosen) {
      const [unknown, existing] = await measure(client, key, known, compared);
      const cells = [unknown!.toFixed(2), existing!.toFixed(2), (existing! / unknown!).toFixed(3)];
      console.log(`| ${title}, POST ${compared.path} | ${cells.join(' | ')} |`);
    }
    client.close();
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates the customers and a key. */
async function prepare(client: Client): Promise<{ readonly key: string; readonly known: readonly Named[] }> {
  await client.expect('PATCH', '/api/store', { shop_url: 'https://shop.example' });
  await client.expect('POST', '/api/products', { sku: 'ONE', name: 'One', price: 1, amount: LOGINS });
  const known: Named[] = [];
  for (let number = 1; number <= LOGINS; number += 1) {
    const login = `known${number}@example.com`;
    const { json: profile } = await client.expect('POST', '/api/profiles', { login, password: PASSWORD });
    const order = { email: login, customer_id: profile.id, items: [{ sku: 'ONE', amount: 1 }] };
    const { json: placed } = await client.expect('POST', '/api/orders', order);
    known.push({ login, order_number: placed.order_number });
  }
  const body = { name: 'Shop', kind: 'publishable', origins: ['https://shop.example'] };
  return { key: (await client.expect('POST', '/api/keys', body)).json.key, known };
}

/** @returns the medians for unknown logins, and for those of customers */
async function measure(
  client: Client,
  key: string,
  known: readonly Named[],
  { path, status, body }: Compared,
): Promise<readonly number[]> {
  const unknown = known.map((_, index) => ({ login: `other${index}@example.com`, order_number: `${900_000 + index}` }));
  const times: [number[], number[]] = [[], []];
  for (const [position, index] of randomOrder(WARM_UP + requests).entries()) {
    const named = [unknown, known][index]![position % LOGINS]!;
    const headers = { 'x-auth-token': key, 'x-forwarded-for': randomAddress() };
    const start = performance.now();
    const response = await client.send('POST', `/storefront${path}`, body(named), headers);
    const time = performance.now() - start;
    if (response.status !== status) throw new Error(`POST ${path}: ${JSON.stringify(response)}`);
    if (position >= 2 * WARM_UP) times[index]!.push(time);
  }
  return times.map((each) => medianOf(each));
}

/**
 * Returns 0 and 1 in random order, as many of each. The attempt to send a mail runs during later requests, so a fixed order would
 * slow down only one of them.
 */
function randomOrder(count: number): (0 | 1)[] {
  const keyed = Array.from({ length: 2 * count }, (_, index) => ({ index: (index % 2) as 0 | 1, at: Math.random() }));
  return keyed.sort((a, b) => a.at - b.at).map(({ index }) => index);
}

function randomAddress(): string {
  return `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`;
}
