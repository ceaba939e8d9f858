/** Sale discounts, volume discounts and coupons (pricing.md §2), and deletions of what they name (pricing.md §7). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { now, pages } from '../support/feed.ts';
import { outputNames } from '../support/fields.ts';
import { bulk, LINES, readLines } from '../support/lines.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

const [JANUARY, FEBRUARY] = ['2026-01-01T00:00:00+00:00', '2026-02-01T00:00:00+00:00'];
const NO_SUCH = 999_999;

let count = 0;

/** A code that no other coupon has. */
function newCode(): string {
  count += 1;
  return `CODE-${count}`;
}

onEachDatabase('discounts', { STORE_CURRENCY: 'EUR' }, (store) => {
  const SALES = '/api/sale_discounts';
  const VOLUMES = '/api/volume_discounts';
  const COUPONS = '/api/coupons';
  let gold: number;
  let germany: number;
  let shirts: number;
  const idsAt = async (url: string): Promise<number[]> => (await store.get(url)).json.map(({ id }: Json) => id);
  const sale = (fields: Json = {}) => store.made(SALES, { name: 'Sale', ...fields });
  const volume = (fields: Json = {}) => store.made(VOLUMES, fields);
  const coupon = (fields: Json = {}) => store.made(COUPONS, { code: newCode(), ...fields });
  before(async () => {
    gold = (await store.made('/api/memberships', { name: 'Gold' })).id;
    germany = (await store.made('/api/zones', { name: 'Germany', elements: [{ countries: ['DE'] }] })).id;
    shirts = (await store.made('/api/product_classes', { name: 'Shirts' })).id;
  });

  test('are created with their defaults, sent back unchanged, replaced and deleted', async () => {
    const dates = { date_range_begin: null, date_range_end: null };
    const lists = { products: [], product_classes: [], categories: [], memberships: [] };
    const defaults: [string, string, Json, Json][] = [
      [
        'SaleDiscount',
        SALES,
        { name: 'Defaults' },
        {
          ...{ name: 'Defaults', enabled: true, value: 0, ...dates, specific_products: false, ...lists },
          ...{ show_in_separate_section: false, apply_to_wholesale: false },
          ...{ meta_tags: '', meta_description: '', meta_title: '', clean_url: 'defaults' },
        },
      ],
      [
        'VolumeDiscount',
        VOLUMES,
        {},
        { value: 0, type: '%', subtotal_range_begin: 0, membership: null, ...dates, zones: [] },
      ],
      [
        'Coupon',
        COUPONS,
        { code: 'DEFAULTS' },
        {
          ...{
            code: 'DEFAULTS',
            enabled: true,
            value: 0,
            type: '%',
            ...dates,
            total_range_begin: 0,
            total_range_end: 0,
          },
          ...{ uses_limit: 0, uses_limit_per_user: 0, single_use: false, specific_products: false, ...lists },
          ...{ zones: [], comment: '', uses: 0 },
        },
      ],
    ];
    for (const [resource, path, body, expected] of defaults) {
      const made = await store.post(path, body);
      assert.equal(made.status, 201, made.text);
      const { id, ...fields } = made.json;
      assert.deepEqual(fields, expected);
      assert.deepEqual(Object.keys(made.json), outputNames(resource));
      const one = `${path}/${id}`;
      const back = await store.put(one, made.json);
      assert.deepEqual([back.text, back.headers.etag], [made.text, made.headers.etag]);
      const changed = await store.patch(one, { value: 5, date_range_begin: JANUARY });
      assert.deepEqual([changed.json.value, changed.json.date_range_begin], [5, JANUARY]);
      assertProblem(await store.patch(one, { value: 6 }, { 'if-match': made.headers.etag }), 412);
      assert.deepEqual((await store.put(one, body)).json, made.json);
      assert.equal((await store.delete(one)).status, 204);
      assertProblem(await store.get(one), 404);
    }
  });

  test('reject values of wrong types and ranges at their fields', async () => {
    assertViolations(await store.post(SALES, {}), ['name', 'required']);
    assertViolations(
      await store.post(SALES, {
        ...{
          name: ' ',
          value: 100.01,
          enabled: 1,
          clean_url: 'a b',
          meta_title: 'x'.repeat(256),
          date_range_begin: 'soon',
        },
      }),
      ['name', 'blank'],
      ['value', 'range'],
      ['enabled', 'type'],
      ['clean_url', 'format'],
      ['meta_title', 'too_long'],
      ['date_range_begin', 'format'],
    );
    assertViolations(
      await store.post(VOLUMES, {
        value: -1,
        type: 'S',
        subtotal_range_begin: -1,
        membership: NO_SUCH,
        zones: [NO_SUCH],
      }),
      ['value', 'range'],
      ['type', 'choice'],
      ['subtotal_range_begin', 'range'],
      ['membership', 'unknown_link'],
      ['zones[0]', 'unknown_link'],
    );
    const negative = { total_range_begin: -1, total_range_end: -1, uses_limit: -1, uses_limit_per_user: -1 };
    assertViolations(
      await store.post(COUPONS, { code: 'abcd', ...negative, comment: 'x'.repeat(256), uses: 1 }),
      ...Object.keys(negative).map((name) => [name, 'range'] as const),
      ['comment', 'too_long'],
    );
    assertViolations(await store.post(COUPONS, { code: 'abcd', uses: 1 }), ['uses', 'read_only']);
    assertViolations(
      await store.post(COUPONS, {
        ...{ code: 'abcd', products: [NO_SUCH], product_classes: [NO_SUCH], categories: [NO_SUCH] },
        ...{ memberships: ['Bronze'], zones: ['Atlantis'] },
      }),
      ...['products', 'product_classes', 'categories', 'memberships', 'zones'].map(
        (name) => [`${name}[0]`, 'unknown_link'] as const,
      ),
    );
  });

  test('have percentages of at most 100, and amounts that the currency can express', async () => {
    for (const [path, body] of [
      [VOLUMES, {}],
      [COUPONS, { code: 'PERC' }],
    ] as const) {
      assertViolations(await store.post(path, { ...body, value: 100.0001 }), ['value', 'range']);
      assertViolations(await store.post(path, { ...body, type: '$', value: 1.005 }), ['value', 'decimals']);
      const { id } = await store.made(path, { ...body, type: '$', value: 100.01 });
      assertViolations(await store.patch(`${path}/${id}`, { type: '%' }), ['value', 'range']);
      assert.equal((await store.patch(`${path}/${id}`, { type: '%', value: 33.3333 })).json.value, 33.3333);
      assertViolations(await store.patch(`${path}/${id}`, { type: '$' }), ['value', 'decimals']);
      await store.delete(`${path}/${id}`);
    }
    assertViolations(await store.post(COUPONS, { code: 'SHIP', type: 'S', value: 1 }), ['value', 'range']);
    const shipping = await coupon({ type: 'S' });
    assertViolations(await store.patch(`${COUPONS}/${shipping.id}`, { value: 1 }), ['value', 'range']);
    const other = await coupon({ value: 1 });
    assertViolations(await store.patch(`${COUPONS}/${other.id}`, { type: 'S' }), ['value', 'range']);
    assert.equal((await store.patch(`${COUPONS}/${other.id}`, { type: 'S', value: 0 })).json.type, 'S');
  });

  test('end after they begin', async () => {
    for (const [path, body] of [
      [SALES, { name: 'Dates' }],
      [VOLUMES, {}],
      [COUPONS, { code: 'DATES' }],
    ] as const) {
      const reversed = { date_range_begin: FEBRUARY, date_range_end: JANUARY };
      assertViolations(await store.post(path, { ...body, ...reversed }), ['date_range_end', 'conflict']);
      const same = { date_range_begin: JANUARY, date_range_end: JANUARY };
      assertViolations(await store.post(path, { ...body, ...same }), ['date_range_end', 'conflict']);
      const { id } = await store.made(path, { ...body, date_range_begin: JANUARY, date_range_end: FEBRUARY });
      assertViolations(await store.patch(`${path}/${id}`, { date_range_begin: FEBRUARY }), [
        'date_range_end',
        'conflict',
      ]);
      assert.equal((await store.patch(`${path}/${id}`, { date_range_end: null })).json.date_range_end, null);
      assert.equal((await store.patch(`${path}/${id}`, { date_range_begin: FEBRUARY })).status, 200);
      await store.delete(`${path}/${id}`);
    }
  });

  test('take coupons with a subtotal range whose end is 0 or at least its begin', async () => {
    const { id } = await coupon({ total_range_begin: 50 });
    const path = `${COUPONS}/${id}`;
    assertViolations(await store.patch(path, { total_range_end: 49.99 }), ['total_range_end', 'conflict']);
    assert.equal((await store.patch(path, { total_range_end: 50 })).json.total_range_end, 50);
    assertViolations(await store.patch(path, { total_range_begin: 51 }), ['total_range_end', 'conflict']);
    assert.equal((await store.patch(path, { total_range_end: 0, total_range_begin: 51 })).json.total_range_begin, 51);
  });

  test('take coupon codes of 4 to 16 visible ASCII characters, unique regardless of case', async () => {
    assertViolations(await store.post(COUPONS, {}), ['code', 'required']);
    assertViolations(await store.post(COUPONS, { code: 'abc' }), ['code', 'too_short']);
    assertViolations(await store.post(COUPONS, { code: 'x'.repeat(17) }), ['code', 'too_long']);
    for (const code of ['with space', 'umläut', 'tab\ttab', 'ＦＵＬＬ'])
      assertViolations(await store.post(COUPONS, { code }), ['code', 'format']);
    const made = await coupon({ code: '!~Aa/?#&' });
    assertViolations(await store.post(COUPONS, { code: '!~aA/?#&' }), ['code', 'not_unique']);
    const other = await coupon();
    assertViolations(await store.patch(`${COUPONS}/${other.id}`, { code: '!~AA/?#&' }), ['code', 'not_unique']);
    assert.equal((await store.patch(`${COUPONS}/${made.id}`, { code: '!~aa/?#&' })).json.code, '!~aa/?#&');
    assert.deepEqual(await idsAt(`${COUPONS}?code=${encodeURIComponent('!~aa/?#&')}`), [made.id]);
    const raced = await Promise.all(['race', 'RACE', 'Race'].map((code) => store.post(COUPONS, { code })));
    assert.deepEqual(raced.map(({ status }) => status).sort(), [201, 422, 422]);
  });

  test('show the ids of records that restrict them, and take names, addresses and objects', async () => {
    const category = await store.made('/api/categories', { name: 'Restricting' });
    const one = await store.product();
    const made = await coupon({
      ...{ specific_products: true, products: [one, `${store.address}/api/products/${one.id}`] },
      ...{ product_classes: ['Shirts'], categories: [`/api/categories/${category.id}`] },
      ...{ memberships: [{ id: gold }], zones: ['Germany', germany] },
    });
    const { products, product_classes, categories, memberships, zones } = made;
    assert.deepEqual([products, product_classes, categories], [[one.id], [shirts], [category.id]]);
    assert.deepEqual([memberships, zones], [[gold], [germany]]);
    const discount = await volume({ membership: 'Gold', zones: [{ id: germany, name: 'Germany' }] });
    assert.deepEqual([discount.membership, discount.zones], [gold, [germany]]);
    assert.equal((await store.patch(`${VOLUMES}/${discount.id}`, { membership: null })).json.membership, null);
    for (const [path, { id }] of [
      [COUPONS, made],
      [VOLUMES, discount],
    ] as const)
      await store.delete(`${path}/${id}`);
  });

  test('have at most 10,000 products', async () => {
    const first = await store.product();
    const skus = Array.from({ length: 300 }, (_, index) => ({ sku: `MANY-${index}`, name: 'Many' }));
    const { results } = await bulk(store, '/api/products/bulk', skus);
    const ids = results.map(({ id }) => id);
    assert.deepEqual((await sale({ products: ids })).products, ids);
    const tooMany = Array.from({ length: 40_001 }, (_, index) => first.id + index);
    assertViolations(await store.post(SALES, { name: 'Many', products: tooMany }), ['products', 'too_long']);
    const lists = { memberships: Array.from({ length: 1001 }, (_, index) => index + 1) };
    assertViolations(await store.post(SALES, { name: 'Many', ...lists }), ['memberships', 'too_long']);
  });

  test('have a clean URL that no product, category or other sale discount has', async () => {
    const made = await sale({ name: 'Clean Sale' });
    assert.equal(made.clean_url, 'clean-sale');
    assert.equal((await sale({ name: 'Clean Sale' })).clean_url, 'clean-sale-1');
    assert.match((await sale({ name: '!' })).clean_url, /^sale(-\d+)?$/);
    assert.equal((await store.product({ name: 'Clean Sale' })).clean_url, 'clean-sale-2');
    assertViolations(await store.post('/api/categories', { name: 'Other', clean_url: 'clean-sale' }), [
      'clean_url',
      'not_unique',
    ]);
    const path = `${SALES}/${made.id}`;
    assert.equal((await store.put(path, { name: 'Renamed' })).json.clean_url, 'clean-sale');
    const described = await store.patch(path, { meta_description: 'Text' });
    assert.equal(described.json.meta_description, 'Text');
    assert.equal((await store.patch(path, { meta_description_type: 'A' })).json.meta_description, '');
    await store.delete(path);
    assert.equal((await store.product({ clean_url: 'clean-sale' })).clean_url, 'clean-sale');
    const product = await store.product({ clean_url: 'former-url' });
    await store.patch(`/api/products/${product.id}`, { clean_url: 'current-url' });
    await sale({ clean_url: 'former-url' });
    assert.deepEqual((await store.get(`/api/products/${product.id}/old_urls`)).json, []);
  });

  test('have texts in each language', async () => {
    const { id } = await sale({ name: 'Summer' });
    const german = { 'accept-language': 'de' };
    await store.patch(`${SALES}/${id}`, { name: 'Sommer', meta_title: 'Titel' }, german);
    const { json } = await store.get(`${SALES}/${id}/translations`);
    assert.deepEqual([json.en.name, json.de.name, json.de.meta_title], ['Summer', 'Sommer', 'Titel']);
    assert.equal((await store.get(`${SALES}/${id}`, german)).json.name, 'Sommer');
  });

  test('are filtered and sorted', async () => {
    const dates = { date_range_begin: JANUARY, date_range_end: FEBRUARY };
    const one = await coupon({ enabled: false, value: 2, memberships: [gold], ...dates });
    const two = await coupon({ value: 1, ...dates, date_range_end: null });
    const among = `id[]=${one.id}&id[]=${two.id}`;
    assert.deepEqual(await idsAt(`${COUPONS}?${among}&enabled=false`), [one.id]);
    assert.deepEqual(await idsAt(`${COUPONS}?${among}&memberships=${gold}`), [one.id]);
    assert.deepEqual(await idsAt(`${COUPONS}?${among}&memberships.name=Gold`), [one.id]);
    assert.deepEqual(await idsAt(`${COUPONS}?${among}&membership=${gold}`), [one.id]);
    assert.deepEqual(await idsAt(`${COUPONS}?${among}&date_range_end[before]=2026-03-01`), [one.id]);
    assert.deepEqual(await idsAt(`${COUPONS}?${among}&order[value]=asc`), [two.id, one.id]);
    assert.deepEqual(await idsAt(`${COUPONS}?${among}&order[code]=desc`), [two.id, one.id]);
    const first = await volume({ subtotal_range_begin: 200, membership: gold });
    const second = await volume({ subtotal_range_begin: 100 });
    const volumes = `id[]=${first.id}&id[]=${second.id}`;
    assert.deepEqual(await idsAt(`${VOLUMES}?${volumes}&membership=${gold}`), [first.id]);
    assert.deepEqual(await idsAt(`${VOLUMES}?${volumes}&membership[exists]=false`), [second.id]);
    assert.deepEqual(await idsAt(`${VOLUMES}?${volumes}&order[subtotal_range_begin]=asc`), [second.id, first.id]);
    const summer = await sale({ enabled: false, clean_url: 'filtered-sale', memberships: [gold], ...dates });
    assert.deepEqual(await idsAt(`${SALES}?clean_url=filtered-sale&enabled=false&memberships=${gold}`), [summer.id]);
    assert.deepEqual(await idsAt(`${SALES}?clean_url=filtered-sale&date_range_begin[after]=2026-01-02`), []);
    for (const [path, id] of [
      [COUPONS, one.id],
      [VOLUMES, first.id],
      [SALES, summer.id],
    ])
      await store.delete(`${path}/${id}`);
  });

  test('are exported and written in bulk by their keys', async () => {
    const sales = await bulk(store, `${SALES}/bulk`, [
      { name: 'Bulk', clean_url: 'bulk-sale', value: 5 },
      { clean_url: 'bulk-sale', value: 6 },
      { op: 'delete', key: 'bulk-sale' },
    ]);
    assert.equal(sales.counts, 'created 1, updated 1, deleted 1');
    const coupons = await bulk(store, `${COUPONS}/bulk`, [
      { code: 'BULK-A', value: 5 },
      { code: 'BULK-B', value: 5 },
      { code: 'bulk-a' },
      { code: 'BULK-A', value: 5 },
    ]);
    assert.equal(coupons.counts, 'created 2, unchanged 1, failed 1');
    const { id } = await volume({ value: 1 });
    const volumes = await bulk(store, `${VOLUMES}/bulk`, [{ id, value: 2 }, { id: NO_SUCH, value: 2 }, { value: 2 }]);
    assert.deepEqual(
      volumes.results.map(({ status }) => status),
      [200, 404, 422],
    );
    assertProblem(
      await store.request('POST', `${VOLUMES}/bulk?mode=create`, { body: '', headers: { 'content-type': LINES } }),
      400,
    );
    for (const path of [SALES, VOLUMES, COUPONS]) {
      const lines = readLines((await store.get(path, { accept: LINES })).text);
      assert.ok(lines.length > 0);
      assert.equal((await bulk(store, `${path}/bulk`, lines)).counts, `unchanged ${lines.length}`);
    }
  });

  test('have entries in the feed', async () => {
    const cursor = await now((url) => store.get(url));
    const { id } = await coupon();
    await store.patch(`${COUPONS}/${id}`, { value: 3 });
    const { entries } = await pages((url) => store.get(url), `after=${cursor}`);
    assert.deepEqual(
      entries.map(({ resource, action, path, fields }) => [resource, action, path, fields]),
      [
        ['Coupon', 'created', `${COUPONS}/${id}`, []],
        ['Coupon', 'updated', `${COUPONS}/${id}`, ['value']],
      ],
    );
  });

  test('are in JSON-LD under their classes', async () => {
    const made = await coupon({ memberships: [gold] });
    const { json } = await store.get(`${COUPONS}/${made.id}`, { accept: 'application/ld+json' });
    assert.deepEqual([json['@type'], json['@id'], json.memberships], ['Coupon', `${COUPONS}/${made.id}`, [gold]]);
    await store.delete(`${COUPONS}/${made.id}`);
  });

  test('prevent the deletion of the last element of a restriction list', async () => {
    const silver = (await store.made('/api/memberships', { name: 'Silver' })).id;
    const bronze = (await store.made('/api/memberships', { name: 'Bronze' })).id;
    const one = await sale({ memberships: [silver, bronze] });
    const two = await coupon({ memberships: [silver] });
    assertProblem(await store.delete(`/api/memberships/${silver}`), 409, new RegExp(`\\${COUPONS.slice(4)}/${two.id}`));
    await store.delete(`${COUPONS}/${two.id}`);
    const before = await store.get(`${SALES}/${one.id}`);
    assert.equal((await store.delete(`/api/memberships/${silver}`)).status, 204);
    const shortened = await store.get(`${SALES}/${one.id}`);
    assert.deepEqual(shortened.json, { ...before.json, memberships: [bronze] });
    assertProblem(await store.delete(`/api/memberships/${bronze}`), 409, new RegExp(`/sale_discounts/${one.id}`));
    const zone = (await store.made('/api/zones', { name: 'Atlantis' })).id;
    const kinds = { product_classes: '/api/product_classes', zones: '/api/zones' };
    const named = await coupon({
      product_classes: [(await store.made(kinds.product_classes, { name: 'Mugs' })).id],
      zones: [zone],
    });
    for (const [name, path] of Object.entries(kinds))
      assertProblem(await store.delete(`${path}/${named[name][0]}`), 409, new RegExp(`/coupons/${named.id}`));
    const other = await volume({ zones: [zone] });
    assertProblem(await store.delete(`/api/zones/${zone}`), 409, new RegExp(`/volume_discounts/${other.id}`));
    await store.patch(`${COUPONS}/${named.id}`, { zones: [], product_classes: [] });
    await store.delete(`${VOLUMES}/${other.id}`);
    assert.equal((await store.delete(`/api/zones/${zone}`)).status, 204);
    assert.equal((await store.delete(`/api/product_classes/${named.product_classes[0]}`)).status, 204);
  });

  test('prevent the deletion of a category with all categories of a list in its subtree', async () => {
    const [root, outside] = [
      await store.made('/api/categories', { name: 'Root' }),
      await store.made('/api/categories', { name: 'Outside' }),
    ];
    const middle = await store.made('/api/categories', { name: 'Middle', parent: root.id });
    const leaves = [];
    for (const name of ['Leaf', 'Other leaf'])
      leaves.push((await store.made('/api/categories', { name, parent: middle.id })).id);
    const one = await coupon({ categories: leaves });
    assertProblem(await store.delete(`/api/categories/${root.id}`), 409, new RegExp(`/coupons/${one.id}`));
    assert.equal((await store.delete(`/api/categories/${leaves[0]}`)).status, 204);
    assertProblem(await store.delete(`/api/categories/${leaves[1]}`), 409);
    await store.patch(`${COUPONS}/${one.id}`, { categories: [leaves[1], outside.id] });
    assert.equal((await store.delete(`/api/categories/${root.id}`)).status, 204);
    assert.deepEqual((await store.get(`${COUPONS}/${one.id}`)).json.categories, [outside.id]);
  });

  test('prevent the deletion of the membership of a volume discount, but of no product', async () => {
    const club = (await store.made('/api/memberships', { name: 'Club' })).id;
    const { id } = await volume({ membership: club });
    assertProblem(await store.delete(`/api/memberships/${club}`), 409, new RegExp(`/volume_discounts/${id}`));
    const deletions = await bulk(store, '/api/memberships/bulk', [{ op: 'delete', key: 'Club' }]);
    assert.equal(deletions.results[0].status, 409);
    await store.delete(`${VOLUMES}/${id}`);
    assert.equal((await store.delete(`/api/memberships/${club}`)).status, 204);
    const product = await store.product();
    const specific = await sale({ specific_products: true, products: [product.id] });
    assert.equal((await store.delete(`/api/products/${product.id}`)).status, 204);
    assert.deepEqual((await store.get(`${SALES}/${specific.id}`)).json.products, []);
  });

  test('do not lose all elements of a list by concurrent requests', async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = await Promise.all(
        ['A', 'B'].map((name) => store.made('/api/memberships', { name: `${name}${round}` })),
      );
      const ids = made.map(({ id }) => id);
      const { id } = await sale({ memberships: ids });
      const deleted = await Promise.all(ids.map((each) => store.delete(`/api/memberships/${each}`)));
      assert.deepEqual(deleted.map(({ status }) => status).sort(), [204, 409]);
      const [left] = (await store.get(`${SALES}/${id}`)).json.memberships;
      assert.ok(ids.includes(left));
      const [removal, creation] = await Promise.all([
        store.delete(`${SALES}/${id}`).then(() => store.delete(`/api/memberships/${left}`)),
        store.post(COUPONS, { code: newCode(), memberships: [left] }),
      ]);
      if (creation.status === 201) assert.equal(removal.status, 409, 'the new coupon names the membership');
      else assertViolations(creation, ['memberships[0]', 'unknown_link']);
    }
  });

  test('are at most 1,000 of a kind', async () => {
    const before = Number((await store.get(SALES)).headers['x-total-count']);
    const sales = Array.from({ length: 1000 }, (_, index) => ({ name: 'Many', clean_url: `many-sales-${index}` }));
    const { summary, results } = await bulk(store, `${SALES}/bulk`, sales);
    assert.deepEqual([summary.created, summary.failed], [1000 - before, before]);
    assert.deepEqual(
      results.at(-1).problem.violations.map(({ propertyPath, code }: Json) => [propertyPath, code]),
      [['', 'too_long']],
    );
    assertViolations(await store.post(SALES, { name: 'One more' }), ['', 'too_long']);
  });
});
