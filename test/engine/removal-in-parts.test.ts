/** Deletion of a record with very many unpublished records, which are deleted first, in batches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problem } from '../../src/engine/errors.ts';
import { removeInBatches } from '../../src/engine/operations/remove.ts';
import { committed } from '../../src/engine/unit/reads.ts';
import { inUnit } from '../../src/engine/unit/unit.ts';
import { routeOf, targetAt } from '../../src/store/own-requests.ts';
import { databaseNames } from '../support/databases.ts';
import { made, openedStore, REQUEST_OPTIONS } from '../support/opened-store.ts';

const DELIVERIES = 5000;

for (const name of databaseNames)
  test(`a webhook is deleted with its deliveries in batches (${name})`, async () => {
    const store = await openedStore(name);
    try {
      const { service } = store;
      const body = { url: 'https://receiver.example/', events: ['*'] };
      const [id, other] = [
        (await made(service, 'Webhook', body)).record.id as number,
        (await made(service, 'Webhook', body)).record.id as number,
      ];
      const deliveries = (webhook: number, count: number) =>
        Array.from({ length: count }, (_, index) => ({ webhook, message_id: `evt_${index}`, type: 'tag.created' }));
      await inUnit(service, REQUEST_OPTIONS, (unit) =>
        unit.insertAll('WebhookDelivery', [...deliveries(id, DELIVERIES), ...deliveries(other, 3)]),
      );
      const left = (webhook: number) => committed(service, REQUEST_OPTIONS).count('WebhookDelivery', { webhook });
      const target = targetAt(routeOf(service, 'Webhook'), { id });

      const rejected = await removeInBatches(service, REQUEST_OPTIONS, target, () =>
        problem('precondition-failed', 'It has changed.'),
      );
      assert.deepEqual([rejected?.problem, await left(id)], ['precondition-failed', DELIVERIES]);

      // Other transactions can run between the batches.
      let transactions = 0;
      const counting = new Proxy(service.database, {
        get(database, key) {
          if (key === 'transaction') transactions += 1;
          const member = Reflect.get(database, key);
          return typeof member === 'function' ? member.bind(database) : member;
        },
      });
      assert.equal(await removeInBatches({ ...service, database: counting }, REQUEST_OPTIONS, target), undefined);
      assert.deepEqual([await left(id), await left(other)], [0, 3]);
      assert.ok(transactions > 3, String(transactions));
    } finally {
      await store.remove();
    }
  });
