/** A product's values for its attributes: checkbox and select values, one text, one hidden option (catalog.md §10). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertProblem, assertViolations, choiceOf, type ExpectedViolation } from '../support/expect.ts';
import { outputNames, whole } from '../support/fields.ts';
import { nextSecond } from '../support/next-second.ts';
import { rounds } from '../support/rounds.ts';
import { type Json, onEachDatabase, type Store } from '../support/store.ts';

const KINDS = ['checkbox', 'select', 'text', 'hidden'] as const;
type Kind = (typeof KINDS)[number];
const isSingle = (kind: Kind): boolean => kind === 'text' || kind === 'hidden';
const hasOptions = (kind: Kind): boolean => kind === 'select' || kind === 'hidden';

/** Scopes of attributes that product 1, of class 1, has. */
const SCOPES = ['/api', '/api/product_classes/1', '/api/products/1'];

const NO_MODIFIERS: Json = {
  price_modifier: 0,
  price_modifier_type: 'percent',
  weight_modifier: 0,
  weight_modifier_type: 'percent',
  is_default: false,
};

const MODIFIERS: Json = {
  price_modifier: -12.3456,
  price_modifier_type: 'absolute',
  weight_modifier: 9999999999.9999,
  weight_modifier_type: 'absolute',
  is_default: true,
};

const de = { 'accept-language': 'de' };
const fr = { 'accept-language': 'fr' };

const versionOf = (etag: string | undefined): number => Number(etag!.slice(1).split('-')[0]);
const idsOf = (records: readonly { id: number }[]): number[] => records.map(({ id }) => id);

interface Attribute {
  readonly id: number;
  /** Path of the attribute itself. */
  readonly path: string;
  /** Path of its values below product 1. */
  readonly values: string;
  readonly options: readonly Json[];
}

/** Creates an attribute, with two options if its kind has options. */
async function newAttribute(store: Store, kind: Kind, scope = '/api', product = 1): Promise<Attribute> {
  const attributes = `${scope}/attributes_${kind}`;
  const { id } = await store.made(attributes, { name: 'Attribute' });
  const path = `${attributes}/${id}`;
  const options: Json[] = [];
  if (hasOptions(kind))
    for (const [position, value] of ['Small', 'Large'].entries())
      options.push(await store.made(`${path}/options`, { value, position }));
  return { id, path, values: `/api/products/${product}/attributes_${kind}/${id}/values`, options };
}

/** A valid body for the first value of the attribute. */
function firstBody(kind: Kind, { options }: Attribute): Json {
  if (kind === 'text') return { value: 'Text' };
  return kind === 'checkbox' ? { value: true } : { option_id: options[0]!.id };
}

/** The path of a created value. */
const pathOf = (kind: Kind, { values }: Attribute, made: { id?: number }): string =>
  isSingle(kind) ? values : `${values}/${made.id}`;

async function fill(store: Store): Promise<void> {
  for (const name of ['Shirts', 'Hats']) await store.made('/api/product_classes', { name });
  await store.product({ product_class: 'Shirts' });
  await store.product({ product_class: 'Hats' });
}

onEachDatabase('attribute values', {}, (store) => {
  before(() => fill(store));

  for (const kind of KINDS)
    for (const scope of SCOPES.filter((each) => kind !== 'hidden' || each === '/api'))
      test(`creates, reads and deletes a value of ${scope}/attributes_${kind}`, async () => {
        const attribute = await newAttribute(store, kind, scope);
        const { values } = attribute;
        if (isSingle(kind)) assertProblem(await store.get(values), 404);
        else assert.deepEqual((await store.get(values)).json, []);
        const created = await store.post(values, firstBody(kind, attribute));
        assert.equal(created.status, 201, created.text);
        const path = pathOf(kind, attribute, created.json);
        assert.equal(created.headers.location, `${store.address}${path}`);
        const read = await store.get(path);
        assert.deepEqual([read.status, read.text, read.headers.etag], [200, created.text, created.headers.etag]);
        if (!isSingle(kind)) assert.deepEqual((await store.get(values)).json, [created.json]);
        const response = await store.delete(path);
        assert.deepEqual([response.status, response.text], [204, '']);
        assertProblem(await store.get(path), 404);
        assertProblem(await store.delete(path), 404);
        assert.equal((await store.post(values, firstBody(kind, attribute))).status, 201);
      });

  for (const kind of KINDS) {
    test(`PUT and PATCH of what GET returned change nothing (${kind})`, async () => {
      const attribute = await newAttribute(store, kind);
      const made = await store.made(attribute.values, firstBody(kind, attribute));
      const path = pathOf(kind, attribute, made);
      const earlier = await store.get(path);
      for (const method of ['PUT', 'PATCH', 'PUT']) {
        const back = await store.request(method, path, { body: earlier.text });
        assert.deepEqual([back.status, back.text, back.headers.etag], [200, earlier.text, earlier.headers.etag]);
      }
      assert.equal((await store.patch(path, {})).headers.etag, earlier.headers.etag);
    });

    test(`rejects a duplicate ${kind} value with 422`, async () => {
      const attribute = await newAttribute(store, kind);
      await store.made(attribute.values, firstBody(kind, attribute));
      const earlier = (await store.get(attribute.values)).text;
      assertProblem(await store.post(attribute.values, firstBody(kind, attribute)), 422);
      assert.equal((await store.get(attribute.values)).text, earlier);
    });

    test(`creates one value from six concurrent POSTs and rejects the others with 422 (${kind})`, async () => {
      const attribute = await newAttribute(store, kind);
      const body = firstBody(kind, attribute);
      const responses = await Promise.all(Array.from({ length: 6 }, () => store.post(attribute.values, body)));
      const statuses = responses.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, ...Array(5).fill(422)], responses.map(({ text }) => text).join());
    });

    test(`rejects writes of a ${kind} value with 412 if If-Match does not match`, async () => {
      const attribute = await newAttribute(store, kind);
      const path = pathOf(kind, attribute, await store.made(attribute.values, firstBody(kind, attribute)));
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const body = method === 'DELETE' ? undefined : firstBody(kind, attribute);
        assertProblem(await store.request(method, path, { body, headers: { 'if-match': '"1-0"' } }), 412);
      }
      const { etag } = (await store.get(path)).headers;
      assert.equal((await store.delete(path, { 'if-match': etag })).status, 204);
    });
  }
});

onEachDatabase('attributes of values', {}, (store) => {
  before(() => fill(store));

  for (const kind of KINDS) {
    const assertRejected = async (path: string, body: Json) => {
      assertProblem(await store.get(path), 400);
      assertProblem(await store.post(path, body), 400);
      const one = isSingle(kind) ? path : `${path}/1`;
      for (const method of ['PUT', 'PATCH']) assertProblem(await store.request(method, one, { body }), 400);
      assertProblem(await store.delete(one), 400);
    };

    test(`rejects attributes of another kind under attributes_${kind} with 400`, async () => {
      for (const other of KINDS.filter((each) => each !== kind)) {
        const attribute = await newAttribute(store, other);
        // An existing value must not make the wrong path valid either.
        await store.made(attribute.values, firstBody(other, attribute));
        const path = `/api/products/1/attributes_${kind}/${attribute.id}/values`;
        await assertRejected(path, firstBody(kind, { ...attribute, options: [{ id: 1 }] }));
      }
    });

    test(`returns 400 for ${kind} values of an unknown attribute or product`, async () => {
      const attribute = await newAttribute(store, kind);
      const body = firstBody(kind, attribute);
      for (const id of ['999999', 'abc']) {
        await assertRejected(`/api/products/1/attributes_${kind}/${id}/values`, body);
        await assertRejected(attribute.values.replace('/products/1/', `/products/${id}/`), body);
      }
    });

    if (kind === 'hidden') continue;
    test(`returns 400 for ${kind} values of an attribute of another class or product`, async () => {
      for (const scope of ['/api/product_classes/2', '/api/products/2']) {
        const attribute = await newAttribute(store, kind, scope);
        const body = firstBody(kind, attribute);
        await assertRejected(attribute.values, body);
        const ofOther = attribute.values.replace('/products/1/', '/products/2/');
        const made = await store.made(ofOther, body);
        await assertRejected(attribute.values, body);
        if (!isSingle(kind)) assertProblem(await store.get(`${attribute.values}/${made.id}`), 400);
      }
      const { id } = await store.product();
      const ofClass = await newAttribute(store, kind, '/api/product_classes/1', id);
      await assertRejected(ofClass.values, firstBody(kind, ofClass));
    });
  }

  for (const kind of ['checkbox', 'select'] as const)
    test(`returns 404 for a ${kind} value of another attribute or product`, async () => {
      const [one, other] = [await newAttribute(store, kind), await newAttribute(store, kind)];
      const made = await store.made(one.values, firstBody(kind, one));
      for (const values of [other.values, one.values.replace('/products/1/', '/products/2/')]) {
        const path = `${values}/${made.id}`;
        assertProblem(await store.get(path), 404);
        assertProblem(await store.put(path, firstBody(kind, one)), 404);
        assertProblem(await store.patch(path, {}), 404);
        assertProblem(await store.delete(path), 404);
        assert.deepEqual((await store.get(values)).json, []);
      }
      for (const id of ['999999', 'abc', '01']) assertProblem(await store.get(`${one.values}/${id}`), 404);
      assert.equal((await store.get(`${one.values}/${made.id}`)).status, 200);
    });

  const methods: [kind: Kind, method: string, below: string, status: number][] = [
    ['checkbox', 'PUT', '', 405],
    ['checkbox', 'DELETE', '', 405],
    ['select', 'PATCH', '', 405],
    ['select', 'POST', '/1', 405],
    ['text', 'GET', '/1', 404],
    ['hidden', 'GET', '/1', 404],
    ['text', 'GET', '?page=1', 400],
    ['text', 'GET', '?itemsPerPage=1', 400],
    ['text', 'GET', '?order[id]=asc', 400],
    ['hidden', 'GET', '?page=1', 400],
    ['hidden', 'GET', '?id=1', 400],
    ['checkbox', 'GET', '?page=0', 400],
    ['select', 'GET', '?option=1', 400],
  ];
  for (const [kind, method, below, status] of methods)
    test(`responds to ${method} values${below} of ${kind} with ${status}`, async () => {
      const { values } = await newAttribute(store, kind);
      const body = ['PUT', 'PATCH', 'POST'].includes(method) ? {} : undefined;
      assertProblem(await store.request(method, `${values}${below}`, { body }), status);
    });
});

onEachDatabase('checkbox values', {}, (store) => {
  before(() => fill(store));

  test('default to false without modifiers, and reject a third value', async () => {
    const { values } = await newAttribute(store, 'checkbox');
    const no = await store.made(values, {});
    assert.deepEqual(no, { id: no.id, value: false, ...NO_MODIFIERS });
    const yes = await store.made(values, { value: true, ...MODIFIERS });
    assert.deepEqual(yes, { id: yes.id, value: true, ...MODIFIERS });
    for (const body of [{}, { value: false }, { value: true }])
      assertViolations(await store.post(values, body), ['value', 'not_unique', 'This value is already used.']);
    assert.deepEqual((await store.get(values)).json, [no, yes]);
  });

  test('are replaced and updated, but cannot change true to false', async () => {
    const { values } = await newAttribute(store, 'checkbox');
    const { id } = await store.made(values, { value: true, ...MODIFIERS });
    const path = `${values}/${id}`;
    assert.deepEqual((await store.patch(path, { is_default: false })).json, {
      id,
      value: true,
      ...MODIFIERS,
      is_default: false,
    });
    assert.deepEqual((await store.put(path, { value: true })).json, { id, value: true, ...NO_MODIFIERS });
    assert.deepEqual((await store.put(path, {})).json, { id, value: false, ...NO_MODIFIERS });
    const other = await store.made(values, { value: true });
    assertViolations(await store.patch(path, { value: true }), ['value', 'not_unique']);
    assertViolations(await store.put(`${values}/${other.id}`, {}), ['value', 'not_unique']);
    assert.equal((await store.get(path)).json.value, false);
  });

  for (const value of ['true', 1, null, 'Y'])
    test(`rejects ${JSON.stringify(value)}`, async () => {
      const { values } = await newAttribute(store, 'checkbox');
      const code = value === null ? 'null' : 'type';
      assertViolations(await store.post(values, { value }), ['value', code]);
    });

  test('may be equal for two products', async () => {
    const { values } = await newAttribute(store, 'checkbox');
    await store.made(values, { value: true });
    await store.made(values.replace('/products/1/', '/products/2/'), { value: true });
  });
});

onEachDatabase('modifiers', {}, (store) => {
  before(() => fill(store));

  for (const kind of ['checkbox', 'select'] as const)
    describe(`of ${kind} values`, () => {
      let values: string;
      let path: string;
      let body: Json;
      before(async () => {
        const attribute = await newAttribute(store, kind);
        values = attribute.values;
        path = `${values}/${(await store.made(values, firstBody(kind, attribute))).id}`;
        body = kind === 'checkbox' ? { value: false } : { option_id: attribute.options[1]!.id };
      });

      for (const field of ['price_modifier', 'weight_modifier'])
        for (const number of [0, 0.0001, -0.0001, 19.99, -100, 9999999999.9999, -9999999999.9999])
          test(`stores ${field} ${number} exactly`, async () => {
            assert.equal((await store.patch(path, { [field]: number })).json[field], number);
            assert.equal((await store.get(path)).json[field], number);
          });

      const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
        [{ price_modifier: 0.00001 }, ['price_modifier', 'decimals']],
        [{ weight_modifier: -1.23456 }, ['weight_modifier', 'decimals']],
        [{ price_modifier: 10000000000 }, ['price_modifier', 'range']],
        [{ weight_modifier: -10000000000 }, ['weight_modifier', 'range']],
        [{ price_modifier: '5' }, ['price_modifier', 'type']],
        [{ price_modifier: null, weight_modifier: null }, ['price_modifier', 'null'], ['weight_modifier', 'null']],
        [{ price_modifier_type: 'p' }, ['price_modifier_type', 'choice', choiceOf('absolute', 'percent')]],
        [{ weight_modifier_type: 'Percent' }, ['weight_modifier_type', 'choice']],
        [{ price_modifier_type: null }, ['price_modifier_type', 'null']],
        [{ is_default: 1 }, ['is_default', 'type']],
        [{ is_default: null }, ['is_default', 'null']],
        [{ modifier: 1 }, ['modifier', 'unknown_field']],
        [{ editable: true }, ['editable', 'unknown_field']],
      ];
      for (const [changes, ...violations] of rejected)
        test(`rejects ${JSON.stringify(changes)}`, async () => {
          const earlier = [(await store.get(values)).text, (await store.get(path)).headers.etag];
          assertViolations(await store.post(values, { ...body, ...changes }), ...violations);
          assertViolations(await store.put(path, { ...body, ...changes }), ...violations);
          assertViolations(await store.patch(path, changes), ...violations);
          assert.deepEqual([(await store.get(values)).text, (await store.get(path)).headers.etag], earlier);
        });
    });
});

onEachDatabase('select values', {}, (store) => {
  before(() => fill(store));

  test('accept an option by its id or as an object', async () => {
    const { values, options } = await newAttribute(store, 'select');
    const [small, large] = options;
    const one = await store.made(values, { option_id: small!.id });
    assert.deepEqual(one, whole('AttributeValueSelect', { id: one.id, option: small, position: 0, ...NO_MODIFIERS }));
    const two = await store.made(values, { option: large, position: 3, ...MODIFIERS });
    assert.deepEqual(two, whole('AttributeValueSelect', { id: two.id, option: large, position: 3, ...MODIFIERS }));
    assert.deepEqual(idsOf((await store.get(values)).json), [one.id, two.id]);
    assert.deepEqual(Object.keys(one.option as object), outputNames('AttributeOption'));
  });

  test('use the id of an option object if its value names no other option', async () => {
    const { path, values, options } = await newAttribute(store, 'select');
    const { path: elsewhere } = await newAttribute(store, 'select');
    const [small, large] = options;
    await store.made(`${elsewhere}/options`, { value: 'Elsewhere' });
    await store.patch(`${path}/options/${large!.id}`, { value: 'Klein' }, de);
    await store.patch(`${path}/options/${small!.id}`, { value: 'Klein' }, fr);
    for (const value of [undefined, null, 7, 'Before its renaming', 'Elsewhere', ' LARGE', 'Klein']) {
      const { id, option } = await store.made(values, { option: { id: large!.id, value, position: 9 } });
      assert.deepEqual(option, large);
      await store.delete(`${values}/${id}`);
    }
  });

  test('reject an option object whose id and value name two options', async () => {
    const { path, values, options } = await newAttribute(store, 'select');
    const [small, large] = options;
    await store.patch(`${path}/options/${small!.id}`, { value: 'Klein' }, de);
    const rejected: [option: Json, message: RegExp, headers?: Record<string, string>][] = [
      [{ id: large!.id, value: 'Small' }, new RegExp(`id is ${large!.id}, but the value "Small" .* ${small!.id}\\.`)],
      [{ id: large!.id, value: ' small ' }, new RegExp(`${large!.id}, but the value .* ${small!.id}\\.`)],
      [{ id: large!.id, value: 'Small' }, /but the value "Small"/, fr],
      [{ id: large!.id, value: 'Klein' }, /but the value "Klein"/, de],
      [
        { id: large!.id, value: 'Large', '@id': `${path}/options/${small!.id}` },
        new RegExp(`${large!.id}, but the @id .* ${small!.id}\\.`),
      ],
    ];
    const { id } = await store.made(values, { option: large });
    const one = `${values}/${id}`;
    const others = values.replace('/products/1/', '/products/2/');
    const earlier = (await store.get(values)).text;
    for (const [option, message, headers = {}] of rejected) {
      for (const [method, at] of [
        ['POST', others],
        ['PUT', one],
        ['PATCH', one],
      ] as const)
        assertViolations(await store.request(method, at, { body: { option }, headers }), [
          'option',
          'contradiction',
          message,
        ]);
      assert.deepEqual([(await store.get(values)).text, (await store.get(others)).json], [earlier, []]);
      const lenient = await store.patch(one, { option }, { ...headers, prefer: 'handling=lenient' });
      assert.equal(lenient.json.option.id, large!.id);
    }
  });

  test('report an invalid option even if option_id is valid', async () => {
    const { path, values, options } = await newAttribute(store, 'select');
    const [small, large] = options;
    const rejected: [option: unknown, violation: ExpectedViolation][] = [
      ['Large', ['option', 'unknown_link']],
      [999999, ['option', 'unknown_link']],
      [{ id: 999999, value: 'Small' }, ['option', 'unknown_link']],
      [{ id: small!.id, value: 'Large' }, ['option', 'contradiction']],
      [{ id: small!.id, '@id': `${path}/options/${large!.id}` }, ['option', 'contradiction']],
    ];
    for (const [option, violation] of rejected) {
      const body = { option_id: small!.id, option };
      assertViolations(await store.post(values, body), violation);
      assert.deepEqual((await store.get(values)).json, []);
      const lenient = await store.post(values, body, { prefer: 'handling=lenient' });
      assert.deepEqual([lenient.status, lenient.json.option], [201, small]);
      await store.delete(`${values}/${lenient.json.id}`);
    }
  });

  test('reject option_id together with a different option', async () => {
    const { values, options } = await newAttribute(store, 'select');
    const [small, large] = options;
    for (const option of [large, large!.id, { id: large!.id }]) {
      const body = { option_id: small!.id, option };
      assertViolations(await store.post(values, body), [
        'option_id',
        'contradiction',
        /option_id is \d+, but option is \d+/,
      ]);
      assert.deepEqual((await store.get(values)).json, []);
    }
    const { id } = await store.made(values, { option_id: small!.id, option: small });
    const path = `${values}/${id}`;
    const changed = { option_id: large!.id, option: small };
    assertViolations(await store.patch(path, changed), ['option_id', 'contradiction']);
    assert.deepEqual((await store.get(path)).json.option, small);
    const lenient = await store.patch(path, changed, { prefer: 'handling=lenient' });
    assert.deepEqual(lenient.json.option, large);
  });

  test('change their option, and retain it if PATCH omits it', async () => {
    const { values, options } = await newAttribute(store, 'select');
    const [small, large] = options;
    const path = `${values}/${(await store.made(values, { option_id: small!.id, ...MODIFIERS })).id}`;
    assert.deepEqual((await store.patch(path, { position: 2 })).json.option, small);
    assert.deepEqual((await store.patch(path, { option_id: large!.id })).json.option, large);
    assert.deepEqual((await store.patch(path, { option: small })).json.option, small);
    const replaced = (await store.put(path, { option_id: large!.id })).json;
    assert.deepEqual(replaced, { id: replaced.id, option: large, position: 0, ...NO_MODIFIERS });
  });

  test('use each option once', async () => {
    const { values, options } = await newAttribute(store, 'select');
    const [small, large] = options;
    await store.made(values, { option_id: small!.id });
    const path = `${values}/${(await store.made(values, { option_id: large!.id })).id}`;
    const responses = [
      await store.post(values, { option_id: small!.id }),
      await store.post(values, { option: small }),
      await store.patch(path, { option_id: small!.id }),
      await store.put(path, { option: small }),
    ];
    for (const [index, response] of responses.entries())
      assertViolations(response, [index % 2 === 0 ? 'option_id' : 'option', 'not_unique']);
    assert.deepEqual((await store.get(path)).json.option, large);
    await store.made(values.replace('/products/1/', '/products/2/'), { option_id: small!.id });
  });

  test('return the option in the language of the request', async () => {
    const { values, options, path } = await newAttribute(store, 'select');
    await store.patch(`${path}/options/${options[0]!.id}`, { value: 'Klein' }, de);
    const { id } = await store.made(values, { option_id: options[0]!.id });
    assert.equal((await store.get(`${values}/${id}`, de)).json.option.value, 'Klein');
    assert.equal((await store.get(values, de)).json[0].option.value, 'Klein');
    assert.equal((await store.get(`${values}/${id}`)).json.option.value, 'Small');
    const german = await store.get(`${values}/${id}`, de);
    assert.equal((await store.put(`${values}/${id}`, german.text, de)).headers.etag, german.headers.etag);
  });

  test('change their ETag but not their version if an option is renamed', async () => {
    const { values, options, path } = await newAttribute(store, 'select');
    const one = `${values}/${(await store.made(values, { option_id: options[0]!.id })).id}`;
    const earlier = await store.get(one);
    await store.patch(`${path}/options/${options[0]!.id}`, { value: 'Tiny' });
    const later = await store.get(one);
    assert.equal(later.json.option.value, 'Tiny');
    assert.notEqual(later.headers.etag, earlier.headers.etag);
    assert.equal(versionOf(later.headers.etag), versionOf(earlier.headers.etag));
  });

  test('are listed 30 per page', async () => {
    const { values, path } = await newAttribute(store, 'select');
    const made: number[] = [];
    for (let count = 0; count < 35; count += 1) {
      const { id } = await store.made(`${path}/options`, { value: `Option ${count}` });
      made.push((await store.made(values, { option_id: id })).id);
    }
    const first = await store.get(values);
    assert.deepEqual([first.json.length, first.headers['x-total-count']], [30, '35']);
    const second = (await store.get(`${values}?page=2`)).json;
    assert.deepEqual(idsOf([...first.json, ...second]), made);
    assert.deepEqual(idsOf((await store.get(`${values}?id[]=${made[3]}&id[]=${made[34]}`)).json), [made[3], made[34]]);
    assert.deepEqual(idsOf((await store.get(`${values}?order[id]=desc&itemsPerPage=2`)).json), [made[34], made[33]]);
  });
});

onEachDatabase('options of values', {}, (store) => {
  before(() => fill(store));

  for (const kind of ['select', 'hidden'] as const) {
    test(`rejects options of another attribute (${kind})`, async () => {
      const attribute = await newAttribute(store, kind);
      const others = [
        (await newAttribute(store, kind)).options[0]!,
        (await newAttribute(store, kind === 'select' ? 'hidden' : 'select')).options[0]!,
        { id: 999999, value: 'Small', position: 0 },
      ];
      const path = pathOf(kind, attribute, await store.made(attribute.values, firstBody(kind, attribute)));
      const earlier = await store.get(path);
      for (const option of others)
        for (const [field, body] of [
          ['option_id', { option_id: option.id }],
          ['option', { option }],
        ] as const)
          for (const [method, where] of [
            ['POST', attribute.values],
            ['PUT', path],
            ['PATCH', path],
          ] as const) {
            const response = await store.request(method, where, { body });
            assertProblem(response, 422);
            const codes = response.json.violations.map(({ propertyPath, code }: Json) => `${propertyPath} ${code}`);
            assert.ok(codes.includes(`${field} unknown_link`), `${method} ${field}: ${response.text}`);
          }
      assert.equal((await store.get(path)).headers.etag, earlier.headers.etag);
    });

    test(`POST and PUT require an option (${kind})`, async () => {
      const attribute = await newAttribute(store, kind);
      const check = async (method: string, path: string, body: Json) => {
        const response = await store.request(method, path, { body });
        assertProblem(response, 422);
        for (const { propertyPath } of response.json.violations) assert.match(propertyPath, /^option(_id)?$/);
      };
      for (const body of [{}, { option_id: null }, { option: null }]) await check('POST', attribute.values, body);
      const path = pathOf(kind, attribute, await store.made(attribute.values, firstBody(kind, attribute)));
      for (const body of [{}, { option_id: null }, { option: null }]) await check('PUT', path, body);
      for (const body of [{ option_id: null }, { option: null }]) await check('PATCH', path, body);
      assert.deepEqual((await store.get(path)).json.option, attribute.options[0]);
    });

    test(`rejects a malformed option or option_id (${kind})`, async () => {
      const { values } = await newAttribute(store, kind);
      for (const option_id of ['1', 1.5, true, [1], { id: 1 }]) {
        const response = await store.post(values, { option_id });
        assertProblem(response, 422);
        assert.match(response.json.violations[0].propertyPath, /^option_id/);
      }
      for (const option of [true, [1], {}, { value: 'Small' }, { id: '1' }]) {
        const response = await store.post(values, { option });
        assertProblem(response, 422);
        assert.match(response.json.violations[0].propertyPath, /^option/);
      }
    });

    test(`deleting an option deletes only its values (${kind})`, async () => {
      const attribute = await newAttribute(store, kind);
      const [small, large] = attribute.options;
      const other = attribute.values.replace('/products/1/', '/products/2/');
      await store.made(attribute.values, { option_id: small!.id });
      await store.made(other, { option_id: large!.id });
      assert.equal((await store.delete(`${attribute.path}/options/${small!.id}`)).status, 204);
      if (kind === 'hidden') assertProblem(await store.get(attribute.values), 404);
      else assert.deepEqual((await store.get(attribute.values)).json, []);
      assert.equal((await store.get(other)).status, 200);
      if (kind === 'select') assert.equal((await store.get(other)).json.length, 1);
      assertViolations(await store.post(attribute.values, { option_id: small!.id }), ['option_id', 'unknown_link']);
    });
  }
});

onEachDatabase('text values', {}, (store) => {
  before(() => fill(store));
  const shown = (json: Json): unknown[] => [json.value, json.editable];

  test('default to an empty text that is not editable', async () => {
    const { values } = await newAttribute(store, 'text');
    assert.deepEqual(shown(await store.made(values, {})), ['', false]);
    assert.deepEqual(shown((await store.get(values)).json), ['', false]);
  });

  test('are replaced and updated only after they were created', async () => {
    const { values } = await newAttribute(store, 'text');
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assertProblem(
        await store.request(method, values, { body: method === 'DELETE' ? undefined : { value: 'V' } }),
        404,
      );
    assertProblem(await store.get(values), 404);
    await store.made(values, { value: '<b>Long</b> ', editable: true });
    assert.deepEqual(shown((await store.get(values)).json), ['<b>Long</b> ', true]);
    assert.deepEqual(shown((await store.patch(values, { value: 'Short' })).json), ['Short', true]);
    assert.deepEqual(shown((await store.patch(values, { editable: false })).json), ['Short', false]);
    assert.deepEqual(shown((await store.put(values, { editable: true })).json), ['', true]);
    assertProblem(await store.post(values, { value: 'Second' }), 422);
    assert.deepEqual(shown((await store.get(values)).json), ['', true]);
  });

  test('have one text per language', async () => {
    const { values } = await newAttribute(store, 'text');
    await store.made(values, { value: 'Wash cold', editable: true });
    assert.equal((await store.patch(values, { value: 'Kalt waschen' }, de)).json.value, 'Kalt waschen');
    assert.equal((await store.get(values, de)).json.value, 'Kalt waschen');
    assert.equal((await store.get(values)).json.value, 'Wash cold');
    const french = await store.get(values, fr);
    assert.deepEqual([french.json.value, french.headers['content-language']], ['Wash cold', 'fr']);
    assert.equal((await store.put(values, french.text, fr)).headers.etag, french.headers.etag);
    await store.put(values, { value: '' }, fr);
    assert.deepEqual(shown((await store.get(values, fr)).json), ['', false]);
    assert.equal((await store.get(values, de)).json.value, 'Kalt waschen');
  });

  const rejected: [body: Json, ...violations: ExpectedViolation[]][] = [
    [{ value: null }, ['value', 'null']],
    [{ value: 5 }, ['value', 'type']],
    [{ value: 'V', editable: 'yes' }, ['editable', 'type']],
    [{ value: 'V', editable: null }, ['editable', 'null']],
    [{ value: 'V', price_modifier: 1 }, ['price_modifier', 'unknown_field']],
    [{ value: 'V', option_id: 1 }, ['option_id', 'unknown_field']],
    [{ value: 'N\u0000L' }, ['value', 'format']],
  ];
  for (const [body, ...violations] of rejected)
    test(`rejects ${JSON.stringify(body)}`, async () => {
      const [{ values }, made] = [await newAttribute(store, 'text'), await newAttribute(store, 'text')];
      assertViolations(await store.post(values, body), ...violations);
      assertProblem(await store.get(values), 404);
      const { etag } = (await store.post(made.values, { value: 'Stays' })).headers;
      assertViolations(await store.put(made.values, body), ...violations);
      assertViolations(await store.patch(made.values, body), ...violations);
      assert.equal((await store.get(made.values)).headers.etag, etag);
    });
});

onEachDatabase('hidden values', {}, (store) => {
  before(() => fill(store));

  test('hold one option, replaced and updated only after creation', async () => {
    const { values, options } = await newAttribute(store, 'hidden');
    const [small, large] = options;
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const body = method === 'DELETE' ? undefined : { option_id: small!.id };
      assertProblem(await store.request(method, values, { body }), 404);
    }
    assert.deepEqual((await store.made(values, { option: small })).option, small);
    assert.deepEqual((await store.get(values)).json.option, small);
    assert.deepEqual((await store.put(values, { option_id: large!.id })).json.option, large);
    assert.deepEqual((await store.patch(values, { option: small })).json.option, small);
    assertProblem(await store.post(values, { option_id: large!.id }), 422);
    assert.deepEqual((await store.get(values)).json.option, small);
  });

  test('have no modifiers and no position', async () => {
    const { values, options } = await newAttribute(store, 'hidden');
    for (const field of ['position', 'price_modifier'])
      assertViolations(await store.post(values, { option_id: options[0]!.id, [field]: 1 }), [field, 'unknown_field']);
    assert.ok(!('price_modifier' in (await store.made(values, { option_id: options[0]!.id }))));
  });
});

onEachDatabase('deletion of values', {}, (store) => {
  before(() => fill(store));

  /** The attributes of each scope and kind that the product has, each with one value. */
  const valued = async (product: number): Promise<Record<string, { kind: Kind; values: string }[]>> => {
    const found: Record<string, { kind: Kind; values: string }[]> = {};
    for (const scope of ['/api', '/api/product_classes/1', `/api/products/${product}`])
      for (const kind of KINDS.filter((each) => each !== 'hidden' || scope === '/api')) {
        const attribute = await newAttribute(store, kind, scope, product);
        await store.made(attribute.values, firstBody(kind, attribute));
        found[scope] ??= [];
        found[scope].push({ kind, values: attribute.values });
      }
    return found;
  };
  const assertThere = async (kind: Kind, values: string, isThere: boolean) => {
    const response = await store.get(values);
    if (isSingle(kind)) assert.equal(response.status, isThere ? 200 : 404, values);
    else assert.equal(response.json.length, isThere ? 1 : 0, values);
  };

  const classChanges: [title: string, method: string, body: Json][] = [
    ['another class by PATCH', 'PATCH', { product_class: 'Hats' }],
    ['no class by PATCH', 'PATCH', { product_class: null }],
    ['another class by PUT', 'PUT', { sku: 'PUT-1', name: 'N', product_class: { id: 2 } }],
    ['a PUT that leaves the class out', 'PUT', { sku: 'PUT-2', name: 'N' }],
  ];
  for (const [title, method, body] of classChanges)
    test(`${title} drops the values of the old class's attributes and no others`, async () => {
      const { id } = await store.product({ product_class: 'Shirts' });
      const path = `/api/products/${id}`;
      const found = await valued(id);
      const response = await store.request(method, path, { body });
      assert.equal(response.status, 200, response.text);
      for (const { values } of found['/api/product_classes/1']!) assertProblem(await store.get(values), 400);
      assert.equal((await store.patch(path, { product_class: 'Shirts' })).status, 200);
      for (const [scope, all] of Object.entries(found))
        for (const { kind, values } of all) await assertThere(kind, values, scope !== '/api/product_classes/1');
    });

  const harmlessChanges: [title: string, method: string, body: Json][] = [
    ['the same class by PATCH', 'PATCH', { product_class: ' shirts ' }],
    ['another field', 'PATCH', { price: 1 }],
    ['the same class by PUT', 'PUT', { sku: 'PUT-3', name: 'N', product_class: 1 }],
  ];
  for (const [title, method, body] of harmlessChanges)
    test(`${title} drops no values`, async () => {
      const { id } = await store.product({ product_class: 'Shirts' });
      const found = await valued(id);
      assert.equal((await store.request(method, `/api/products/${id}`, { body })).status, 200);
      for (const all of Object.values(found)) for (const { kind, values } of all) await assertThere(kind, values, true);
    });

  test('a class change retains values of other products', async () => {
    const [one, other] = [await store.product({ product_class: 1 }), await store.product({ product_class: 1 })];
    const attribute = await newAttribute(store, 'text', '/api/product_classes/1', one.id);
    const ofOther = attribute.values.replace(`/products/${one.id}/`, `/products/${other.id}/`);
    for (const values of [attribute.values, ofOther]) await store.made(values, { value: 'V' });
    await store.patch(`/api/products/${one.id}`, { product_class: null });
    assert.equal((await store.get(ofOther)).json.value, 'V');
  });

  for (const kind of KINDS)
    test(`deleting a ${kind} attribute deletes its values`, async () => {
      const attribute = await newAttribute(store, kind);
      const made = await store.made(attribute.values, firstBody(kind, attribute));
      assert.equal((await store.delete(attribute.path)).status, 204);
      assertProblem(await store.get(pathOf(kind, attribute, made)), 400);
      assertProblem(await store.get(attribute.values), 400);
      assert.equal((await store.get('/api/products/1')).status, 200);
    });

  test('deleting a class deletes its values and retains the product', async () => {
    const { id: productClass } = await store.made('/api/product_classes', { name: 'Goes' });
    const product = await store.product({ product_class: 'Goes' });
    const all: string[] = [];
    for (const kind of ['checkbox', 'select', 'text'] as const) {
      const attribute = await newAttribute(store, kind, `/api/product_classes/${productClass}`, product.id);
      await store.made(attribute.values, firstBody(kind, attribute));
      await store.made(`/api/products/${product.id}/attributes/${attribute.id}/property`, {});
      all.push(attribute.values);
    }
    const own = await newAttribute(store, 'text', `/api/products/${product.id}`, product.id);
    await store.made(own.values, { value: 'Stays' });
    assert.equal((await store.delete(`/api/product_classes/${productClass}`)).status, 204);
    for (const values of all) assertProblem(await store.get(values), 400);
    assert.equal((await store.get(`/api/products/${product.id}`)).json.product_class, null);
    assert.equal((await store.get(own.values)).json.value, 'Stays');
  });

  test('deleting a product deletes its values and retains attributes and options', async () => {
    const { id } = await store.product();
    const attribute = await newAttribute(store, 'select', '/api', id);
    await store.made(attribute.values, firstBody('select', attribute));
    assert.equal((await store.delete(`/api/products/${id}`)).status, 204);
    assertProblem(await store.get(attribute.values), 400);
    assert.equal((await store.get(`${attribute.path}/options`)).json.length, 2);
  });

  test('leaves no value behind if the class changes while a value is created', async () => {
    const attribute = await newAttribute(store, 'text', '/api/product_classes/1');
    for (let round = 0; round < rounds(8, 20); round += 1) {
      const { id } = await store.product({ product_class: 'Shirts' });
      const values = attribute.values.replace('/products/1/', `/products/${id}/`);
      const [changed, made] = await Promise.all([
        store.patch(`/api/products/${id}`, { product_class: 'Hats' }),
        store.post(values, { value: 'Late' }),
      ]);
      assert.equal(changed.status, 200, changed.text);
      assert.ok([201, 400].includes(made.status), made.text);
      await store.patch(`/api/products/${id}`, { product_class: 'Shirts' });
      assertProblem(await store.get(values), 404);
    }
  });
});

onEachDatabase('products of changed values', {}, (store) => {
  before(() => fill(store));

  for (const kind of KINDS)
    test(`change their ETag exactly when a ${kind} value changes`, async () => {
      const product = await store.product();
      const path = `/api/products/${product.id}`;
      const attribute = await newAttribute(store, kind, '/api', product.id);
      const { values } = attribute;
      const changes: Record<Kind, Json> = {
        checkbox: { price_modifier: 5 },
        select: { position: 5 },
        text: { value: 'Other' },
        hidden: { option: attribute.options[1] },
      };
      const change = changes[kind];
      let one = '';
      const steps: [title: string, act: () => Promise<unknown>, isChange: boolean][] = [
        [
          'made',
          async () => (one = pathOf(kind, attribute, await store.made(values, firstBody(kind, attribute)))),
          true,
        ],
        ['made twice', () => store.post(values, firstBody(kind, attribute)), false],
        ['read', () => store.get(one), false],
        ['the same again', async () => store.put(one, (await store.get(one)).text), false],
        ['changed', () => store.patch(one, change), true],
        ['changed to the same', () => store.patch(one, change), false],
        ['rejected', () => store.patch(one, { no_such_field: 1 }), false],
        ['replaced', () => store.put(one, firstBody(kind, attribute)), true],
        ['deleted', () => store.delete(one), true],
        ['deleted again', () => store.delete(one), false],
      ];
      if (kind === 'text') steps.splice(5, 0, ['in German', () => store.patch(one, { value: 'Anders' }, de), true]);
      for (const [title, act, isChange] of steps) {
        const earlier = versionOf((await store.get(path)).headers.etag);
        await act();
        assert.equal(versionOf((await store.get(path)).headers.etag) > earlier, isChange, title);
      }
    });

  test('have a later update_date after each change of a value', async () => {
    const made = await Promise.all(
      KINDS.map(async (kind) => {
        const { id } = await store.product();
        return { kind, path: `/api/products/${id}`, attribute: await newAttribute(store, kind, '/api', id) };
      }),
    );
    const dates = () =>
      Promise.all(made.map(async ({ path }): Promise<string> => (await store.get(path)).json.update_date));
    const steps = [
      ({ kind, attribute }: (typeof made)[number]) => store.post(attribute.values, firstBody(kind, attribute)),
      async ({ kind, attribute }: (typeof made)[number]) => {
        const { json } = await store.get(attribute.values);
        return store.delete(isSingle(kind) ? attribute.values : `${attribute.values}/${json[0].id}`);
      },
    ];
    for (const act of steps) {
      const earlier = await dates();
      await nextSecond();
      for (const each of made) assert.ok((await act(each)).status < 300);
      for (const [index, date] of (await dates()).entries()) assert.ok(date > earlier[index]!, made[index]!.kind);
    }
  });

  test('no longer match If-Match after a value was created', async () => {
    const { id } = await store.product();
    const path = `/api/products/${id}`;
    const { etag } = (await store.get(path)).headers;
    const attribute = await newAttribute(store, 'text', '/api', id);
    await store.made(attribute.values, { value: 'V' });
    assertProblem(await store.patch(path, { price: 1 }, { 'if-match': etag }), 412);
  });
});

const ROUNDS = rounds(10, 40);

onEachDatabase('deletion during a concurrent reference', {}, (store) => {
  before(() => fill(store));

  const races: [title: string, play: () => Promise<[deleted: string, written: () => Promise<HttpResponse>]>][] = [
    [
      'an option referenced by a value',
      async () => {
        const { path, values, options } = await newAttribute(store, 'select');
        const option_id = options[0]!.id;
        return [`${path}/options/${option_id}`, () => store.post(values, { option_id })];
      },
    ],
    [
      'an attribute referenced by a value',
      async () => {
        const attribute = await newAttribute(store, 'hidden');
        return [attribute.path, () => store.post(attribute.values, firstBody('hidden', attribute))];
      },
    ],
    [
      'an attribute referenced by an option',
      async () => {
        const { path } = await newAttribute(store, 'select');
        return [path, () => store.post(`${path}/options`, { value: 'V' })];
      },
    ],
    [
      'an attribute referenced by a property',
      async () => {
        const { id, path } = await newAttribute(store, 'text');
        return [path, () => store.post(`/api/products/1/attributes/${id}/property`, {})];
      },
    ],
    [
      'a product referenced by a value',
      async () => {
        const { id } = await store.product();
        const { values } = await newAttribute(store, 'text', '/api', id);
        return [`/api/products/${id}`, () => store.post(values, { value: 'V' })];
      },
    ],
    [
      'a product referenced by its own attribute',
      async () => {
        const { id } = await store.product();
        return [`/api/products/${id}`, () => store.post(`/api/products/${id}/attributes_text`, { name: 'N' })];
      },
    ],
    [
      'a class referenced by an attribute',
      async () => {
        const { id } = await store.made('/api/product_classes', { name: `Class ${crypto.randomUUID()}` });
        const path = `/api/product_classes/${id}`;
        return [path, () => store.post(`${path}/attributes_text`, { name: 'N' })];
      },
    ],
    [
      'a group referenced by an attribute',
      async () => {
        const { id } = await store.made('/api/attribute_groups', { name: 'Group' });
        return [`/api/attribute_groups/${id}`, () => store.post('/api/attributes_text', { name: 'N', groupId: id })];
      },
    ],
  ];
  for (const [title, play] of races)
    test(`deletes the record and leaves no reference to it: ${title}`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [path, write] = await play();
        const [deleted, written] = await Promise.all([store.delete(path), write()]);
        assert.equal(deleted.status, 204, deleted.text);
        if (written.status !== 201) assertProblem(written, written.status === 400 ? 400 : 422);
        assertProblem(await store.get(path), 404);
        const { location } = written.headers;
        if (location === undefined) continue;
        const response = await store.get(new URL(location).pathname);
        if (title.startsWith('a group')) assert.equal(response.json.groupId, null);
        else assert.ok([400, 404].includes(response.status), response.text);
      }
    });
});

onEachDatabase('languages with attribute texts', {}, (store) => {
  before(() => fill(store));

  const written: [title: string, language: string, write: (headers: typeof de) => Promise<unknown>][] = [
    ['an attribute', 'de', (headers) => store.made('/api/attributes_text', { name: 'Größe' }, headers)],
    [
      'an option',
      'fr',
      async (headers) => {
        const { path, options } = await newAttribute(store, 'select');
        await store.patch(`${path}/options/${options[0]!.id}`, { value: 'Petit' }, headers);
      },
    ],
    [
      'a text value',
      'pt-BR',
      async (headers) => {
        const { values } = await newAttribute(store, 'text');
        await store.made(values, { value: 'Lavar' }, headers);
      },
    ],
  ];
  for (const [title, language, write] of written)
    test(`returns 409 to the deletion of a language with ${title} in ${language}`, async () => {
      await write({ 'accept-language': language });
      assertProblem(await store.delete(`/api/languages/${language}`), 409);
    });
});
