/**
 * Eight writers, killed servers and failing receivers: exactly the committed changes are delivered, in order
 * (`npm run torture -- webhooks` is the long run). Also webhooks with an expired cursor.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { webhooks } from '../../torture/webhooks.ts';
import { Folder } from '../cli/program.ts';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { Receiver } from '../support/receiver.ts';
import { type Json, Store } from '../support/store.ts';
import { stressTest } from '../support/stress-test.ts';

stressTest(
  'webhooks receive exactly the committed changes in order despite kills (one server on SQLite)',
  async (run) => {
    const { kills, events, failed } = await webhooks(run, { operations: 300, killEvery: 100 });
    assert.ok(kills > 0 && events > 100 && failed > 0, `${kills} kills, ${events} events, ${failed} failed`);
  },
);

stressTest(
  'webhooks receive exactly the committed changes in order despite kills (two servers on PostgreSQL)',
  async (run) => {
    const { url, remove } = await freshDatabase('postgres');
    const { kills, events } = await webhooks(run, { operations: 300, killEvery: 150, postgresUrl: url });
    await remove();
    assert.ok(kills > 0 && events > 100, `${kills} kills, ${events} events`);
  },
);

for (const name of databaseNames)
  test(`a webhook with an expired cursor pauses with a reason, and can be resumed from now (${name})`, async () => {
    const database = await freshDatabase(name, 'migrated');
    const images = await mkdtemp(join(tmpdir(), 'purveyor-webhooks-'));
    const settings = {
      DATABASE_URL: database.url,
      IMAGES_URL: `file:${images}`,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
    };
    const store = new Store(name, settings);
    const receiver = await Receiver.open();
    const folder = await Folder.make();
    try {
      await store.start();
      const { id } = await store.made('/api/webhooks', { url: receiver.url, events: ['product.*'] });
      const path = `/api/webhooks/${id}`;
      await store.product();
      await receiver.has(1);
      await store.stop();
      // Starts a new history, as a restore does.
      const opened = await database.open();
      const { dialect } = opened;
      await opened.transaction((transaction) =>
        transaction.run(dialect.compile(sql`update setting set value = 'another' where name = 'epoch of changes'`), {}),
      );
      await opened.close();
      await store.start();
      await store.product();
      const paused = await until(store, path, 'paused');
      assert.match(paused.reason, /no longer contains its next event.*CHANGES_KEEP_DAYS/);
      const resumed = await store.post(`${path}/resume`, { from: 'kept' });
      assert.equal(resumed.status, 409, resumed.text);
      assert.match(resumed.json.detail, /Resume it from now/);
      const checked = await folder.run(['check'], settings);
      assert.equal(checked.code, 0, checked.stdout + checked.stderr);
      assert.match(
        checked.stdout,
        /^The webhook 1 is paused with \d+ events? waiting: .*\/api\/webhooks\/1\/resume\.$/m,
      );
      await store.post(`${path}/resume`, { from: 'now' });
      const { id: product } = await store.product();
      await receiver.has(2);
      assert.equal(receiver.received[1]!.json.data.id, product);
      await until(store, path, 'ok');
    } finally {
      await store.stop();
      await receiver.close();
      await folder.remove();
      await database.remove();
      await rm(images, { recursive: true });
    }
  });

async function until(store: Store, path: string, status: string): Promise<Json & { reason: string }> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { json } = await store.get(path);
    if (json.status === status) return json;
    await sleep(50);
  }
  assert.fail(`${path} is not ${status}`);
}
