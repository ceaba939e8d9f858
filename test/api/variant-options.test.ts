/** `options` of variants: the texts of their values, in each language, after changes of other records (catalog.md §12). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { bulk, LINES, readLines } from '../support/lines.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';
import { madeVariant, type ProductWithOptions, varied } from '../support/variants.ts';

const DE = { 'accept-language': 'de' };

interface Shirt extends ProductWithOptions {
  readonly variant: Json;
  /** The variant's path. */
  readonly at: string;
  /** Paths of the attribute, of its option M, and of the product's value M. */
  readonly size: string;
  readonly option: string;
  readonly value: string;
}

/** A product with the variant M of the attribute Size, whose German name is Größe. */
async function shirtOf(store: Store, scope?: string): Promise<Shirt> {
  const made = await varied(store, {}, { Size: ['S', 'M'] }, scope);
  const variant = await madeVariant(store, made, ['M']);
  const size = `${scope ?? made.path}/attributes_select/${made.attributes.Size}`;
  const value = `${made.path}/attributes_select/${made.attributes.Size}/values/${made.values.M}`;
  const option = `${size}/options/${(await store.get(value)).json.option.id}`;
  await store.patch(size, { name: 'Größe' }, DE);
  return { ...made, variant, at: `${made.variants}/${variant.id}`, size, option, value };
}

/** The texts of the only option of a variant. */
const textsIn = ({ options: [option] }: { options: Json[] }): unknown[] => [option!.name, option!.value];

onEachDatabase('options of variants', {}, (store) => {
  test('name attribute and value, checkbox values first, each kind by id', async () => {
    const shirt = await varied(store, {}, { Size: ['S', 'M'], Color: ['red'] });
    const boxes: Json[] = [];
    for (const [name, value] of [
      ['Gift', true],
      ['Used', false],
    ] as const) {
      const path = `${shirt.path}/attributes_checkbox`;
      const { id } = await store.made(path, { name });
      const made = await store.made(`${path}/${id}/values`, { value });
      boxes.push({ attribute_id: id, name, value_id: made.id, value: value ? 'Yes' : 'No' });
    }
    const { Size, Color } = shirt.attributes;
    const { M, red } = shirt.values;
    const made = await store.made(shirt.variants, {
      attribute_checkbox_values: boxes.map(({ value_id }) => value_id).reverse(),
      attribute_select_values: [red, M],
    });
    const options = [
      ...boxes,
      { attribute_id: Size, name: 'Size', value_id: M, value: 'M' },
      { attribute_id: Color, name: 'Color', value_id: red, value: 'red' },
    ];
    assert.equal(JSON.stringify(made.options), JSON.stringify(options));
    const added = ['options', 'sale_discount_type', 'sale_price_value', 'default_sale_price'];
    assert.deepEqual(Object.keys(made).slice(-added.length), added, 'fields of later releases come last');
    assert.deepEqual(
      options.map(({ value_id }) => value_id),
      [...made.attribute_checkbox_values, ...made.attribute_select_values],
    );
  });

  test('are equal in single reads, lists, exports, the change feed, JSON-LD, writes and selected fields', async () => {
    const shirt = await shirtOf(store);
    const { id, options } = shirt.variant;
    assert.deepEqual((await store.get(shirt.at)).json, shirt.variant);
    for (const list of [shirt.variants, `/api/variants?id=${id}`]) {
      assert.deepEqual((await store.get(list)).json, [shirt.variant]);
      const lines = await store.get(list, { accept: LINES });
      assert.deepEqual(readLines(lines.text), [shirt.variant]);
      const selected = await store.get(`${list}${list.includes('?') ? '&' : '?'}fields=options`);
      assert.deepEqual(selected.json, [{ options }]);
      const linked = await store.get(list, { accept: 'application/ld+json' });
      assert.deepEqual(linked.json['hydra:member'][0].options, options);
    }
    assert.deepEqual((await store.get(`${shirt.at}?fields=options`)).json, { options });
    assert.deepEqual((await store.get(shirt.at, { accept: 'application/ld+json' })).json.options, options);
    const entries: Json[] = (await store.get('/api/changes?resource[]=Variant&include=record&limit=1000')).json;
    assert.deepEqual(entries.find((entry) => entry.id === id)!.record, shirt.variant);
    const patched = await store.patch(shirt.at, { price: 3 });
    assert.deepEqual(patched.json.options, options);
    assert.deepEqual((await store.post(`${shirt.at}/stock`, { delta: 1 })).json.options, options);
    assert.deepEqual(textsIn((await store.patch(shirt.at, { price: 4 }, DE)).json), ['Größe', 'M']);
  });

  test('have the text of the request’s language, else of the default language, else of another one', async () => {
    const shirt = await shirtOf(store);
    const shown = async (language: string) =>
      textsIn((await store.get(shirt.at, { 'accept-language': language })).json);
    assert.deepEqual(await shown('de'), ['Größe', 'M']);
    await store.put(`${shirt.option}/translations/de`, { value: 'Mittel' });
    assert.deepEqual(await shown('de'), ['Größe', 'Mittel']);
    assert.deepEqual(await shown('fr'), ['Size', 'M']);
    assert.deepEqual(await shown('en'), ['Size', 'M']);
    const { id } = (await store.post(`${shirt.size}/options`, { value: 'Groß' }, DE)).json;
    await store.patch(shirt.value, { option_id: id });
    for (const language of ['en', 'fr', 'de']) assert.equal((await shown(language))[1], 'Groß');
  });

  test('cannot be written, and are accepted as read', async () => {
    const shirt = await shirtOf(store);
    const { etag } = (await store.get(shirt.at)).headers;
    const german = await store.get(shirt.at, DE);
    assert.equal((await store.put(shirt.at, german.json, DE)).headers.etag, german.headers.etag);
    const { counts } = await bulk(store, `${shirt.variants}/bulk?key=id`, [shirt.variant]);
    assert.equal(counts, 'unchanged 1');
    const options = (shirt.variant.options as Json[]).map((option) => ({ ...option, value_id: shirt.values.S }));
    assertViolations(await store.patch(shirt.at, { options }), ['options', 'read_only']);
    const body = { attribute_select_values: [shirt.values.S], options };
    assertViolations(await store.post(shirt.variants, body), ['options', 'read_only']);
    assert.equal((await store.get(shirt.at)).headers.etag, etag);
    assertProblem(await store.get('/api/variants?options=M'), 400);
  });
});
