/** The queue of reads of whole lists, which continues reads whose requests have given up (pricing.md §5). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SearchGivenUp } from '../../src/engine/index.ts';
import { WholeListReads } from '../../src/http/cache/whole-list-reads.ts';

const WAIT_MS = 10_000;

/** Starts one read that goes on, and others behind it, until all requests have given up. */
async function abandonedReads({ mock }: TestContext, others: number) {
  mock.timers.enable({ apis: ['setTimeout'] });
  const reads = new WholeListReads();
  const first = Promise.withResolvers<void>();
  const started: number[] = [];
  const requests = Array.from({ length: others + 1 }, (_, index) =>
    reads.run(async () => {
      started.push(index);
      if (index === 0) await first.promise;
    }),
  );
  const results = Promise.allSettled(requests);
  await nextTurn();
  mock.timers.tick(WAIT_MS);
  for (const result of await results)
    assert.ok(result.status === 'rejected' && result.reason instanceof SearchGivenUp, 'each request gives up');
  assert.deepEqual(started, [0]);
  return { reads, started, finishFirst: first.resolve };
}

test('reads that wait when their requests give up still take their turn, up to four', async (t) => {
  const { reads, started, finishFirst } = await abandonedReads(t, 6);
  finishFirst();
  assert.equal(await reads.run(async () => 'next'), 'next');
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
});

test('reads whose requests have given up count only until their turn', async (t) => {
  const { reads, started, finishFirst } = await abandonedReads(t, 4);
  finishFirst();
  await reads.run(async () => {});
  const second = Promise.withResolvers<void>();
  const requests = [reads.run(() => second.promise), reads.run(async () => void started.push(9))];
  const results = Promise.allSettled(requests);
  await nextTurn();
  t.mock.timers.tick(WAIT_MS);
  await results;
  second.resolve();
  await reads.run(async () => {});
  assert.deepEqual(started, [0, 1, 2, 3, 4, 9]);
});

test('reads that wait do not start after the store has stopped', async (t) => {
  const { reads, started, finishFirst } = await abandonedReads(t, 2);
  reads.stop();
  finishFirst();
  await assert.rejects(
    reads.run(async () => {}),
    SearchGivenUp,
  );
  assert.deepEqual(started, [0]);
});
