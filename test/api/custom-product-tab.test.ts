/** Tabs of product pages (catalog.md §14), in several languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { onEachDatabase } from '../support/store.ts';

const PATH = '/api/custom_product_tabs';

onEachDatabase('product tabs', {}, (store) => {
  test('are created, translated, replaced, updated and deleted', async () => {
    const cursor = await now((url) => store.get(url));
    const made = await store.post(PATH, { name: 'Shipping', content: '<p>Two days</p>' });
    assert.equal(made.status, 201, made.text);
    const { id } = made.json;
    assert.deepEqual(made.json, { id, name: 'Shipping', content: '<p>Two days</p>', brief_info: '' });
    const one = `${PATH}/${id}`;
    await store.patch(one, { name: 'Versand' }, { 'accept-language': 'de' });
    const inGerman = await store.get(one, { 'accept-language': 'de' });
    assert.deepEqual(inGerman.json, { ...made.json, name: 'Versand' });
    assert.deepEqual((await store.get(`${one}/translations/de`)).json, { name: 'Versand' });
    const replaced = await store.put(one, { name: 'Delivery', content: 'Soon', brief_info: 'Fast' });
    assert.deepEqual(replaced.json, { id, name: 'Delivery', content: 'Soon', brief_info: 'Fast' });
    const other = await store.made(PATH, { name: 'Delivery', content: 'Returns' });
    assert.deepEqual((await store.get(PATH)).json, [replaced.json, other]);
    assert.deepEqual((await store.get(`${PATH}?id=${other.id}`)).json, [other]);
    assert.equal((await store.delete(one)).status, 204);
    assertProblem(await store.get(one), 404);
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    // The newest entry of each record remains; earlier ones may remain too.
    assert.deepEqual(new Set(entries.map(({ resource }) => resource)), new Set(['CustomProductTab']));
    assert.deepEqual(
      entries.slice(-2).map(({ action }) => action),
      ['created', 'deleted'],
    );
  });

  test('need a name and content that are not blank', async () => {
    assertViolations(await store.post(PATH, {}), ['name', 'required'], ['content', 'required']);
    const blank = { name: ' ', content: '\u200b', brief_info: null };
    assertViolations(await store.post(PATH, blank), ['name', 'blank'], ['content', 'blank'], ['brief_info', 'null']);
    assertViolations(await store.post(PATH, { name: 'x'.repeat(256), content: 'x' }), ['name', 'too_long']);
  });
});
