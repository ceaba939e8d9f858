/**
 * Erasures during webhook deliveries (profiles.md §4): a receiver repeats what it was sent, at a random time around the
 * erasure. Afterwards no row and, on SQLite, no byte of the files contains the erased person.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import { dumpTables } from '../support/dump.ts';
import { Receiver } from '../support/receiver.ts';
import { Store } from '../support/store.ts';

const ROUNDS = Number(process.env.ERASURE_ROUNDS ?? 200);
/** Deliveries are stored until they are checked. */
const ROUNDS_PER_CHECK = 100;
const WEBHOOKS = 3;
const MARKER = 'Zq7marker';

describe('erasures during webhook deliveries', { concurrency: true }, () => {
  for (const name of databaseNames)
    test(`leave no response of a receiver that was sent the person's data (${name})`, async () => {
      const { url, remove } = await freshDatabase(name, 'migrated');
      const receivers = await Promise.all(Array.from({ length: WEBHOOKS }, () => Receiver.open()));
      const settings = { DATABASE_URL: url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
      const store = new Store(name, settings);
      try {
        await store.start();
        for (const receiver of receivers)
          await store.made('/api/webhooks', { url: receiver.url, events: ['order.*'], payload: 'record' });
        const { sku } = await store.product({ inventory_traceable: false });
        for (let round = 1; round <= ROUNDS; round += 1) {
          const email = `${MARKER}-${round}@example.com`;
          const sent = receivers.map((receiver) => echoOnce(receiver, email));
          await store.made('/api/orders', { email, notes: email, items: [{ sku, amount: 1 }] });
          const respond = await Promise.all(sent);
          await Promise.all([
            store.post('/api/privacy/erase', { email }).then(({ status }) => assert.equal(status, 200)),
            ...respond.map(async (send) => {
              await sleep(Math.random() * 12);
              send();
            }),
          ]);
          if (round % ROUNDS_PER_CHECK > 0 && round < ROUNDS) continue;
          await settled(store, receivers);
          await store.stop();
          await assertForgotten(url);
          await store.start();
        }
        // Responses to later requests are stored again.
        const later = receivers.map((receiver) => echoOnce(receiver, 'later@example.com').then((send) => send()));
        await store.made('/api/orders', { email: 'later@example.com', items: [{ sku, amount: 1 }] });
        await Promise.all(later);
        await settled(store, receivers);
        const answers = (await store.rows()).filter((row) => row.startsWith('webhook_delivery'));
        assert.equal(answers.filter((row) => row.includes('later@example.com')).length, WEBHOOKS);
      } finally {
        await store.stop();
        await Promise.all(receivers.map((receiver) => receiver.close()));
        await remove();
      }
    });
});

/** Lets the receiver repeat the request that contains the text, once the returned function is called. */
function echoOnce(receiver: Receiver, contained: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  receiver.respondBy(({ text }) =>
    text.includes(contained)
      ? (response) => {
          receiver.respondBy(undefined);
          resolve(() => response.writeHead(200).end(text));
        }
      : undefined,
  );
  return promise;
}

/** Waits until every attempt is recorded. */
async function settled(store: Store, receivers: readonly Receiver[]): Promise<void> {
  const attempts = async (): Promise<number> => {
    const rows = (await store.rows()).filter((row) => row.startsWith('webhook_delivery'));
    return rows.reduce((sum, row) => sum + row.split('duration_ms').length - 1, 0);
  };
  let seen = -1;
  for (;;) {
    const sent = receivers.reduce((sum, { received }) => sum + received.length, 0);
    if (sent === seen && (await attempts()) === sent) return;
    seen = sent;
    await sleep(100);
  }
}

async function assertForgotten(url: string): Promise<void> {
  const rows = (await dumpTables(url)).split('\n').filter(hasMarker);
  assert.deepEqual(rows, []);
  if (!url.startsWith('sqlite:')) return;
  const file = url.slice('sqlite:'.length);
  for (const each of readdirSync(dirname(file)).filter((other) => other.startsWith(basename(file))))
    assert.ok(!hasMarker(readFileSync(join(dirname(file), each)).toString('latin1')), `in ${each}`);
}

function hasMarker(text: string): boolean {
  return text.toLowerCase().includes(MARKER.toLowerCase());
}
