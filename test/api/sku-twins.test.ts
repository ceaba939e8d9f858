/** SKUs that differ from another only by case, outer white space or the form of their characters: nobody means that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertUnchanged, assertViolations, type ExpectedViolation } from '../support/expect.ts';
import { onEachDatabase } from '../support/store.ts';

onEachDatabase('the SKU of a product', {}, (store) => {
  const duplicates: [sku: string, ...others: string[]][] = [
    ['ML-1', 'ml-1', 'Ml-1', ' ML-1 ', 'ML-1\t', '\u00a0ml-1', 'ＭＬ－１', 'ML-①'],
    ['é', 'É', 'e\u0301', 'E\u0301', 'é '],
    ['ﬁ-2', 'fi-2', 'FI-2'],
    ['²', '2', ' ２'],
    ['ς-x', 'ς-X'],
  ];
  for (const [sku, ...others] of duplicates)
    test(`${JSON.stringify(sku)} has no twin`, async () => {
      const { id } = await store.product({ sku });
      const other = await store.product();
      const taken: ExpectedViolation = ['sku', 'not_unique', /already used: "/];
      await assertUnchanged(store, async () => {
        for (const duplicate of others) {
          assertViolations(await store.post('/api/products', { sku: duplicate, name: 'Twin' }), taken);
          assertViolations(await store.put(`/api/products/${other.id}`, { sku: duplicate, name: 'Twin' }), taken);
          assertViolations(await store.patch(`/api/products/${other.id}`, { sku: duplicate }), taken);
        }
        assertViolations(await store.post('/api/products', { sku, name: 'Same' }), [
          'sku',
          'not_unique',
          'This value is already used.',
        ]);
      });
      // Its own may take another form, and is kept as it is sent.
      for (const own of [...others, sku])
        assert.equal((await store.patch(`/api/products/${id}`, { sku: own })).json.sku, own);
      await store.delete(`/api/products/${id}`);
      for (const free of others.slice(0, 1))
        await store.delete(`/api/products/${(await store.product({ sku: free })).id}`);
    });

  test('may differ by what can be seen', async () => {
    for (const sku of ['A-1', 'A1', 'A 1', 'Á-1', 'A_1', 'A-1.', 'А-1', 'A-l', 'A--1'])
      assert.equal((await store.product({ sku })).sku, sku);
  });

  test('is found exactly', async () => {
    const { id } = await store.product({ sku: 'Exact' });
    assert.deepEqual((await store.get('/api/products?sku=exact')).json, []);
    const order = (sku: string) => store.post('/api/orders', { email: 'a@b.c', items: [{ sku, amount: 1 }] });
    assertViolations(await order('exact'), ['items[0].sku', 'unknown_link']);
    assert.equal((await order('Exact')).json.items[0].product_id, id);
  });

  test('has one of its forms, however many are sent at once', async () => {
    const forms = Array.from({ length: 16 }, (_, index) =>
      [...'RACE'].map((letter, place) => (index & (1 << place) ? letter : letter.toLowerCase())).join(''),
    );
    const answers = await Promise.all(forms.map((sku) => store.post('/api/products', { sku, name: 'Race' })));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      assertViolations(answer, ['sku', 'not_unique']);
    const { id } = answers.find(({ status }) => status === 201)!.json;
    await store.delete(`/api/products/${id}`);
    const others = await Promise.all(forms.map(() => store.product()));
    const changes = await Promise.all(
      forms.map((sku, index) => store.patch(`/api/products/${others[index].id}`, { sku })),
    );
    assert.equal(changes.filter(({ status }) => status === 200).length, 1);
  });
});
