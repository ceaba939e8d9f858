/** The delay of webhooks as reported by the server's metrics. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookLagSeconds } from '../../src/store/webhooks/lag.ts';
import { databaseNames } from '../support/databases.ts';
import { changed, made, openedStore } from '../support/opened-store.ts';

const AGE_SECONDS = 1000;

for (const name of databaseNames)
  test(`the webhook lag is the age of the oldest undelivered change (${name})`, async () => {
    const store = await openedStore(name);
    try {
      const { service } = store;
      const clock = { ...service.clock, now: () => service.clock.now() + AGE_SECONDS };
      const late = { ...service, clock };
      const lag = () => webhookLagSeconds(late, []);
      const isOld = (seconds: number): boolean => seconds >= AGE_SECONDS && seconds < AGE_SECONDS + 100;
      await made(service, 'Product', { sku: 'BEFORE', name: 'Before' });
      assert.equal(await lag(), 0, 'without webhooks');
      const url = 'https://receiver.example/';
      const { record } = await made(service, 'Webhook', { url, events: ['product.created'] });
      const id = record.id as number;
      await made(service, 'Tag', { name: 'Not wanted' });
      assert.equal(await lag(), 0, 'earlier changes and unsubscribed events are not pending');
      await made(service, 'Product', { sku: 'WAITS', name: 'Waits' });
      assert.ok(isOld(await lag()));
      await changed(service, 'Webhook', id, { enabled: false });
      assert.equal(await lag(), 0, 'the webhook is disabled');
      await changed(service, 'Webhook', id, { enabled: true });
      assert.ok(isOld(await lag()));
    } finally {
      await store.remove();
    }
  });
