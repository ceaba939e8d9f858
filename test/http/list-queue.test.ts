/** Which lists are read, and how often. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListQueue } from '../../src/http/cache/list-read-queue.ts';

/** Asks so often, each time after the reading before has ended. */
async function askedFor(queue: ListQueue, key: string, times: number, read: () => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    queue.ask(key, read);
    await sleep(1);
  }
}

test('a list is read when it is asked for a second time, and less and less often while it is of no use', async () => {
  const queue = new ListQueue();
  const readings: number[] = [];
  for (let asked = 1; asked <= 64; asked += 1) await askedFor(queue, 'list', 1, async () => void readings.push(asked));
  assert.deepEqual(readings, [2, 6, 14, 30, 62]);
  queue.used('list');
  queue.used('list');
  for (let asked = 65; asked <= 110; asked += 1)
    await askedFor(queue, 'list', 1, async () => void readings.push(asked));
  assert.equal(readings.at(-1), 80);
});

test('a reading that fails ends no other', async () => {
  const queue = new ListQueue();
  const read: string[] = [];
  await askedFor(queue, 'failing', 2, async () => {
    throw new Error('given up');
  });
  await askedFor(queue, 'other', 2, async () => void read.push('other'));
  assert.deepEqual(read, ['other']);
});

test('few lists wait at once, and none is read after the end', async () => {
  const queue = new ListQueue();
  const gate = Promise.withResolvers<void>();
  const readings: string[] = [];
  for (let number = 0; number < 20; number += 1)
    for (let time = 0; time < 2; time += 1)
      queue.ask(`list ${number}`, () => {
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
