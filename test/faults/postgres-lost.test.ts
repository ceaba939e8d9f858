/**
 * A store whose PostgreSQL is slow, silent, full, read-only, restarted or lost in the middle of something (reliability, group L): the
 * answer is a 503 that says when to come back, never a wrong one; a retry with its key is done once; and the store is
 * itself again as soon as the database is.
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
import { type Answer, type RequestOptions, sendRequest } from '../support/client.ts';
import { freshDatabase } from '../support/databases.ts';
import { assertProblem } from '../support/expect.ts';
import { orderOf, pieces, statuses, times } from '../support/orders.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { UNHEARD } from '../support/start-line.ts';
import { READ_WRITE_KEY } from '../support/store.ts';
import { torture } from '../support/torture.ts';

interface Scene {
  readonly proxy: ChaosProxy;
  /** A connection beside the store's, which the proxy does not touch. */
  readonly beside: pg.Client;
  readonly product: { readonly id: number };
  send(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  order(key: string): Promise<Answer>;
  stock(): Promise<number>;
  orders(): Promise<number>;
}

const PIECES = 100;

/** A store on a database of its own, reached through a proxy, with one product. */
async function through(url: string, play: (scene: Scene) => Promise<void>): Promise<void> {
  const proxy = await ChaosProxy.to(url);
  const beside = new pg.Client({ connectionString: url });
  beside.on('error', () => {});
  await beside.connect();
  const images = await mkdtemp(join(tmpdir(), 'purveyor-images-'));
  const environment = {
    ...{ PORT: '0', API_KEY_READ_WRITE: READ_WRITE_KEY, LOG_LEVEL: 'silent', FAILED_KEYS_PER_MINUTE: '0' },
    ...{ DATABASE_URL: proxy.url, IMAGES_URL: `file:${images}` },
  };
  const server = await serve(readConfig(environment), environment, UNHEARD);
  try {
    const send: Scene['send'] = (method, path, options) =>
      sendRequest(server.address, method, path, { key: READ_WRITE_KEY, ...options });
    const made = await send('POST', '/api/products', { body: { sku: 'A', name: 'A', amount: PIECES } });
    assert.equal(made.status, 201, made.text);
    const product = made.json;
    await play({
      ...{ proxy, beside, product, send },
      order: (key) =>
        send('POST', '/api/orders', { body: orderOf([pieces(product, 1)]), headers: { 'idempotency-key': key } }),
      stock: async () => (await send('GET', `/api/products/${product.id}`)).json.amount,
      orders: async () => Number((await send('GET', '/api/orders')).headers['x-total-count']),
    });
  } finally {
    proxy.way = 'open';
    await beside.end().catch(() => {});
    await server.stop();
    proxy.close();
    await rm(images, { recursive: true });
  }
}

function scenario(title: string, play: (scene: Scene) => Promise<void>): void {
  test(title, async () => {
    const database = await freshDatabase('postgres');
    try {
      await through(database.url, play);
    } finally {
      await database.remove();
    }
  });
}

/** Not now: with the time to come back, and without a word of what is behind. */
function assertNotNow(answer: Answer): void {
  assertProblem(answer, 503);
  assert.match(String(answer.headers['retry-after']), /^\d+$/);
}

/** Until so many of the store's connections wait for a lock, which is told by the server and not guessed. */
async function untilWaiting(beside: pg.Client, count: number): Promise<number[]> {
  for (;;) {
    // Within a transaction the view is otherwise as it was when first asked.
    await beside.query('select pg_stat_clear_snapshot()');
    const { rows } = await beside.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length >= count) return rows.map(({ pid }) => pid);
    await sleep(10);
  }
}

/** Until it is answered with something else than “not now”. */
async function untilBack(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    assertNotNow(answer);
    await sleep(50);
  }
}

describe('a store on PostgreSQL', () => {
  scenario('a list that takes too long is given up, and says so', async ({ beside, send }) => {
    await beside.query('begin; lock table product');
    const listing = send('GET', '/api/products');
    const cancel = `select count(pg_cancel_backend(pid)) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    // It may not have come to its lock yet.
    while ((await beside.query(cancel)).rows[0].count === '0');
    const refused = await listing;
    assertProblem(refused, 503);
    assert.match(refused.json.detail, /search took too long and was canceled/);
    assert.equal(refused.headers['retry-after'], '10');
    await beside.query('rollback');
    assert.equal((await send('GET', '/api/products')).status, 200);
  });

  scenario('loses its connection within an order: nothing of it is left, and the retry is done once', async (scene) => {
    const { beside, product, order } = scene;
    await beside.query('begin');
    await beside.query('select 1 from product where id = $1 for update', [product.id]);
    const lost = order('lost');
    for (const pid of await untilWaiting(beside, 1)) await beside.query('select pg_terminate_backend($1)', [pid]);
    assertNotNow(await lost);
    await beside.query('rollback');
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES, 0]);
    const again = await order('lost');
    assert.equal(again.status, 201, again.text);
    assert.equal(again.headers['idempotency-replayed'], undefined);
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES - 1, 1]);
  });

  scenario('loses its connection while it looks for a first request with its key: that is not one', async (scene) => {
    const { beside, order } = scene;
    const lock = `hashtextextended('Idempotency-Key ${hashOf(READ_WRITE_KEY)} asked', 0)`;
    await beside.query(`select pg_advisory_lock(${lock})`);
    const lost = order('asked');
    for (const pid of await untilWaiting(beside, 1)) await beside.query('select pg_terminate_backend($1)', [pid]);
    assertNotNow(await lost);
    await beside.query(`select pg_advisory_unlock(${lock})`);
    assert.equal((await order('asked')).status, 201);
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES - 1, 1]);
  });

  for (const way of ['cut before commit', 'cut after commit'] as const)
    scenario(`is ${way}: nobody guesses, and the retry with its key is one order`, async (scene) => {
      scene.proxy.way = way;
      assertNotNow(await scene.order('committing'));
      scene.proxy.way = 'open';
      const again = await untilBack(() => scene.order('committing'));
      assert.equal(again.status, 201, again.text);
      assert.equal(again.headers['idempotency-replayed'], way === 'cut after commit' ? 'true' : undefined);
      const third = await scene.order('committing');
      assert.deepEqual([third.text, third.headers['idempotency-replayed']], [again.text, 'true']);
      assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES - 1, 1]);
    });

  scenario('has no connection left for writes: 503 for those, its answer for everybody else', async (scene) => {
    const { beside, product, send } = scene;
    await beside.query('begin');
    await beside.query('select 1 from product where id = $1 for update', [product.id]);
    const stock = { body: { delta: -1 } };
    const waiting = times(POOL_SETTINGS.max!, () => send('POST', `/api/products/${product.id}/stock`, stock));
    await untilWaiting(beside, POOL_SETTINGS.max!);
    const behind = send('POST', '/api/tags', { body: { name: 'No connection' } });
    const wrong = send('POST', '/api/tags', { body: { name: 7 } });
    // None of these needs one.
    assertProblem(await send('POST', '/api/tags', { body: { name: 'A' }, key: null }), 401);
    assertProblem(await send('POST', '/api/tags', { body: '{' }), 400);
    assertProblem(await send('GET', '/api/nothing'), 404);
    assertProblem(await send('PUT', '/api/tags', { body: {} }), 405);
    assertProblem(await send('GET', '/api/products?page=x'), 400);
    assert.equal((await send('GET', `/api/products/${product.id}`)).json.amount, PIECES);
    assert.equal((await send('GET', '/readyz')).status, 200);
    // Some wait until the lock's time is over, and those behind them may be served then.
    const answers = await waiting;
    for (const answer of answers) assertNotNow(answer);
    const last = await behind;
    if (last.status !== 201) assertNotNow(last);
    // Broken rules of the body are told together with those of the store, in one transaction (http.md §2).
    const refused = await wrong;
    if (refused.status !== 422) assertNotNow(refused);
    await beside.query('rollback');
    assert.equal(await scene.stock(), PIECES);
    assert.equal((await send('POST', `/api/products/${product.id}/stock`, stock)).status, 200);
    assert.equal(await scene.stock(), PIECES - 1);
  });

  scenario('has a slow one: slow answers, and right ones', async (scene) => {
    scene.proxy.way = 'slow';
    const answers = await times(4, (index) => scene.order(`slow-${index}`));
    assert.deepEqual(statuses(answers), { 201: 4 });
    scene.proxy.way = 'open';
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES - 4, 4]);
  });

  scenario('has a silent one: 503 in the end, and itself again when it speaks', async (scene) => {
    const { proxy, send } = scene;
    proxy.way = 'silent';
    const [read, written, keyless] = await Promise.all([
      send('GET', '/api/products'),
      scene.order('silent'),
      send('GET', '/api/products', { key: null }),
    ]);
    assertProblem(keyless, 401);
    for (const answer of [read, written]) assertNotNow(answer);
    assert.equal((await send('GET', '/healthz')).status, 200);
    proxy.way = 'open';
    const again = await untilBack(() => scene.order('silent'));
    assert.equal(again.status, 201, again.text);
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES - 1, 1]);
  });

  scenario('has one that is read-only: 503 for writes, and reads go on', async (scene) => {
    const { beside, send } = scene;
    const { rows } = await beside.query<{ name: string }>('select current_database() as name');
    await beside.query(`alter database ${rows[0]!.name} set default_transaction_read_only = on`);
    // A setting of the database is one of its next connections.
    await beside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await untilBack(() => send('GET', '/api/products'));
    for (const answer of await times(POOL_SETTINGS.max!, (index) => scene.order(`read-only-${index}`)))
      assertNotNow(answer);
    assertProblem(await send('POST', '/api/tags', { body: { name: 7 } }), 422);
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES, 0]);
    assert.equal((await send('GET', '/readyz')).status, 200);
    await beside.query(`set default_transaction_read_only = off`);
    await beside.query(`alter database ${rows[0]!.name} reset default_transaction_read_only`);
    const again = await untilBack(() => scene.order('read-only-0'));
    assert.equal(again.status, 201, again.text);
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES - 1, 1]);
  });

  scenario('has its connections reset under load: each order is there once or not at all', async (scene) => {
    let running = true;
    const resets = (async () => {
      while (running) {
        await sleep(20);
        scene.proxy.cut();
      }
    })();
    const keys = Array.from({ length: 20 }, (_, index) => `reset-${index}`);
    await Promise.all(keys.map((key) => scene.order(key)));
    running = false;
    await resets;
    for (const key of keys) {
      const answer = await untilBack(() => scene.order(key));
      assert.equal(answer.status, 201, answer.text);
    }
    assert.deepEqual([await scene.stock(), await scene.orders()], [PIECES - 20, 20]);
  });
});

torture('PostgreSQL has no room for its tables: 503 for writes, and reads go on', async (run) => {
  const { unavailable } = await postgresDisk(run, 'tables', 10);
  assert.ok(unavailable > 0);
});
torture('PostgreSQL has no room for its log: 503 until it has, and nothing acknowledged is lost', async (run) => {
  const { unavailable } = await postgresDisk(run, 'log', 10);
  assert.ok(unavailable > 0);
});

describe('a PostgreSQL that crashes and comes back', () => {
  test('keeps what was acknowledged, and the store goes on by itself', async () => {
    const postgres = await PostgresServer.make();
    try {
      await through(postgres.url, async ({ send, order, stock, orders }) => {
        const acknowledged = await times(10, (index) => order(`before-${index}`));
        assert.deepEqual(statuses(acknowledged), { 201: 10 });
        const meanwhile = times(5, (index) => order(`meanwhile-${index}`));
        await postgres.crash();
        for (const answer of await meanwhile) if (answer.status !== 201) assertNotNow(answer);
        assertNotNow(await order('down'));
        assertNotNow(await send('GET', '/api/products'));
        assertProblem(await send('GET', '/api/products', { key: null }), 401);
        assert.equal((await send('GET', '/healthz')).status, 200);
        await postgres.start();
        for (let index = 0; index < 5; index += 1) await untilBack(() => order(`meanwhile-${index}`));
        const again = await untilBack(() => order('down'));
        assert.equal(again.status, 201, again.text);
        for (const first of acknowledged) {
          const kept = await send('GET', new URL(first.headers.location!).pathname);
          assert.deepEqual(kept.json.id, first.json.id);
        }
        assert.deepEqual([await stock(), await orders()], [PIECES - 16, 16]);
      });
    } finally {
      await postgres.remove();
    }
  });
});
