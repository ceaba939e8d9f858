/**
 * `npm run bench:pricing`: `calculate` of an order of 100 lines, compared with `JSON.stringify` of a page of 30 products from
 * the benchmark's store. Both run in turn in this process, and the processor time counts, so that other work on the machine affects
 * both alike. Asserts no time.
 */
import { parseArgs } from 'node:util';
import { calculate, type Input, type Line } from '../src/pricing/index.ts';
import {
  charge,
  coupon,
  orderLine,
  pricingInput,
  pricingRules,
  saleDiscount,
  taxRate,
  volumeDiscount,
  wholesalePrice,
} from '../test/support/pricing.ts';
import { createRandom } from './catalog.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';
import { seedStore } from './seed.ts';
import { send, startServer } from './servers.ts';

const LINES = 100;
const PAGE = '/api/products?itemsPerPage=30';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '30' }, calls: { type: 'string', default: '200' } },
});
const rounds = Number(options.rounds);
const calls = Number(options.calls);

const page = await readPage();
console.log(
  `${describeMachine()}; ${rounds} rounds of ${calls} calls each, processor time, medians [lowest–highest]\n`,
);
console.log('| order of 100 lines | JSON.stringify of 30 products, µs | calculate, µs | calculate ÷ JSON.stringify |');
console.log('|---|---|---|---|');
for (const [name, input] of [
  ['taxes added', orderOf100(false)],
  ['taxes included, proportional shipping', orderOf100(true)],
] as const) {
  const measured = Array.from({ length: rounds + 1 }, () => {
    const written = microsecondsOf(() => JSON.stringify(page));
    const calculated = microsecondsOf(() => calculate(input));
    return { written, calculated, ratio: calculated / written };
    // The first round is the warm-up.
  }).slice(1);
  const cells = (['written', 'calculated', 'ratio'] as const).map((key) =>
    spread(
      measured.map((each) => each[key]),
      key === 'ratio' ? 1 : 0,
    ),
  );
  console.log(`| ${[name, ...cells].join(' | ')} |`);
}

/** @returns the median with the lowest and the highest */
function spread(numbers: readonly number[], digits: number): string {
  const [median, lowest, highest] = [medianOf(numbers), Math.min(...numbers), Math.max(...numbers)].map((number) =>
    number.toFixed(digits),
  );
  return `${median} [${lowest}–${highest}]`;
}

async function readPage(): Promise<unknown> {
  await seedStore(console.log);
  const server = await startServer('purveyor');
  const { status, body } = await send(server.address, PAGE);
  await server.stop();
  const products: unknown = JSON.parse(body);
  if (status !== 200 || !Array.isArray(products) || products.length !== 30)
    throw new Error(`${PAGE} returned ${status} and not 30 products.`);
  return products;
}

/** @returns the mean processor time of a call */
function microsecondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** An order of 100 products with three wholesale rows each, in a store with sales, discounts and taxes of several zones. */
function orderOf100(isIncluded: boolean): Input {
  const random = createRandom(1);
  const below = (most: number): number => Math.floor(random() * most);
  const lines = Array.from({ length: LINES }, (_, index): Line => {
    const price = (100 + below(50_000)) / 100;
    return orderLine(
      {
        id: index + 1,
        price,
        tax_class: [null, 1, 2][below(3)]!,
        product_class: 1 + below(6),
        categories: [1 + below(20), 21 + below(5)],
        participate_sale: below(4) === 0,
        sale_price_value: 15,
        wholesale_prices: [5, 10, 50].map((quantity_range_begin, row) =>
          wholesalePrice({ id: index * 3 + row, type: 'percent', price: 5 * (row + 1), quantity_range_begin }),
        ),
      },
      {
        amount: 1 + below(20),
        weight: below(20_000) / 10_000,
        options: below(3) === 0 ? [{ price_modifier: 10, price_modifier_type: 'percent' }] : [],
      },
    );
  });
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  const rules = pricingRules(
    {
      sale_discounts: numbers(10).map((id) =>
        saleDiscount({ id, value: 5 + id, categories: [id], apply_to_wholesale: id % 2 === 0 }),
      ),
      volume_discounts: numbers(5).map((id) => volumeDiscount({ id, value: id, subtotal_range_begin: id * 1000 })),
      tax_rates: numbers(40).map((id) =>
        taxRate({
          id,
          tax: id % 4 === 0 ? 'CITY' : 'VAT',
          value: 5 + id / 4,
          zone: 1 + (id % 10),
          tax_class: [null, 1, 2][id % 3]!,
          base: id % 5 === 0 ? 'shipping' : 'discounted_subtotal',
        }),
      ),
      missing_address: [{ id: 1, specificity: 1 }],
    },
    { prices_include_tax: isIncluded, shipping: isIncluded ? 'proportional' : 'rates' },
  );
  return pricingInput(lines, {
    rules,
    address: [2, 3, 6].map((id) => ({ id, specificity: 1 })),
    coupons: [
      coupon({ id: 1, value: 10 }),
      coupon({ id: 2, code: 'TEN', type: '$', value: 10, categories: [1, 2, 3] }),
    ],
    shipping: [charge({ value: 5.95 }), charge({ type: 'handling', code: 'PACK', value: 2 })],
  });
}
