/** The order of the lines of a bulk (sync.md §4): each line has the result of a single write after the lines before it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attached, png } from '../support/images.ts';
import { bulk } from '../support/lines.ts';
import { randomFrom } from '../support/random.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';
import { varied } from '../support/variants.ts';

/** Picks one of the values. */
type Pick = <T>(...values: readonly T[]) => T;

/** Lines of one collection that conflict with each other. */
interface Conflicts {
  /** Creates what the lines refer to. @param stem distinguishes the texts of each run */
  readonly prepare: (store: Store, stem: string) => Promise<{ readonly path: string; readonly known: Json }>;
  readonly line: (pick: Pick, stem: string, known: Json) => Json;
  /** Fields of a written record to compare. */
  readonly shown: (record: Json) => unknown;
}

const optional = (pick: Pick, fields: Json): Json => pick<Json>({}, fields);

const CONFLICTS: Readonly<Record<string, Conflicts>> = {
  products: {
    prepare: async () => ({ path: '/api/products', known: {} }),
    line: (pick, stem) => {
      const sku = () => `${stem}-${pick('a', 'b', 'c', 'd', 'D')}`;
      const body = () => ({
        name: `${stem} ${pick('mug', 'cup')}`,
        ...optional(pick, { clean_url: `${stem}-${pick('one', 'two', 'mug')}` }),
        ...optional(pick, { tags: [`${stem} ${pick('new', 'old')}`] }),
      });
      return pick<() => Json>(
        () => ({ sku: sku(), ...body() }),
        () => ({ sku: sku(), ...body() }),
        () => ({ sku: sku(), ...body(), price: pick(1, -1) }),
        () => ({ op: 'upsert', key: sku(), body: { sku: sku() } }),
        () => ({ op: 'upsert', key: sku(), if_match: pick<unknown>(1, 2, '*'), body: body() }),
        () => ({ op: 'delete', key: sku() }),
      )();
    },
    shown: ({ sku, name, clean_url, tags }) => [sku, name, clean_url, (tags as Json[]).map((tag) => tag.name)],
  },
  categories: {
    prepare: async (store, stem) => {
      const { id } = await store.made('/api/categories', { name: 'Root', clean_url: `${stem}-root` });
      return { path: '/api/categories', known: { root: id } };
    },
    line: (pick, stem, { root }) => {
      const url = () => `${stem}-${pick('a', 'b', 'c', 'd')}`;
      return pick<() => Json>(
        () => ({ clean_url: url(), name: pick('One', 'Two'), parent: pick(null, root) }),
        () => ({ clean_url: url(), name: pick('One', 'Two'), parent: root }),
        () => ({ op: 'upsert', key: url(), body: { clean_url: url() } }),
        () => ({ op: 'delete', key: url() }),
        () => ({ op: 'delete', key: pick(url(), url(), url(), `${stem}-root`) }),
      )();
    },
    shown: ({ name, clean_url, depth }) => [name, clean_url, depth],
  },
  tags: {
    prepare: async () => ({ path: '/api/tags', known: {} }),
    line: (pick, stem) => {
      const name = () => `${stem} ${pick('a', 'b', 'B', 'c', 'd')}`;
      return pick<() => Json>(
        () => ({ name: name() }),
        () => ({ op: 'upsert', key: name(), body: { name: name() } }),
        () => ({ op: 'delete', key: name() }),
      )();
    },
    shown: ({ name }) => name,
  },
  variants: {
    prepare: async (store, stem) => {
      const { variants, values } = await varied(store, { sku: stem });
      return { path: variants, known: values };
    },
    line: (pick, stem, { S, M, red, blue }) => {
      const sku = () => `${stem}-${pick('a', 'b', 'c', 'd', 'D')}`;
      const values = () => [pick(S, M), pick(red, blue)];
      return pick<() => Json>(
        () => ({ sku: sku(), attribute_select_values: values() }),
        () => ({ op: 'upsert', key: sku(), body: { sku: sku() } }),
        () => ({ op: 'delete', key: sku() }),
      )();
    },
    shown: ({ sku }) => sku,
  },
};

const SEEDS = [1, 2, 3];
const LINES = 60;

onEachDatabase('the order of bulk lines', {}, (store) => {
  /** Writes conflicting lines. @returns everything that must not depend on how many lines a bulk has */
  async function writtenIn(name: string, seed: number, mode: string, linesPerBulk: number): Promise<unknown> {
    const { prepare, line, shown } = CONFLICTS[name]!;
    const random = randomFrom(seed);
    const pick: Pick = (...values) => values[Math.floor(random() * values.length)]!;
    const stem = `${name.slice(0, 3)}${mode.slice(0, 1)}${seed}x${linesPerBulk}`;
    const { path, known } = await prepare(store, stem);
    const lines = Array.from({ length: LINES }, () => line(pick, stem, known));
    const results: Json[] = [];
    for (let first = 0; first < LINES; first += linesPerBulk)
      results.push(
        ...(await bulk(store, `${path}/bulk?mode=${mode}`, lines.slice(first, first + linesPerBulk))).results,
      );
    const ids = [...new Set(results.flatMap(({ id }) => (id === null ? [] : [id as number])))];
    const rank = new Map(ids.toSorted((one, other) => one - other).map((id, index) => [id, index]));
    const compared = results.map(({ key, status, result, version, id, problem }) => {
      const { type, violations = [] } = (problem ?? {}) as { type?: string; violations?: Json[] };
      const paths = violations.map(({ propertyPath, code }) => [propertyPath, code]);
      return [key, status, result, version, id === null ? null : rank.get(id as number), type, paths];
    });
    const records = await Promise.all(ids.map((id) => store.get(`${path}/${id}`)));
    const state = records.map(({ status, json }) => (status === 200 ? shown(json) : status));
    return JSON.parse(JSON.stringify([compared, state]).replaceAll(stem, 'stem'));
  }

  for (const [name, mode] of [
    ...Object.keys(CONFLICTS).map((each): [string, string] => [each, 'upsert']),
    ['categories', 'create'],
  ] as const)
    test(`the results of ${name} that conflict with each other are those of single writes, with mode=${mode}`, async () => {
      for (const seed of SEEDS)
        assert.deepEqual(
          await writtenIn(name, seed, mode, LINES),
          await writtenIn(name, seed, mode, 1),
          `with the seed ${seed}`,
        );
    });

  const NEW_TAGS = 30;

  test('a line has the values that it sends before a later line that is written faster', async () => {
    const stem = `fast-${store.database}`;
    const product = (name: string, fields: Json = {}): Json => ({ sku: `${stem}-${name}`, name: stem, ...fields });
    const before = Array.from({ length: NEW_TAGS }, (_, index) => [
      product(String(index), { tags: [`${stem} ${index}`] }),
      { op: 'delete', key: `${stem}-none-${index}` },
    ]).flat();
    const { results } = await bulk(store, '/api/products/bulk', [
      ...before,
      product('earlier', { clean_url: `${stem}-wanted` }),
      product('later', { clean_url: `${stem}-wanted` }),
      product('image', { clean_url: `${stem}-wanted`, images: [await attached(png(2, 2))] }),
    ]);
    assert.deepEqual(
      results.slice(-3).map(({ status, problem }) => [status, problem?.violations[0].propertyPath]),
      [
        [201, undefined],
        [422, 'clean_url'],
        [422, 'clean_url'],
      ],
    );
  });

  test('a line that follows another one for its record is written before later lines', async () => {
    const [sku, other] = [`again-${store.database}`, `other-${store.database}`];
    const { results } = await bulk(store, '/api/products/bulk', [
      { sku, name: sku },
      { sku, clean_url: `${sku}-wanted` },
      { sku: other, name: other, clean_url: `${sku}-wanted` },
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 200, 422],
    );
  });

  test('a generated clean URL may be one that an earlier line no longer uses', async () => {
    const stem = `unused-${store.database}`;
    const product = (name: string, fields: Json = {}): Json => ({ sku: `${stem}-${name}`, name: stem, ...fields });
    const { results } = await bulk(store, '/api/products/bulk', [
      product('one'),
      { op: 'delete', key: `${stem}-none` },
      product('two'),
      { op: 'delete', key: `${stem}-one` },
      product('three'),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 200, 201, 204, 201],
    );
    const read = async ({ id }: Json) => (await store.get(`/api/products/${id}`)).json.clean_url;
    assert.deepEqual([await read(results[2]), await read(results[4])], [`${stem}-1`, stem]);
  });

  test('lines with and without images are written in their order', async () => {
    const stem = `image-${store.database}`;
    const images = [await attached(png(60, 50))];
    const line = (index: number, fields: Json = {}): Json => ({ sku: `${stem}-${index}`, name: stem, ...fields });
    await store.made('/api/products', line(6));
    const { results } = await bulk(store, '/api/products/bulk', [
      line(0, { images, clean_url: `${stem}-a` }),
      line(1, { clean_url: `${stem}-a` }),
      line(2, { images, clean_url: `${stem}-b` }),
      line(3, { images: [{ attachment: 'AAAA', filename: 'x.png' }], clean_url: `${stem}-c` }),
      line(4, { clean_url: `${stem}-c` }),
      line(5, { images, clean_url: `${stem}-b` }),
      line(0, { images, price: 4 }),
      { op: 'delete', key: `${stem}-0` },
      line(0, { images, clean_url: `${stem}-a` }),
      { op: 'delete', key: `${stem}-6` },
      line(6, { images }),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      [201, 422, 201, 422, 201, 422, 200, 204, 201, 204, 201],
    );
    const ids = results.flatMap(({ status, id }) => (status === 201 ? [id as number] : []));
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    );
  });
});
