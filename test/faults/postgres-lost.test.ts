/**
 * A store whose PostgreSQL is slow, silent, full, read-only, restarted or disconnected (reliability, group L). The response is a
 * 503 with `Retry-After`, never a wrong result. A retry with the same key is executed once. The store recovers with the
 * database.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { POOL_SETTINGS } from '../../src/adapters/postgres/connection.ts';
import { serve } from '../../src/cli/serve.ts';
import { hashOf } from '../../src/store/keys.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { postgresDisk } from '../../torture/postgres-disk.ts';
import { ChaosProxy } from '../support/chaos-proxy.ts';
import { type HttpResponse, type RequestOptions, sendRequest } from '../support/client.ts';
import { freshDatabase } from '../support/databases.ts';
import { assertProblem } from '../support/expect.ts';
import { orderItem, orderOf, statuses, times } from '../support/orders.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { NO_OUTPUT } from '../support/start-line.ts';
import { READ_WRITE_KEY } from '../support/store.ts';
import { stressTest } from '../support/stress-test.ts';

interface ScenarioContext {
  readonly proxy: ChaosProxy;
  /** A direct connection to the database, without the proxy. */
  readonly direct: pg.Client;
  readonly product: { readonly id: number };
  send(method: string, path: string, options?: RequestOptions): Promise<HttpResponse>;
  order(key: string): Promise<HttpResponse>;
  stock(): Promise<number>;
  orders(): Promise<number>;
}

const STOCK = 100;

/** Runs a scenario with a store that reaches its database through a proxy and has one product. */
async function throughProxy(url: string, play: (context: ScenarioContext) => Promise<void>): Promise<void> {
  const proxy = await ChaosProxy.to(url);
  const direct = new pg.Client({ connectionString: url });
  direct.on('error', () => {});
  await direct.connect();
  const images = await mkdtemp(join(tmpdir(), 'purveyor-images-'));
  const environment = {
    ...{ PORT: '0', API_KEY_READ_WRITE: READ_WRITE_KEY, LOG_LEVEL: 'silent', FAILED_KEYS_PER_MINUTE: '0' },
    ...{ DATABASE_URL: proxy.url, IMAGES_URL: `file:${images}` },
  };
  const server = await serve(readConfig(environment), environment, NO_OUTPUT);
  try {
    const send: ScenarioContext['send'] = (method, path, options) =>
      sendRequest(server.address, method, path, { key: READ_WRITE_KEY, ...options });
    const made = await send('POST', '/api/products', { body: { sku: 'A', name: 'A', amount: STOCK } });
    assert.equal(made.status, 201, made.text);
    const product = made.json;
    await play({
      ...{ proxy, direct, product, send },
      order: (key) =>
        send('POST', '/api/orders', { body: orderOf([orderItem(product, 1)]), headers: { 'idempotency-key': key } }),
      stock: async () => (await send('GET', `/api/products/${product.id}`)).json.amount,
      orders: async () => Number((await send('GET', '/api/orders')).headers['x-total-count']),
    });
  } finally {
    proxy.mode = 'open';
    await direct.end().catch(() => {});
    await server.stop();
    proxy.close();
    await rm(images, { recursive: true });
  }
}

function scenario(title: string, play: (context: ScenarioContext) => Promise<void>): void {
  test(title, async () => {
    const database = await freshDatabase('postgres');
    try {
      await throughProxy(database.url, play);
    } finally {
      await database.remove();
    }
  });
}

/** Asserts a 503 with `Retry-After` and without internal details. */
function assertUnavailable(response: HttpResponse): void {
  assertProblem(response, 503);
  assert.match(String(response.headers['retry-after']), /^\d+$/);
}

/** Waits until this many connections of the store wait for a lock, according to the server. */
async function untilWaiting(direct: pg.Client, count: number): Promise<number[]> {
  for (;;) {
    // Within a transaction the view is cached after the first query.
    await direct.query('select pg_stat_clear_snapshot()');
    const { rows } = await direct.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length >= count) return rows.map(({ pid }) => pid);
    await sleep(10);
  }
}

/** Repeats a request until the response is not a 503. */
async function untilAvailable(send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
    assertUnavailable(response);
    await sleep(50);
  }
}

describe('store on PostgreSQL', () => {
  scenario('a list that exceeds its time limit gets a 503 with a reason', async ({ direct, send }) => {
    await direct.query('begin; lock table product');
    const listing = send('GET', '/api/products');
    const cancel = `select count(pg_cancel_backend(pid)) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    // The query may not wait for the lock yet.
    while ((await direct.query(cancel)).rows[0].count === '0');
    const rejected = await listing;
    assertProblem(rejected, 503);
    assert.match(rejected.json.detail, /search took too long and was canceled/);
    assert.equal(rejected.headers['retry-after'], '10');
    await direct.query('rollback');
    assert.equal((await send('GET', '/api/products')).status, 200);
  });

  scenario('an order that loses its connection is rolled back, and the retry is executed once', async (context) => {
    const { direct, product, order } = context;
    await direct.query('begin');
    await direct.query('select 1 from product where id = $1 for update', [product.id]);
    const lost = order('lost');
    for (const pid of await untilWaiting(direct, 1)) await direct.query('select pg_terminate_backend($1)', [pid]);
    assertUnavailable(await lost);
    await direct.query('rollback');
    assert.deepEqual([await context.stock(), await context.orders()], [STOCK, 0]);
    const again = await order('lost');
    assert.equal(again.status, 201, again.text);
    assert.equal(again.headers['idempotency-replayed'], undefined);
    assert.deepEqual([await context.stock(), await context.orders()], [STOCK - 1, 1]);
  });

  scenario(
    'a request that loses its connection while it reads its idempotency record is not executed',
    async (context) => {
      const { direct, order } = context;
      const lock = `hashtextextended('Idempotency-Key ${hashOf(READ_WRITE_KEY)} asked', 0)`;
      await direct.query(`select pg_advisory_lock(${lock})`);
      const lost = order('asked');
      for (const pid of await untilWaiting(direct, 1)) await direct.query('select pg_terminate_backend($1)', [pid]);
      assertUnavailable(await lost);
      await direct.query(`select pg_advisory_unlock(${lock})`);
      assert.equal((await order('asked')).status, 201);
      assert.deepEqual([await context.stock(), await context.orders()], [STOCK - 1, 1]);
    },
  );

  for (const mode of ['cut before commit', 'cut after commit'] as const)
    scenario(
      `an order whose connection is ${mode} gets a 503, and the retry with its key results in one order`,
      async (context) => {
        context.proxy.mode = mode;
        assertUnavailable(await context.order('committing'));
        context.proxy.mode = 'open';
        const again = await untilAvailable(() => context.order('committing'));
        assert.equal(again.status, 201, again.text);
        assert.equal(again.headers['idempotency-replayed'], mode === 'cut after commit' ? 'true' : undefined);
        const third = await context.order('committing');
        assert.deepEqual([third.text, third.headers['idempotency-replayed']], [again.text, 'true']);
        assert.deepEqual([await context.stock(), await context.orders()], [STOCK - 1, 1]);
      },
    );

  scenario('writes without a free connection get a 503, and requests that need none are served', async (context) => {
    const { direct, product, send } = context;
    await direct.query('begin');
    await direct.query('select 1 from product where id = $1 for update', [product.id]);
    const stock = { body: { delta: -1 } };
    const waiting = times(POOL_SETTINGS.max!, () => send('POST', `/api/products/${product.id}/stock`, stock));
    await untilWaiting(direct, POOL_SETTINGS.max!);
    const behind = send('POST', '/api/tags', { body: { name: 'No connection' } });
    const wrong = send('POST', '/api/tags', { body: { name: 7 } });
    // None of these requests needs a connection for writes.
    assertProblem(await send('POST', '/api/tags', { body: { name: 'A' }, key: null }), 401);
    assertProblem(await send('POST', '/api/tags', { body: '{' }), 400);
    assertProblem(await send('GET', '/api/nothing'), 404);
    assertProblem(await send('PUT', '/api/tags', { body: {} }), 405);
    assertProblem(await send('GET', '/api/products?page=x'), 400);
    assert.equal((await send('GET', `/api/products/${product.id}`)).json.amount, STOCK);
    assert.equal((await send('GET', '/readyz')).status, 200);
    // Some wait until the lock timeout; requests behind them may be served afterwards.
    const responses = await waiting;
    for (const response of responses) assertUnavailable(response);
    const last = await behind;
    if (last.status !== 201) assertUnavailable(last);
    // Violations of the body and of the store are checked in one transaction (http.md §2).
    const invalid = await wrong;
    if (invalid.status !== 422) assertUnavailable(invalid);
    await direct.query('rollback');
    assert.equal(await context.stock(), STOCK);
    assert.equal((await send('POST', `/api/products/${product.id}/stock`, stock)).status, 200);
    assert.equal(await context.stock(), STOCK - 1);
  });

  scenario('a slow connection to PostgreSQL delays responses, and they are correct', async (context) => {
    context.proxy.mode = 'slow';
    const responses = await times(4, (index) => context.order(`slow-${index}`));
    assert.deepEqual(statuses(responses), { 201: 4 });
    context.proxy.mode = 'open';
    assert.deepEqual([await context.stock(), await context.orders()], [STOCK - 4, 4]);
  });

  scenario('a silent PostgreSQL causes a 503, and the store recovers with it', async (context) => {
    const { proxy, send } = context;
    proxy.mode = 'silent';
    const [read, written, keyless] = await Promise.all([
      send('GET', '/api/products'),
      context.order('silent'),
      send('GET', '/api/products', { key: null }),
    ]);
    assertProblem(keyless, 401);
    for (const response of [read, written]) assertUnavailable(response);
    assert.equal((await send('GET', '/healthz')).status, 200);
    proxy.mode = 'open';
    const again = await untilAvailable(() => context.order('silent'));
    assert.equal(again.status, 201, again.text);
    assert.deepEqual([await context.stock(), await context.orders()], [STOCK - 1, 1]);
  });

  scenario('a read-only PostgreSQL causes a 503 for writes, and reads are served', async (context) => {
    const { direct, send } = context;
    const { rows } = await direct.query<{ name: string }>('select current_database() as name');
    await direct.query(`alter database ${rows[0]!.name} set default_transaction_read_only = on`);
    // The setting applies to new connections, so the existing ones are closed.
    await direct.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await untilAvailable(() => send('GET', '/api/products'));
    for (const response of await times(POOL_SETTINGS.max!, (index) => context.order(`read-only-${index}`)))
      assertUnavailable(response);
    assertProblem(await send('POST', '/api/tags', { body: { name: 7 } }), 422);
    assert.deepEqual([await context.stock(), await context.orders()], [STOCK, 0]);
    assert.equal((await send('GET', '/readyz')).status, 200);
    await direct.query(`set default_transaction_read_only = off`);
    await direct.query(`alter database ${rows[0]!.name} reset default_transaction_read_only`);
    const again = await untilAvailable(() => context.order('read-only-0'));
    assert.equal(again.status, 201, again.text);
    assert.deepEqual([await context.stock(), await context.orders()], [STOCK - 1, 1]);
  });

  scenario('orders under connection resets exist once after a retry with their key', async (context) => {
    let running = true;
    const resets = (async () => {
      while (running) {
        await sleep(20);
        context.proxy.cut();
      }
    })();
    const keys = Array.from({ length: 20 }, (_, index) => `reset-${index}`);
    await Promise.all(keys.map((key) => context.order(key)));
    running = false;
    await resets;
    for (const key of keys) {
      const response = await untilAvailable(() => context.order(key));
      assert.equal(response.status, 201, response.text);
    }
    assert.deepEqual([await context.stock(), await context.orders()], [STOCK - 20, 20]);
  });
});

stressTest('a full disk under the tables of PostgreSQL causes a 503 for writes, and reads are served', async (run) => {
  const { unavailable } = await postgresDisk(run, 'tables', 10);
  assert.ok(unavailable > 0);
});
stressTest(
  'a full disk under the WAL of PostgreSQL causes a 503 until it has space, and no acknowledged write is lost',
  async (run) => {
    const { unavailable } = await postgresDisk(run, 'log', 10);
    assert.ok(unavailable > 0);
  },
);

describe('PostgreSQL crash', () => {
  test('a crash of PostgreSQL loses no acknowledged order, and the store recovers without a restart', async () => {
    const postgres = await PostgresServer.make();
    try {
      await throughProxy(postgres.url, async ({ send, order, stock, orders }) => {
        const acknowledged = await times(10, (index) => order(`before-${index}`));
        assert.deepEqual(statuses(acknowledged), { 201: 10 });
        const meanwhile = times(5, (index) => order(`meanwhile-${index}`));
        await postgres.crash();
        for (const response of await meanwhile) if (response.status !== 201) assertUnavailable(response);
        assertUnavailable(await order('down'));
        assertUnavailable(await send('GET', '/api/products'));
        assertProblem(await send('GET', '/api/products', { key: null }), 401);
        assert.equal((await send('GET', '/healthz')).status, 200);
        await postgres.start();
        for (let index = 0; index < 5; index += 1) await untilAvailable(() => order(`meanwhile-${index}`));
        const again = await untilAvailable(() => order('down'));
        assert.equal(again.status, 201, again.text);
        for (const first of acknowledged) {
          const found = await send('GET', new URL(first.headers.location!).pathname);
          assert.deepEqual(found.json.id, first.json.id);
        }
        assert.deepEqual([await stock(), await orders()], [STOCK - 16, 16]);
      });
    } finally {
      await postgres.remove();
    }
  });
});
