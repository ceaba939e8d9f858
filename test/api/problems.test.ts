/** Problems: one format, with every violation at once (http.md §3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertViolations } from '../support/expect.ts';
import { onOneDatabase } from '../support/store.ts';

onOneDatabase('problems', {}, (store) => {
  test('each problem has its own instance and a type that links to a public page', async () => {
    const [one, other] = [await store.get('/api/nothing'), await store.get('/api/nothing')];
    assert.notEqual(one.json.instance, other.json.instance);
    assert.equal(one.json.type, other.json.type);
    const page = await store.request('GET', new URL(one.json.type).pathname, { key: null });
    assert.notEqual(page.status, 401, 'problem pages are public');
    assert.notEqual(page.status, 404, 'problem pages exist');
  });

  test('every violation is reported at once', async () => {
    const response = await store.post('/api/products', { sku: '', price: -1, enabled: 'yes', colour: 'red' });
    assertViolations(
      response,
      ['sku', 'blank'],
      ['name', 'required'],
      ['price', 'range'],
      ['enabled', 'type'],
      ['colour', 'unknown_field'],
    );
    for (const violation of response.json.violations)
      assert.deepEqual(Object.keys(violation).sort(), ['code', 'message', 'propertyPath']);
  });

  test('violations of body rules and of store data are reported together', async () => {
    await store.product({ sku: 'TAKEN' });
    const response = await store.post('/api/products', { sku: 'TAKEN', name: '', memberships: ['None'], price: -1 });
    assertViolations(
      response,
      ['sku', 'not_unique', 'This value is already used.'],
      ['name', 'blank'],
      ['memberships[0]', 'unknown_link'],
      ['price', 'range'],
    );
  });

  test('malformed values cause no lookup in the store', async () => {
    const response = await store.post('/api/products', { sku: 5, name: 'N', memberships: [true], tax_class: 1.5 });
    assertViolations(response, ['sku', 'type'], ['memberships[0]', 'type'], ['tax_class', 'type']);
  });

  test('at most 100 violations are listed and the rest is counted', async () => {
    const body = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`unknown_${index}`, 1]));
    const { status, json } = await store.post('/api/products', { sku: 'S', name: 'N', ...body });
    assert.deepEqual([status, json.violations.length, json.violations_omitted], [422, 100, 50]);
    const one = await store.post('/api/products', { sku: 'S', name: 'N', unknown: 1 });
    assert.equal('violations_omitted' in one.json, false);
  });
});
