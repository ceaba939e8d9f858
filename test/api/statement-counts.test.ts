/** A write runs the same number of statements for any number of parts, links and images. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import {
  act,
  type Database,
  inUnit,
  isProblem,
  readAction,
  type Service,
  view,
  writeRecord,
} from '../../src/engine/index.ts';
import { ownRequestOptions, routeOf, targetAt } from '../../src/store/own-requests.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { fillSettings } from '../../src/wiring/first-start.ts';
import { type OpenStore, openStore } from '../../src/wiring/open.ts';
import { databaseNames, type FreshDatabase, freshDatabase } from '../support/databases.ts';

/** Records the text of each statement that the engine runs. */
function recording(database: Database, statements: string[]): Database {
  return Object.assign(Object.create(database) as Database, {
    query: (statement, values) => {
      statements.push(statement.sql);
      return database.query(statement, values);
    },
    transaction: (work) =>
      database.transaction((transaction) =>
        work({
          run: (statement, values) => {
            statements.push(statement.sql);
            return transaction.run(statement, values);
          },
          lock: (name) => transaction.lock(name),
        }),
      ),
  } satisfies Pick<Database, 'query' | 'transaction'>);
}

const requestOptions = ownRequestOptions('en');

const OPTIONS = '/products/{product_id}/attributes_select/{attribute_id}/options/{id}';
const VALUES = '/products/{product_id}/attributes_select/{attribute_id}/values/{id}';

for (const name of databaseNames)
  describe(`statements of a write (${name})`, () => {
    const statements: string[] = [];
    let fresh: FreshDatabase;
    let images: string;
    let store: OpenStore;
    let service: Service;
    let pixel: string;
    let number = 0;

    before(async () => {
      fresh = await freshDatabase(name, 'migrated');
      images = await mkdtemp(join(tmpdir(), 'purveyor-images-'));
      const config = readConfig({ DATABASE_URL: fresh.url, IMAGES_URL: `file:${images}` });
      store = await openStore(config);
      await fillSettings(store.service, config);
      service = { ...store.service, database: recording(store.service.database, statements) };
      const background = { r: 1, g: 2, b: 3 };
      const image = sharp({ create: { width: 2, height: 2, channels: 3, background } }).png();
      pixel = (await image.toBuffer()).toString('base64');
    });
    after(async () => {
      await store.close();
      await fresh.remove();
      await rm(images, { recursive: true });
    });

    async function made(resource: string, body: Record<string, unknown>): Promise<number> {
      const record = await writeRecord(service, requestOptions, targetAt(routeOf(service, resource)), 'create', body);
      if (isProblem(record)) assert.fail(JSON.stringify(record));
      return record.record.id as number;
    }

    const newProduct = (fields: Record<string, unknown> = {}): Promise<number> => {
      number += 1;
      return made('Product', { sku: `SKU-${number}`, name: `Product ${number}`, ...fields });
    };

    /** The statements of the work, without those that belong to image files and run before the unit of work. */
    async function during(work: () => Promise<unknown>): Promise<string[]> {
      statements.length = 0;
      await work();
      return statements.filter((sql) => !/file_claim.*values|released_file.*removing_until >=/s.test(sql));
    }

    test('an order of 200 items and 50 surcharges needs as many as one of 2 and 2', async () => {
      const products: number[] = [];
      for (let count = 0; count < 200; count += 1) products.push(await newProduct());
      const order = (items: number, surcharges: number) => () =>
        made('Order', {
          email: 'ada@example.com',
          items: products.slice(0, items).map((product_id) => ({ product_id, amount: 1 })),
          surcharges: Array.from({ length: surcharges }, () => ({ type: 'shipping', value: 1 })),
        });
      const [few, many] = [await during(order(2, 2)), await during(order(200, 50))];
      assert.deepEqual(many, few);
    });

    test('an order of 100 variants with options needs as many as one of 2', async () => {
      const lines: object[] = [];
      for (let count = 0; count < 100; count += 1) lines.push(await lineWithOptions());
      const order = (items: number) => () => made('Order', { email: 'ada@example.com', items: lines.slice(0, items) });
      const [few, many] = [await during(order(2)), await during(order(100))];
      assert.deepEqual(many, few);
    });

    /** A variant of a new product, with an additional option. */
    async function lineWithOptions(): Promise<object> {
      const product = await newProduct();
      const options: Record<string, number>[] = [];
      for (const name of ['Size', 'Cloth']) {
        const attribute = await madeAt('/products/{product_id}/attributes_select/{id}', [product], { name });
        for (const value of ['one', 'other']) {
          const parents = [product, attribute];
          const option = await madeAt(OPTIONS, parents, { value });
          const value_id = await madeAt(VALUES, parents, { option_id: option });
          options.push({ attribute_id: attribute, value_id });
        }
      }
      const values = { attribute_select_values: [options[0]!.value_id], amount: 9 };
      const variant = await madeAt('/products/{product_id}/variants/{id}', [product], values);
      return { variant, amount: 1, options: [options[3]] };
    }

    async function madeAt(path: string, parents: number[], body: Record<string, unknown>): Promise<number> {
      const route = service.model.routes.find((each) => each.path === path)!;
      const record = await writeRecord(service, requestOptions, targetAt(route, { parents }), 'create', body);
      if (isProblem(record)) assert.fail(JSON.stringify(record));
      return record.record.id as number;
    }

    test('a product of 20 new tags, 20 stickers and 6 images needs as many as one of 2 each', async () => {
      const stickers: number[] = [];
      for (let count = 0; count < 20; count += 1) stickers.push(await made('Sticker', { name: `Sticker ${count}` }));
      const product = (count: number) => () =>
        newProduct({
          tags: Array.from({ length: count }, (_, index) => `Tag ${number} ${index}`),
          stickers: stickers.slice(0, count),
          images: Array.from({ length: Math.min(count, 6) }, () => ({ attachment: pixel, filename: 'pixel.png' })),
        });
      const [few, many] = [await during(product(2)), await during(product(20))];
      assert.deepEqual(many, few);
    });

    test("reading and setting a status does not read the order's items", async () => {
      const id = await made('Order', { email: 'ada@example.com', items: [{ product_id: 1, amount: 1 }] });
      const route = routeOf(service, 'Order');
      const target = targetAt(route, { id });
      const status = route.resource.views.find((declared) => declared.name === 'payment_status')!;
      const setting = route.resource.actions.find((action) => action.name === 'payment_status')!;
      const shown = (sql: string): boolean =>
        /^select/i.test(sql) && /json_(group_array|agg)/.test(sql) && /order_item/.test(sql);
      assert.deepEqual((await during(() => view(service, requestOptions, target, status))).filter(shown), []);
      const body = readAction(service, requestOptions, target, setting, { code: 'P' });
      const setStatements = await during(async () => {
        const set = await inUnit(service, requestOptions, (unit) => act(unit, target, setting, body));
        if (isProblem(set)) assert.fail(JSON.stringify(set));
      });
      assert.deepEqual(setStatements.filter(shown), []);
    });
  });
