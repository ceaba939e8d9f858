/** `purveyor import store`: copies catalog and orders between two real stores, in process and over HTTP. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Ended, Folder } from '../cli/program.ts';
import { FILES } from '../support/attachments.ts';
import { type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { now, pages } from '../support/feed.ts';
import { attached, png } from '../support/images.ts';
import { orderOf } from '../support/orders.ts';
import { type Json, READ_ONLY_KEY, READ_WRITE_KEY, Store } from '../support/store.ts';
import { EITHER_WAY } from './shop.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
type Shown = any;

for (const [name, way] of EITHER_WAY)
  describe(`the import of a store, ${way} (${name})`, () => {
    let database: FreshDatabase;
    let folder: Folder;
    let environment: Record<string, string>;
    const source = new Store(name);
    let target: Store;
    before(async () => {
      await source.start();
      await fill(source);
      folder = await Folder.make();
      database = await freshDatabase(name, 'migrated');
      environment = {
        DATABASE_URL: database.url,
        IMAGES_URL: `file:${join(folder.path, 'images')}`,
        IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32',
      };
      target = new Store(name, environment);
      await target.start();
      // Makes identifiers differ from those of the source.
      for (let number = 1; number <= 3; number += 1) {
        await target.product({ sku: `OWN-${number}` });
        await target.made('/api/tags', { name: `Own ${number}` });
        await target.made('/api/product_classes', { name: `Own ${number}` });
        await target.made('/api/categories', { name: `Own ${number}` });
      }
    });
    after(async () => {
      await Promise.all([source.stop(), target.stop()]);
      await database.remove();
      await folder.remove();
    });

    function importing(address = `${source.address}/api`): Promise<Ended> {
      const keys = { PURVEYOR_KEY: READ_ONLY_KEY, PURVEYOR_STORE_KEY: READ_WRITE_KEY };
      return way === 'over HTTP'
        ? folder.run(['import', 'store', address, '--store', target.address], keys)
        : folder.run(['import', 'store', address], { ...environment, ...keys });
    }

    test('copies all records with their links and reports each', async () => {
      const { code, stdout, stderr } = await importing();
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout, /^products SHIRT: created, 2 images, 4 values, 1 variant, 1 review, 3 attachments$/m);
      assert.match(stdout, /^Orders: 2 created\.$/m);
      const shirt = await only(target, '/api/products?sku=SHIRT');
      assert.deepEqual(
        [shirt.product_class.name, shirt.tax_class.name, names(shirt.memberships), names(shirt.tags), shirt.price],
        ['Clothes', 'Reduced', ['VIP'], ['Soft', 'Warm'], 20.5],
      );
      assert.deepEqual(
        shirt.images.map((image: Shown) => [image.alt, image.position, image.width]),
        [
          ['Front', 1, 8],
          ['Back', 2, 9],
        ],
      );
      const top = await only(target, '/api/categories?name=Top');
      const shirts = await only(target, `/api/categories?parent=${top.id}`);
      assert.deepEqual([shirts.name, shirts.clean_url, top.icon.width], ['Shirts', 'shirts', 5]);
      assert.deepEqual(
        (await target.get(`/api/categories/${shirts.id}/products`)).json.map((link: Shown) => link.product_id),
        [shirt.id],
      );
      const size = await only(target, `/api/product_classes/${shirt.product_class.id}/attributes_select`);
      const values = `/api/products/${shirt.id}/attributes_select/${size.id}/values`;
      const large = (await target.get(values)).json.find((value: Shown) => value.option.value === 'L');
      assert.equal(large.price_modifier, 2);
      const [variant] = (await target.get(`/api/products/${shirt.id}/variants`)).json;
      assert.deepEqual([variant.sku, variant.price, variant.attribute_select_values], ['SHIRT-L', 25, [large.id]]);
      const fabric = await only(target, `/api/products/${shirt.id}/attributes_text`);
      const text = (await target.get(`/api/products/${shirt.id}/attributes_text/${fabric.id}/values`)).json;
      assert.equal(text.value, 'Wool');
      const gift = await only(target, '/api/attributes_checkbox?name=Gift');
      const [given, ...others] = (await target.get(`/api/products/${shirt.id}/attributes_checkbox/${gift.id}/values`))
        .json;
      assert.deepEqual([given?.value, given?.price_modifier, others], [true, 1, []]);
      const order = (await target.get('/api/orders/by_number/W-1')).json;
      assert.deepEqual(
        [order.create_date, order.payment_status.code, order.items[0].product_id],
        ['2020-01-02T03:04:05+00:00', 'OWN', shirt.id],
      );
      assert.equal(shirt.amount, 7);
    });

    test('copies reviews, recommendations, tabs, attachments and former clean URLs', async () => {
      const [shirt, cap] = [await only(target, '/api/products?sku=SHIRT'), await only(target, '/api/products?sku=CAP')];
      const path = `/api/products/${shirt.id}`;
      const review = await only(target, `${path}/reviews`);
      assert.deepEqual(
        [review.rating, review.reviewer_name, review.addition_date, review.response, review.response_date],
        [4, 'Ann', '2020-02-03T04:05:06+00:00', 'Thanks', '2020-02-04T04:05:06+00:00'],
      );
      const related = await only(target, `${path}/related_products`);
      assert.deepEqual([related.product_id, related.position], [cap.id, 3]);
      const [vip] = (await target.get('/api/memberships?name=VIP')).json;
      const attachments = (await target.get(`${path}/attachments`)).json;
      assert.deepEqual(
        attachments.map((attachment: Shown) => [attachment.title, attachment.access, attachment.filename]),
        [
          ['Care', 'A', 'care.txt'],
          ['Sizes', 'R', 'sizes.csv'],
          ['Patterns', String(vip.id), 'patterns.pdf'],
        ],
      );
      assert.equal((await target.get(`${path}/attachments/${attachments[1].id}/file`)).text, 'a,b\n1,2\n');
      const shirts = await only(target, '/api/categories?clean_url=shirts');
      assert.deepEqual((await only(target, `/api/categories/${shirts.id}/featured`)).product_id, cap.id);
      assert.deepEqual((await only(target, '/api/front_page/featured')).product_id, shirt.id);
      assert.equal((await only(target, '/api/custom_product_tabs')).content, '<p>30 days</p>');
      const former = async (address: string): Promise<string[]> =>
        (await target.get(`${address}/old_urls`)).json.map(({ clean_url }: Json) => clean_url);
      assert.deepEqual(
        [await former(path), await former(`/api/categories/${shirts.id}`)],
        [['warm-shirt', 'first-shirt'], ['tops']],
      );
    });

    test('a second run changes nothing', async () => {
      const seen = await everything(target);
      const cursor = await now(target.get.bind(target));
      const { code, stdout } = await importing(source.address);
      assert.deepEqual((await pages(target.get.bind(target), `after=${cursor}`)).entries, []);
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^Products: 3 unchanged\.$/m);
      assert.doesNotMatch(stdout, /created|updated/);
      assert.deepEqual(await everything(target), seen);
    });

    test('copies later changes and does not remove records of the target', async () => {
      const cap = await only(source, '/api/products?sku=CAP');
      await source.patch(`/api/products/${cap.id}`, { price: 9 });
      const { stdout } = await importing();
      assert.match(stdout, /^products CAP: updated$/m);
      assert.equal((await only(target, '/api/products?sku=CAP')).price, 9);
      await only(target, '/api/products?sku=OWN-2');
    });

    test('reads all pages of a store without totals, and stops if a store is unavailable', async () => {
      const old = await release55(source);
      const { code, stdout } = await importing(old.address);
      assert.equal(code, 0, stdout);
      assert.match(stdout, /^Products: 3 unchanged\.$/m);
      old.server.close();
      const gone = await importing(old.address);
      assert.equal(gone.code, 1);
      assert.match(
        gone.stdout,
        /^Stopped: The store at http\S+ does not respond \(ECONNREFUSED\)\. .*Run the import again/m,
      );
    });
  });

test('a killed import of a store continues with the next run', async () => {
  const [source, target] = [new Store('sqlite'), new Store('sqlite')];
  const folder = await Folder.make();
  await Promise.all([source.start(), target.start()]);
  for (let number = 1; number <= 120; number += 1) await source.product({ sku: `P-${number}` });
  const keys = { PURVEYOR_KEY: READ_ONLY_KEY, PURVEYOR_STORE_KEY: READ_WRITE_KEY };
  const args = ['import', 'store', source.address, '--store', target.address];
  const first = folder.start(args, keys);
  await first.says(/^products P-2: created/m);
  first.signal('SIGKILL');
  await first.ended;
  const second = await folder.run(args, keys);
  assert.equal(second.code, 0, second.stdout);
  assert.equal((await target.get('/api/products?itemsPerPage=1')).headers['x-total-count'], '120');
  const third = await folder.run(args, keys);
  assert.match(third.stdout, /^Products: 120 unchanged\.$/m);
  await Promise.all([source.stop(), target.stop()]);
  await folder.remove();
});

/** Creates a store with records of every kind. */
async function fill(store: Store): Promise<void> {
  const made = store.made.bind(store);
  const vip = await made('/api/memberships', { name: 'VIP' });
  const tax = await made('/api/tax_classes', { name: 'Reduced' });
  const clothes = await made('/api/product_classes', { name: 'Clothes' });
  const ofClass = `/api/product_classes/${clothes.id}`;
  const size = await made(`${ofClass}/attributes_select`, { name: 'Size', displayMode: 'B' });
  const options: Shown[] = [];
  for (const value of ['M', 'L'])
    options.push(await made(`${ofClass}/attributes_select/${size.id}/options`, { value }));
  const top = await made('/api/categories', { name: 'Top' });
  await made(`/api/categories/${top.id}/icon`, { ...(await attached(png(5, 5))), alt: 'T' });
  const shirts = await made('/api/categories', { name: 'Shirts', parent: top.id, memberships: [vip.id] });
  const shirt = await made('/api/products', {
    ...{ sku: 'SHIRT', name: 'Shirt', price: 20.5, amount: 7, tags: ['Soft', 'Warm'] },
    ...{ memberships: [vip.id], product_class: clothes.id, tax_class: tax.id, description: '<p>Warm</p>' },
  });
  for (const [position, alt] of ['Front', 'Back'].entries())
    await made(`/api/products/${shirt.id}/images`, {
      ...(await attached(png(8 + position, 8))),
      ...{ alt, position: position + 1 },
    });
  const values: Shown[] = [];
  for (const [index, option] of options.entries())
    values.push(
      await made(`/api/products/${shirt.id}/attributes_select/${size.id}/values`, {
        option_id: option.id,
        price_modifier: index * 2,
      }),
    );
  const fabric = await made(`/api/products/${shirt.id}/attributes_text`, { name: 'Fabric' });
  await made(`/api/products/${shirt.id}/attributes_text/${fabric.id}/values`, { value: 'Wool' });
  const gift = await made('/api/attributes_checkbox', { name: 'Gift' });
  await made(`/api/products/${shirt.id}/attributes_checkbox/${gift.id}/values`, { value: true, price_modifier: 1 });
  await made(`/api/products/${shirt.id}/variants`, {
    sku: 'SHIRT-L',
    price: 25,
    attribute_select_values: [values[1].id],
  });
  await made(`/api/categories/${shirts.id}/products`, { product_id: shirt.id });
  await store.product({ sku: 'CAP', name: 'Cap' });
  await store.product({ sku: 'HAT', name: 'Hat' });
  await fillPage(store, { shirt: shirt.id, shirts: shirts.id, vip: vip.id });
  await made('/api/payment_statuses', { code: 'OWN', name: 'Our own' });
  const orders = [
    orderOf([{ sku: 'SHIRT', amount: 1 }], { order_number: 'W-1', payment_status: 'OWN' }),
    orderOf([{ sku: 'CAP', amount: 2 }], { order_number: 'W-2' }),
  ].map((order) => JSON.stringify({ ...order, create_date: '2020-01-02T03:04:05+00:00' }));
  const response = await store.request('POST', '/api/orders/bulk?past', {
    body: orders.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  assert.match(response.text, /"created":2/);
}

/** Adds what a page of a product or category shows besides its own fields. */
async function fillPage(
  store: Store,
  { shirt, shirts, vip }: Record<'shirt' | 'shirts' | 'vip', number>,
): Promise<void> {
  const path = `/api/products/${shirt}`;
  await store.made(`${path}/reviews`, {
    ...{ rating: 4, reviewer_name: 'Ann', review: 'Warm', addition_date: '2020-02-03T04:05:06+00:00' },
    ...{ response: 'Thanks', response_date: '2020-02-04T04:05:06+00:00' },
  });
  const files = [
    ['Care', 'A', 'care.txt'],
    ['Sizes', 'R', 'sizes.csv'],
    ['Patterns', String(vip), 'patterns.pdf'],
  ] as const;
  for (const [position, [title, access, filename]] of files.entries()) {
    const attachment = FILES[filename.split('.')[1]!]!.toString('base64');
    await store.made(`${path}/attachments`, { title, access, filename, attachment, position });
  }
  const cap = await only(store, '/api/products?sku=CAP');
  await store.made(`${path}/related_products`, { product_id: cap.id, position: 3 });
  await store.made(`/api/categories/${shirts}/featured`, { product_id: cap.id });
  await store.made('/api/front_page/featured', { product_id: shirt });
  await store.made('/api/custom_product_tabs', { name: 'Returns', content: '<p>30 days</p>' });
  for (const clean_url of ['first-shirt', 'warm-shirt', 'shirt']) await store.patch(path, { clean_url });
  for (const clean_url of ['tops', 'shirts']) await store.patch(`/api/categories/${shirts}`, { clean_url });
}

/** Serves the store like release 5.5: no totals, exports or change feed, and some lists without pages. */
async function release55(store: Store): Promise<{ server: Server; address: string }> {
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const path =
      /\/(values|products)\?/.test(url) && !url.startsWith('/api/products?') ? url.replace(/page=\d+/, 'page=1') : url;
    const original = await store.get(path, { 'x-auth-token': String(headers['x-auth-token']) });
    response.writeHead(/variants|changes/.test(path) ? 404 : original.status, { 'content-type': 'application/json' });
    response.end(original.text);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` };
}

async function only(store: Store, path: string): Promise<Shown> {
  const { json } = await store.get(path);
  assert.equal(json.length, 1, `${path}: ${JSON.stringify(json)}`);
  return json[0];
}

function names(records: Json[]): unknown[] {
  return records.map((record) => record.name).sort();
}

async function everything(store: Store): Promise<unknown> {
  const collections = ['products', 'categories?parent=all', 'tags', 'memberships', 'orders', 'product_classes'];
  const pages = await Promise.all(collections.map((path) => store.get(`/api/${path}`)));
  return pages.map(({ json }) => json);
}
