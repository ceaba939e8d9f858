/** Numbers with more decimals than their field: noise of calculations with doubles, and excess digits (http.md §9). */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { HttpResponse } from '../support/client.ts';
import { assertViolations } from '../support/expect.ts';
import { asLines, readLines } from '../support/lines.ts';
import { orderItem, orderOf } from '../support/orders.ts';
import { onEachDatabase } from '../support/store.ts';

const LENIENT = { prefer: 'handling=lenient' };

/** What strict and lenient mode store for a price; a text is the code of the violation. */
const PRICES: [json: string, strict: number | string, lenient: number | string][] = [
  ['23.788099999999998', 23.7881, 23.7881],
  ['0.30000000000000004', 0.3, 0.3],
  ['0.30000000000000004440892098500626', 0.3, 0.3],
  ['1.1500000000000001', 1.15, 1.15],
  ['100000.00000000001', 100000, 100000],
  ['999999999.99990011', 999999999.9999, 999999999.9999],
  // Differences of at least a billionth of the number.
  ['123.450000123456', 'decimals', 123.45],
  ['0.000100001234567891', 'decimals', 0.0001],
  // The double is 23, and none of its digits is noise.
  ['2.30000000000000004e1', 'decimals', 23],
  // Excess digits. A half is rounded away from zero.
  ['0.45359237', 'decimals', 0.4536],
  ['1.23456', 'decimals', 1.2346],
  ['1.00005', 'decimals', 1.0001],
  ['1.00004999999999999999999', 'decimals', 1],
  ['12345678.12345', 'decimals', 12345678.1235],
  ['1e-400000000', 'decimals', 0],
  ['0.00005', 'decimals', 0.0001],
  ['-0.00001', 'range', 0],
  ['9999999999.99995', 'range', 'range'],
  ['-0.00005', 'range', 'range'],
  ['1e400', 'range', 'range'],
];

onEachDatabase('numbers with more decimals than their field', {}, (store) => {
  before(() => store.product({ sku: 'FIRST' }));

  for (const [json, ...expected] of PRICES)
    for (const [index, headers] of [{}, LENIENT].entries()) {
      const stored = expected[index]!;
      const outcome = typeof stored === 'number' ? `is stored as ${stored}` : `breaks the rule ${stored}`;
      test(`a price of ${json} ${outcome} in ${index === 0 ? 'strict' : 'lenient'} mode`, async () => {
        const patched = await store.patch('/api/products/1', `{"price": ${json}}`, headers);
        const [line] = readLines(
          (
            await store.request('POST', '/api/products/bulk', {
              body: asLines([`{"sku": "FIRST", "price": ${json}}`]),
              headers: { ...headers, 'content-type': 'application/x-ndjson' },
            })
          ).text,
        );
        if (typeof stored === 'number') {
          assert.deepEqual([patched.status, patched.json.price], [200, stored], patched.text);
          assert.equal(line!.status, 200, JSON.stringify(line));
        } else {
          assertViolations(patched, ['price', stored]);
          assert.equal(line!.problem.violations[0].code, stored, JSON.stringify(line));
        }
      });
    }

  test('an integer with decimals is a 422 in both modes', async () => {
    for (const headers of [{}, LENIENT])
      for (const json of ['2.5', '2.0000000000000004'])
        assertViolations(await store.patch('/api/products/1', `{"amount": ${json}}`, headers), ['amount', 'type']);
  });

  describe('a surcharge', () => {
    const sent = (value: string, headers = {}): Promise<HttpResponse> => {
      const order = orderOf([orderItem({ id: 1 }, 1)], {
        currency: 'USD',
        surcharges: [{ type: 'tax', value: 'VALUE' }],
      });
      return store.post('/api/orders', JSON.stringify(order).replace('"VALUE"', value), headers);
    };

    test('loses its noise before it is compared with the decimals of the currency', async () => {
      const response = await sent('0.30000000000000004');
      assert.deepEqual([response.status, response.json.surcharges[0].value], [201, 0.3], response.text);
    });

    test('with more decimals than the currency is a 422 in both modes', async () => {
      for (const headers of [{}, LENIENT])
        assertViolations(await sent('0.1230000000000001', headers), ['surcharges[0].value', 'decimals']);
    });
  });
});
