/** The reference's story of one order runs against a fresh store exactly as it is printed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { databaseNames } from '../support/databases.ts';
import { READ_WRITE_KEY, Store } from '../support/store.ts';

const run = promisify(execFile);

for (const database of databaseNames)
  test(`the worked examples of an order, on ${database}`, async () => {
    const store = new Store(database);
    await store.start();
    try {
      const document = (await (await fetch(`${store.address}/api/openapi.json`)).json()) as {
        info: { description: string };
      };
      const section = document.info.description.split('\n## ').find((text) => text.startsWith('An order from'))!;
      const commands = section.match(/```sh\n(.*?)```/s)![1]!;
      const [setting] = document.info.description.match(/^API=.*$/m)!;
      const script = `set -e\n${setting}\nKEY=${READ_WRITE_KEY}\n${commands.replaceAll('curl ', 'echo; curl -sS ')}`;
      const { stdout } = await run('sh', ['-c', script]);
      const answers = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      assert.equal(answers.length, 11);
      const [mug, order, paid, isPaid, tracked, isShipped, isReturned, isCancelled, refund, isRefunded, history] =
        answers;
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
    } finally {
      await store.stop();
    }
  });
