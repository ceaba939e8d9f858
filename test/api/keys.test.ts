/** `/api/keys`: read/write keys list, create and revoke the store's keys (http.md §19). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chainAudit } from '../../src/engine/unit/audit/chain.ts';
import { readAuditPage } from '../../src/engine/unit/audit/read-audit.ts';
import { KeyUses } from '../../src/store/keys/key-uses.ts';
import { createKey, listKeys, revokeKey } from '../../src/store/keys.ts';
import { readAccess } from '../../src/store/webhooks/owner-rights.ts';
import { databaseNames } from '../support/databases.ts';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { sendLate } from '../support/late-body.ts';
import { ACTOR, openedStore, recordingStatements } from '../support/opened-store.ts';
import { type Servers, startServers } from '../support/orders.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY, READ_WRITE_KEY, type Store } from '../support/store.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const statusOf = async (store: Store, key: string, path = '/api/tags'): Promise<number> =>
  (await store.request('GET', path, { key })).status;

onEachDatabase('API keys', {}, (store) => {
  const listed = async (): Promise<Json[]> => (await store.get('/api/keys')).json;
  const byName = async (name: string): Promise<Json> => (await listed()).find((key) => key.name === name)!;

  test('execute no request whose body arrives after the key was revoked', async () => {
    const { id, key } = await store.made('/api/keys', { name: 'Stolen', kind: 'read-write' });
    const sent = { method: 'POST', headers: { 'x-auth-token': key }, body: { name: 'Next', kind: 'read-write' } };
    const url = `${store.address}/api/keys`;
    assert.equal(await sendLate(url, { ...sent, body: { ...sent.body, name: 'Late' } }, async () => {}), 201);
    const tags = { 'x-auth-token': key, 'content-type': 'application/x-ndjson' };
    const bulk = { method: 'POST', headers: tags, body: '{"name":"Late"}\n' };
    let atomic: number | undefined;
    const revoke = async (): Promise<void> => assert.equal((await store.delete(`/api/keys/${id}`)).status, 204);
    const revoked = await sendLate(url, sent, async () => {
      atomic = await sendLate(`${store.address}/api/tags/bulk?atomic`, bulk, revoke);
    });
    assert.deepEqual([revoked, atomic, await byName('Next')], [401, 401, undefined]);
    await store.delete(`/api/keys/${(await byName('Late')).id}`);
  });

  test('include those of the settings and of the store; only the response to the creation contains the key', async () => {
    const response = await store.post('/api/keys', { name: 'Night script', kind: 'read-only' });
    assert.equal(response.status, 201, response.text);
    const { key, ...made } = response.json;
    assert.match(key, /^pv_ro_[\w-]{32}$/);
    assert.match(made.id, UUID);
    const { created_at, created_by, id, ...rest } = made;
    assert.deepEqual([created_by.type, created_by.name], ['key', 'read/write']);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    const expected = { name: 'Night script', kind: 'read-only', expires_at: null, last_used_at: null };
    const access = { scopes: ['*:export', '*:read', 'privacy:export'], masks: [], networks: [] };
    assert.deepEqual(rest, { ...expected, source: 'store', old_expires_at: null, ...access });
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.equal(response.headers.location, `${store.address}/api/keys/${id}`);
    const read = await store.get(`/api/keys/${id}`);
    assert.deepEqual([read.status, read.json, read.headers.etag], [200, made, response.headers.etag]);
    assert.equal(
      (await store.get(`/api/keys/${id.toUpperCase()}`, { 'if-none-match': read.headers.etag })).status,
      304,
    );
    const all = await store.get('/api/keys');
    assert.deepEqual(
      all.json.map(({ name, source }: Json) => [name, source]),
      [
        ['read/write', 'environment'],
        ['read-only', 'environment'],
        ['Night script', 'store'],
      ],
    );
    assert.equal(all.headers['x-total-count'], '3');
    const ids = (await store.get('/api/keys?order[id]=desc')).json.map((one: Json) => one.id);
    assert.deepEqual(ids, ids.toSorted().reverse());
    const second = await store.get('/api/keys?page=2&itemsPerPage=2');
    assert.deepEqual(second.json, [made]);
    assert.match(second.headers.link as string, /itemsPerPage=2&page=1>; rel="first"/);
    assert.equal(await statusOf(store, key), 200);
    for (const path of ['/api/keys', `/api/keys/${id}`, '/api/changes', '/api', '/api/openapi.json'])
      assert.ok(!(await store.get(path)).text.includes(key), path);
    assert.ok(!(await store.get('/api/changes')).text.includes('Night script'), 'the feed contains no keys');
    assert.equal((await store.delete(`/api/keys/${id}`)).status, 204);
    assert.equal(await statusOf(store, key), 401);
    assertProblem(await store.get(`/api/keys/${id}`), 404);
    assertProblem(await store.delete(`/api/keys/${id}`), 404);
  });

  test('may be existing ones, each used once', async () => {
    const key = `OldShop!~${store.database}-0123456789`;
    const create = (name: string, sent: unknown) => store.post('/api/keys', { name, kind: 'read-only', key: sent });
    const response = await create('From the old shop', key);
    assert.deepEqual([response.status, response.json.key], [201, key], response.text);
    assert.equal((await store.get(`/api/keys/${response.json.id}`)).headers.etag, response.headers.etag);
    assert.equal(await statusOf(store, key), 200);
    for (const used of [key, READ_WRITE_KEY, READ_ONLY_KEY])
      assertViolations(await create('Another', used), ['key', 'not_unique']);
    assertViolations(await create('From the old shop', `${key}-2`), ['name', 'not_unique']);
    for (const invalid of ['', 'x'.repeat(15), 'x'.repeat(129), `with a space ${key}`, `${key}ä`, `${key}\n`])
      assertViolations(await create('Another', invalid), ['key', 'format']);
    assertViolations(await create('Another', 1), ['key', 'type']);
    const random = (await create('Random', null)).json;
    assert.match(random.key, /^pv_ro_/);
    assert.ok(!(await store.get('/api/keys')).text.includes(key));
    assert.equal((await store.delete(`/api/keys/${response.json.id}`)).status, 204);
    assert.equal(await statusOf(store, key), 401);
    const again = await create('Again', key);
    assert.equal(again.status, 201);
    for (const { id } of [random, again.json]) await store.delete(`/api/keys/${id}`);
  });

  test('are accessible to read/write keys only', async () => {
    const [{ id }] = (await listed()) as [Json];
    for (const [method, path] of [
      ['GET', '/api/keys'],
      ['HEAD', '/api/keys'],
      ['POST', '/api/keys'],
      ['GET', `/api/keys/${id}`],
      ['DELETE', `/api/keys/${id}`],
    ] as const) {
      const response = await store.request(method, path, { key: READ_ONLY_KEY });
      assert.equal(response.status, 403, `${method} ${path}`);
      assert.equal((await store.request(method, path, { key: null })).status, 401);
    }
  });

  test('are rejected with every violation at once', async () => {
    const before = await listed();
    await store.made('/api/keys', { name: 'Taken', kind: 'read-only' });
    const rejected: [body: unknown, ...violations: [string, string][]][] = [
      [{}, ['name', 'required'], ['kind', 'required']],
      [{ name: ' \u200b', kind: 'admin' }, ['name', 'blank'], ['kind', 'choice']],
      [{ name: 5, kind: 5, expires_at: 5 }, ['name', 'type'], ['kind', 'choice'], ['expires_at', 'type']],
      [{ name: null, kind: 'read-only' }, ['name', 'null']],
      [{ name: 'x'.repeat(256), kind: 'read-only' }, ['name', 'too_long']],
      [{ name: 'a\nb', kind: 'read-only', expires_at: 'soon' }, ['name', 'format'], ['expires_at', 'format']],
      [{ name: 'a', kind: 'read-only', expires_at: '2001-01-01' }, ['expires_at', 'range']],
      [{ name: 'a', kind: 'read-only', key: 'mine', rights: 1 }, ['rights', 'unknown_field'], ['key', 'format']],
      [{ name: 'Taken', kind: 'read-write' }, ['name', 'not_unique']],
      [{ name: 'read/write', kind: 'read-write' }, ['name', 'not_unique']],
    ];
    for (const [body, ...violations] of rejected) assertViolations(await store.post('/api/keys', body), ...violations);
    assertProblem(await store.post('/api/keys', '[]'), 400);
    assertProblem(await store.post('/api/keys', { name: 'a', kind: 'read-only' }, { 'if-match': '*' }), 400);
    assertProblem(await store.get('/api/keys?kind=a'), 400, /Valid parameters: page, itemsPerPage, order\[id\]/);
    assertProblem(await store.get('/api/keys?page=0'), 400, /"page" should be/);
    assertProblem(await store.get('/api/keys?page=1&page=2'), 400, /more than once/);
    assertProblem(await store.get('/api/keys/1'), 404, /^Invalid identifier/);
    assertProblem(await store.request('PATCH', '/api/keys/1', { body: {} }), 405);
    const { id } = await byName('Taken');
    assertProblem(await store.delete(`/api/keys/${id}`, { 'if-match': '"1-other"' }), 412);
    const tag = (await store.get(`/api/keys/${id}`)).headers.etag as string;
    assert.equal((await store.delete(`/api/keys/${id}`, { 'if-match': tag })).status, 204);
    assert.deepEqual(await listed(), before);
    const lenient = { prefer: 'handling=lenient' };
    const passed = await store.post('/api/keys', { name: 'Lenient', kind: 'read-only', rights: 1 }, lenient);
    assert.deepEqual([passed.status, passed.headers['preference-applied']], [201, 'handling=lenient']);
    assert.equal((await store.delete(`/api/keys/${passed.json.id}`)).status, 204);
  });

  test('have a JSON-LD class that generic clients use to create and delete them', async () => {
    const linked = { accept: 'application/ld+json', 'content-type': 'application/ld+json' };
    const sent = { '@type': 'Key', originId: 'x', name: 'Linked', kind: 'read-only', expires_at: null };
    const { json: made, headers } = await store.post('/api/keys', sent, linked);
    assert.deepEqual(
      [made['@context'], made['@type'], made['@id']],
      ['/api/contexts/Key', 'Key', `/api/keys/${made.id}`],
    );
    assert.match(made.key, /^pv_ro_/);
    const read = await store.get(made['@id'], linked);
    assert.equal(read.headers.etag, headers.etag);
    const list = (await store.get('/api/keys?itemsPerPage=1', linked)).json;
    assert.deepEqual(
      [list['@type'], list['hydra:totalItems'], list['hydra:member'].length],
      ['hydra:Collection', 3, 1],
    );
    assert.equal(list['hydra:view']['hydra:next'], '/api/keys?itemsPerPage=1&page=2');
    assert.equal((await store.get('/api', linked)).json.key, '/api/keys');
    const matching = { accept: 'application/ld+json', 'if-match': headers.etag };
    assert.equal((await store.delete(made['@id'], matching)).status, 204);
  });

  test('are not stored in idempotency records', async () => {
    const send = () => store.post('/api/keys', { name: 'Once', kind: 'read-only' }, { 'idempotency-key': 'once' });
    assert.equal((await send()).status, 201);
    assertViolations(await send(), ['name', 'not_unique']);
    assert.equal((await store.delete(`/api/keys/${(await byName('Once')).id}`)).status, 204);
  });

  test('of the settings cannot be deleted', async () => {
    for (const { id, source, created_at } of (await listed()) as Json[]) {
      if (source !== 'environment') continue;
      assert.equal(created_at, null);
      assertProblem(await store.delete(`/api/keys/${id}`), 409, /in the server’s settings/);
    }
    assert.deepEqual([await statusOf(store, READ_WRITE_KEY), await statusOf(store, READ_ONLY_KEY)], [200, 200]);
  });

  test('expire, also for repeated requests on one connection', async () => {
    const at = new Date((Math.floor(Date.now() / 1000) + 3) * 1000);
    const { key, expires_at } = await store.made('/api/keys', {
      ...{ name: 'Short', kind: 'read-write', expires_at: at.toISOString() },
    });
    assert.equal(Date.parse(expires_at), at.getTime());
    assert.equal(await statusOf(store, key), 200);
    let status = 200;
    for (; status === 200; status = await statusOf(store, key)) await sleep(20);
    assert.equal(status, 401);
    assert.ok(Date.now() >= at.getTime());
    assertProblem(await store.request('GET', '/api/tags', { key }), 401, /“Short” has expired/);
    assert.equal((await store.delete(`/api/keys/${(await byName('Short')).id}`)).status, 204);
  });

  test('have the day of their last use', async () => {
    const { key, id } = await store.made('/api/keys', { name: 'Used', kind: 'read-only' });
    const before = new Date().toISOString().slice(0, 10);
    assert.equal(await statusOf(store, key), 200);
    let used: string | null = null;
    for (; used === null; used = (await store.get(`/api/keys/${id}`)).json.last_used_at) await sleep(10);
    assert.ok([before, new Date().toISOString().slice(0, 10)].includes(used), used);
  });
});

for (const name of databaseNames)
  test(`a later key of the same second with the same name owns nothing of the former (${name})`, async () => {
    const opened = await openedStore(name);
    const now = Date.UTC(2030, 0, 1) / 1000;
    const service = { ...opened.service, clock: { ...opened.service.clock, now: () => now } };
    try {
      const created = async () => {
        const made = await createKey(service, { name: 'again', kind: 'read-write' }, ACTOR);
        assert.ok('id' in made);
        return { owner: { type: 'key', id: made.id, name: 'again' }, owner_created: made.created };
      };
      const former = await created();
      await revokeKey(service, 'again', ACTOR);
      const later = await created();
      assert.equal(former.owner_created, later.owner_created);
      assert.ok('lost' in (await readAccess(service, [], former)));
      assert.ok('hidden' in (await readAccess(service, [], later)));
      await chainAudit(service);
      const page = { limit: 10, offset: 0, direction: 'asc' } as const;
      const actionsOn = async (record: string) =>
        (await readAuditPage(service, { equal: { record } }, page)).entries.map(({ head }) => head.action);
      assert.deepEqual(await actionsOn(former.owner.id), ['created', 'deleted']);
      assert.deepEqual(await actionsOn(later.owner.id), ['created']);
    } finally {
      await opened.remove();
    }
  });

for (const name of databaseNames)
  test(`the day of the last use is written once per day and key (${name})`, async () => {
    const opened = await openedStore(name);
    try {
      const writes: string[] = [];
      let now = Date.UTC(2030, 0, 1, 23, 59) / 1000;
      const service = {
        ...recordingStatements(opened.service, ({ sql }) => writes.push(sql)),
        clock: { ...opened.service.clock, now: () => now },
      };
      await createKey(opened.service, { name: 'one', kind: 'read-only' }, ACTOR);
      const lastUsed = async (): Promise<number | undefined> => (await listKeys(opened.service))[0]!.lastUsed;
      const until = async (day: number): Promise<void> => {
        while ((await lastUsed()) !== day) await sleep(5);
      };
      const [first, second] = [new KeyUses(service), new KeyUses(service)];
      for (let times = 0; times < 5; times += 1) first.record('one');
      await until(Date.UTC(2030, 0, 1) / 1000);
      assert.equal(writes.length, 1);
      now += 120;
      for (const uses of [first, second]) uses.record('one');
      await until(Date.UTC(2030, 0, 2) / 1000);
      // A process whose clock is behind does not set the day back.
      now -= 7200;
      new KeyUses(service).record('one');
      while (writes.length < 4) await sleep(5);
      assert.equal(await lastUsed(), Date.UTC(2030, 0, 2) / 1000);
    } finally {
      await opened.remove();
    }
  });

describe('API keys on several servers', { skip: !databaseNames.includes('postgres') }, () => {
  let servers: Servers;
  before(async () => {
    servers = await startServers('postgres', 2, { API_KEY_READ_WRITE: '' });
  });
  after(() => servers.stop());

  test('are valid and revoked on all servers at once, and one read/write key always remains', async () => {
    const own = await servers.run('keys', 'create', 'first');
    const send = (server: number, method: string, path: string, key = own, body?: unknown) =>
      servers.send(server, method, path, { key, body });
    for (let round = 0; round < 10; round += 1) {
      const { json } = await send(0, 'POST', '/api/keys', own, { name: `round ${round}`, kind: 'read-only' });
      assert.equal((await send(1, 'GET', '/api/tags', json.key)).status, 200);
      assert.equal((await send(1, 'DELETE', `/api/keys/${json.id}`)).status, 204);
      for (const server of [0, 1]) assert.equal((await send(server, 'GET', '/api/tags', json.key)).status, 401);
    }
    for (let round = 0; round < 5; round += 1) {
      const { json } = await send(0, 'POST', '/api/keys', own, { name: `second ${round}`, kind: 'read-write' });
      const keys: Json[] = (await send(0, 'GET', '/api/keys')).json;
      const first = keys.find(({ name }) => name === 'first')!;
      const responses = await Promise.all([
        send(0, 'DELETE', `/api/keys/${first.id}`, own),
        send(1, 'DELETE', `/api/keys/${json.id}`, json.key),
      ]);
      const statuses = responses.map(({ status }) => status);
      assert.ok([409, 401].some((rejected) => statuses.includes(rejected)) && statuses.includes(204), statuses.join());
      if (statuses[0] === 204) {
        assert.equal((await send(1, 'DELETE', `/api/keys/${json.id}`, json.key)).status, 409);
        return;
      }
    }
    const [{ id }] = (await send(0, 'GET', '/api/keys')).json;
    const last = await send(1, 'DELETE', `/api/keys/${id}`);
    assertProblem(last, 409, /the last read\/write key/);
    assert.equal((await send(0, 'GET', '/api/tags')).status, 200);
  });
});
