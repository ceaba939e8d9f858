/** Imports a whole shop of release 5.5.1, in process and over HTTP, on all databases. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Ended, Folder } from '../cli/program.ts';
import { FILES } from '../support/attachments.ts';
import { type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { now, pages } from '../support/feed.ts';
import { RECORDED, RecordedShop } from '../support/recorded-shop.ts';
import { READ_ONLY_KEY, READ_WRITE_KEY, Store } from '../support/store.ts';
import { EITHER_WAY } from './shop.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
type Shown = any;

for (const [name, way] of EITHER_WAY)
  describe(`the import of a shop of release 5.5.1, ${way} (${name})`, () => {
    let [database, folder, shop, store]: [FreshDatabase, Folder, RecordedShop, Store] = [] as never;
    let environment: Record<string, string>;
    before(async () => {
      [folder, database, shop] = await Promise.all([
        Folder.make(),
        freshDatabase(name, 'migrated'),
        RecordedShop.start(),
      ]);
      environment = {
        DATABASE_URL: database.url,
        IMAGES_URL: `file:${join(folder.path, 'images')}`,
        IMAGE_DOWNLOAD_ALLOW: '127.0.0.1/32',
      };
      store = new Store(name, environment);
      await store.start();
    });
    after(async () => {
      await Promise.all([store.stop(), shop.stop()]);
      await database.remove();
      await folder.remove();
    });

    function importing(): Promise<Ended> {
      const keys = { PURVEYOR_KEY: READ_ONLY_KEY, PURVEYOR_STORE_KEY: READ_WRITE_KEY };
      const command = ['import', 'store', `${shop.address}/api`];
      return way === 'over HTTP'
        ? folder.run([...command, '--store', store.address], keys)
        : folder.run(command, { ...environment, ...keys });
    }

    /** All records of a collection. */
    async function all(path: string): Promise<Shown[]> {
      const records: Shown[] = [];
      for (let page = 1; ; page += 1) {
        const { json } = await store.get(`/api/${path}${path.includes('?') ? '&' : '?'}itemsPerPage=100&page=${page}`);
        records.push(...json);
        if (json.length < 100) return records;
      }
    }

    test('reports a file that cannot be downloaded, and imports everything else', async () => {
      shop.missing.add('/files/manual.zip');
      const { code, stdout } = await importing();
      assert.equal(code, 2);
      const failed = stdout.split('\n').filter((line) => line.includes(': failed'));
      assert.ok(
        failed.every((line) => /^attachments Manual of \d+ of R-\d+: failed: /.test(line)),
        failed.join('\n'),
      );
      assert.equal(failed.length, RECORDED.attachments / 5);
      assert.match(stdout, new RegExp(`^Products: ${RECORDED.products} created\\.$`, 'm'));
    });

    test('adds in another run what was missing', async () => {
      shop.missing.clear();
      const { code, stdout } = await importing();
      assert.equal(code, 0, stdout.slice(-2000));
      assert.doesNotMatch(stdout, /: created|: failed/);
    });

    test('copies all records', async () => {
      const products = await all('products');
      const counts = await Promise.all([
        ...[all('reviews'), all('categories?parent=all'), all('custom_product_tabs'), all('front_page/featured')],
        all('orders'),
      ]);
      assert.deepEqual(
        [products.length, ...counts.map(({ length }) => length)],
        [RECORDED.products, RECORDED.reviews, RECORDED.categories, RECORDED.tabs, RECORDED.frontPage, RECORDED.orders],
      );
      const parts = async (path: string): Promise<Shown[]> =>
        (await Promise.all(products.map(({ id }) => all(`products/${id}/${path}`)))).flat();
      assert.equal((await parts('related_products')).length, RECORDED.related);
      const attachments = await parts('attachments');
      assert.equal(attachments.length, RECORDED.attachments);
      assert.deepEqual(new Set(attachments.map(({ mime_type }) => mime_type)).size, 5);
    });

    test('copies each field of a product with all parts', async () => {
      const [gold] = await all('memberships?name=Gold');
      const [product] = await all('products?sku=R-20');
      assert.deepEqual(
        [product.separate_box, product.width, product.length, product.height, product.enabled, product.clean_url],
        [true, 2.5, 12.5, 3, false, 'product-20'],
      );
      const path = `products/${product.id}`;
      const reviews = await all(`${path}/reviews`);
      assert.deepEqual(
        reviews.map(({ id, product_id, ...review }) => review),
        [
          {
            ...{ rating: 3, reviewer_name: 'Buyer 2', review: 'Review 2 of “20”: <good>', response: null },
            ...{ addition_date: '2021-02-21T08:20:30+00:00', response_date: null, profile: null, respondent: null },
            ...{ status: 1, use_for_meta: true },
          },
          {
            ...{ rating: 2, reviewer_name: 'Buyer 1', review: 'Review 1 of “20”: <good>', response: null },
            ...{ addition_date: '2021-01-21T08:20:30+00:00', response_date: null, profile: null, respondent: null },
            ...{ status: 1, use_for_meta: false },
          },
        ],
      );
      const [attachment] = await all(`${path}/attachments`);
      assert.deepEqual(
        [attachment.title, attachment.description, attachment.position, attachment.access, attachment.filename],
        ['Manual of 20', 'Edition 2', 5, String(gold.id), 'manual.pdf'],
      );
      assert.equal(attachment.size, FILES.pdf!.length);
      const related = await all(`${path}/related_products?`);
      const skus = await Promise.all(
        related.map(async (entry) => (await all(`products?id=${entry.product_id}`))[0].sku),
      );
      assert.deepEqual(
        [skus, related.map(({ position }) => position)],
        [
          ['R-32', 'R-43'],
          [10, 20],
        ],
      );
    });

    test('copies a public file, columns of categories, featured products and tabs', async () => {
      const [product] = await all('products?sku=R-1');
      const [attachment] = await all(`products/${product.id}/attachments`);
      const digest = createHash('sha256').update(FILES.txt!).digest('hex');
      assert.equal(new URL(attachment.url).pathname, `/files/${digest}/manual.txt`);
      const [category] = await all('categories?clean_url=category-7');
      assert.equal(category.flyout_columns, 3);
      assert.equal((await all(`categories/${category.id}/featured`)).length, 2);
      const first = (await all('front_page/featured'))[0];
      assert.deepEqual([(await all(`products?id=${first.product_id}`))[0].sku, first.position], ['R-15', 0]);
      const [tab] = await all('custom_product_tabs');
      assert.deepEqual([tab.name, tab.content, tab.brief_info], ['Tab 1', '<p>All about 1</p>', 'Info 1']);
    });

    test('copies wholesale prices, discounts and coupons with what restricts them', async () => {
      const [wholesale, sales, volumes, coupons] = await Promise.all(
        ['wholesale_prices', 'sale_discounts', 'volume_discounts', 'coupons'].map(all),
      );
      assert.deepEqual(
        [wholesale, sales, volumes, coupons].map((records) => records!.length),
        [RECORDED.wholesalePrices, RECORDED.saleDiscounts, RECORDED.volumeDiscounts, RECORDED.coupons],
      );
      const [gold] = await all('memberships?name=Gold');
      const ofProduct = wholesale!.filter(({ sku }) => sku === 'R-20');
      assert.deepEqual(
        ofProduct.map(({ type, price, quantity_range_begin, membership }) => [
          type,
          price,
          quantity_range_begin,
          membership,
        ]),
        [
          ['price', 4.5, 10, null],
          ['percent', 12.5, 10, gold.id],
        ],
      );
      const products = await all('products?sku[]=R-4&sku[]=R-5');
      assert.deepEqual(sales![1].products, products.map(({ id }) => id).sort());
      const { value, date_range_begin, date_range_end, apply_to_wholesale, clean_url, meta_title } = sales![0];
      assert.deepEqual(
        [value, date_range_begin, date_range_end, apply_to_wholesale, clean_url, meta_title],
        [11, '2021-06-01T00:00:00+00:00', '2031-06-29T22:00:00+00:00', true, 'sale-1', 'All of sale 1'],
      );
      const byRange = volumes!.map(({ value: off, type, subtotal_range_begin, membership }) => [
        off,
        type,
        subtotal_range_begin,
        membership,
      ]);
      assert.deepEqual(byRange, [
        [5, '%', 100, null],
        [10, '%', 200, gold.id],
        [15, '$', 300, null],
      ]);
      const [clothes] = await all('product_classes?name=Clothes');
      const coupon = coupons!.find(({ code }) => code === 'CODE-3');
      assert.deepEqual(
        [coupon.product_classes, coupon.uses_limit, coupon.uses, coupon.comment, coupon.total_range_begin],
        [[clothes.id], 3, 0, 'No. 3', 10],
      );
    });

    test('a run without changes writes nothing', async () => {
      const get = store.get.bind(store);
      const cursor = await now(get);
      const { code, stdout } = await importing();
      assert.equal(code, 0, stdout.slice(-2000));
      assert.match(stdout, new RegExp(`^Products: ${RECORDED.products} unchanged\\.$`, 'm'));
      assert.doesNotMatch(stdout, /: created|: updated|: failed/);
      assert.deepEqual((await pages(get, `after=${cursor}`)).entries, []);
    });
  });
