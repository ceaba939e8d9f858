/** Tax classes, product classes, memberships, tags and stickers: records with a unique name (catalog.md §§3, 11). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged, assertViolations } from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import { type Json, onEachDatabase } from '../support/store.ts';

interface Kind {
  readonly path: string;
  readonly resource: string;
  /** The other fields with their defaults. */
  readonly fields: Json;
  /** Valid values that differ from the defaults. */
  readonly filled: Json;
  readonly rejected: readonly (readonly [body: Json, field: string, code: string, message?: string])[];
  /** The field that links a product to the record, and its value after the record is deleted. */
  readonly link: { readonly field: string; readonly value: (id: number) => unknown; readonly left: unknown };
}

const nullable = (field: string) => ({ field, value: (id: number) => id, left: null });
const set = (field: string) => ({ field, value: (id: number) => [id], left: [] });

const KINDS: readonly Kind[] = [
  { path: '/api/tax_classes', resource: 'TaxClass', fields: {}, filled: {}, rejected: [], link: nullable('tax_class') },
  {
    path: '/api/product_classes',
    resource: 'ProductClass',
    fields: {},
    filled: {},
    rejected: [],
    link: nullable('product_class'),
  },
  { path: '/api/tags', resource: 'Tag', fields: {}, filled: {}, rejected: [], link: set('tags') },
  {
    path: '/api/memberships',
    resource: 'Membership',
    fields: { enabled: true },
    filled: { enabled: false },
    rejected: [
      [{ enabled: 1 }, 'enabled', 'type', 'This value should be of type boolean.'],
      [{ enabled: null }, 'enabled', 'null', 'This value should not be null.'],
    ],
    link: set('memberships'),
  },
  {
    path: '/api/stickers',
    resource: 'Sticker',
    fields: { position: 0, enabled: true, text_color: '', bg_color: '' },
    filled: { position: -7, enabled: false, text_color: 'FF8800', bg_color: '00ff00' },
    rejected: [
      [{ position: '1' }, 'position', 'type', 'This value should be of type integer.'],
      [{ enabled: 'true' }, 'enabled', 'type', 'This value should be of type boolean.'],
      ...['#ff8800', 'ff880', 'ff88000', 'gg8800', ' ', 'red', 'ff8800\n', 'ＦＦ8800'].map(
        (color) => [{ text_color: color, bg_color: '' }, 'text_color', 'format'] as const,
      ),
      [{ bg_color: 'fff' }, 'bg_color', 'format'],
      [{ bg_color: 0 }, 'bg_color', 'type', 'This value should be of type string.'],
    ],
    link: set('stickers'),
  },
];

const BLANK = 'This value should not be blank.';

for (const { path, resource, fields, filled, rejected, link } of KINDS)
  onEachDatabase(path, {}, (store) => {
    const de = { 'accept-language': 'de' };
    const names = async (query: string) =>
      (await store.get(`${path}?${query}`)).json.map(({ name }: { name: string }) => name);

    test('creates, reads, updates and deletes a record', async () => {
      const created = await store.post(path, { name: 'First' });
      assert.equal(created.status, 201);
      const { id } = created.json;
      assert.deepEqual(Object.keys(created.json), outputNames(resource));
      assert.deepEqual(created.json, whole(resource, { id, name: 'First', ...fields }));
      const one = `${path}/${id}`;
      assert.equal(created.headers.location, store.address + one);
      assert.deepEqual((await store.get(one)).json, created.json);
      assert.deepEqual((await store.patch(one, filled)).json, whole(resource, { id, name: 'First', ...filled }));
      assert.deepEqual(
        (await store.patch(one, { name: 'Second' })).json,
        whole(resource, { id, name: 'Second', ...filled }),
      );
      assert.deepEqual(
        (await store.put(one, { name: 'Third', ...filled })).json,
        whole(resource, { id, name: 'Third', ...filled }),
      );
      assert.deepEqual(
        (await store.put(one, { name: 'Third' })).json,
        whole(resource, { id, name: 'Third', ...fields }),
      );
      assert.equal((await store.delete(one)).status, 204);
      for (const response of [await store.get(one), await store.delete(one), await store.put(one, { name: 'Fourth' })])
        assertProblem(response, 404);
      assert.deepEqual((await store.get(path)).json, []);
    });

    test('PUT and PATCH of what GET returned change nothing', async () => {
      const created = await store.made(path, { name: 'Round trip', ...filled });
      const one = `${path}/${created.id}`;
      await store.patch(one, { name: 'Rundreise' }, de);
      for (const headers of [{}, de, { 'accept-language': 'fr' }]) {
        const read = await store.get(one, headers);
        await assertUnchanged(store, async () => {
          assert.equal((await store.put(one, read.json, headers)).headers.etag, read.headers.etag);
          assert.equal((await store.patch(one, read.json, headers)).headers.etag, read.headers.etag);
        });
      }
    });

    const rules: [body: Json, field: string, code: string, message?: string][] = [
      [{ name: '' }, 'name', 'blank', BLANK],
      [{ name: ' \u200b\u00a0' }, 'name', 'blank', BLANK],
      [{ name: null }, 'name', 'null', 'This value should not be null.'],
      [{ name: 5 }, 'name', 'type', 'This value should be of type string.'],
      [{ name: ['x'] }, 'name', 'type', 'This value should be of type string.'],
      [{ name: 'x'.repeat(256) }, 'name', 'too_long', 'This value is too long. It should have 255 characters or less.'],
      [{ name: 'a\u0000' }, 'name', 'format'],
      [{ title: 'x' }, 'title', 'unknown_field'],
      ...rejected.map(([body, ...rest]) => [body, ...rest] as [Json, string, string, string?]),
    ];
    for (const [body, field, code, message] of rules)
      test(`rejects ${JSON.stringify(body).slice(0, 40)}`, async () => {
        const { id } = await store.made(path, { name: `Refusing ${code} ${crypto.randomUUID()}` });
        await assertUnchanged(store, async () => {
          const whole = { name: 'Valid', ...body };
          for (const response of [
            await store.post(path, whole),
            await store.put(`${path}/${id}`, whole),
            await store.patch(`${path}/${id}`, body),
          ])
            assertViolations(response, [field, code, message]);
        });
      });

    test('requires a name in POST', () =>
      assertUnchanged(store, async () => {
        assertViolations(await store.post(path, {}), ['name', 'required', BLANK]);
        assertViolations(await store.post(path, { ...filled }, de), ['name', 'required', BLANK]);
      }));

    test('stores names exactly as sent', async () => {
      for (const name of ['  Padded  ', 'x'.repeat(255), '😀'.repeat(255), 'Cafe\u0301', '<b>"&\'', '12', 'null']) {
        const { id } = await store.made(path, { name });
        assert.equal((await store.get(`${path}/${id}`)).json.name, name);
      }
    });

    test('rejects a used name in any spelling of the same language', async () => {
      const { id } = await store.made(path, { name: 'Größe é' });
      const { id: other } = await store.made(path, { name: `Other ${path}` });
      await assertUnchanged(store, async () => {
        for (const name of [
          'Größe é',
          'GRÖSSE É'.replace('SS', 'ß'),
          ' größe é\t',
          'Gro\u0308ße e\u0301',
          '\u00a0GRÖßE É ',
        ])
          for (const response of [
            await store.post(path, { name }),
            await store.put(`${path}/${other}`, { name }),
            await store.patch(`${path}/${other}`, { name }),
          ])
            assertViolations(response, ['name', 'not_unique', 'This value is already used.']);
      });
      for (const name of ['Grosse é', 'Größe e', 'Größe  é']) await store.made(path, { name });
      assert.equal((await store.patch(`${path}/${id}`, { name: ' GRÖẞE É'.replace('ẞ', 'ß') })).status, 200);
    });

    test('accepts the same name in different languages', async () => {
      const { id } = await store.made(path, { name: 'Shared' });
      const { id: german } = await store.made(path, { name: 'Shared' }, de);
      assertViolations(await store.patch(`${path}/${id}`, { name: 'shared' }, de), ['name', 'not_unique']);
      assert.equal((await store.patch(`${path}/${german}`, { name: 'Not shared' })).status, 200);
      assert.equal((await store.patch(`${path}/${german}`, { name: 'shared ' })).status, 422);
    });

    test('accepts a name again after its record was deleted or renamed', async () => {
      const { id } = await store.made(path, { name: 'Free' });
      await store.patch(`${path}/${id}`, { name: 'Changed' });
      const { id: next } = await store.made(path, { name: 'free' });
      await store.delete(`${path}/${next}`);
      await store.made(path, { name: 'FREE' });
    });

    test('filters and sorts by name and id', async () => {
      const marked = ['zoo #', 'Äpfel #', 'apfel #', 'Birne #'];
      const ids: number[] = [];
      for (const name of marked) ids.push((await store.made(path, { name })).id);
      assert.deepEqual(await names('name=%23'), ['apfel #', 'Äpfel #', 'Birne #', 'zoo #']);
      assert.deepEqual(await names('name=%23&order[name]=desc'), ['zoo #', 'Birne #', 'Äpfel #', 'apfel #']);
      assert.deepEqual(await names('name=%23&order[id]=asc'), marked);
      assert.deepEqual(await names('name=APFEL%20%23'), ['apfel #', 'Äpfel #']);
      assert.deepEqual(await names(`id[]=${ids[0]}&id[]=${ids[3]}`), ['Birne #', 'zoo #']);
      assert.deepEqual(await names('name=nothing%20of%20this'), []);
      assertProblem(await store.get(`${path}?position=0`), 400, /position/);
    });

    if ('enabled' in fields)
      test('filters by enabled', async () => {
        const { id } = await store.made(path, { name: 'Disabled', enabled: false });
        assert.deepEqual(await names(`id=${id}&enabled=false`), ['Disabled']);
        assert.deepEqual(await names(`id=${id}&enabled=true`), []);
      });
    else
      test('rejects the enabled filter', async () => {
        assertProblem(await store.get(`${path}?enabled=true`), 400, /enabled/);
      });

    test('unlinks products when a record is deleted', async () => {
      const { id } = await store.made(path, { name: 'Linked' });
      const product = await store.product({ [link.field]: link.value(id), name: 'Staying' });
      assert.notDeepEqual(product[link.field], link.left);
      assert.equal((await store.delete(`${path}/${id}`)).status, 204);
      const left = (await store.get(`/api/products/${product.id}`)).json;
      assert.deepEqual(left, { ...product, [link.field]: link.left });
    });
  });

onEachDatabase('a tag that a product created', {}, (store) => {
  before(() => store.product({ tags: ['Brought'] }));

  test('is a regular tag', async () => {
    const [tag] = (await store.get('/api/tags')).json;
    assert.deepEqual(tag, whole('Tag', { id: tag.id, name: 'Brought' }));
    assertViolations(await store.post('/api/tags', { name: 'BROUGHT' }), ['name', 'not_unique']);
  });
});
