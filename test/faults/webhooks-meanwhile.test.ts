/** A webhook that its owner changes while its next event is looked for or sent (sync.md §2): the change counts at once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSender } from '../../src/adapters/web/sender.ts';
import { committed } from '../../src/engine/index.ts';
import { Courier } from '../../src/store/webhooks/courier.ts';
import { Lease } from '../../src/store/webhooks/lease.ts';
import { databaseNames } from '../support/databases.ts';
import { CALLER, changed, type Hold, holdingReads, made, openedStore } from '../support/opened-store.ts';
import { Receiver } from '../support/receiver.ts';

const WAITS = [5, 300, 1800, 7200, 18_000];
const NOBODY = { info() {}, warn() {} };

interface Scene {
  readonly hold: Hold;
  readonly receiver: Receiver;
  readonly courier: Courier;
  readonly id: number;
  product(): Promise<number>;
  tag(): Promise<number>;
  change(body: Readonly<Record<string, unknown>>): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  read(): Promise<any>;
}

for (const name of databaseNames)
  describe(`a webhook that is changed meanwhile (${name})`, () => {
    /** A webhook of products, and its courier, which nothing runs but the test. */
    const scene =
      (play: (scene: Scene) => Promise<void>): (() => Promise<void>) =>
      async () => {
        const store = await openedStore(name);
        const { service } = store;
        const receiver = await Receiver.open();
        const sender = createSender({ allow: ['127.0.0.1/32'] });
        const { record } = await made(service, 'Webhook', { url: receiver.url, events: ['product.*'] });
        const id = record.id as number;
        const hold = holdingReads(service);
        const signal = new AbortController().signal;
        const tools = { service: hold.service, caller: CALLER, sender, lease: new Lease(service, true) };
        const courier = new Courier({ ...tools, waits: WAITS, log: NOBODY, stopping: signal, stopped: signal }, id);
        let count = 0;
        try {
          await play({
            ...{ hold, receiver, courier, id },
            async product() {
              count += 1;
              return (await made(service, 'Product', { sku: `S${count}`, name: 'One' })).record.id as number;
            },
            async tag() {
              count += 1;
              return (await made(service, 'Tag', { name: `T${count}` })).record.id as number;
            },
            change: (body) => changed(service, 'Webhook', id, body),
            read: async () => (await committed(service, CALLER).list('Webhook', { id }))[0],
          });
        } finally {
          await sender.close();
          await receiver.close();
          await store.remove();
        }
      };

    test(
      'is sent what it wants since, though its feed was being read',
      scene(async ({ hold, receiver, courier, tag, change, product }) => {
        await product();
        await courier.run();
        hold.on('from "change" as "told"', 'before');
        const running = courier.run();
        await hold.reached();
        await change({ events: ['product.*', 'tag.*'] });
        const wanted = await tag();
        const last = await product();
        hold.release();
        await running;
        await courier.run();
        assert.deepEqual(receiver.told().slice(1), [`tag.created ${wanted} v1`, `product.created ${last} v1`]);
      }),
    );

    test(
      'is sent nothing at an address that it had, or once it is off',
      scene(async ({ hold, receiver, courier, product, change }) => {
        const other = await Receiver.open();
        for (const step of [() => change({ url: other.url }), () => change({ enabled: false })]) {
          await product();
          hold.on('count(*) from (select resource, kind');
          const running = courier.run();
          await hold.reached();
          await step();
          hold.release();
          await running;
        }
        assert.equal(receiver.received.length, 0);
        assert.equal(other.received.length, 1);
        await other.close();
      }),
    );
  });
