/** Keys whose answers grow old while they are used (docs/reliability/h-concurrency.md, H8; j-clock.md, J2). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../src/engine/ports.ts';
import { type Answer, Client } from '../../torture/client.ts';
import { settableClock } from '../../torture/clock.ts';
import { placeIn, Server, stop } from '../../torture/server.ts';
import { ask, run } from '../support/database-scenario.ts';
import { type DatabaseName, databaseNames, freshDatabase } from '../support/databases.ts';
import { stressTest } from '../support/stress-test.ts';

const ROUNDS = 10;
const CLIENTS = 8;
const STOCK = 1000;
const DAY = 24 * 3600;
const OLDER = 3 * DAY;

for (const name of databaseNames)
  stressTest(`a key that comes back while its answer is forgotten is executed once more, on ${name}`, ({ folder }) =>
    swept(name, folder, {}, async ({ address, beside, order, pieces }) => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const key = `round-${round}`;
        const first = await order(new Client(address), key);
        assert.equal(await pieces(), STOCK - 2 * round + 1);
        await run(beside, sql`update kept_answer set created = created - ${sql.lit(OLDER)}`);
        await run(
          beside,
          sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < 1500)
            insert into kept_answer (api_key, key, fingerprint, status, headers, body, created)
            select 'other', 'key-' || n, '', 201, '{}', '', 0 from number`,
        );
        const seen = await Promise.all(
          Array.from({ length: CLIENTS }, async () => {
            const client = new Client(address);
            for (;;) {
              const answer = await order(client, key);
              if (answer.text !== first.text) return answer;
            }
          }),
        );
        assert.equal(new Set(seen.map(({ text }) => text)).size, 1, 'one answer for all');
        assert.equal(seen.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
        assert.equal(await pieces(), STOCK - 2 * round);
      }
    }),
  );

stressTest('an answer is kept for more than the promised day', ({ folder }) =>
  swept('sqlite', folder, {}, async ({ address, beside, order, pieces }) => {
    const client = new Client(address);
    const first = await order(client, 'kept');
    await order(client, 'old');
    await run(beside, sql`update kept_answer set created = created - ${sql.lit(DAY)} where key = 'kept'`);
    await run(beside, sql`update kept_answer set created = created - ${sql.lit(OLDER)} where key = 'old'`);
    // Once what is old is gone, a sweep has passed the other by.
    while ((await ask(beside, sql`select 1 from kept_answer where key = 'old'`)).length > 0) await sleep(20);
    assert.equal((await order(client, 'kept')).text, first.text);
    assert.equal(await pieces(), STOCK - 2);
  }),
);

stressTest('a clock that is set forward by two months forgets no key', async ({ folder }) => {
  const { set, environment } = settableClock(folder);
  await swept('sqlite', folder, environment, async ({ address, beside, order, pieces }) => {
    const client = new Client(address);
    const first = await order(client, 'kept');
    await order(client, 'old');
    set('+60d');
    await run(beside, sql`update kept_answer set created = created - ${sql.lit(OLDER)} where key = 'old'`);
    // Once what is old is gone, a sweep has run with the new clock.
    while ((await ask(beside, sql`select 1 from kept_answer where key = 'old'`)).length > 0) await sleep(20);
    const again = await order(client, 'kept');
    assert.equal(again.text, first.text);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(await pieces(), STOCK - 2);
  });
});

stressTest('a start with a clock two months ahead forgets no key of the last day', async ({ folder }) => {
  const { set, environment } = settableClock(folder);
  await swept('sqlite', folder, environment, async ({ address, beside, order, pieces, restart }) => {
    const client = new Client(address);
    await order(client, 'old');
    // Hours of serving, each of 20 ms.
    while ((((await ask(beside, MARKS))[0]?.[0] as string | undefined) ?? '').split(' ').length < 25) await sleep(20);
    const first = await order(client, 'kept');
    await run(beside, sql`update kept_answer set created = created - ${sql.lit(OLDER)} where key = 'old'`);
    set('+60d');
    // Its hours are hours: only the sweep of the start runs.
    const next = new Client(await restart());
    while ((await ask(beside, sql`select 1 from kept_answer where key = 'old'`)).length > 0) await sleep(20);
    const again = await order(next, 'kept');
    assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true']);
    assert.equal(await pieces(), STOCK - 2);
  });
});

const MARKS = sql`select value from setting where name = 'served hours'`;

interface Scene {
  readonly address: string;
  /** The store's database, opened as another process would. */
  readonly beside: Database;
  /** One piece; each execution takes one out of stock. */
  order(client: Client, key: string): Promise<Answer>;
  pieces(): Promise<number>;
  /** Another server in the place of this one, whose hours are hours. @returns its address */
  restart(): Promise<string>;
}

/** A real server whose hourly sweeps come every 20 ms. */
async function swept(
  name: DatabaseName,
  folder: string,
  environment: Readonly<Record<string, string>>,
  play: (scene: Scene) => Promise<void>,
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
  const beside = await fresh.open();
  let client = new Client(address);
  await client.expect('POST', '/api/products', { sku: 'A', name: 'A', price: 1, amount: STOCK });
  try {
    await play({
      address,
      beside,
      order: (by, key) =>
        by.expect(
          'POST',
          '/api/orders',
          { email: 'a@example.com', items: [{ sku: 'A', amount: 1 }] },
          { 'idempotency-key': key },
        ),
      pieces: async () => (await client.expect('GET', '/api/products/1')).json.amount,
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
    await beside.close();
    await fresh.remove();
  }
}
