/** Zones, tax settings and tax rates (pricing.md §3), and deletions of what they name (pricing.md §7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { outputNames } from '../support/fields.ts';
import { bulk, LINES, readLines } from '../support/lines.ts';
import { type Json, onEachDatabase, READ_ONLY_KEY } from '../support/store.ts';

const ZONES = '/api/zones';
const SETTINGS = '/api/tax_settings';
const RATES = '/api/tax_rates';
const NO_SUCH = 999_999;

const DEFAULT_SETTINGS = {
  ...{ prices_include_tax: false, default_zone: null, outside_zone: 'net', address: 'shipping', shipping: 'rates' },
  ...{ rounding: 'half_up', rounding_target: 'line', vat_id_exempt_zone: null },
};

let count = 0;

onEachDatabase('taxes', { STORE_CURRENCY: 'EUR' }, (store) => {
  const zone = (fields: Json = {}) => {
    count += 1;
    return store.made(ZONES, { name: `Zone ${count}`, ...fields });
  };
  const rate = (fields: Json = {}) => store.made(RATES, { tax: 'VAT', name: 'VAT', value: 19, ...fields });
  const idsAt = async (url: string): Promise<number[]> => (await store.get(url)).json.map(({ id }: Json) => id);
  const elementOf = (element: Json) => store.post(ZONES, { name: 'Invalid', elements: [element] });

  test('zones are created with their defaults, read, replaced, updated and deleted', async () => {
    const made = await store.post(ZONES, { name: 'Everywhere' });
    assert.deepEqual(Object.keys(made.json), outputNames('Zone'));
    assert.deepEqual(made.json, { id: made.json.id, name: 'Everywhere', elements: [] });
    const one = `${ZONES}/${made.json.id}`;
    const elements = [
      { countries: ['DE', 'AT'] },
      {
        countries: ['US'],
        states: ['Texas'],
        zips: ['78701', '787*', '75000-79999', 'SW1A 1AA', '00-950'],
        cities: ['Austin'],
      },
    ];
    const empty = { states: [], zips: [], cities: [] };
    const changed = await store.patch(one, { elements });
    assert.deepEqual(
      changed.json.elements,
      elements.map((element) => ({ ...empty, ...element })),
    );
    const back = await store.put(one, changed.json);
    assert.deepEqual([back.text, back.headers.etag], [changed.text, changed.headers.etag]);
    assertProblem(await store.put(one, made.json, { 'if-match': made.headers.etag }), 412);
    assert.deepEqual((await store.put(one, { name: 'Everywhere' })).json, made.json);
    assert.equal((await store.delete(one)).status, 204);
    assertProblem(await store.get(one), 404);
  });

  test('zones have a unique name and valid elements', async () => {
    await zone({ name: 'Unique' });
    assertViolations(await store.post(ZONES, { name: 'Unique' }), ['name', 'not_unique']);
    assertViolations(await store.post(ZONES, {}), ['name', 'required']);
    assertViolations(await store.post(ZONES, { name: ' ' }), ['name', 'blank']);
    assertViolations(await store.post(ZONES, { name: 'x'.repeat(256) }), ['name', 'too_long']);
    assertViolations(await elementOf({}), ['elements[0].countries', 'required']);
    assertViolations(await elementOf({ countries: [] }), ['elements[0].countries', 'too_short']);
    assertViolations(await elementOf({ countries: ['de'] }), ['elements[0].countries[0]', 'format']);
    assertViolations(await elementOf({ countries: ['DE', 'DE'] }), ['elements[0].countries[1]', 'not_unique']);
    assertViolations(await elementOf({ countries: ['DE'], counties: [] }), ['elements[0].counties', 'unknown_field']);
    const many = Array.from({ length: 1001 }, (_, index) => `Place ${index}`);
    for (const name of ['states', 'cities']) {
      assertViolations(await elementOf({ countries: ['DE'], [name]: many }), [`elements[0].${name}`, 'too_long']);
      for (const text of [' ', '', 'x'.repeat(256), 'a\u0000b', '\ud800'])
        assertViolations(await elementOf({ countries: ['DE'], [name]: [text] }), [`elements[0].${name}[0]`, 'format']);
    }
    const elements = Array.from({ length: 501 }, () => ({ countries: ['DE'] }));
    assertViolations(await store.post(ZONES, { name: 'Many', elements }), ['elements', 'too_long']);
  });

  test('elements of zones with states, postcodes or cities have exactly one country', async () => {
    for (const name of ['states', 'zips', 'cities']) {
      const places = { [name]: ['1000'] };
      assertViolations(await elementOf({ countries: ['DE', 'AT'], ...places }), [`elements[0].${name}`, 'conflict']);
      const { id } = await zone({ elements: [{ countries: ['DE'], ...places }] });
      assertViolations(
        await store.patch(`${ZONES}/${id}`, {
          elements: [{ countries: ['DE'] }, { countries: ['DE', 'AT'], ...places }],
        }),
        [`elements[1].${name}`, 'conflict'],
      );
    }
  });

  test('postcodes of zones are codes, prefixes, or ascending ranges of equally many digits', async () => {
    const withZips = (zips: string[]) => elementOf({ countries: ['DE'], zips });
    for (const zip of ['*', '7*8', '*7', '787**', '-1', '', ' ', '7870!', 'x'.repeat(33), '79999-75000', '0002 - 0001'])
      assertViolations(await withZips([zip]), ['elements[0].zips[0]', 'format']);
    const zips = ['0001-0002', '00-950', '2-1000', '1000-1000', '1000 - 2000', 'EC1A*', '１２３'];
    assert.equal((await zone({ elements: [{ countries: ['DE'], zips }] })).elements[0].zips.length, zips.length);
  });

  test('zones are filtered, sorted by name, exported and written in bulk by name', async () => {
    const [second, first] = [await zone({ name: 'Listed B' }), await zone({ name: 'Listed A' })];
    assert.deepEqual(await idsAt(`${ZONES}?name=listed`), [first.id, second.id]);
    assert.deepEqual(await idsAt(`${ZONES}?name=listed&order[id]=asc`), [second.id, first.id]);
    const lines = readLines((await store.get(`${ZONES}?name=listed`, { accept: LINES })).text);
    assert.equal((await bulk(store, `${ZONES}/bulk`, lines)).counts, 'unchanged 2');
    const written = await bulk(store, `${ZONES}/bulk`, [
      { name: 'Listed A', elements: [{ countries: ['FR'] }] },
      { name: 'Listed C' },
      { op: 'delete', key: 'Listed B' },
      { id: first.id, name: 'Listed D', elements: [{ countries: [] }] },
    ]);
    assert.equal(written.counts, 'created 1, updated 1, deleted 1, failed 1');
  });

  test('tax settings always exist, and are replaced and updated', async () => {
    const before = await store.get(SETTINGS);
    assert.deepEqual(before.json, DEFAULT_SETTINGS);
    assert.equal((await store.request('GET', SETTINGS, { key: READ_ONLY_KEY })).status, 200);
    assertProblem(await store.request('PATCH', SETTINGS, { key: READ_ONLY_KEY, body: {} }), 403);
    for (const method of ['POST', 'DELETE']) assertProblem(await store.request(method, SETTINGS, { body: {} }), 405);
    const cursor = await now((url) => store.get(url));
    const changed = await store.patch(SETTINGS, { rounding: 'down', address: 'billing', outside_zone: 'gross' });
    assert.deepEqual(changed.json, {
      ...DEFAULT_SETTINGS,
      rounding: 'down',
      address: 'billing',
      outside_zone: 'gross',
    });
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, action, path, fields }) => [resource, action, path, [...fields].sort()]),
      [['TaxSettings', 'updated', SETTINGS, ['address', 'outside_zone', 'rounding']]],
    );
    assertProblem(await store.patch(SETTINGS, { shipping: 'rates' }, { 'if-match': before.headers.etag }), 412);
    const back = await store.put(SETTINGS, changed.json);
    assert.deepEqual([back.text, back.headers.etag], [changed.text, changed.headers.etag]);
    assert.deepEqual((await store.put(SETTINGS, {})).json, DEFAULT_SETTINGS);
    const choices = ['outside_zone', 'address', 'shipping', 'rounding', 'rounding_target'];
    assertViolations(
      await store.patch(SETTINGS, Object.fromEntries(choices.map((name) => [name, 'other']))),
      ...choices.map((name) => [name, 'choice'] as const),
    );
    assertViolations(
      await store.patch(SETTINGS, { default_zone: NO_SUCH, vat_id_exempt_zone: 'Atlantis', prices_include_tax: 1 }),
      ['default_zone', 'unknown_link'],
      ['vat_id_exempt_zone', 'unknown_link'],
      ['prices_include_tax', 'type'],
    );
  });

  test('prices include taxes only with a default zone and without rates that are amounts', async () => {
    const { id, name } = await zone();
    assertViolations(await store.patch(SETTINGS, { prices_include_tax: true }), ['default_zone', 'required']);
    const amount = await rate({ type: '$', value: 1 });
    assertViolations(await store.patch(SETTINGS, { prices_include_tax: true, default_zone: id }), [
      'prices_include_tax',
      'conflict',
      new RegExp(`/tax_rates/${amount.id}`),
    ]);
    await store.patch(`${RATES}/${amount.id}`, { type: '%' });
    const included = await store.patch(SETTINGS, { prices_include_tax: true, default_zone: name });
    assert.deepEqual([included.json.prices_include_tax, included.json.default_zone], [true, id]);
    assertViolations(await store.patch(SETTINGS, { default_zone: null }), ['default_zone', 'required']);
    assertViolations(await store.post(RATES, { tax: 'ECO', name: 'Eco', type: '$', value: 1 }), ['type', 'conflict']);
    assertViolations(await store.patch(`${RATES}/${amount.id}`, { type: '$' }), ['type', 'conflict']);
    assertProblem(await store.delete(`${ZONES}/${id}`), 409, /\/tax_settings\b/);
    await store.put(SETTINGS, {});
    assert.equal((await store.delete(`${ZONES}/${id}`)).status, 204);
    await store.delete(`${RATES}/${amount.id}`);
  });

  test('rates that are amounts and prices that include taxes exclude each other in concurrent requests', async () => {
    const { id } = await zone();
    for (let round = 0; round < 4; round += 1) {
      const [settings, created] = await Promise.all([
        store.patch(SETTINGS, { prices_include_tax: true, default_zone: id }),
        store.post(RATES, { tax: 'ECO', name: 'Eco', type: '$', value: 1 }),
      ]);
      assert.deepEqual([settings.status, created.status].sort(), created.status === 201 ? [201, 422] : [200, 422]);
      await store.put(SETTINGS, {});
      if (created.status === 201) await store.delete(`${RATES}/${created.json.id}`);
    }
  });

  test('rates are created with their defaults, read, replaced, updated and deleted', async () => {
    const made = await store.post(RATES, { tax: 'VAT', name: 'VAT 19 %', value: 19 });
    assert.equal(made.status, 201, made.text);
    const { id, ...fields } = made.json;
    assert.deepEqual(Object.keys(made.json), outputNames('TaxRate'));
    assert.deepEqual(fields, {
      ...{ tax: 'VAT', name: 'VAT 19 %', enabled: true, position: 0, date_range_begin: null, date_range_end: null },
      ...{ zone: null, tax_class: null, membership: null, type: '%', value: 19, base: 'discounted_subtotal' },
    });
    const one = `${RATES}/${id}`;
    const back = await store.put(one, made.json);
    assert.deepEqual([back.text, back.headers.etag], [made.text, made.headers.etag]);
    const { id: linked, name } = await zone();
    const tax_class = (await store.made('/api/tax_classes', { name: 'Reduced' })).id;
    const membership = (await store.made('/api/memberships', { name: 'Resellers' })).id;
    const changed = await store.patch(one, { zone: name, tax_class: 'Reduced', membership: { id: membership } });
    assert.deepEqual(changed.json, { ...made.json, zone: linked, tax_class, membership });
    const { json } = await store.get(one, { accept: 'application/ld+json' });
    assert.deepEqual([json['@type'], json['@id'], json.zone], ['TaxRate', one, linked]);
    assert.deepEqual((await store.put(one, { tax: 'VAT', name: 'VAT 19 %', value: 19 })).json, made.json);
    const german = { 'accept-language': 'de' };
    await store.patch(one, { name: 'MwSt. 19 %' }, german);
    const texts = (await store.get(`${one}/translations`)).json;
    assert.deepEqual(texts, { de: { name: 'MwSt. 19 %' }, en: { name: 'VAT 19 %' } });
    assert.equal((await store.delete(one)).status, 204);
    assertProblem(await store.get(one), 404);
  });

  test('rates reject invalid values at their fields', async () => {
    assertViolations(
      await store.post(RATES, {}),
      ...(['tax', 'name', 'value'] as const).map((name) => [name, 'required'] as const),
    );
    const invalid = {
      ...{ tax: 'vat', name: 'x'.repeat(256), value: -1, type: 'S', base: 'total', position: 1.5, enabled: 'yes' },
      ...{ zone: NO_SUCH, tax_class: 'Unknown', membership: NO_SUCH },
    };
    assertViolations(
      await store.post(RATES, invalid),
      ['tax', 'format'],
      ['name', 'too_long'],
      ['value', 'range'],
      ['type', 'choice'],
      ['base', 'choice'],
      ['position', 'type'],
      ['enabled', 'type'],
      ...(['zone', 'tax_class', 'membership'] as const).map((name) => [name, 'unknown_link'] as const),
    );
    assertViolations(
      await store.post(RATES, { tax: '', name: ' ', value: 1 }),
      ['tax', 'too_short'],
      ['name', 'blank'],
    );
    assertViolations(await store.post(RATES, { tax: 'X'.repeat(33), name: 'X', value: 1 }), ['tax', 'too_long']);
    const { id } = await rate({ tax: 'A_1', value: 1000 });
    assertViolations(await store.patch(`${RATES}/${id}`, { value: 1000.01 }), ['value', 'range']);
    assert.equal((await store.patch(`${RATES}/${id}`, { type: '$', value: 1000.0001 })).json.value, 1000.0001);
    assertViolations(await store.patch(`${RATES}/${id}`, { type: '%' }), ['value', 'range']);
    const dates = { date_range_begin: '2026-02-01', date_range_end: '2026-02-01' };
    assertViolations(await store.patch(`${RATES}/${id}`, dates), ['date_range_end', 'conflict']);
    await store.delete(`${RATES}/${id}`);
  });

  test('rates are listed by position, filtered, exported and written in bulk by their ids', async () => {
    const last = await rate({ tax: 'LIST', position: 2, base: 'shipping', enabled: false });
    const first = await rate({ tax: 'LIST', position: 1, type: '$' });
    assert.deepEqual(await idsAt(`${RATES}?tax=LIST`), [first.id, last.id]);
    assert.deepEqual(await idsAt(`${RATES}?tax=LIST&order[position]=desc`), [last.id, first.id]);
    for (const [filter, id] of [
      ['enabled=false', last.id],
      ['base=shipping', last.id],
      ['type=$', first.id],
    ])
      assert.deepEqual(await idsAt(`${RATES}?tax=LIST&${filter}`), [id]);
    const { id: linked } = await zone();
    await store.patch(`${RATES}/${first.id}`, { zone: linked });
    assert.deepEqual(await idsAt(`${RATES}?tax=LIST&zone=${linked}`), [first.id]);
    assert.deepEqual(await idsAt(`${RATES}?tax=LIST&zone[exists]=false`), [last.id]);
    const lines = readLines((await store.get(`${RATES}?tax=LIST`, { accept: LINES })).text);
    assert.equal((await bulk(store, `${RATES}/bulk`, lines)).counts, 'unchanged 2');
    const written = await bulk(store, `${RATES}/bulk?write=put`, [
      { id: last.id, tax: 'LIST', name: 'Replaced', value: 5 },
      { op: 'delete', key: first.id },
      { tax: 'LIST', name: 'Without a key', value: 5 },
    ]);
    assert.equal(written.counts, 'updated 1, deleted 1, failed 1');
    assert.deepEqual((await store.get(`${RATES}/${last.id}`)).json.base, 'discounted_subtotal');
    await store.delete(`${RATES}/${last.id}`);
  });

  test('records that rates and settings name cannot be deleted', async () => {
    const named = {
      zone: [ZONES, (await zone()).id],
      tax_class: ['/api/tax_classes', (await store.made('/api/tax_classes', { name: 'Named' })).id],
      membership: ['/api/memberships', (await store.made('/api/memberships', { name: 'Named' })).id],
    } as const;
    for (const [field, [path, id]] of Object.entries(named)) {
      const all = [];
      for (let each = 0; each < 7; each += 1) all.push((await rate({ [field]: id })).id);
      const paths = all.slice(0, 5).map((each) => `/tax_rates/${each}`);
      assertProblem(await store.delete(`${path}/${id}`), 409, new RegExp(`${paths.join(', ')} and 2 more`));
      for (const each of all) assert.equal((await store.delete(`${RATES}/${each}`)).status, 204);
      assert.equal((await store.delete(`${path}/${id}`)).status, 204);
    }
    const exempt = await zone();
    await store.patch(SETTINGS, { vat_id_exempt_zone: exempt.id });
    assertProblem(await store.delete(`${ZONES}/${exempt.id}`), 409, /\/tax_settings\b/);
    await store.patch(SETTINGS, { vat_id_exempt_zone: null });
    assert.equal((await store.delete(`${ZONES}/${exempt.id}`)).status, 204);
  });

  test('a rate is created for a record, or the record is deleted, if both are requested at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await zone();
      const [deleted, created] = await Promise.all([
        store.delete(`${ZONES}/${id}`),
        store.post(RATES, { tax: 'VAT', name: 'VAT', value: 1, zone: id }),
      ]);
      if (created.status === 201) assert.equal(deleted.status, 409);
      else {
        assert.equal(deleted.status, 204);
        assertViolations(created, ['zone', 'unknown_link']);
      }
    }
  });

  test('zones and rates are at most 1,000 of each', async () => {
    const zones = Array.from({ length: 1000 }, (_, index) => ({ name: `Numbered ${index}` }));
    const { results } = await bulk(store, `${ZONES}/bulk`, zones);
    const { violations } = results.at(-1).problem;
    assert.deepEqual(
      violations.map(({ propertyPath, code }: Json) => [propertyPath, code]),
      [['', 'too_long']],
    );
    assert.equal((await store.get(ZONES)).headers['x-total-count'], '1000');
    assertViolations(await store.post(ZONES, { name: 'One more' }), ['', 'too_long']);
  });
});
