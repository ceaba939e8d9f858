/** DNS lookups with limited concurrency and time. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { boundLookups, type Lookup } from '../../src/adapters/web/bounded-lookup.ts';

const ADDRESS: LookupAddress = { address: '192.0.2.1', family: 4 };

/** A lookup function whose replies the test triggers. */
function slowSystem() {
  const asked: { readonly name: string; readonly response: Parameters<Lookup>[2] }[] = [];
  const lookup: Lookup = (name, _, response) => void asked.push({ name, response });
  return { asked, lookup, names: () => asked.map(({ name }) => name) };
}

const bounded = (lookup: Lookup, bounds: Parameters<typeof boundLookups>[1]) => {
  const look = promisify(boundLookups(lookup, bounds));
  return (name: string) => look(name, { all: true });
};

test('runs few lookups at a time, and one for concurrent requests of the same name', async () => {
  const { asked, lookup, names } = slowSystem();
  const look = bounded(lookup, { atOnceMax: 2 });
  const all = ['a', 'b', 'a', 'c', 'b'].map((name) => look(`${name}.example`));
  assert.deepEqual(names(), ['a.example', 'b.example']);
  asked[0]!.response(null, [ADDRESS]);
  assert.deepEqual([await all[0], await all[2]], [[ADDRESS], [ADDRESS]]);
  assert.deepEqual(names(), ['a.example', 'b.example', 'c.example']);
  const notFound = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  asked[1]!.response(notFound, []);
  await assert.rejects(all[1]!, { code: 'ENOTFOUND' });
  await assert.rejects(all[4]!, { code: 'ENOTFOUND' });
  asked[2]!.response(null, [ADDRESS]);
  await all[3];
  // Results are not cached: the name may resolve differently by now.
  const again = look('a.example');
  assert.equal(asked.length, 4);
  asked[3]!.response(null, []);
  assert.deepEqual(await again, []);
});

test('times out a lookup, which occupies its slot until the system gives up', async () => {
  const { asked, lookup, names } = slowSystem();
  const look = bounded(lookup, { atOnceMax: 1, secondsMax: 0.5 });
  const [hanging, behind] = [look('hanging.example'), look('behind.example')];
  await assert.rejects(hanging, { code: 'EAI_AGAIN' });
  await assert.rejects(behind, { code: 'EAI_AGAIN' });
  await assert.rejects(look('hanging.example'), { code: 'EAI_AGAIN' });
  assert.deepEqual(names(), ['hanging.example'], 'the thread is still at it, and nobody waits for the other any more');
  const next = look('next.example');
  asked[0]!.response(null, [ADDRESS]);
  await new Promise((turn) => setImmediate(turn));
  assert.deepEqual(names(), ['hanging.example', 'next.example']);
  asked[1]!.response(null, [ADDRESS]);
  assert.deepEqual(await next, [ADDRESS]);
});

test('rejects lookups beyond the queue limit', async () => {
  const { asked, lookup } = slowSystem();
  const look = bounded(lookup, { atOnceMax: 1, waitingMax: 1 });
  const [first, second] = [look('1.example'), look('2.example')];
  await assert.rejects(look('3.example'), { code: 'EAI_AGAIN' });
  asked[0]!.response(null, [ADDRESS]);
  await first;
  asked[1]!.response(null, [ADDRESS]);
  await second;
});
