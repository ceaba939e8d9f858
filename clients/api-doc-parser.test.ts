/** `@api-platform/api-doc-parser` finds the resources in the Hydra documentation and in both versions of OpenAPI. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Field, parseHydraDocumentation, parseOpenApi3Documentation } from '@api-platform/api-doc-parser';
import { documentUrl, READ_ONLY_KEY, SPEC_VERSIONS, withStore } from './support/store.ts';

const COLLECTIONS = [
  ...['attribute_groups', 'categories', 'languages', 'memberships', 'orders', 'payment_statuses', 'product_classes'],
  ...['products', 'shipping_statuses', 'stickers', 'tags', 'tax_classes'],
];
const OPERATIONS: Readonly<Record<string, string>> = { orders: 'create edit list show' };
const DEFAULT_OPERATIONS = 'create delete edit list show';

interface Found {
  readonly name: string;
  readonly fields?: Field[] | null;
  readonly operations?: { type: string }[] | null;
}

function assertFound(resources: readonly Found[]): void {
  for (const name of COLLECTIONS) {
    const resource = resources.find((each) => each.name === name);
    assert.ok(resource, name);
    const types = new Set(resource.operations!.map(({ type }) => type));
    assert.equal([...types].sort().join(' '), OPERATIONS[name] ?? DEFAULT_OPERATIONS, name);
  }
}

/** The types of a product's fields according to the parser. */
function typesOf(resources: readonly Found[]): Record<string, unknown> {
  const { fields } = resources.find(({ name }) => name === 'products')!;
  return Object.fromEntries(fields!.map(({ name, type }) => [name, type]));
}

withStore('@api-platform/api-doc-parser', (store) => {
  test('api-doc-parser finds resources, fields, links and parameters in the Hydra documentation', async () => {
    const { api, status } = await parseHydraDocumentation(`${store.address}/api`, {
      headers: { 'X-Auth-Token': READ_ONLY_KEY },
    });
    assert.equal(status, 200);
    assert.equal(api.title, 'Store REST API');
    const resources = api.resources!;
    assertFound(resources);
    const { sku, price, enabled, amount, create_date } = typesOf(resources);
    assert.deepEqual(
      [sku, price, enabled, amount, create_date],
      ['string', 'decimal', 'boolean', 'integer', 'dateTime'],
    );

    const products = resources.find(({ name }) => name === 'products')!;
    assert.equal(products.url, `${store.address}/api/products`);
    const required = products.fields!.filter((field) => field.required).map(({ name }) => name);
    assert.deepEqual(required, ['sku', 'name']);
    const writable = products.writableFields!.map(({ name }) => name);
    for (const name of ['id', 'create_date', 'update_date']) assert.ok(!writable.includes(name), name);
    const link = products.fields!.find(({ name }) => name === 'tax_class')!;
    const linked = link.reference ?? link.embedded;
    assert.equal(typeof linked === 'object' && linked?.title, 'TaxClass');
    assert.equal(link.maxCardinality, 1);

    const parameters = (await products.getParameters!()).map(({ variable }) => variable);
    for (const name of ['id', 'name', 'price[between]', 'order[price]']) assert.ok(parameters.includes(name), name);
  });

  for (const version of SPEC_VERSIONS)
    test(`api-doc-parser finds resources, fields and parameters in OpenAPI ${version}`, async () => {
      const { api, status } = await parseOpenApi3Documentation(documentUrl(store, version));
      assert.equal(status, 200);
      assert.equal(api.title, 'Store REST API');
      const resources = api.resources!;
      assertFound(resources);
      const { sku, price, enabled, amount, create_date, tags } = typesOf(resources);
      assert.deepEqual(
        [sku, price, enabled, amount, create_date, tags],
        ['string', 'number', 'boolean', 'integer', 'dateTime', 'array'],
      );
      const products = resources.find(({ name }) => name === 'products')!;
      const parameters = products.parameters!.map(({ variable }) => variable);
      for (const name of ['id', 'name', 'price[between]', 'order[price]']) assert.ok(parameters.includes(name), name);
    });
});
