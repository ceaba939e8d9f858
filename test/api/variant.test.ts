/** Variants of a product: their own fields, and the attribute values that distinguish them (catalog.md §12). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertViolations } from '../support/expect.ts';
import { attached, fileAt, png } from '../support/images.ts';
import { type Json, onEachDatabase } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';

const versionOf = (etag: string | undefined): number => Number(etag!.slice(1).split('-')[0]);

onEachDatabase('product variants', {}, (store) => {
  test('have the numbers of the product unless they have their own', async () => {
    const shirt = await varied(store, { price: 19.99, amount: 7, weight: 0.2 });
    const made = await madeVariant(store, shirt, ['M', 'red'], { sku: 'OWN-1' });
    assert.deepEqual(made, {
      id: made.id,
      price: 19.99,
      default_price: true,
      amount: 7,
      default_amount: true,
      weight: 0.2,
      default_weight: true,
      default_variant: false,
      sku: 'OWN-1',
      image: null,
      attribute_checkbox_values: [],
      attribute_select_values: [shirt.values.M, shirt.values.red].sort((one, other) => one! - other!),
      product_id: shirt.product.id,
      options: [
        { attribute_id: shirt.attributes.Size, name: 'Size', value_id: shirt.values.M, value: 'M' },
        { attribute_id: shirt.attributes.Colour, name: 'Colour', value_id: shirt.values.red, value: 'red' },
      ],
      sale_discount_type: 'sale_percent',
      sale_price_value: 0,
      default_sale_price: true,
    });
    const path = `${shirt.variants}/${made.id}`;
    const before = await store.get(path);
    await store.patch(shirt.path, { price: 25, amount: 9 });
    const shown = await store.get(path);
    assert.deepEqual([shown.json.price, shown.json.amount], [25, 9]);
    assert.notEqual(shown.headers.etag, before.headers.etag);
    assert.equal(versionOf(shown.headers.etag), versionOf(before.headers.etag));
    const own = await store.patch(path, { price: 30 });
    assert.deepEqual([own.json.price, own.json.default_price, own.json.amount], [30, false, 9]);
    assert.deepEqual((await store.get(shirt.variants)).json, [own.json]);
    const back = await store.patch(path, { default_price: true });
    assert.deepEqual([back.json.price, back.json.default_price], [25, true]);
    // A number is ignored if its flag is true.
    const both = await store.patch(path, { price: 99, default_price: true });
    assert.equal(both.headers.etag, back.headers.etag);
  });

  test('have the sale of the product unless they have their own', async () => {
    const shirt = await varied(store, {
      price: 20,
      discount_type: 'sale_price',
      sale_price_value: 15,
      participate_sale: true,
    });
    const made = await madeVariant(store, shirt, ['M', 'red'], { sku: 'SALE-1' });
    const saleOf = ({ sale_discount_type, sale_price_value, default_sale_price }: Json) => [
      ...[sale_discount_type, sale_price_value, default_sale_price],
    ];
    assert.deepEqual(saleOf(made), ['sale_price', 15, true]);
    const path = `${shirt.variants}/${made.id}`;
    await store.patch(shirt.path, { discount_type: 'sale_percent', sale_price_value: 10 });
    assert.deepEqual(saleOf((await store.get(path)).json), ['sale_percent', 10, true]);
    const own = await store.patch(path, { sale_price_value: 25 });
    assert.deepEqual(saleOf(own.json), ['sale_percent', 25, false]);
    assert.deepEqual(saleOf((await store.patch(path, { price: 30 })).json), ['sale_percent', 25, false]);
    // A PUT of an older client does not know the fields.
    const { sale_discount_type: _, sale_price_value: __, default_sale_price: ___, ...older } = own.json;
    assert.deepEqual(saleOf((await store.put(path, older)).json), ['sale_percent', 25, false]);
    const back = await store.patch(path, { default_sale_price: true, sale_price_value: 7 });
    assert.deepEqual(saleOf(back.json), ['sale_percent', 10, true]);
    const same = await store.put(path, back.json);
    assert.deepEqual([same.text, same.headers.etag], [back.text, back.headers.etag]);
    assertViolations(await store.patch(path, { default_sale_price: false }), ['sale_price_value', 'required']);
    assertViolations(await store.patch(path, { sale_discount_type: 'sale_price' }), ['sale_price_value', 'required']);
  });

  test('have a sale within the limits of a product', async () => {
    const shirt = await varied(store, { price: 20 });
    const made = await madeVariant(store, shirt, ['M', 'red'], { sale_price_value: 100 });
    const path = `${shirt.variants}/${made.id}`;
    assertViolations(await store.patch(path, { sale_price_value: 100.01 }), ['sale_price_value', 'range']);
    assertViolations(
      await store.patch(path, { sale_price_value: -1, sale_discount_type: 'free' }),
      [...(['sale_price_value', 'range'] as const)],
      ['sale_discount_type', 'choice'],
    );
    // The price is only compared while the product participates in sales.
    assert.equal((await store.patch(path, { sale_discount_type: 'sale_price', sale_price_value: 21 })).status, 200);
    await store.patch(path, { sale_price_value: 20 });
    await store.patch(shirt.path, { participate_sale: true });
    assertViolations(await store.patch(path, { sale_price_value: 20.01 }), ['sale_price_value', 'range']);
    assertViolations(await store.patch(path, { price: 19 }), ['price', 'range']);
    assert.equal((await store.patch(path, { price: 30, sale_price_value: 29 })).json.sale_price_value, 29);
    assertViolations(await store.patch(path, { default_price: true }), ['default_price', 'range']);
    await store.patch(path, { sale_discount_type: 'sale_percent', sale_price_value: 0 });
    assertViolations(await store.patch(path, { sale_discount_type: 'sale_price' }), ['sale_price_value', 'required']);
    assert.equal((await store.patch(path, { sale_discount_type: 'sale_price', sale_price_value: 0 })).status, 200);
  });

  test('require a number if the flag is false', async () => {
    const shirt = await varied(store);
    const body = { attribute_select_values: [shirt.values.M] };
    for (const name of ['price', 'amount', 'weight'])
      assertViolations(await store.post(shirt.variants, { ...body, [`default_${name}`]: false }), [name, 'required']);
    const { id } = await store.made(shirt.variants, { ...body, price: 5, default_price: false });
    assert.equal((await store.patch(`${shirt.variants}/${id}`, { default_price: false })).json.price, 5);
    assertViolations(await store.patch(`${shirt.variants}/${id}`, { default_weight: false }), ['weight', 'required']);
    assertViolations(
      await store.post(shirt.variants, { ...body, price: -1, amount: -1, weight: 'x' }),
      ['price', 'range'],
      ['amount', 'range'],
      ['weight', 'type'],
      ['attribute_select_values', 'not_unique'],
    );
  });

  test('can be sent back as read, and PUT retains stock and image', async () => {
    const shirt = await varied(store, { price: 10 });
    const image = await attached(png(), { alt: 'M' });
    const made = await madeVariant(store, shirt, ['M'], { sku: 'BACK-1', price: 12, amount: 3, image });
    const path = `${shirt.variants}/${made.id}`;
    const before = await store.get(path);
    const same = await store.put(path, before.json);
    assert.equal(same.headers.etag, before.headers.etag, same.text);
    const bare = await store.put(path, {});
    assert.deepEqual(
      [bare.json.price, bare.json.default_price, bare.json.amount, bare.json.sku, bare.json.image],
      [10, true, 3, null, made.image],
    );
    assertViolations(await store.put(path, { attribute_select_values: [shirt.values.S] }), [
      'attribute_select_values',
      'read_only',
    ]);
  });

  test('retain their own price in a PUT that omits it', async () => {
    const shirt = await varied(store, { price: 10 });
    const made = await madeVariant(store, shirt, ['M'], { price: 25, weight: 2 });
    const path = `${shirt.variants}/${made.id}`;
    const assertRejected = await store.put(path, { default_price: false, default_weight: false });
    assertViolations(assertRejected, ['price', 'required'], ['weight', 'required']);
    assert.equal((await store.patch(path, { default_price: false })).json.price, 25);
  });

  test('have one value per attribute, at least one, and differ from other variants', async () => {
    const shirt = await varied(store);
    const other = await varied(store);
    const gift = (await store.made(`${shirt.path}/attributes_checkbox`, { name: 'Gift' })).id;
    const yes = (await store.made(`${shirt.path}/attributes_checkbox/${gift}/values`, { value: true })).id;
    const { S, M, red, blue } = shirt.values;
    const assertRejected = async (body: object, ...[code, message]: [string, RegExp?]) =>
      assertViolations(await store.post(shirt.variants, body), [
        'attribute_select_values',
        code,
        ...(message ? [message] : []),
      ] as never);
    await assertRejected({}, 'required');
    await assertRejected({ attribute_select_values: [S, M] }, 'conflict', /has two values/);
    await assertRejected({ attribute_select_values: [S, other.values.red] }, 'unknown_link');
    assertViolations(await store.post(shirt.variants, { attribute_select_values: [S, 999999] }), [
      'attribute_select_values[1]',
      'unknown_link',
    ]);
    const first = await store.made(shirt.variants, { attribute_select_values: [red, M] });
    await assertRejected({ attribute_select_values: [M, red] }, 'not_unique', new RegExp(`Variant ${first.id} `));
    await assertRejected({ attribute_select_values: [M] }, 'conflict', /have values of the attributes/);
    await assertRejected({ attribute_select_values: [S, red], attribute_checkbox_values: [yes] }, 'conflict');
    await store.made(shirt.variants, { attribute_select_values: [S, blue] });
    // After the deletion of all variants, other attributes may be used.
    for (const { id } of (await store.get(shirt.variants)).json) await store.delete(`${shirt.variants}/${id}`);
    const given = await store.made(shirt.variants, { attribute_checkbox_values: [yes] });
    assert.deepEqual(given.attribute_checkbox_values, [yes]);
  });

  test('share the SKUs with products', async () => {
    const shirt = await varied(store, { sku: 'SPACE-1' });
    const { id } = await madeVariant(store, shirt, ['M'], { sku: 'SPACE-2' });
    const assertNotUnique = async (sku: string) => {
      assertViolations(await store.post('/api/products', { sku, name: 'Taken' }), ['sku', 'not_unique']);
      assertViolations(await store.post(shirt.variants, { sku, attribute_select_values: [shirt.values.S] }), [
        'sku',
        'not_unique',
      ]);
    };
    for (const sku of ['SPACE-1', 'space-1', 'SPACE-2', ' space-2']) await assertNotUnique(sku);
    assert.equal((await store.patch(`${shirt.variants}/${id}`, { sku: 'space-2' })).status, 200);
    assertViolations(await store.patch(`${shirt.variants}/${id}`, { sku: 'Space-1' }), ['sku', 'not_unique']);
    assertViolations(await store.patch(shirt.path, { sku: 'Space-2' }), ['sku', 'not_unique']);
    for (const sku of ['', ' '])
      assertViolations(await store.patch(`${shirt.variants}/${id}`, { sku }), ['sku', 'blank']);
    await store.patch(`${shirt.variants}/${id}`, { sku: null });
    await store.product({ sku: 'SPACE-2' });
  });

  test('get an SKU once under concurrent requests of products and variants', async () => {
    const shirt = await varied(store, {}, { Size: Array.from({ length: 8 }, (_, index) => `${index}`) });
    const responses = await Promise.all(
      Object.values(shirt.values).flatMap((value) => [
        store.post('/api/products', { sku: 'Race-9', name: 'Race' }),
        store.post(shirt.variants, { sku: 'RACE-9', attribute_select_values: [value] }),
      ]),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  });

  test('are created once from the same values by concurrent requests', async () => {
    const shirt = await varied(store);
    const body = { attribute_select_values: [shirt.values.M, shirt.values.red] };
    const other = { attribute_select_values: [shirt.values.M] };
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => store.post(shirt.variants, index % 2 ? body : other)),
    );
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    assert.equal((await store.get(shirt.variants)).json.length, 1);
  });

  test('are found by SKU across all products', async () => {
    const shirt = await varied(store);
    const made = await madeVariant(store, shirt, ['M'], { sku: 'FOUND-1' });
    await madeVariant(store, shirt, ['S'], { sku: 'FOUND-2' });
    const found = await store.get('/api/variants?sku=FOUND-1');
    assert.deepEqual(found.json, [made]);
    assert.deepEqual((await store.get('/api/variants?sku=found-1')).json, []);
    assert.deepEqual((await store.get(`${shirt.variants}?sku=FOUND-2`)).json.length, 1);
    assertProblem(await store.get(`/api/variants/${made.id}`), 404);
    assertProblem(await store.post('/api/variants', {}), 405);
    const linked = await store.get('/api/variants?sku=FOUND-1', { accept: 'application/ld+json' });
    assert.equal(linked.json['hydra:member'][0]['@id'], `${shirt.variants}/${made.id}`);
  });

  test('have at most one default', async () => {
    const shirt = await varied(store);
    const first = await madeVariant(store, shirt, ['M'], { default_variant: true });
    const second = await madeVariant(store, shirt, ['S'], { default_variant: true });
    const defaults = async () =>
      (await store.get(shirt.variants)).json.filter((each: { default_variant: boolean }) => each.default_variant);
    assert.deepEqual(
      (await defaults()).map(({ id }: { id: number }) => id),
      [second.id],
    );
    await Promise.all(
      [first, second].map(({ id }) => store.patch(`${shirt.variants}/${id}`, { default_variant: true })),
    );
    assert.equal((await defaults()).length, 1);
    for (const { id } of await defaults()) await store.patch(`${shirt.variants}/${id}`, { default_variant: false });
    assert.deepEqual(await defaults(), []);
  });

  test('have an image, which is deleted with null, by replacement and with the variant', async () => {
    const shirt = await varied(store);
    const bytes = await png(30, 20);
    const before = await store.imageFiles();
    const made = await madeVariant(store, shirt, ['M'], { image: await attached(bytes, { alt: 'Front' }) });
    const path = `${shirt.variants}/${made.id}`;
    const { url, ...image } = made.image;
    assert.deepEqual(image, { alt: 'Front', width: 30, height: 20 });
    assert.equal((await fileAt(store, url)).status, 200);
    const renamed = await store.patch(path, { image: { alt: 'Back' } });
    assert.deepEqual(renamed.json.image, { ...made.image, alt: 'Back' });
    const replaced = await store.patch(path, { image: await attached(png(8, 9)) });
    assert.deepEqual([replaced.json.image.width, replaced.json.image.alt], [8, 'Back']);
    assert.equal((await store.imageFiles()).length, before.length + 1);
    assertViolations(await store.patch(path, { image: { url: 'https://shop.example/x.png' } }), ['image', 'read_only']);
    assertViolations(await store.patch(path, { image: { attachment: 'x', filename: 'x.png' } }), [
      'image.attachment',
      'format',
    ]);
    assert.equal((await store.patch(path, { image: null })).json.image, null);
    assert.deepEqual(await store.imageFiles(), before);
    assertViolations(await store.patch(path, { image: { alt: 'None' } }), ['image.attachment', 'required']);
    assertViolations(await store.patch(path, { image: { size: 1 } }), ['image.size', 'unknown_field']);
    await store.patch(path, { image: await attached(png()) });
    assert.equal((await store.delete(path)).status, 204);
    assert.deepEqual(await store.imageFiles(), before);
    assertViolations(
      await store.post(shirt.variants, { attribute_select_values: [shirt.values.M], image: { alt: 'x' } }),
      ['image.attachment', 'required'],
    );
  });

  test('change their own stock or that of the product', async () => {
    const shirt = await varied(store, { amount: 5, available_for_backorder: true, backorder_limit: 2 });
    const shared = await madeVariant(store, shirt, ['M']);
    const own = await madeVariant(store, shirt, ['S'], { amount: 4 });
    const stockOf = (id: number, delta: number) => store.post(`${shirt.variants}/${id}/stock`, { delta });
    assert.equal((await stockOf(shared.id, -3)).json.amount, 2);
    assert.equal((await store.get(shirt.path)).json.amount, 2);
    assert.equal((await stockOf(own.id, -5)).json.amount, -1);
    assert.equal((await store.get(shirt.path)).json.amount, 2);
    assertViolations(await stockOf(own.id, -2), ['delta', 'range', /below -2/]);
    assertViolations(await stockOf(shared.id, -5), ['delta', 'range', /below -2/]);
    assertViolations(await stockOf(own.id, 0), ['delta', 'range']);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => stockOf(index % 2 ? own.id : shared.id, 1)),
    );
    assert.ok(responses.every(({ status }) => status === 200));
    assert.equal((await store.get(`${shirt.variants}/${own.id}`)).json.amount, 9);
    assert.equal((await store.get(shirt.path)).json.amount, 12);
  });

  test('change the version of the product and are counted on request', async () => {
    const shirt = await varied(store);
    const before = await store.get(shirt.path);
    const { id } = await madeVariant(store, shirt, ['M']);
    const made = await store.get(shirt.path);
    assert.equal(versionOf(made.headers.etag), versionOf(before.headers.etag) + 1);
    assert.ok(!('variants_count' in made.json));
    await store.patch(`${shirt.variants}/${id}`, { price: 3 });
    assert.equal(versionOf((await store.get(shirt.path)).headers.etag), versionOf(before.headers.etag) + 2);
    assert.deepEqual((await store.get(`${shirt.path}?fields=variants_count,id`)).json, {
      id: shirt.product.id,
      variants_count: 1,
    });
    const listed = await store.get(`/api/products?id=${shirt.product.id}&fields=variants_count`);
    assert.deepEqual(listed.json, [{ variants_count: 1 }]);
    await store.delete(`${shirt.variants}/${id}`);
    assert.equal((await store.get(`${shirt.path}?fields=variants_count`)).json.variants_count, 0);
    assert.equal(
      (await store.get(`/api/products?id=${shirt.product.id}&fields=variants_count`)).json[0].variants_count,
      0,
    );
  });

  test('add their own stock, and that of the product once if one shares it, to the stock of the product on request', async () => {
    const shirt = await varied(store, { amount: 7 }, { Size: ['S', 'M', 'L', 'XL'] });
    const stockOf = async (): Promise<number> => {
      const { json } = await store.get(`${shirt.path}?fields=stock`);
      const listed = await store.get(`/api/products?id=${shirt.product.id}&fields=stock`);
      assert.deepEqual(listed.json, [json]);
      assert.deepEqual(Object.keys(json), ['stock']);
      return json.stock;
    };
    assert.ok(!('stock' in (await store.get(shirt.path)).json));
    assert.equal(await stockOf(), 7);
    await madeVariant(store, shirt, ['S']);
    assert.equal(await stockOf(), 7, 'all variants share the stock of the product');
    const own = await madeVariant(store, shirt, ['M'], { amount: 20 });
    assert.equal(await stockOf(), 27);
    const other = await madeVariant(store, shirt, ['L'], { amount: 100 });
    await madeVariant(store, shirt, ['XL']);
    assert.equal(await stockOf(), 127, 'the stock that two variants share counts once');
    await store.post(`${shirt.variants}/${own.id}/stock`, { delta: -15 });
    assert.equal(await stockOf(), 112);
    for (const { id, default_amount } of (await store.get(shirt.variants)).json)
      if (default_amount) await store.delete(`${shirt.variants}/${id}`);
    await store.patch(`${shirt.variants}/${other.id}`, { amount: 1 });
    await store.patch(`${shirt.variants}/${own.id}`, { amount: 0 });
    assert.equal(await stockOf(), 1, 'no variant shares the stock of the product');
    assertProblem(await store.get('/api/products?stock=1'), 400);
    assertProblem(await store.get('/api/products?order[stock]=asc'), 400);
  });

  test('are deleted with their product, including files', async () => {
    const before = await store.imageFiles();
    const shirt = await varied(store);
    const { id } = await madeVariant(store, shirt, ['M'], { image: await attached(png()), sku: 'GONE-1' });
    assert.equal((await store.delete(shirt.path)).status, 204);
    assertProblem(await store.get(`${shirt.variants}/${id}`), 400);
    assert.deepEqual((await store.get('/api/variants?sku=GONE-1')).json, []);
    assert.deepEqual(await store.imageFiles(), before);
  });
});

onEachDatabase('attribute values of variants', {}, (store) => {
  test('cannot be deleted, nor can their option, attribute and class', async () => {
    const { id: shirts } = await store.made('/api/product_classes', { name: 'Shirts' });
    const scope = `/api/product_classes/${shirts}`;
    const shirt = await varied(store, { product_class: 'Shirts' }, { Size: ['S', 'M'] }, scope);
    const made = await madeVariant(store, shirt, ['M']);
    const [size] = Object.values(shirt.attributes);
    const values = `${shirt.path}/attributes_select/${size}/values`;
    const option = (await store.get(`${values}/${shirt.values.M}`)).json.option.id;
    const path = `${shirt.variants}/${made.id}`.slice('/api'.length);
    const named = new RegExp(`Variants use it: ${path}\\.`);
    for (const target of [`${values}/${shirt.values.M}`, `${scope}/attributes_select/${size}`, scope])
      assertProblem(await store.delete(target), 409, named);
    assertProblem(await store.delete(`${scope}/attributes_select/${size}/options/${option}`), 409, named);
    assertProblem(await store.patch(shirt.path, { product_class: null }), 409, named);
    assert.equal((await store.get(shirt.path)).json.product_class.id, shirts);
    assert.equal((await store.delete(`${values}/${shirt.values.S}`)).status, 204);
    await store.delete(`${shirt.variants}/${made.id}`);
    assert.equal((await store.patch(shirt.path, { product_class: null })).status, 200);
    assert.equal((await store.delete(scope)).status, 204);
  });

  test('are not lost in a concurrent deletion', async () => {
    for (let round = 0; round < 4; round += 1) {
      const shirt = await varied(store, {}, { Size: ['S', 'M'] }, '/api');
      const [size] = Object.values(shirt.attributes);
      const values = `${shirt.path}/attributes_select/${size}/values`;
      const option = (await store.get(`${values}/${shirt.values.M}`)).json.option.id;
      const paths = [
        `${values}/${shirt.values.M}`,
        `/api/attributes_select/${size}/options/${option}`,
        `/api/attributes_select/${size}`,
      ];
      const [made, ...removed] = await Promise.all([
        store.post(shirt.variants, { attribute_select_values: [shirt.values.M] }),
        ...paths.map((path) => store.delete(path)),
      ]);
      const wasMade = made!.status === 201;
      if (wasMade)
        assert.ok(
          removed.every(({ status }) => status === 409),
          removed.map(({ text }) => text).join(),
        );
      for (const { attribute_select_values: own } of (await store.get(shirt.variants)).json)
        assert.deepEqual(own, [shirt.values.M]);
    }
  });
});
