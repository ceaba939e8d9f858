/** Changes of a webhook while its next event is read or sent take effect at once (sync.md §2). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createSender } from '../../src/adapters/web/sender.ts';
import { BindParam, committed, formatTimestamp, readCursor } from '../../src/engine/index.ts';
import type { Dialect } from '../../src/engine/ports.ts';
import { readFeed } from '../../src/store/feed.ts';
import { EventSender } from '../../src/store/webhooks/event-sender.ts';
import { Lease } from '../../src/store/webhooks/lease.ts';
import { verdictOn } from '../../src/store/webhooks/schedule.ts';
import { databaseNames } from '../support/databases.ts';
import { blockReads, changed, made, openedStore, REQUEST_OPTIONS, type ReadBlocker } from '../support/opened-store.ts';
import { Receiver } from '../support/receiver.ts';
import { Store } from '../support/store.ts';

const WAITS = [5, 300, 1800, 7200, 18_000];
const NO_LOG = { info() {}, warn() {} };

interface ScenarioContext {
  readonly blocker: ReadBlocker;
  readonly receiver: Receiver;
  readonly eventSender: EventSender;
  readonly id: number;
  product(): Promise<number>;
  tag(): Promise<number>;
  change(body: Readonly<Record<string, unknown>>): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  read(): Promise<any>;
}

for (const name of databaseNames)
  describe(`changes of a webhook during delivery (${name})`, () => {
    /** Creates a webhook for products, with an event sender that only the test runs. */
    const scenario =
      (play: (context: ScenarioContext) => Promise<void>): (() => Promise<void>) =>
      async () => {
        const store = await openedStore(name);
        const { service } = store;
        const receiver = await Receiver.open();
        const sender = createSender({ allow: ['127.0.0.1/32'] });
        const { record } = await made(service, 'Webhook', { url: receiver.url, events: ['product.*'] });
        const id = record.id as number;
        const blocker = blockReads(service);
        const signal = new AbortController().signal;
        const tools = {
          service: blocker.service,
          requestOptions: REQUEST_OPTIONS,
          sender,
          lease: new Lease(service, true),
        };
        const eventSender = new EventSender(
          { ...tools, waits: WAITS, keys: [], log: NO_LOG, stopping: signal, stopped: signal },
          id,
        );
        let count = 0;
        try {
          await play({
            ...{ blocker, receiver, eventSender, id },
            async product() {
              count += 1;
              return (await made(service, 'Product', { sku: `S${count}`, name: 'One' })).record.id as number;
            },
            async tag() {
              count += 1;
              return (await made(service, 'Tag', { name: `T${count}` })).record.id as number;
            },
            change: (body) => changed(service, 'Webhook', id, body),
            read: async () => (await committed(service, REQUEST_OPTIONS).list('Webhook', { id }))[0],
          });
        } finally {
          await sender.close();
          await receiver.close();
          await store.remove();
        }
      };

    test(
      'a webhook receives newly selected events, even if its feed was being read during the change',
      scenario(async ({ blocker, receiver, eventSender, tag, change, product }) => {
        await product();
        await eventSender.run();
        blocker.blockNext('from "change" as "entry"', 'before');
        const running = eventSender.run();
        await blocker.reached();
        await change({ events: ['product.*', 'tag.*'] });
        const wanted = await tag();
        const last = await product();
        blocker.release();
        await running;
        await eventSender.run();
        assert.deepEqual(receiver.summaries().slice(1), [`tag.created ${wanted} v1`, `product.created ${last} v1`]);
      }),
    );

    test(
      'a webhook sends no event to its earlier URL or after it is disabled',
      scenario(async ({ blocker, receiver, eventSender, product, change }) => {
        const other = await Receiver.open();
        for (const step of [() => change({ url: other.url }), () => change({ enabled: false })]) {
          await product();
          blocker.blockNext('select value from "setting"');
          const running = eventSender.run();
          await blocker.reached();
          await step();
          blocker.release();
          await running;
        }
        assert.equal(receiver.received.length, 0);
        assert.equal(other.received.length, 1);
        await other.close();
      }),
    );

    test(
      'a new URL or selection of events resets the failures of a webhook',
      scenario(async ({ receiver, eventSender, product, change, read }) => {
        receiver.respondByDefault(503);
        await product();
        await eventSender.run();
        assert.equal((await read()).failures.count, 1);
        await change({ url: `${receiver.url}/other` });
        const { failures, next_attempt } = await read();
        assert.deepEqual([failures.count, next_attempt], [0, null]);
        await change({ events: ['tag.*'] });
        await eventSender.run();
        await eventSender.run();
        const rested = await read();
        assert.deepEqual([rested.status, rested.failures.message], ['ok', '']);
      }),
    );

    test(
      'a 410 from an earlier URL does not pause a webhook',
      scenario(async ({ receiver, eventSender, product, change, read }) => {
        const other = await Receiver.open();
        receiver.respondNext(async (response) => {
          await change({ url: other.url });
          response.writeHead(410).end();
        });
        await product();
        await eventSender.run();
        assert.equal((await read()).status, 'ok');
        assert.equal(other.received.length, 1);
        await other.close();
      }),
    );
  });

for (const name of databaseNames)
  test(`a replay from a time includes every later change, in whatever order they have their positions (${name})`, async () => {
    const store = await openedStore(name);
    const { service } = store;
    const { dialect } = service.database;
    for (const number of [1, 2, 3]) await made(service, 'Tag', { name: `Tag ${number}` });
    await readFeed(service, 'now', { resources: undefined, limit: 1 });
    const rows = await service.database.query(
      dialect.compile(sql`select position from change where resource = 'Tag' order by position`),
      {},
    );
    const [first, second, third] = rows.map(([position]) => Number(position));
    const time = service.clock.now() + 100;
    // The units have other timestamps than their positions suggest.
    await service.database.transaction(async (transaction) => {
      for (const [position, at] of [
        [first, time - 1],
        [second, time + 1],
        [third, time - 1],
      ] as const)
        await transaction.run(
          dialect.compile(
            sql`update change set at = ${timePlaceholder(dialect)} where position = ${sql.lit(position)}`,
          ),
          { at },
        );
    });
    const cursor = await committed(service, REQUEST_OPTIONS).cursorAfter(formatTimestamp(time, 'UTC'), {
      cursor: '',
      since: time + 100,
    });
    assert.equal(typeof cursor === 'object' && readCursor(cursor.cursor)?.position, first);
    await store.remove();
  });

const timePlaceholder = ({ placeholder }: Dialect) => placeholder(new BindParam('at', 'timestamp'));

const responseOf = (status: number) => ({ status, response: '', retryAfterSeconds: 0 });

test('rejections by a receiver are counted separately from other failures', () => {
  const first = verdictOn(responseOf(404), { count: 4, own: 1 }, WAITS);
  assert.deepEqual([first.is, 'inSeconds' in first && first.inSeconds], ['retried', 5]);
  const failed = verdictOn(responseOf(503), { count: 1, own: 4 }, WAITS);
  assert.deepEqual([failed.is, 'inSeconds' in failed && failed.inSeconds], ['retried', 5]);
});

for (const name of databaseNames)
  test(`four failures and one rejection do not skip an event (${name})`, async () => {
    const store = new Store(name, { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32', WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
    const receiver = await Receiver.open();
    await store.start();
    try {
      const { id } = await store.made('/api/webhooks', { url: receiver.url, events: ['product.*'] });
      receiver.respondNext(503, 503, 503, 503, 404);
      await store.product();
      await receiver.has(6);
      const [{ attempts }] = (await store.get(`/api/webhooks/${id}/deliveries`)).json;
      assert.ok(attempts.length >= 5);
      // After a resume from now, the failed event is no longer current and can be retried.
      receiver.respondByDefault(503);
      await store.product();
      await receiver.has(7);
      await store.patch(`/api/webhooks/${id}`, { enabled: false });
      await store.post(`/api/webhooks/${id}/resume`, { from: 'now' });
      let failing: { id: number } | undefined;
      for (let tries = 0; !failing && tries < 200; tries += 1) {
        await sleep(20);
        [failing] = (await store.get(`/api/webhooks/${id}/deliveries?status=failing`)).json;
      }
      const retried = await store.post(`/api/webhooks/${id}/deliveries/${failing!.id}/retry`, {});
      assert.equal(retried.status, 200, retried.text);
    } finally {
      await store.stop();
      await receiver.close();
    }
  });
