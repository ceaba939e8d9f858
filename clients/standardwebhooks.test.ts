/** `standardwebhooks`, the reference library: it verifies webhook requests and rejects modified ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { type Received, Receiver } from '../test/support/receiver.ts';
import { withStore } from './support/store.ts';

withStore(
  'standardwebhooks',
  (store) => {
    test('standardwebhooks verifies events with the secret, and with both secrets during a rotation', async () => {
      const receiver = await Receiver.open();
      const { id, secret } = await store.made('/api/webhooks', { url: receiver.url, events: ['product.*'] });
      const { id: product } = await store.product({ name: 'Grüße, 世界' });
      const [first] = await receiver.has(1);
      const headersOf = ({ headers }: Received) => headers as Record<string, string>;
      assert.deepEqual(new Webhook(secret).verify(first!.text, headersOf(first!)), first!.json);
      assert.equal(first!.json.data.id, product);
      const wrong = (text: string, headers: Record<string, string>, key = secret): void =>
        assert.throws(() => new Webhook(key).verify(text, headers), WebhookVerificationError);
      wrong(first!.text.replace('created', 'deleted'), headersOf(first!));
      wrong(first!.text, { ...headersOf(first!), 'webhook-id': 'another' });
      const old = Math.floor(Date.now() / 1000) - 3600;
      wrong(first!.text, { ...headersOf(first!), 'webhook-timestamp': String(old) });
      const rotated = await store.post(`/api/webhooks/${id}/rotate_secret`, {});
      wrong(first!.text, headersOf(first!), rotated.json.secret);
      await store.patch(`/api/products/${product}`, { price: 5 });
      const [, second] = await receiver.has(2);
      for (const key of [secret, rotated.json.secret])
        assert.deepEqual(new Webhook(key).verify(second!.text, headersOf(second!)), second!.json);
      await store.delete(`/api/webhooks/${id}`);
      await receiver.close();
    });
  },
  { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
);
