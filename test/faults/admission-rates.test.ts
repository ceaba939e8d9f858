/** How often a client may ask: by key, and by address for wrong keys (http.md §10; reliability B7, I3, J2). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Rate } from '../../src/http/admission/rate-limits.ts';
import { countedAs } from '../../src/http/server/client-address.ts';
import { assertProblem } from '../support/expect.ts';
import { onOneDatabase, READ_ONLY_KEY, READ_WRITE_KEY } from '../support/store.ts';

describe('a rate', () => {
  let now = 1000;
  const rate = new Rate('requests', 3, () => now);
  const refused = (who: string) => rate.count(who).isExceeded;

  test('lets so many pass in a minute, then as many in the next', () => {
    assert.deepEqual(['a', 'a', 'a', 'a', 'a'].map(refused), [false, false, false, true, true]);
    now += 59.9;
    assert.equal(refused('a'), true);
    now += 0.1;
    assert.deepEqual(['a', 'a', 'a', 'a'].map(refused), [false, false, false, true]);
  });

  test('counts each for itself', () => {
    assert.deepEqual(['b', 'c', 'b', 'c'].map(refused), [false, false, false, false]);
  });

  test('says what is left and when there is more', () => {
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

  test('keeps bounded memory of however many', () => {
    for (let index = 0; index < 50_000; index += 1) rate.count(`address ${index}`);
    assert.equal(refused('address 49999'), false);
  });
});

test('an address is counted as one, and IPv6 by what one customer has', () => {
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
  for (const [address, as] of Object.entries(counted)) assert.equal(countedAs(address), as);
});

onOneDatabase('the rate of a key', { RATE_LIMIT_PER_MINUTE: '5' }, (store) => {
  test('is counted after 401, 404, 405 and 403, and before everything else', async () => {
    const as = (method: string, path: string, headers = {}) =>
      store.request(method, path, { key: READ_ONLY_KEY, headers });
    for (let time = 0; time < 10; time += 1) {
      assertProblem(await store.request('GET', '/api/tags', { key: null }), 401);
      assertProblem(await as('GET', '/api/nothing'), 404);
      assertProblem(await as('DELETE', '/api/tags'), 405);
      assertProblem(await as('POST', '/api/tags'), 403);
    }
    const answers = [];
    for (let time = 0; time < 5; time += 1) answers.push(await as('GET', '/api/tags'));
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, String(headers.ratelimit).split(';t=')[0]]),
      [4, 3, 2, 1, 0].map((left) => [200, `"requests";r=${left}`]),
    );
    assert.equal(answers[0]!.headers['ratelimit-policy'], '"requests";q=5;w=60');
    for (const [path, headers] of [
      ['/api/tags', {}],
      ['/api/tags', { accept: 'text/csv' }],
      ['/api/tags/x', {}],
      ['/api/tags?page=0', {}],
    ] as const) {
      const refused = await as('GET', path, headers);
      assertProblem(refused, 429);
      assert.match(refused.headers['retry-after']!, /^[1-9]\d?$/);
      assert.match(String(refused.headers.ratelimit), /^"requests";r=0;t=[1-9]\d?$/);
      assert.equal(refused.headers['ratelimit-policy'], '"requests";q=5;w=60');
    }
    assertProblem(await as('GET', '/api/nothing'), 404);
    assertProblem(await as('POST', '/api/tags'), 403);
    assertProblem(await store.request('GET', '/api/tags', { key: null }), 401);
  });

  test('is its own: what needs no key goes on', async () => {
    assertProblem(await store.request('GET', '/api/tags', { key: READ_ONLY_KEY }), 429);
    for (const path of ['/api', '/healthz', '/readyz'])
      assert.equal((await store.request('GET', path, { key: READ_ONLY_KEY })).status, 200);
  });

  test('of another key is not touched; a write too many is not made', async () => {
    const statuses = [];
    for (let time = 0; time < 8; time += 1)
      statuses.push((await store.post('/api/tags', { name: `Tag ${time}` })).status);
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429, 429]);
  });
});

onOneDatabase('no rate', {}, (store) => {
  test('is said where there is none', async () => {
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

    test('are 401, from the fourth in a minute on 429', async () => {
      assert.deepEqual(await statuses('192.0.2.1', 'wrong-key', 5), [401, 401, 401, 429, 429]);
      const refused = await from('192.0.2.1', 'another-wrong-key', '/api/nothing');
      assertProblem(refused, 429);
      assert.match(refused.headers['retry-after']!, /^[1-9]\d?$/);
      assert.match(String(refused.headers.ratelimit), /^"failed-keys";r=0;t=[1-9]\d?$/);
      assert.equal(refused.headers['ratelimit-policy'], '"failed-keys";q=3;w=60');
      assert.equal(refused.headers.connection, 'close');
    });

    test('of one address leave other addresses alone', async () => {
      assert.deepEqual(await statuses('192.0.2.2', 'wrong-key', 1), [401]);
    });

    test('lock no right key out, not even from the same address', async () => {
      for (const key of [READ_WRITE_KEY, READ_ONLY_KEY])
        assert.deepEqual(await statuses('192.0.2.1', key, 2), [200, 200]);
      assert.deepEqual(await statuses('192.0.2.1', 'wrong-key', 1), [429]);
    });

    test('are counted by /64 of IPv6', async () => {
      assert.deepEqual(await statuses('2001:db8::1', 'wrong-key', 2), [401, 401]);
      assert.deepEqual(await statuses('2001:db8::ffff:1', 'wrong-key', 2), [401, 429]);
      assert.deepEqual(await statuses('2001:db8:0:1::1', 'wrong-key', 1), [401]);
    });

    test('do not include those that are missing', async () => {
      assert.deepEqual(await statuses('192.0.2.3', null, 5), [401, 401, 401, 401, 401]);
      assert.deepEqual(await statuses('192.0.2.3', '', 5), [401, 401, 401, 401, 401]);
    });

    test('cannot hide behind an address that the client makes up', async () => {
      // The proxy appends the real address; what stands before it is the client's own story.
      assert.deepEqual(await statuses('10.0.0.1, 192.0.2.9', 'wrong-key', 2), [401, 401]);
      assert.deepEqual(await statuses('10.0.0.2, 192.0.2.9', 'wrong-key', 2), [401, 429]);
    });
  },
);

onOneDatabase('without a trusted proxy', { FAILED_KEYS_PER_MINUTE: '3' }, (store) => {
  test('X-Forwarded-For says nothing', async () => {
    const all = [];
    for (let time = 0; time < 5; time += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${time}` };
      all.push((await store.request('GET', '/api/tags', { key: 'wrong-key', headers })).status);
    }
    assert.deepEqual(all, [401, 401, 401, 429, 429]);
  });
});
