/** When the queue reads a list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListReadQueue } from '../../src/http/cache/list-read-queue.ts';

/** Requests a list repeatedly, each time after the previous read has ended. */
async function request(queue: ListReadQueue, key: string, times: number, read: () => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    queue.request(key, read);
    await sleep(1);
  }
}

test('a list is read after its second request, and less often if the cached list is not used', async () => {
  const queue = new ListReadQueue();
  const readings: number[] = [];
  for (let asked = 1; asked <= 64; asked += 1) await request(queue, 'list', 1, async () => void readings.push(asked));
  assert.deepEqual(readings, [2, 6, 14, 30, 62]);
  queue.used('list');
  queue.used('list');
  for (let asked = 65; asked <= 110; asked += 1) await request(queue, 'list', 1, async () => void readings.push(asked));
  assert.equal(readings.at(-1), 80);
});

test('a failed read does not affect other lists', async () => {
  const queue = new ListReadQueue();
  const read: string[] = [];
  await request(queue, 'failing', 2, async () => {
    throw new Error('canceled');
  });
  await request(queue, 'other', 2, async () => void read.push('other'));
  assert.deepEqual(read, ['other']);
});

test('the queue reads one list at a time, and none after it stops', async () => {
  const queue = new ListReadQueue();
  const gate = Promise.withResolvers<void>();
  const readings: string[] = [];
  for (let number = 0; number < 20; number += 1)
    for (let time = 0; time < 2; time += 1)
      queue.request(`list ${number}`, () => {
        readings.push(`list ${number}`);
        return gate.promise;
      });
  await sleep(1);
  assert.deepEqual(readings, ['list 0']);
  queue.stop();
  gate.resolve();
  await sleep(5);
  assert.deepEqual(readings, ['list 0']);
});
