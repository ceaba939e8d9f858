/** The store rejects the removal of an option that a variant uses, and the import reports it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EITHER_WAY, Shop } from './shop.ts';

for (const [name, way] of EITHER_WAY)
  test(`an option that is in use cannot be replaced, ${way} (${name})`, async () => {
    const shop = new Shop(name, way);
    await shop.open();
    const fileOf = (size: string) =>
      shop.file(
        `Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\nshirt,Shirt,Size,${size},SHIRT,1\n`,
      );
    assert.equal((await shop.run(await fileOf('Small'))).status, 0);
    const { id } = await shop.product('SHIRT');
    const [attribute] = await shop.records(`/api/products/${id}/attributes_select`);
    const [value] = await shop.records(`/api/products/${id}/attributes_select/${attribute.id}/values`);
    await shop.store.made(`/api/products/${id}/variants`, { attribute_select_values: [value.id] });
    for (const _ of ['first', 'second']) {
      const { status, report } = await shop.run(await fileOf('Large'));
      assert.equal(status, 2);
      assert.ok(
        report.some((line) => /^row 2: option Size Large of SHIRT failed: .*variant/.test(line)),
        report.join('\n'),
      );
    }
    await shop.close();
  });
