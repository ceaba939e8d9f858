/** PostgreSQL without its only synchronous standby, so that every COMMIT waits (docs/reliability/l-several-processes.md, L8). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Client } from '../../torture/client.ts';
import { placeIn, Server, stop } from '../../torture/server.ts';
import { Folder } from '../cli/program.ts';
import { PostgresServer } from '../support/postgres-server.ts';

/** Longer than twice the store's timeout of a COMMIT. */
const AWAY_MS = 28_000;
/** The size of both connection pools. */
const CONNECTIONS_MAX = 12;

test('writes get a 503 while the synchronous standby is away, and reads keep their connections', async () => {
  const postgres = await PostgresServer.make({ settings: ['max_connections=20'] });
  const folder = await Folder.make();
  const administrator = new pg.Client({ connectionString: postgres.url });
  await administrator.connect();
  const server = new Server(placeIn(folder.path, postgres.url), { environment: { WAIT_MS_MAX: '0' } });
  try {
    const address = await server.ready();
    const reader = new Client(address);
    const create = (sku: string) => reader.send('POST', '/api/products', { sku, name: 'A' });
    await reader.expect('POST', '/api/products', { sku: 'A', name: 'A' });
    await administrator.query("alter system set synchronous_standby_names = 'nobody'");
    await administrator.query('select pg_reload_conf()');
    // Each PostgreSQL process applies the setting a little later.
    for (let number = 0; (await create(`before-${number}`)).status !== 503; number += 1);
    const endAt = performance.now() + AWAY_MS;
    const statuses = new Set<number>();
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      const client = new Client(address);
      for (let count = 0; performance.now() < endAt; count += 1)
        statuses.add((await client.send('POST', '/api/products', { sku: `${writer}-${count}`, name: 'B' })).status);
      client.close();
    });
    let connections = 0;
    while (performance.now() < endAt) {
      assert.equal((await reader.send('GET', `/api/products?search=${Math.random()}`)).status, 200);
      const { rows } = await administrator.query(
        "select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      connections = Math.max(connections, rows[0].count);
      await sleep(200);
    }
    await Promise.all(writers);
    assert.deepEqual([...statuses], [503]);
    // The job of the change feed may briefly have one more connection.
    assert.ok(connections <= CONNECTIONS_MAX + 1, `${connections} connections`);
    await administrator.query('alter system reset synchronous_standby_names');
    await administrator.query('select pg_reload_conf()');
    for (
      let tries = 0;
      (await reader.send('POST', '/api/products', { sku: 'C', name: 'C' })).status !== 201;
      tries += 1
    ) {
      assert.ok(tries < 100, 'the store takes writes again');
      await sleep(200);
    }
    reader.close();
    await stop(server);
  } finally {
    server.signal('SIGKILL');
    await administrator.end();
    await folder.remove();
    await postgres.remove();
  }
});
