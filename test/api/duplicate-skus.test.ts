/** SKUs that differ only by case, outer white space or Unicode form count as duplicates. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertUnchanged, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('SKU of a product', {}, (store) => {
  const duplicates: [sku: string, ...others: string[]][] = [
    ['ML-1', 'ml-1', 'Ml-1', ' ML-1 ', 'ML-1\t', '\u00a0ml-1', 'ＭＬ－１', 'ML-①'],
    ['é', 'É', 'e\u0301', 'E\u0301', 'é '],
    ['ﬁ-2', 'fi-2', 'FI-2'],
    ['²', '2', ' ２'],
    ['ς-x', 'ς-X'],
  ];
  for (const [sku, ...others] of duplicates)
    test(`${JSON.stringify(sku)} cannot be used in another form`, async () => {
      const { id } = await store.product({ sku });
      const other = await store.product();
      const notUnique: ExpectedViolation = ['sku', 'not_unique', /already used: "/];
      await assertUnchanged(store, async () => {
        for (const duplicate of others) {
          assertViolations(await store.post('/api/products', { sku: duplicate, name: 'Duplicate' }), notUnique);
          assertViolations(
            await store.put(`/api/products/${other.id}`, { sku: duplicate, name: 'Duplicate' }),
            notUnique,
          );
          assertViolations(await store.patch(`/api/products/${other.id}`, { sku: duplicate }), notUnique);
        }
        assertViolations(await store.post('/api/products', { sku, name: 'Same' }), [
          'sku',
          'not_unique',
          'This value is already used.',
        ]);
      });
      // The product itself may change the form, which is stored as sent.
      for (const own of [...others, sku])
        assert.equal((await store.patch(`/api/products/${id}`, { sku: own })).json.sku, own);
      await store.delete(`/api/products/${id}`);
      for (const free of others.slice(0, 1))
        await store.delete(`/api/products/${(await store.product({ sku: free })).id}`);
    });

  test('may differ in visible characters', async () => {
    for (const sku of ['A-1', 'A1', 'A 1', 'Á-1', 'A_1', 'A-1.', 'А-1', 'A-l', 'A--1'])
      assert.equal((await store.product({ sku })).sku, sku);
  });

  test('is matched exactly in filters and orders', async () => {
    const { id } = await store.product({ sku: 'Exact' });
    assert.deepEqual((await store.get('/api/products?sku=exact')).json, []);
    const order = (sku: string) => store.post('/api/orders', { email: 'a@b.c', items: [{ sku, amount: 1 }] });
    assertViolations(await order('exact'), ['items[0].sku', 'unknown_link']);
    assert.equal((await order('Exact')).json.items[0].product_id, id);
  });

  test('is used once by 16 concurrent requests in different forms', async () => {
    const forms = Array.from({ length: 16 }, (_, index) =>
      [...'RACE'].map((letter, bit) => (index & (1 << bit) ? letter : letter.toLowerCase())).join(''),
    );
    const responses = await Promise.all(forms.map((sku) => store.post('/api/products', { sku, name: 'Race' })));
    assert.equal(responses.filter(({ status }) => status === 201).length, 1);
    for (const response of responses.filter(({ status }) => status !== 201))
      assertViolations(response, ['sku', 'not_unique']);
    const { id } = responses.find(({ status }) => status === 201)!.json;
    await store.delete(`/api/products/${id}`);
    const others = await Promise.all(forms.map(() => store.product()));
    const changes = await Promise.all(
      forms.map((sku, index) => store.patch(`/api/products/${others[index].id}`, { sku })),
    );
    assert.equal(changes.filter(({ status }) => status === 200).length, 1);
  });
});
