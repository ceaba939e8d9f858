/** The tutorials of the reference run against a new store exactly as they are printed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { databaseNames } from '../support/databases.ts';
import { READ_WRITE_KEY, Store } from '../support/store.ts';

const run = promisify(execFile);

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
type Json = any;

for (const database of databaseNames) {
  test(`the commands of the order example in the reference return the documented values on ${database}`, () =>
    runTutorial(database, 'An order from', async (responses, store) => {
      assert.equal(responses.length, 11);
      const [mug, order, paid, isPaid, tracked, isShipped, isReturned, isCancelled, refund, isRefunded, history] =
        responses;
      assert.equal(mug.amount, 10);
      assert.deepEqual([order.id, order.sub_total, order.total, order.stock_status], [1, 25, 29.9, 'reduced']);
      assert.deepEqual([paid.value, refund.type, tracked.value], [29.9, 'refund', '1Z999AA10123456784']);
      const codes = [isPaid, isShipped, isReturned, isCancelled, isRefunded].map(({ code }) => code);
      assert.deepEqual(codes, ['P', 'S', 'R', 'C', 'R']);
      assert.deepEqual(
        history.map((event: { code: string }) => event.code),
        [
          ...['PLACE ORDER', 'CHANGE PRODUCT AMOUNT', 'TRANSACTION', 'CHANGE PAYMENT STATUS ORDER', 'ORDER TRACKING'],
          ...['CHANGE SHIPPING STATUS ORDER', 'CHANGE SHIPPING STATUS ORDER', 'CHANGE PAYMENT STATUS ORDER'],
          ...['CHANGE PRODUCT AMOUNT', 'TRANSACTION', 'CHANGE PAYMENT STATUS ORDER'],
        ],
      );
      const { json } = await store.get(`/api/products/${mug.id}`);
      assert.equal(json.amount, 10);
    }));

  test(`the commands of the partial return example in the reference return the documented values on ${database}`, () =>
    runTutorial(database, 'A product with sizes', async (responses) => {
      assert.equal(responses.length, 21);
      const [order, variants] = responses.slice(-2);
      const [placed, , , tried, edited, shipment, invoice] = responses.slice(8, 15);
      const [, received, refund, note] = responses.slice(15, 19);
      assert.deepEqual([placed.total, tried.total, edited.total, invoice.total, note.total], [65, 65, 65, 65, 40]);
      assert.deepEqual([shipment.lines.length, invoice.number, note.number], [2, 'INV-1', 'CN-1']);
      assert.deepEqual([received.status, refund.lines.length], ['received', 2]);
      assert.deepEqual(
        order.items.map((item: Json) => [
          ...[item.amount, item.ordered_amount, item.shipped_amount, item.cancelled_amount],
          ...[item.returned_amount, item.restocked_amount, item.refunded_value],
        ]),
        [
          [1, 2, 1, 1, 1, 1, 20],
          [2, 2, 2, 0, 1, 0, 20],
        ],
      );
      assert.deepEqual(
        variants.map(({ amount }: Json) => amount),
        [10, 8],
      );
    }));
}

/** @param check gets the responses of the tutorial whose title begins with `title` */
async function runTutorial(
  database: (typeof databaseNames)[number],
  title: string,
  check: (responses: Json[], store: Store) => Promise<void>,
): Promise<void> {
  const store = new Store(database);
  await store.start();
  try {
    const document = (await (await fetch(`${store.address}/api/openapi.json`)).json()) as {
      info: { description: string };
    };
    const section = document.info.description.split('\n## ').find((text) => text.startsWith(title))!;
    const commands = section.match(/```sh\n(.*?)```/s)![1]!;
    const [setting] = document.info.description.match(/^API=.*$/m)!;
    const script = `set -e\n${setting}\nKEY=${READ_WRITE_KEY}\n${commands.replaceAll('curl ', 'echo; curl -sS ')}`;
    const { stdout } = await run('sh', ['-c', script]);
    const responses = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    await check(responses, store);
  } finally {
    await store.stop();
  }
}
