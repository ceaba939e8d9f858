/**
 * `purveyor import orders` while a server is running: POST bodies and orders in API output, on each database (orders.md §6).
 * Most imports run in this process, which is faster than the command.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importOrders } from '../../src/transfer/import/orders.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { bareEnvironment } from '../support/compiled.ts';
import { type DatabaseName, type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { counted, everythingOf, historyOf, idsOf, placed, type Shown, stockOf } from '../support/order-parts.ts';
import { type Json, READ_WRITE_KEY, Store } from '../support/store.ts';
import { madeVariant, varied } from '../support/variants.ts';
import { EITHER_WAY, type Way } from './shop.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/purveyor.js', import.meta.url));

interface Run {
  readonly status: number;
  /** Lines of stdout. */
  readonly report: string[];
  readonly errors: string;
}

/** A running store and the import command. */
class Books {
  store!: Store;
  folder!: string;
  readonly #name: DatabaseName;
  readonly #isFar: boolean;
  #database!: FreshDatabase;
  #files = 0;

  constructor(name: DatabaseName, way: Way = 'in process') {
    this.#name = name;
    this.#isFar = way === 'over HTTP';
  }

  async open(): Promise<void> {
    this.#database = await freshDatabase(this.#name, 'migrated');
    this.folder = await mkdtemp(join(tmpdir(), 'purveyor-orders-'));
    this.store = new Store(this.#name, this.#settings);
    await this.store.start();
  }

  async close(): Promise<void> {
    await this.store.stop();
    await this.#database.remove();
    await rm(this.folder, { recursive: true });
  }

  get #settings() {
    return { DATABASE_URL: this.#database.url, IMAGES_URL: `file:${join(this.folder, 'images')}` };
  }

  /** Runs `purveyor import orders …args` as a command. */
  command(...args: string[]): Promise<Run> {
    const env = { ...bareEnvironment(), ...this.#settings, PURVEYOR_KEY: READ_WRITE_KEY };
    const where = this.#isFar ? ['--store', this.store.address] : [];
    return new Promise((resolve) => {
      execFile(process.execPath, [PROGRAM, 'import', 'orders', ...args, ...where], { env }, (error, output, errors) => {
        resolve({ status: error ? Number(error.code) : 0, report: linesOf(output), errors });
      });
    });
  }

  /** Runs the import in this process. */
  async run(path: string, dryRun = false): Promise<Run> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const [report, errors] = [text(stdout), text(stderr)];
    const store = this.#isFar ? { address: this.store.address, key: READ_WRITE_KEY } : undefined;
    const status = await importOrders(readConfig(this.#settings), path, { dryRun, store }, { stdout, stderr });
    stdout.end();
    stderr.end();
    return { status, report: linesOf(await report), errors: await errors };
  }

  async file(content: string | Buffer): Promise<string> {
    this.#files += 1;
    const path = join(this.folder, `orders-${this.#files}.jsonl`);
    await writeFile(path, content);
    return path;
  }

  /** Imports orders, one per line. A string is used as the line. */
  async import(lines: readonly (Json | string)[], { dryRun = false } = {}): Promise<Run> {
    return this.run(await this.written(lines), dryRun);
  }

  written(lines: readonly (Json | string)[]): Promise<string> {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    return this.file(`${texts.join('\n')}\n`);
  }

  async orders(): Promise<Shown[]> {
    const response = await this.store.get('/api/orders?itemsPerPage=100');
    assert.equal(response.status, 200, response.text);
    return response.json;
  }

  async order(number: string): Promise<Shown> {
    const response = await this.store.get(`/api/orders/by_number/${number}`);
    assert.equal(response.status, 200, response.text);
    return response.json;
  }

  /** Reads all orders with their histories, and all products. */
  async everything(): Promise<unknown> {
    const found: unknown[] = [(await this.store.get('/api/products?itemsPerPage=100')).text];
    for (const id of idsOf(await this.orders())) found.push(await everythingOf(this.store, id));
    return found;
  }

  async leavesAll<T>(act: () => Promise<T>): Promise<T> {
    const earlier = await this.everything();
    const result = await act();
    assert.deepEqual(await this.everything(), earlier);
    return result;
  }
}

function linesOf(output: string): string[] {
  return output.trim().split('\n');
}

/** Skipped or failed. */
const NOT_IMPORTED = 'not imported';

/** Reads the outcome of each line from a report. */
function outcomesOf({ report }: Run): Record<number, string> {
  const outcomes: Record<number, string> = {};
  for (const line of report) {
    const match = /^\w+ (\d+): ((?:would be )?(?:created|unchanged|skipped|failed))\b/.exec(line);
    if (match) outcomes[Number(match[1])] = /skipped|failed/.test(match[2]!) ? NOT_IMPORTED : match[2]!;
  }
  return outcomes;
}

function lineOf({ report }: Run, number: number): string {
  return report.find((line) => new RegExp(`^\\w+ ${number}: `).test(line)) ?? '';
}

const gone = (sku: string, amount = 1, price = 10): Json => ({
  product_id: null,
  sku,
  name: `Old ${sku}`,
  price,
  amount,
});

/** A minimal order. */
const past = (order_number: string, fields: Json = {}): Json => ({
  order_number,
  email: 'ann@example.com',
  items: [gone('OLD')],
  ...fields,
});

const FULL: Json = {
  order_number: '1001',
  email: 'ann@example.com',
  create_date: '2019-05-01T10:00:00+02:00',
  payment_status: 'P',
  shipping_status: 'D',
  items: [gone('OLD-1', 2, 12.5), { sku: 'MUG', amount: 3, price: 0.1 }],
  surcharges: [
    { type: 'shipping', value: 4.9, name: 'Post' },
    { type: 'tax', code: 'VAT', value: 2, include: true },
  ],
  billing_address: {
    firstname: 'Änn',
    city: 'Köln',
    country_code: 'DE',
    custom_fields: [{ name: 'Floor', value: '2' }],
  },
  shipping_address: null,
  currency: 'EUR',
  customer_id: 7,
  shipping_id: 3,
  shipping_method_name: 'Post',
  notes: 'Ring twice',
  admin_notes: 'A regular',
};

for (const [name, way] of EITHER_WAY) {
  describe(`an import of bodies of POST, ${way} (${name})`, () => {
    const books = new Books(name, way);
    let mug: Shown;
    before(async () => {
      await books.open();
      mug = await counted(books.store, 10, { sku: 'MUG', name: 'Mug' });
    });
    after(() => books.close());

    test('a dry run reports outcomes and writes nothing', () =>
      books.leavesAll(async () => {
        const run = await books.command(await books.written([FULL, 'nonsense', past('W-7')]), '--dry-run');
        assert.equal(run.status, 2, run.errors);
        assert.deepEqual(outcomesOf(run), { 1: 'would be created', 2: NOT_IMPORTED, 3: 'would be created' });
        const fine = await books.import([FULL, past('W-7')], { dryRun: true });
        assert.equal(fine.status, 0, fine.errors);
        assert.deepEqual(outcomesOf(fine), { 1: 'would be created', 2: 'would be created' });
        assert.deepEqual(await books.orders(), []);
      }));

    test('creates the orders unchanged, without taking stock', async () => {
      const lines = [FULL, past('W-7', { payment_status: 'C', shipping_status: 'WND' }), past('W-8')];
      const run = await books.command(await books.written(lines));
      assert.equal(run.status, 0, run.errors);
      assert.deepEqual(outcomesOf(run), { 1: 'created', 2: 'created', 3: 'created' });
      for (const [index, number] of ['1001', 'W-7', 'W-8'].entries())
        assert.ok(lineOf(run, index + 1).includes(number), 'the line names the order');

      const order = await books.order('1001');
      const { items, surcharges, billing_address, payment_status, shipping_status, ...rest } = order;
      for (const [field, value] of Object.entries({
        email: 'ann@example.com',
        create_date: '2019-05-01T08:00:00+00:00',
        sub_total: 25.3,
        total: 30.2,
        shipping_address: null,
        currency: 'EUR',
        // It belonged to the other store.
        customer_id: null,
        shipping_id: 3,
        shipping_method_name: 'Post',
        notes: 'Ring twice',
        admin_notes: 'A regular',
        tracking_numbers: [],
      }))
        assert.deepEqual(rest[field], value, field);
      assert.deepEqual([payment_status.code, shipping_status.code], ['P', 'D']);
      assert.deepEqual(
        items.map((item: Shown) => [item.product_id, item.sku, item.name, item.price, item.amount]),
        [
          [null, 'OLD-1', 'Old OLD-1', 12.5, 2],
          [mug.id, 'MUG', 'Mug', 0.1, 3],
        ],
      );
      assert.deepEqual(
        items.map((item: Shown) => [item.item_net_price, item.discounted_subtotal, item.backordered_amount]),
        [
          [12.5, 25, 0],
          [0.1, 0.3, 0],
        ],
      );
      assert.deepEqual(
        surcharges.map(({ type, code, name: title, value, include }: Shown) => [type, code, title, value, include]),
        [
          ['shipping', 'SHIPPING', 'Post', 4.9, false],
          ['tax', 'VAT', 'VAT', 2, true],
        ],
      );
      assert.deepEqual([billing_address.firstname, billing_address.city], ['Änn', 'Köln']);
      assert.deepEqual(billing_address.custom_fields, [{ name: 'Floor', value: '2' }]);

      const cancelled = await books.order('W-7');
      assert.deepEqual([cancelled.payment_status.code, cancelled.shipping_status.code], ['C', 'WND']);
      const plain = await books.order('W-8');
      assert.deepEqual([plain.payment_status.code, plain.shipping_status.code, plain.currency], ['Q', 'N', 'USD']);
      assert.equal(await stockOf(books.store, mug.id), 10);
      for (const id of idsOf(await books.orders()))
        assert.deepEqual(
          (await historyOf(books.store, id)).map(({ code }) => code),
          ['PLACE ORDER'],
        );
    });

    test('a dry run reports existing orders, including those with numeric order numbers', () =>
      books.leavesAll(async () => {
        const run = await books.import([FULL, { ...FULL, email: 'other@example.com' }], { dryRun: true });
        assert.deepEqual(outcomesOf(run), { 1: 'unchanged', 2: NOT_IMPORTED });
        assert.match(lineOf(run, 2), /email/);
      }));

    test('a second run changes nothing, even if the JSON is formatted differently', () =>
      books.leavesAll(async () => {
        const { items, ...others } = FULL as { items: Json[] };
        const rewritten = JSON.stringify({ items, ...others, create_date: '2019-05-01T08:00:00Z' });
        const run = await books.import([
          FULL,
          past('W-7', { payment_status: 'C', shipping_status: 'WND' }),
          past('W-8'),
          rewritten.replace('"amount":3', '"amount":3.0').replace('"price":12.5', '"price":1.25e1'),
        ]);
        assert.equal(run.status, 0, run.errors);
        assert.deepEqual(outcomesOf(run), { 1: 'unchanged', 2: 'unchanged', 3: 'unchanged', 4: 'unchanged' });
      }));

    const differences: [title: string, fields: Json][] = [
      ['e-mail address', { email: 'bob@example.com' }],
      ['date', { create_date: '2019-05-01T10:00:01+02:00' }],
      ['payment status', { payment_status: 'R' }],
      ['shipping status', { shipping_status: 'S' }],
      ['amount', { items: [gone('OLD-1', 3, 12.5), { sku: 'MUG', amount: 3, price: 0.1 }] }],
      ['price', { items: [gone('OLD-1', 2, 12.51), { sku: 'MUG', amount: 3, price: 0.1 }] }],
      ['sku', { items: [gone('OLD-2', 2, 12.5), { sku: 'MUG', amount: 3, price: 0.1 }] }],
      ['number of items', { items: [gone('OLD-1', 2, 12.5)] }],
      ['surcharge', { surcharges: [{ type: 'shipping', value: 4.9, name: 'Post' }] }],
      ['address', { billing_address: { firstname: 'Ann', city: 'Köln' } }],
      ['currency', { currency: 'GBP' }],
      ['shipping method', { shipping_method_name: null }],
      ['notes', { notes: '' }],
      ['notes of the shop', { admin_notes: 'No regular' }],
    ];
    test('skips existing orders that differ and imports the rest', async () => {
      const changed = differences.map(([, fields]) => ({ ...FULL, ...fields }));
      const run = await books.leavesAll(() => books.import([past('W-8'), ...changed]));
      assert.equal(run.status, 2, run.errors);
      const outcomes = outcomesOf(run);
      assert.equal(outcomes[1], 'unchanged');
      for (const [index, [title]] of differences.entries()) {
        assert.equal(outcomes[index + 2], NOT_IMPORTED, title);
        assert.match(lineOf(run, index + 2), /skipped\W+1001\b.*: \w.{10,}/, title);
      }
      const next = await books.import([{ ...FULL, notes: 'Other' }, past('W-9')]);
      assert.deepEqual([next.status, outcomesOf(next)], [2, { 1: NOT_IMPORTED, 2: 'created' }]);
      assert.equal((await books.order('1001')).notes, 'Ring twice');
      assert.equal((await books.order('W-9')).email, 'ann@example.com');
    });

    test('exits with 1 if all orders exist and differ', () =>
      books.leavesAll(async () => {
        const run = await books.import([{ ...FULL, notes: 'Other' }]);
        assert.deepEqual([run.status, outcomesOf(run)], [1, { 1: NOT_IMPORTED }]);
      }));

    test('does not undo later changes of an order', async () => {
      const line = past('W-10', { payment_status: 'A', notes: 'a' });
      assert.equal((await books.import([line])).status, 0);
      const { id } = await books.order('W-10');
      await books.store.put(`/api/orders/${id}/payment_status`, { code: 'P' });
      const run = await books.leavesAll(() => books.import([line, past('W-8')]));
      assert.deepEqual([run.status, outcomesOf(run)], [2, { 1: NOT_IMPORTED, 2: 'unchanged' }]);
      assert.match(lineOf(run, 1), /payment_status/);
    });

    test('imports the first of two lines with the same order number', async () => {
      const run = await books.import([
        past('T-1', { notes: 'a' }),
        past('T-1', { notes: 'a' }),
        past('T-1', { notes: 'b' }),
      ]);
      assert.equal(run.status, 2, run.errors);
      assert.deepEqual(outcomesOf(run), { 1: 'created', 2: 'unchanged', 3: NOT_IMPORTED });
      assert.equal((await books.order('T-1')).notes, 'a');
      assert.equal((await books.store.get('/api/orders?order_number=T-1')).json.length, 1);
    });

    test('a status change of an imported order moves no stock', async () => {
      const { id } = await books.order('1001');
      for (const [path, code] of [
        ['payment_status', 'C'],
        ['payment_status', 'Q'],
        ['shipping_status', 'R'],
        ['shipping_status', 'N'],
      ]) {
        assert.equal((await books.store.put(`/api/orders/${id}/${path}`, { code })).status, 200);
        assert.equal(await stockOf(books.store, mug.id), 10, `${path} ${code}`);
      }
    });

    test('preserves the options of items as sold, and a second run changes nothing', async () => {
      const shirt = await varied(books.store, { price: 20 }, { Size: ['S', 'M'], Cloth: ['linen', 'wool'] });
      const { id: variant } = await madeVariant(books.store, shirt, ['M'], { sku: 'SHIRT-M' });
      const option = { attribute_id: shirt.attributes.Cloth, value_id: shirt.values.wool };
      const items = [{ variant, amount: 2, options: [option] }];
      const { id: _, ...sold } = await books.store.made('/api/orders', { email: 'ada@example.com', items });
      const elsewhere = (number: string, sku: string) => ({
        ...sold,
        order_number: number,
        items: [{ ...sold.items[0], sku, variant: variant + 1000, product_id: 999_999 }],
      });
      const lines = [elsewhere('SOLD-HERE', 'SHIRT-M'), elsewhere('SOLD-ELSEWHERE', 'GONE-M')];
      const run = await books.import(lines);
      assert.equal(run.status, 0, run.report.join('\n'));
      for (const [number, own] of [
        ['SOLD-HERE', variant],
        ['SOLD-ELSEWHERE', null],
      ]) {
        const [item] = (await books.order(String(number))).items;
        assert.deepEqual([item.variant, item.weight, item.price], [own, sold.items[0].weight, sold.items[0].price]);
        assert.deepEqual(item.options, sold.items[0].options);
      }
      const again = await books.leavesAll(() => books.import(lines));
      assert.deepEqual(again.status, 0, again.report.join('\n'));
      const changed = structuredClone(lines[0]!) as Shown;
      changed.items[0].options[0].value = 'silk';
      await books.leavesAll(async () => assert.equal((await books.import([changed])).status, 1));
    });

    test('imports orders regardless of stock', async () => {
      const run = await books.import([past('MANY', { items: [{ product_id: mug.id, amount: 1000 }] })]);
      assert.equal(run.status, 0, run.report.join('\n'));
      assert.equal((await books.order('MANY')).items[0].amount, 1000);
      assert.equal(await stockOf(books.store, mug.id), 10);
    });

    test('a numeric order number raises the numbers that the store assigns', async () => {
      assert.equal((await books.import([past('5000'), past('4999'), past('X9999')])).status, 0);
      const next = await placed(books.store);
      assert.match(next.order_number, /^\d+$/);
      assert.ok(Number(next.order_number) > 5000, next.order_number);
    });
  });

  describe(`lines of a file, ${way} (${name})`, () => {
    const books = new Books(name, way);
    before(() => books.open());
    after(() => books.close());

    const bad: [line: string | Json, reason: RegExp][] = [
      ['{"order_number":"B-1","email":', /JSON/i],
      ['order_number,email', /JSON/i],
      ['[]', /object/i],
      ['"text"', /object/i],
      ['null', /object/i],
      [{ order_number: 'B-2' }, /(?=.*email)(?=.*items)/],
      [past('B-3', { colour: 'red' }), /colour/],
      [past('B-4', { items: [gone('A'), gone('B', -1)] }), /items\[1\]\.amount/],
      [past('B-5', { items: [] }), /items/],
      [past('B-6', { payment_status: 'XX' }), /payment_status/],
      [past('B-7', { items: [{ product_id: 999999, amount: 1 }] }), /items\[0\]/],
      [past('B-8', { items: [{ sku: 'NONE', amount: 1 }] }), /items\[0\]/],
      [past('B-9', { email: 'nobody' }), /email/],
      [past(' B10'), /order_number/],
      [past('B-11', { create_date: '2019-02-30' }), /create_date/],
      [past('B-12', { items: [gone('A', 1, -1)] }), /items\[0\]\.price/],
      [past('B-13', { surcharges: [{ type: 'gift', value: 1 }] }), /surcharges\[0\]\.type/],
    ];

    test('wrong lines are reported by number and reason, and the others are imported', async () => {
      const lines = [past('G-1'), '', ...bad.map(([line]) => line), '', past('G-2')];
      const run = await books.import(lines);
      assert.equal(run.status, 2, run.errors);
      const outcomes = outcomesOf(run);
      assert.equal(outcomes[1], 'created');
      for (const [index, [line, reason]] of bad.entries()) {
        assert.equal(outcomes[index + 3], NOT_IMPORTED, JSON.stringify(line));
        assert.match(lineOf(run, index + 3), reason);
      }
      assert.equal(outcomes[lines.length], 'created');
      assert.deepEqual(
        (await books.orders()).map(({ order_number }) => order_number),
        ['G-1', 'G-2'],
      );
    });

    test('the command exits with 1 if all lines are wrong', () =>
      books.leavesAll(async () => {
        const run = await books.import(bad.map(([line]) => line));
        assert.equal(run.status, 1);
        assert.deepEqual(new Set(Object.values(outcomesOf(run))), new Set([NOT_IMPORTED]));
      }));

    test('unrounded totals of an older store are accepted, as are rounded ones', async () => {
      const items = [
        { sku: 'OLD', name: 'Old', price: 1.0099, amount: 2 },
        { sku: 'OLD', name: 'Old', price: 0.0001, amount: 1 },
      ];
      const surcharges = [{ type: 'tax', value: 0.0055 }];
      const lines = [
        past('M-1', { items, surcharges, sub_total: 2.0199, total: 2.0254, currency: 'USD' }),
        past('M-2', { items, sub_total: 2.02, total: 2.02, currency: 'USD' }),
        past('M-3', { items, currency: 'USD' }),
        past('M-4', { items, currency: 'DEM', total: 2.0199 }),
        past('M-5', { items, sub_total: 2.02, total: 2.0199, currency: 'USD' }),
        past('M-6', { items, total: 2.03, currency: 'USD' }),
      ];
      const run = await books.import(lines);
      assert.deepEqual(outcomesOf(run), {
        1: 'created',
        2: 'created',
        3: 'created',
        4: 'created',
        5: NOT_IMPORTED,
        6: NOT_IMPORTED,
      });
      for (const number of [5, 6]) assert.match(lineOf(run, number), /total/);
      const totals = async (number: string) => {
        const order = await books.order(number);
        return [order.total, order.sub_total, ...order.items.map((each: Json) => each.discounted_subtotal)];
      };
      assert.deepEqual(await totals('M-1'), [2.0254, 2.0199, 2.0198, 0.0001]);
      assert.deepEqual(await totals('M-2'), [2.02, 2.02, 2.02, 0]);
      assert.deepEqual(await totals('M-3'), [2.02, 2.02, 2.02, 0]);
      assert.deepEqual(await totals('M-4'), [2.0199, 2.0199, 2.0198, 0.0001]);
      const again = await books.import(lines.slice(0, 4));
      assert.deepEqual(outcomesOf(again), { 1: 'unchanged', 2: 'unchanged', 3: 'unchanged', 4: 'unchanged' });
    });

    test('lines without an order_number are skipped, because a second run would create them again', () =>
      books.leavesAll(async () => {
        const { order_number: _, ...line } = past('B-14');
        const run = await books.import([past('G-1'), line, past('B-15', { order_number: null })]);
        assert.equal(run.status, 2, run.errors);
        assert.equal(outcomesOf(run)[1], 'unchanged');
        for (const number of [2, 3]) {
          assert.equal(outcomesOf(run)[number], NOT_IMPORTED);
          assert.match(lineOf(run, number), /order_number/);
        }
      }));

    test('lines that are not UTF-8 fail', async () => {
      const line = JSON.stringify(past('U-1', { notes: 'ä' }));
      const file = await books.file(Buffer.concat([Buffer.from(line, 'latin1'), Buffer.from(`\n${line}\n`)]));
      const run = await books.run(file);
      assert.deepEqual([run.status, outcomesOf(run)], [2, { 1: NOT_IMPORTED, 2: 'created' }], run.report.join('\n'));
      assert.equal((await books.order('U-1')).notes, 'ä');
    });

    test('a byte order mark, CRLF, blank lines and a missing final line end are accepted', async () => {
      const [one, two, three] = ['E-1', 'E-2', 'E-3'].map((number) =>
        JSON.stringify(past(number, { notes: 'a\r\nb' })),
      );
      const run = await books.run(await books.file(`\ufeff${one}\r\n\r\n  \r\n${two}\r\n${three}`));
      assert.equal(run.status, 0, run.report.join('\n'));
      assert.deepEqual(outcomesOf(run), { 1: 'created', 4: 'created', 5: 'created' });
      assert.equal((await books.order('E-3')).notes, 'a\r\nb');
    });

    test('long lines are imported', async () => {
      const items = Array.from({ length: 1000 }, (_, index) => ({
        ...gone(`L-${index}`),
        name: '日本語🎉'.repeat(20),
      }));
      const run = await books.import([past('L-1', { items }), past('L-2', { items: items.slice(1) })]);
      assert.equal(run.status, 0, run.report.join('\n').slice(0, 2000));
      const order = await books.order('L-1');
      assert.equal(order.items.length, 1000);
      assert.equal(order.total, 10_000);
      assert.deepEqual(
        order.items.map((item: Shown) => [item.sku, item.name]),
        items.map((item) => [(item as Json).sku, item.name]),
      );
      const again = await books.import([past('L-1', { items }), past('L-2', { items: items.slice(1) })]);
      assert.deepEqual([again.status, outcomesOf(again)], [0, { 1: 'unchanged', 2: 'unchanged' }]);
    });

    test('control characters of a line do not reach the terminal', async () => {
      const run = await books.import([past('T-1', { email: 'x\u001b[31m\u0007' }), past('T-2')]);
      assert.equal(run.status, 2);
      assert.doesNotMatch(run.report.join('\n'), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    });

    test('a missing file or a folder exits with 1 and one line', () =>
      books.leavesAll(async () => {
        for (const path of [join(books.folder, 'none.jsonl'), books.folder]) {
          const { status, errors } = await books.command(path);
          assert.equal(status, 1);
          assert.ok(errors.includes(path), errors);
          assert.equal(errors.trim().split('\n').length, 1, errors);
        }
      }));
  });

  describe(`an import of orders exported by another store, ${way} (${name})`, () => {
    const [source, target] = [new Books(name, way), new Books(name, way)];
    let exported: Shown[];

    before(async () => {
      await Promise.all([source.open(), target.open()]);
      const { store } = source;
      const kept = await counted(store, 100, { sku: 'KEPT', name: 'Kept' });
      const lost = await counted(store, 100, { sku: 'LOST', name: 'Lost' });
      const short = { sku: 'SHORT', name: 'Short', backorder_limit: 5, available_for_backorder: true };
      await counted(store, 1, short);
      await store.made('/api/payment_statuses', { code: 'LOAN', name: 'On account' });
      const bodies: Json[] = [
        { items: [{ product_id: kept.id, amount: 2 }] },
        {
          ...FULL,
          customer_id: null,
          items: [
            { product_id: lost.id, amount: 3 },
            { sku: 'KEPT', amount: 1, price: 1.2345 },
          ],
        },
        { items: [{ sku: 'KEPT', amount: 5 }], payment_status: 'C', shipping_status: 'R', create_date: '2020-02-29' },
        {
          items: [{ sku: 'KEPT', amount: 1 }],
          order_number: 'LOAN-1',
          payment_status: 'LOAN',
          shipping_status: 'WFA',
          billing_address: { firstname: 'Ann', type: 'C', state: 5, state_name: 'Ohio', is_shipping: true },
          shipping_address: { lastname: 'Li', street: '1 Way', zipcode: '0', phone: '+1', title: 'Dr', is_work: true },
          surcharges: [
            { type: 'discount', value: -0.5, weight: 5, name: 'Voucher' },
            { type: 'handling', value: 0.01, weight: 1 },
          ],
        },
        { items: [{ sku: 'SHORT', amount: 3 }] },
      ];
      const orders: Shown[] = [];
      for (const body of bodies) orders.push(await placed(store, body));
      await store.put(`/api/orders/${orders[0].id}/payment_status`, { code: 'A' });
      await store.patch(`/api/orders/${orders[0].id}`, { notes: 'later' });
      for (const value of ['1Z 1', '1Z 2']) await store.made(`/api/orders/${orders[1].id}/tracking_numbers`, { value });
      await store.made(`/api/orders/${orders[1].id}/payment_transactions`, { value: 5 });
      assert.equal((await store.delete(`/api/products/${lost.id}`)).status, 204);
      exported = await source.orders();

      await counted(target.store, 100, { sku: 'KEPT', name: 'Kept' });
      await target.store.product();
      await counted(target.store, 1, short);
      await target.store.made('/api/payment_statuses', { code: 'LOAN', name: 'On account' });
    });
    after(() => Promise.all([source.close(), target.close()]));

    test('an import into the same store changes nothing', () =>
      source.leavesAll(async () => {
        const run = await source.import(exported);
        assert.equal(run.status, 0, run.report.join('\n'));
        assert.deepEqual(
          Object.values(outcomesOf(run)),
          exported.map(() => 'unchanged'),
        );
      }));

    test('creates the same orders', async () => {
      const [{ id: kept }] = (await target.store.get('/api/products?sku=KEPT')).json;
      const run = await target.import(exported);
      assert.equal(run.status, 0, run.report.join('\n'));
      assert.deepEqual(
        Object.values(outcomesOf(run)),
        exported.map(() => 'created'),
      );
      for (const order of exported)
        assert.deepEqual(comparable(await target.order(order.order_number)), comparable(order), order.order_number);
      assert.equal(await stockOf(target.store, kept), 100);
      for (const id of idsOf(await target.orders()))
        assert.deepEqual(
          (await historyOf(target.store, id)).map(({ code }) => code),
          ['PLACE ORDER'],
        );
    });

    test('a second run changes nothing', () =>
      target.leavesAll(async () => {
        const run = await target.import(exported);
        assert.equal(run.status, 0, run.report.join('\n'));
        assert.deepEqual(
          Object.values(outcomesOf(run)),
          exported.map(() => 'unchanged'),
        );
      }));

    test('imported orders are unchanged after another export and import', async () => {
      const run = await source.leavesAll(async () => source.import(await target.orders()));
      assert.equal(run.status, 0, run.report.join('\n'));
      assert.deepEqual(new Set(Object.values(outcomesOf(run))), new Set(['unchanged']));
    });
  });

  describe(`statuses of another store, ${way} (${name})`, () => {
    const [source, target] = [new Books(name, way), new Books(name, way)];
    before(() => Promise.all([source.open(), target.open()]));
    after(() => Promise.all([source.close(), target.close()]));

    test('statuses are matched by code, not by id', async () => {
      const codes = ['AAAA', 'BBBB'];
      for (const code of codes) await source.store.made('/api/payment_statuses', { code, name: code });
      for (const code of codes.toReversed()) await target.store.made('/api/payment_statuses', { code, name: code });
      assert.equal((await source.import([past('S-1', { payment_status: 'AAAA' })])).status, 0);
      assert.equal((await target.import(await source.orders())).status, 0);
      assert.equal((await target.order('S-1')).payment_status.code, 'AAAA');
      const again = await target.import(await source.orders());
      assert.deepEqual([again.status, outcomesOf(again)], [0, { 1: 'unchanged' }]);
    });

    test('an unknown status fails only its order', async () => {
      await source.store.made('/api/payment_statuses', { code: 'ONLY', name: 'Only here' });
      // Separate imports, because the lines of one import are written concurrently.
      for (const order of [past('S-2', { payment_status: 'ONLY' }), past('S-3')])
        assert.equal((await source.import([order])).status, 0);
      const run = await target.import(await source.orders());
      assert.deepEqual([run.status, outcomesOf(run)], [2, { 1: 'unchanged', 2: NOT_IMPORTED, 3: 'created' }]);
      assert.match(lineOf(run, 2), /payment_status/);
    });
  });
}

/** Removes the fields that belong to one store: ids, timestamps and the last status change. */
function comparable(order: Shown): unknown {
  const { id: _, update_date: __, stock_status: ___, payment_status, shipping_status, ...rest } = order;
  return {
    ...rest,
    payment_status: payment_status.code,
    shipping_status: shipping_status.code,
    items: order.items.map(({ id: _, update_date: __, ...item }: Shown) => item),
    surcharges: order.surcharges.map(({ id: _, ...surcharge }: Shown) => surcharge),
    tracking_numbers: order.tracking_numbers.map(({ id: _, ...number }: Shown) => number),
  };
}
