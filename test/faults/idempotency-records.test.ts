/** Expiry of idempotency records while their keys are in use (docs/reliability/h-concurrency.md, H8; j-clock.md, J2). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../src/engine/ports.ts';
import { Client, type HttpResponse } from '../../torture/client.ts';
import { settableClock } from '../../torture/clock.ts';
import { placeIn, Server, stop } from '../../torture/server.ts';
import { run, runQuery } from '../support/database-scenario.ts';
import { type DatabaseName, databaseNames, freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

const ROUNDS = 10;
const CLIENTS = 8;
const STOCK = 1000;
const DAY = 24 * 3600;
const EXPIRED = 3 * DAY;

for (const name of databaseNames)
  stressTest(
    `requests with a key whose record expires meanwhile are executed exactly once more (${name})`,
    ({ folder }) =>
      withFastSweeps(name, folder, {}, async ({ address, database, order, stock }) => {
        for (let round = 1; round <= ROUNDS; round += 1) {
          const key = `round-${round}`;
          const first = await order(new Client(address), key);
          assert.equal(await stock(), STOCK - 2 * round + 1);
          await run(database, sql`update kept_answer set created = created - ${sql.lit(EXPIRED)}`);
          await run(
            database,
            sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < 1500)
            insert into kept_answer (api_key, key, fingerprint, status, headers, body, created)
            select 'other', ${sql.lit(`${key}-`)} || n, '', 201, '{}', '', 0 from number`,
          );
          const seen = await Promise.all(
            Array.from({ length: CLIENTS }, async () => {
              const client = new Client(address);
              for (;;) {
                const response = await order(client, key);
                if (response.text !== first.text) return response;
              }
            }),
          );
          assert.equal(new Set(seen.map(({ text }) => text)).size, 1, 'all clients get the same response');
          assert.equal(seen.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
          assert.equal(await stock(), STOCK - 2 * round);
        }
      }),
  );

stressTest('an idempotency record is available for more than a day', ({ folder }) =>
  withFastSweeps('sqlite', folder, {}, async ({ address, database, order, stock }) => {
    const client = new Client(address);
    const first = await order(client, 'recent');
    await order(client, 'expired');
    await run(database, sql`update kept_answer set created = created - ${sql.lit(DAY)} where key = 'recent'`);
    await run(database, sql`update kept_answer set created = created - ${sql.lit(EXPIRED)} where key = 'expired'`);
    // When the expired record is gone, a sweep has run and spared the other one.
    while ((await runQuery(database, sql`select 1 from kept_answer where key = 'expired'`)).length > 0) await sleep(20);
    assert.equal((await order(client, 'recent')).text, first.text);
    assert.equal(await stock(), STOCK - 2);
  }),
);

stressTest('setting the clock forward by two months expires no idempotency record', async ({ folder }) => {
  const { set, environment } = settableClock(folder);
  await withFastSweeps('sqlite', folder, environment, async ({ address, database, order, stock }) => {
    const client = new Client(address);
    const first = await order(client, 'recent');
    await order(client, 'expired');
    set('+60d');
    await run(database, sql`update kept_answer set created = created - ${sql.lit(EXPIRED)} where key = 'expired'`);
    // When the expired record is gone, a sweep has run with the new clock.
    while ((await runQuery(database, sql`select 1 from kept_answer where key = 'expired'`)).length > 0) await sleep(20);
    const again = await order(client, 'recent');
    assert.equal(again.text, first.text);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(await stock(), STOCK - 2);
  });
});

stressTest(
  'a start with a clock two months ahead expires no idempotency record of the last day',
  async ({ folder }) => {
    const { set, environment } = settableClock(folder);
    await withFastSweeps('sqlite', folder, environment, async ({ address, database, order, stock, restart }) => {
      const client = new Client(address);
      await order(client, 'expired');
      // Waits for 24 hours of serving, each of 20 ms.
      while ((((await runQuery(database, MARKS))[0]?.[0] as string | undefined) ?? '').split(' ').length < 25)
        await sleep(20);
      const first = await order(client, 'recent');
      await run(database, sql`update kept_answer set created = created - ${sql.lit(EXPIRED)} where key = 'expired'`);
      set('+60d');
      // The new server has real hours, so only the sweep at its start runs.
      const next = new Client(await restart());
      while ((await runQuery(database, sql`select 1 from kept_answer where key = 'expired'`)).length > 0)
        await sleep(20);
      const again = await order(next, 'recent');
      assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true']);
      assert.equal(await stock(), STOCK - 2);
    });
  },
);

const MARKS = sql`select value from setting where name = 'served hours'`;

interface ScenarioContext {
  readonly address: string;
  /** A separate connection to the store's database. */
  readonly database: Database;
  /** Orders one unit; each execution decreases the stock by one. */
  order(client: Client, key: string): Promise<HttpResponse>;
  stock(): Promise<number>;
  /** Replaces the server by one with real hours. @returns its address */
  restart(): Promise<string>;
}

/** Runs a scenario with a server whose hourly sweeps run every 20 ms. */
async function withFastSweeps(
  name: DatabaseName,
  folder: string,
  environment: Readonly<Record<string, string>>,
  play: (context: ScenarioContext) => Promise<void>,
): Promise<void> {
  const preload = join(folder, 'preload.mjs');
  writeFileSync(
    preload,
    `const { setInterval } = globalThis;
     globalThis.setInterval = (work, ms, ...rest) => setInterval(work, ms === 3600_000 ? 20 : ms, ...rest);`,
  );
  const fresh = await freshDatabase(name);
  const route = placeIn(folder, fresh.url);
  let server = new Server(route, { environment, nodeArguments: ['--import', preload] });
  const address = await server.ready();
  const database = await fresh.open();
  let client = new Client(address);
  await client.expect('POST', '/api/products', { sku: 'A', name: 'A', price: 1, amount: STOCK });
  try {
    await play({
      address,
      database,
      order: (by, key) =>
        by.expect(
          'POST',
          '/api/orders',
          { email: 'a@example.com', items: [{ sku: 'A', amount: 1 }] },
          { 'idempotency-key': key },
        ),
      stock: async () => (await client.expect('GET', '/api/products/1')).json.amount,
      async restart() {
        await stop(server);
        server = new Server(route, { environment });
        client = new Client(await server.ready());
        return client.address;
      },
    });
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await server.ended;
    await database.close();
    await fresh.remove();
  }
}
