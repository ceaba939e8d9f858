/** The audit (access.md §4): who changed what, in a chain of hashes. `test/api/journal.test.ts` replays every kind of change. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { canonicalJson } from '../../src/engine/unit/audit/canonical-json.ts';
import { onEachDatabase, type Store } from '../support/store.ts';

const REQUEST = { 'x-request-id': 'audit-test-1' };

// biome-ignore lint/suspicious/noExplicitAny: the form of the response is what the tests check
type Entry = any;

async function lastEntry(store: Store, query: string): Promise<Entry> {
  const { json, status, text } = await store.get(`/api/audit?${query}`);
  assert.equal(status, 200, text);
  return json[0];
}

test('canonical JSON has the form of RFC 8785', () => {
  // From RFC 8785 §3.2.2 and §3.2.3.
  const numbers = [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27];
  const text = '\u20ac$\u000f\nA\'B"\\\\"/';
  assert.equal(
    canonicalJson({ numbers, string: text, literals: [null, true, false] }),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
  assert.deepEqual(
    Object.keys(JSON.parse(canonicalJson(Object.fromEntries(names.map((name, index) => [`k${name}`, index]))))),
    ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'].map((name) => `k${name}`),
  );
});

onEachDatabase('the audit', {}, (store) => {
  test('an entry has the actor, the request and the values before and after', async () => {
    const { id, path = `/api/products/${id}` } = await store.product({ price: 10, tags: ['red'] }, REQUEST);
    const created = await lastEntry(store, `path=${path}`);
    assert.deepEqual(
      { ...created, id: 0, date: '', changes: {}, changes_hash: '', hash: '', actor: { ...created.actor, id: '' } },
      {
        ...{ id: 0, date: '', actor: { type: 'key', id: '', name: 'read/write' } },
        ...{ address: '127.0.0.1', request_id: 'audit-test-1', action: 'created', resource: 'Product' },
        ...{ record_id: id, path, version: 1, changes: {}, changes_hash: '', hash: '' },
      },
    );
    assert.match(created.date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    const { price, sku, tags } = created.changes;
    assert.deepEqual([price, sku.before, tags.after.length], [{ before: null, after: 10 }, null, 1]);
    assert.equal(created.changes['name.en'].after, `${sku.after.replace('SKU-', 'Product ')}`);
    assert.ok(!('id' in created.changes) && !('update_date' in created.changes));

    await store.patch(path, { price: 12.5, name: 'Becher', tags: [] }, { 'accept-language': 'de' });
    const updated = await lastEntry(store, `path=${path}`);
    assert.deepEqual(updated.changes, {
      'name.de': { before: null, after: 'Becher' },
      price: { before: 10, after: 12.5 },
      tags: { before: tags.after, after: [] },
    });
    assert.deepEqual([updated.action, updated.version], ['updated', 2]);

    await store.delete(path);
    const deleted = await lastEntry(store, `path=${path}`);
    assert.deepEqual([deleted.action, deleted.version, deleted.record_id], ['deleted', 3, id]);
    assert.deepEqual(deleted.changes.price, { before: 12.5, after: null });
    assert.deepEqual(deleted.changes['name.de'], { before: 'Becher', after: null });
  });

  test('changes of parts are in the entry of their owner, and secrets have no values', async () => {
    const { id } = await store.made('/api/categories', { name: 'Mugs' });
    const product = await store.product();
    const { id: link } = await store.made(`/api/categories/${id}/products`, { product_id: product.id });
    const entry = await lastEntry(store, `path=/api/categories/${id}`);
    assert.deepEqual(entry.changes[`products[${link}].product_id`], { before: null, after: product.id });
    await store.delete(`/api/products/${product.id}`);
    const after = await lastEntry(store, `path=/api/categories/${id}`);
    assert.deepEqual(after.changes[`products[${link}].product_id`], { before: product.id, after: null });

    const profile = await store.made('/api/profiles', { login: 'audit@example.com', password: 'a long password' });
    await store.patch(`/api/profiles/${profile.id}`, { password: 'another password' });
    const changed = await lastEntry(store, `path=/api/profiles/${profile.id}`);
    assert.deepEqual(changed.changes, { password: { changed: true } });
  });

  test('filters select entries, and pages begin with the newest one', async () => {
    const { id } = await store.made('/api/tags', { name: 'filtered' }, { 'x-request-id': 'audit-filter' });
    await store.patch(`/api/tags/${id}`, { name: 'filtered 2' }, { 'x-request-id': 'audit-filter' });
    const all = await store.get('/api/audit?request_id=audit-filter&resource=Tag');
    assert.deepEqual(
      all.json.map(({ action }: Entry) => action),
      ['updated', 'created'],
    );
    assert.equal(all.headers['x-total-count'], '2');
    const [newest, oldest] = all.json;
    const idsOf = async (query: string): Promise<number[]> =>
      (await store.get(`/api/audit?${query}`)).json.map((entry: Entry) => entry.id);
    assert.deepEqual(await idsOf('request_id=audit-filter&itemsPerPage=1&page=2'), [oldest.id]);
    assert.deepEqual(await idsOf('request_id=audit-filter&order[id]=asc'), [oldest.id, newest.id]);
    assert.deepEqual(await idsOf(`resource=Tag&record_id=${id}&action=updated`), [newest.id]);
    assert.deepEqual(await idsOf('request_id=audit-filter&date[after]=2999-01-01'), []);
    const { type, id: actor } = newest.actor;
    const byActor = `request_id=audit-filter&address=127.0.0.1&actor.type=${type}&actor.id=${actor}&date[after]=2020-01-01`;
    assert.deepEqual(await idsOf(byActor), [newest.id, oldest.id]);
    for (const unknown of ['colour=red', '__proto__=', 'constructor=1'])
      assert.equal((await store.get(`/api/audit?${unknown}`)).status, 400, unknown);
    assert.deepEqual((await store.get(`/api/audit/${newest.id}`)).json, newest);
    assert.equal((await store.get('/api/audit/999999999')).status, 404);
  });

  test('the audit of one record has the entries of its path, also after the record is deleted', async () => {
    const product = await store.product();
    const reviews = `/api/products/${product.id}/reviews`;
    const { id } = await store.made(reviews, { rating: 1, reviewer_name: 'Ada' });
    const path = `${reviews}/${id}`;
    await store.patch(path, { rating: 5 });
    const of = async (query = ''): Promise<Entry> => (await store.get(`${path}/audit${query}`)).json;
    const all = await of();
    assert.deepEqual(all, (await store.get(`/api/audit?path=${path}`)).json);
    assert.deepEqual(
      all.map(({ action }: Entry) => action),
      ['updated', 'created'],
    );
    assert.deepEqual(await of('?action=updated&actor.type=key'), [all[0]]);
    assert.deepEqual(await of('?itemsPerPage=1&page=2'), [all[1]]);
    assert.deepEqual(await of('?action=deleted'), []);
    for (const query of ['?path=/api/products/1', '?resource=Product', '?record_id=1', '?colour=red'])
      assert.equal((await store.get(`${path}/audit${query}`)).status, 400, query);

    await store.delete(path);
    assert.equal((await of())[0].action, 'deleted');
    assert.deepEqual(await of('?date[after]=2999-01-01'), []);
    assert.equal((await store.get(`${reviews}/${id + 1}/audit`)).status, 404);
    assert.equal((await store.get(`/api/products/${product.id}/images/1/audit`)).status, 404);
    const { headers, json } = await store.get('/api/store/audit');
    assert.deepEqual([headers['x-total-count'], json], [String(json.length), json]);
  });

  test('ids have no gaps, and each hash follows from the entry and the one before it', async () => {
    const entries = (await store.get('/api/audit?order[id]=asc&itemsPerPage=1000')).json;
    assert.equal(entries.length, Number((await store.get('/api/audit')).headers['x-total-count']));
    let last = '0'.repeat(64);
    for (const [index, entry] of entries.entries()) {
      const { changes, changes_hash, hash, actor, ...others } = entry;
      assert.equal(entry.id, index + 1);
      const head = canonicalJson({ ...others, actor: { type: actor.type, id: actor.id } });
      last = createHash('sha256').update(last, 'hex').update(head).update(changes_hash, 'hex').digest('hex');
      assert.equal(hash, last, `entry ${entry.id}`);
    }
    assert.deepEqual((await store.get('/api/audit/head')).json, { id: entries.length, hash: last });
  });

  test('a rejected write leaves no entry', async () => {
    const head = (await store.get('/api/audit/head')).json;
    assert.equal((await store.post('/api/products', { sku: '' })).status, 422);
    assert.deepEqual((await store.get('/api/audit/head')).json, head);
  });
});
