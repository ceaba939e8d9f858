/** Metrics added up over the processes of one server, some of which end during collection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatedMetrics } from '../../src/metrics/aggregate.ts';
import type { ProcessMetrics } from '../../src/metrics/metrics.ts';

const counted = (value: number): ProcessMetrics =>
  [
    { name: 'requests', help: 'Requests', type: 'counter', aggregator: 'sum', values: [{ value, labels: {} }] },
  ] as unknown as ProcessMetrics;

const [one, other] = [{}, {}];

test('counts a process once if it ends while metrics are collected', async () => {
  const responses = Promise.withResolvers<void>();
  const sum = new AggregatedMetrics(async () => {
    await responses.promise;
    return new Map([
      [one, counted(3)],
      [other, counted(4)],
    ]);
  });
  const first = sum.text();
  await sum.ended(one, counted(5));
  responses.resolve();
  assert.match(await first, /^requests 9$/m);
  assert.match(await sum.text(), /^requests 9$/m);
});

test('counts every process if several end at the same time', async () => {
  const sum = new AggregatedMetrics(async () => new Map());
  await Promise.all([sum.ended(one, counted(3)), sum.ended(other, counted(4))]);
  assert.match(await sum.text(), /^requests 7$/m);
});
