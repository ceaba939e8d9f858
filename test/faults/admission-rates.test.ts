/** Rate limits by key, and by address for wrong keys (http.md §10; reliability B7, I3, J2). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Rate } from '../../src/http/admission/rate-limits.ts';
import { rateLimitGroup } from '../../src/http/server/client-address.ts';
import { assertProblem } from '../support/expect.ts';
import { onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

describe('rate limit', () => {
  let now = 1000;
  const rate = new Rate('requests', 3, () => now);
  const isRejected = (who: string) => rate.count(who).isExceeded;

  test('accepts the limit in each minute, and rejects more', () => {
    assert.deepEqual(['a', 'a', 'a', 'a', 'a'].map(isRejected), [false, false, false, true, true]);
    now += 59.9;
    assert.equal(isRejected('a'), true);
    now += 0.1;
    assert.deepEqual(['a', 'a', 'a', 'a'].map(isRejected), [false, false, false, true]);
  });

  test('counts each client separately', () => {
    assert.deepEqual(['b', 'c', 'b', 'c'].map(isRejected), [false, false, false, false]);
  });

  test('returns the remaining quota and the time until the next minute', () => {
    assert.deepEqual(rate.count('d').headers, {
      'ratelimit-policy': '"requests";q=3;w=60',
      ratelimit: '"requests";r=2;t=60',
    });
    rate.count('d');
    now += 20.5;
    assert.equal(rate.count('d').headers.ratelimit, '"requests";r=0;t=40');
    assert.deepEqual(rate.count('d').headers, {
      'ratelimit-policy': '"requests";q=3;w=60',
      ratelimit: '"requests";r=0;t=40',
      'retry-after': '40',
    });
  });

  test('accepts requests of 50,000 clients with bounded memory', () => {
    for (let index = 0; index < 50_000; index += 1) rate.count(`address ${index}`);
    assert.equal(isRejected('address 49999'), false);
  });
});

test('counts IPv4 by address and IPv6 by /64 network', () => {
  const counted: Record<string, string> = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2::': '2001:db8:1:2::/64',
    '2001:db8:1:3::1': '2001:db8:1:3::/64',
    '::1': '0:0:0:0::/64',
    unknown: 'unknown',
    '': 'unknown',
  };
  for (const [address, as] of Object.entries(counted)) assert.equal(rateLimitGroup(address), as);
});

onOneDatabase('rate limit of a key', { RATE_LIMIT_PER_MINUTE: '5' }, (store) => {
  test('rate limit counts a request after the checks for 401, 404, 405 and 403, and before all others', async () => {
    const as = (method: string, path: string, headers = {}) =>
      store.request(method, path, { key: READ_ONLY_KEY, headers });
    for (let time = 0; time < 10; time += 1) {
      assertProblem(await store.request('GET', '/api/tags', { key: null }), 401);
      assertProblem(await as('GET', '/api/nothing'), 404);
      assertProblem(await as('DELETE', '/api/tags'), 405);
      assertProblem(await as('POST', '/api/tags'), 403);
    }
    const responses = [];
    for (let time = 0; time < 5; time += 1) responses.push(await as('GET', '/api/tags'));
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, String(headers.ratelimit).split(';t=')[0]]),
      [4, 3, 2, 1, 0].map((left) => [200, `"requests";r=${left}`]),
    );
    assert.equal(responses[0]!.headers['ratelimit-policy'], '"requests";q=5;w=60');
    for (const [path, headers] of [
      ['/api/tags', {}],
      ['/api/tags', { accept: 'text/csv' }],
      ['/api/tags/x', {}],
      ['/api/tags?page=0', {}],
    ] as const) {
      const rejected = await as('GET', path, headers);
      assertProblem(rejected, 429);
      assert.match(rejected.headers['retry-after']!, /^[1-9]\d?$/);
      assert.match(String(rejected.headers.ratelimit), /^"requests";r=0;t=[1-9]\d?$/);
      assert.equal(rejected.headers['ratelimit-policy'], '"requests";q=5;w=60');
    }
    assertProblem(await as('GET', '/api/nothing'), 404);
    assertProblem(await as('POST', '/api/tags'), 403);
    assertProblem(await store.request('GET', '/api/tags', { key: null }), 401);
  });

  test('public paths are served while the key is rate-limited', async () => {
    assertProblem(await store.request('GET', '/api/tags', { key: READ_ONLY_KEY }), 429);
    for (const path of ['/api', '/healthz', '/readyz'])
      assert.equal((await store.request('GET', path, { key: READ_ONLY_KEY })).status, 200);
  });

  test('each key has a separate rate limit, and a write over the limit is not executed', async () => {
    const statuses = [];
    for (let time = 0; time < 8; time += 1)
      statuses.push((await store.post('/api/tags', { name: `Tag ${time}` })).status);
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429, 429]);
  });
});

onOneDatabase('default settings', {}, (store) => {
  test('responses have no rate limit headers by default', async () => {
    const { headers } = await store.get('/api/tags');
    for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after']) assert.equal(headers[name], undefined);
  });
});

onOneDatabase(
  'wrong keys',
  { FAILED_KEYS_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.1', API_KEY_READ_ONLY: READ_ONLY_KEY },
  (store) => {
    const from = (address: string, key: string | null, path = '/api/tags') =>
      store.request('GET', path, { key, headers: { 'x-forwarded-for': address } });
    const statuses = async (address: string, key: string | null, times: number) => {
      const all = [];
      for (let time = 0; time < times; time += 1) all.push((await from(address, key)).status);
      return all;
    };

    test('the fourth wrong key in a minute gets a 429, earlier ones a 401', async () => {
      assert.deepEqual(await statuses('192.0.2.1', 'wrong-key', 5), [401, 401, 401, 429, 429]);
      const rejected = await from('192.0.2.1', 'another-wrong-key', '/api/nothing');
      assertProblem(rejected, 429);
      assert.match(rejected.headers['retry-after']!, /^[1-9]\d?$/);
      assert.match(String(rejected.headers.ratelimit), /^"failed-keys";r=0;t=[1-9]\d?$/);
      assert.equal(rejected.headers['ratelimit-policy'], '"failed-keys";q=3;w=60');
      assert.equal(rejected.headers.connection, 'close');
    });

    test('wrong keys from one address do not affect other addresses', async () => {
      assert.deepEqual(await statuses('192.0.2.2', 'wrong-key', 1), [401]);
    });

    test('valid keys still work from an address with too many wrong keys', async () => {
      for (const key of [READ_WRITE_KEY, READ_ONLY_KEY])
        assert.deepEqual(await statuses('192.0.2.1', key, 2), [200, 200]);
      assert.deepEqual(await statuses('192.0.2.1', 'wrong-key', 1), [429]);
    });

    test('wrong keys are counted by /64 network for IPv6', async () => {
      assert.deepEqual(await statuses('2001:db8::1', 'wrong-key', 2), [401, 401]);
      assert.deepEqual(await statuses('2001:db8::ffff:1', 'wrong-key', 2), [401, 429]);
      assert.deepEqual(await statuses('2001:db8:0:1::1', 'wrong-key', 1), [401]);
    });

    test('requests without a key do not count as wrong keys', async () => {
      assert.deepEqual(await statuses('192.0.2.3', null, 5), [401, 401, 401, 401, 401]);
      assert.deepEqual(await statuses('192.0.2.3', '', 5), [401, 401, 401, 401, 401]);
    });

    test('a forged X-Forwarded-For does not evade the limit of wrong keys', async () => {
      // The proxy appends the real address; earlier addresses come from the client.
      assert.deepEqual(await statuses('10.0.0.1, 192.0.2.9', 'wrong-key', 2), [401, 401]);
      assert.deepEqual(await statuses('10.0.0.2, 192.0.2.9', 'wrong-key', 2), [401, 429]);
    });
  },
);

onOneDatabase('no trusted proxy', { FAILED_KEYS_PER_MINUTE: '3' }, (store) => {
  test('X-Forwarded-For is ignored without a trusted proxy', async () => {
    const all = [];
    for (let time = 0; time < 5; time += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${time}` };
      all.push((await store.request('GET', '/api/tags', { key: 'wrong-key', headers })).status);
    }
    assert.deepEqual(all, [401, 401, 401, 429, 429]);
  });
});
