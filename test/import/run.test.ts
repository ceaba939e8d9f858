/** The import run on an in-memory catalog. Other tests cover it end to end with a store. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import type { Catalog, Choice, NamedRecord, NameList, Saved, SavedProduct } from '../../src/transfer/import/catalog.ts';
import type { ImportRows, ProductInput } from '../../src/transfer/import/import-row.ts';
import { progressDisplay } from '../../src/transfer/import/progress.ts';
import { exitStatus, type ImportReport, type PartsAdded, printReport } from '../../src/transfer/import/report.ts';
import { type Progress, runImport } from '../../src/transfer/import/run.ts';
import { sha256 } from '../../src/transfer/import/sha256.ts';
import { readShopifyExport } from '../../src/transfer/import/shopify/csv.ts';

const HEADER = 'Handle,Title,Type,Tags,Variant Price,Image Src,Variant Inventory Tracker';

describe('runs', () => {
  test('creates everything; a second run of the same file changes nothing', async () => {
    const shop = new Shop();
    const file = readFile('shopify-home-and-garden.csv');
    const first = await runImport(file, shop, { dryRun: false });
    assert.deepEqual(outcomes(first), { created: 21 });
    assert.equal(exitStatus(first), 0);
    assert.equal(shop.images.length, 23);
    assert.deepEqual(shop.names('classes').sort(), ['Indoor', 'Outdoor']);
    assert.deepEqual(first.made, { categories: 2, attributes: 1, options: 2 });
    assert.deepEqual([sum(first, 'categoriesAdded'), sum(first, 'optionsSet')], [21, 2]);

    shop.writes = 0;
    const second = await runImport(file, shop, { dryRun: false });
    assert.deepEqual(outcomes(second), { unchanged: 21 });
    assert.equal(exitStatus(second), 0);
    assert.equal(shop.writes, 0);
    assert.deepEqual([sum(second, 'imagesAdded'), sum(second, 'imagesKnown')], [0, 23]);
    assert.deepEqual(second.made, { categories: 0, attributes: 0, options: 0 });
    assert.deepEqual([sum(second, 'categoriesAdded'), sum(second, 'optionsSet')], [0, 0]);
  });

  test('finishes with unreachable images, reports each, requests each address once, and retries on the next run', async () => {
    const shop = new Shop();
    shop.reachable = () => false;
    const file = readFile('shopify-home-and-garden.csv');
    const report = await runImport(file, shop, { dryRun: false });
    assert.deepEqual(outcomes(report), { created: 21 });
    assert.equal(exitStatus(report), 2);
    assert.equal(report.failures.length, 23, 'both pots share two images');
    assert.deepEqual([shop.asked.length, new Set(shop.asked).size], [21, 21]);
    assert.equal(report.failures[0]?.reason, 'externalUrl: name not found');

    shop.reachable = () => true;
    const again = await runImport(file, shop, { dryRun: false });
    assert.deepEqual(outcomes(again), { unchanged: 21 });
    assert.equal(sum(again, 'imagesAdded'), 23);
    assert.equal(exitStatus(again), 0);
  });

  test('does not restore an image that the shop deleted', async () => {
    const shop = new Shop();
    const file = read('a,A,,,1,http://x/1.jpg,');
    await runImport(file, shop, { dryRun: false });
    shop.images = [];
    const report = await runImport(file, shop, { dryRun: false });
    assert.deepEqual([shop.images.length, sum(report, 'imagesKnown')], [0, 1]);
  });

  test('requests an image again for the next variant unless its address failed', async () => {
    const shop = new Shop();
    shop.refuseImage = (productId) => (productId === 1 ? [{ path: 'alt', message: 'no' }] : []);
    const report = await runImport(read('a,A,,,1,http://x/1.jpg,', 'b,B,,,1,http://x/1.jpg,'), shop, { dryRun: false });
    assert.deepEqual(
      report.failures.map((failure) => failure.sku),
      ['a'],
    );
    assert.equal(shop.images.length, 1);
  });

  test('updates by SKU without changing fields that the file does not contain', async () => {
    const shop = new Shop();
    await runImport(read('a,A,,,1,,shopify'), shop, { dryRun: false });
    assert.equal(shop.products.get('a')?.record.amount, 0, 'counted, number unknown');
    Object.assign(shop.products.get('a')!.record, { amount: 7, description: 'ours' });
    const report = await runImport(read('a,A,,,2,,shopify'), shop, { dryRun: false });
    assert.deepEqual(outcomes(report), { updated: 1 });
    const { amount, description, price } = shop.products.get('a')!.record;
    assert.deepEqual([amount, description, price], [7, 'ours', 2]);
  });

  test('skips rejected products with the reason, without requesting their images', async () => {
    const shop = new Shop();
    shop.refuseProduct = (input) => (input.sku === 'a' ? [{ path: 'name', message: 'must not be blank' }] : []);
    const report = await runImport(read('bad,X,,,nonsense,,', 'b,B,,,1,,', 'a,A,,,1,http://x/1.jpg,'), shop, {
      dryRun: false,
    });
    assert.deepEqual(
      report.rows.map(({ row, outcome, reason }) => [row, outcome, reason]),
      [
        [2, 'skipped', 'Variant Price "nonsense" in row 2 is not a plain number. Write it as in 9.99.'],
        [3, 'created', undefined],
        [4, 'skipped', 'name: must not be blank'],
      ],
    );
    assert.deepEqual(shop.asked, []);
    assert.equal(exitStatus(report), 2);
  });

  test('exits with a failure if nothing was imported', async () => {
    assert.equal(exitStatus(await runImport(read('a,A,,,x,,'), new Shop(), { dryRun: false })), 1);
    assert.equal(exitStatus(await runImport(read(), new Shop(), { dryRun: false })), 1);
  });

  test('stops and reports the work done if the store becomes unavailable', async () => {
    const shop = new Shop();
    shop.onSave = (sku) => {
      if (sku === 'b') throw new Error('The database is gone.');
    };
    const report = await runImport(read('a,A,,,1,,', 'b,B,,,1,,', 'c,C,,,1,,'), shop, { dryRun: false });
    assert.deepEqual(
      report.rows.map(({ sku, outcome }) => [sku, outcome]),
      [['a', 'created']],
    );
    assert.deepEqual(report.stopped, { row: 3, reason: 'The database is gone.' });
    assert.equal(exitStatus(report), 2);
    const lines: string[] = [];
    printReport(report, (line) => lines.push(line));
    assert.ok(lines.some((line) => /Stopped at row 3: The database is gone\. Run the import again/.test(line)));
  });

  test('reports that nothing was done if the store is unavailable from the start', async () => {
    const shop = new Shop();
    shop.onSave = () => {
      throw new Error('gone');
    };
    assert.equal(exitStatus(await runImport(read('a,A,,,1,,'), shop, { dryRun: false })), 1);
  });
});

describe('categories and options', () => {
  const HEADER =
    'Handle,Title,Type,Product Category,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price';
  const readPlaced = (...lines: string[]) => readBytes(Buffer.from([HEADER, ...lines].join('\n')));
  const SHIRTS = ['a,A,Tops,Apparel > Shirts,Size,S,Colour,Red,1', 'a,,,,,M,,red,1'];

  test('are created once at the end of their lists, and found by the comparison of the store', async () => {
    const shop = new Shop();
    await shop.addName({ kind: 'categories', parents: [] }, 'APPAREL ', 7);
    const report = await runImport(readPlaced(...SHIRTS, 'b,B,Tops,Apparel,size,S,,,1'), shop, { dryRun: false });
    assert.deepEqual(report.made, { categories: 1, attributes: 2, options: 3 });
    assert.deepEqual(
      report.rows.map(({ categoriesAdded, optionsSet }) => [categoriesAdded, optionsSet]),
      [
        [1, 2],
        [1, 2],
        [1, 1],
      ],
    );
    assert.deepEqual(shop.names('categories'), ['APPAREL ', 'Shirts']);
    const positions = Object.fromEntries([...shop.lists.values()].flat().map(({ name, position }) => [name, position]));
    assert.deepEqual(positions, { 'APPAREL ': 7, Shirts: 1, Tops: 1, Size: 1, S: 1, M: 2, Colour: 2, Red: 1 });

    shop.writes = 0;
    await runImport(readPlaced(...SHIRTS), shop, { dryRun: false });
    assert.equal(shop.writes, 0);
  });

  test('a product without a class has its own attributes; one without a type in the file keeps its class', async () => {
    const shop = new Shop();
    await runImport(readPlaced('a,A,,,Size,S,,,1', 'b,B,,,Size,S,,,1'), shop, { dryRun: false });
    assert.deepEqual(
      [...shop.lists.keys()].filter((key) => key.startsWith('attributes')),
      ['attributes of product 1', 'attributes of product 2'],
    );
    shop.products.get('a-s')!.record.product_class = { id: 5, name: 'Shirts' };
    await runImport(
      readBytes(Buffer.from('Handle,Title,Option1 Name,Option1 Value,Variant Price\na,A,Size,S,1')),
      shop,
      {
        dryRun: false,
      },
    );
    assert.ok(shop.lists.has('attributes of class 5'));
  });

  test("the row's value replaces others of the attribute; other attributes and categories remain", async () => {
    const shop = new Shop();
    const read = (cells: string) => readBytes(Buffer.from(`${HEADER},Variant SKU\na,A,Tops,${cells},1,X`));
    await runImport(read('Shirts,Size,S,Colour,Red'), shop, { dryRun: false });
    const report = await runImport(read('Jackets,Size,M,,'), shop, { dryRun: false });
    assert.deepEqual([sum(report, 'optionsSet'), sum(report, 'categoriesAdded'), shop.links.size], [1, 1, 2]);
    const options = new Map([...shop.lists.values()].flat().map(({ id, name }) => [id, name]));
    assert.deepEqual(
      [...shop.choices.values()].flat().map(({ optionId }) => options.get(optionId)),
      ['M', 'Red'],
    );
  });

  test('a rejected one is reported by name, and the rest of the product is imported', async () => {
    const shop = new Shop();
    shop.refuseName = (_list, name) => (name === 'Shirts' || name === 'S' ? [{ path: 'name', message: 'no' }] : []);
    const report = await runImport(readPlaced(...SHIRTS), shop, { dryRun: false });
    assert.deepEqual(outcomes(report), { created: 2 });
    assert.equal(exitStatus(report), 2);
    assert.deepEqual(printed(report), [
      'row 2: created a-s-red, 1 option',
      'row 3: created a-m-red, 2 options',
      'row 2: category Apparel > Shirts of a-s-red failed: name: no',
      'row 2: option Size S of a-s-red failed: name: no',
      'row 3: category Apparel > Shirts of a-m-red failed: name: no',
      'Products: 2 created, 0 updated, 0 unchanged, 0 skipped. Images: 0 added, 0 added before, 0 failed.',
      'Categories: 1 created, 0 products added, 2 failed. Options: 2 created, 2 attributes created, 3 set, 1 failed.',
    ]);
  });

  test('one that another client just created is used', async () => {
    const shop = new Shop();
    shop.refuseName = (list, name) => {
      shop.refuseName = () => [];
      void shop.addName(list, name, 1);
      return [{ path: 'name', message: 'should be unique' }];
    };
    const report = await runImport(readPlaced(...SHIRTS), shop, { dryRun: false });
    assert.deepEqual([shop.names('classes'), report.failures], [['Tops'], []]);
  });

  test('a dry run predicts the counts of the run that follows', async () => {
    const shop = new Shop();
    await runImport(readPlaced(SHIRTS[0]!), shop, { dryRun: false });
    shop.writes = 0;
    const file = readPlaced(
      ...SHIRTS,
      'b,B,New,Apparel > New > Newer,Size,S,,,1',
      'c,C,,,Size,S,,,1',
      'd,D,,,Size,S,,,1',
    );
    const dry = await runImport(file, shop, { dryRun: true });
    assert.equal(shop.writes, 0);
    assert.deepEqual(dry.made, { categories: 2, attributes: 3, options: 4 });
    assert.deepEqual({ ...dry, dryRun: false }, await runImport(file, shop, { dryRun: false }));
  });
});

describe('dry run', () => {
  test('reports what would be created, updated, unchanged and skipped, without writes or downloads', async () => {
    const shop = new Shop();
    await runImport(read('same,S,Chairs,"b,A",1,http://x/1.jpg,', 'other,O,,,1,,'), shop, { dryRun: false });
    shop.writes = 0;
    shop.asked = [];
    const file = read(
      'same,S,Chairs,"a,B",1,http://x/1.jpg,',
      'other,O,Chairs,,1,http://x/2.jpg,',
      'new,N,New,,1,http://x/1.jpg,',
      'bad,B,,,x,,',
    );
    const report = await runImport(file, shop, { dryRun: true });
    assert.deepEqual(
      report.rows.map(({ sku, outcome, imagesAdded, imagesKnown }) => [sku, outcome, imagesAdded, imagesKnown]),
      [
        ['same', 'unchanged', 0, 1],
        ['other', 'updated', 1, 0],
        ['new', 'created', 1, 0],
        ['bad', 'skipped', 0, 0],
      ],
    );
    assert.deepEqual([shop.writes, shop.asked, shop.names('classes')], [0, [], ['Chairs']]);
  });

  test('predicts the run that follows, for both real files', async () => {
    const shop = new Shop();
    for (const file of [readFile('shopify-apparel.csv'), readFile('shopify-home-and-garden.csv')]) {
      for (const round of ['first', 'second']) {
        const dry = await runImport(file, shop, { dryRun: true });
        const wet = await runImport(file, shop, { dryRun: false });
        assert.deepEqual({ ...dry, dryRun: false }, wet, round);
      }
    }
  });
});

describe('report and progress', () => {
  test('prints a line per row and per failed image, then the totals', async () => {
    const shop = new Shop();
    shop.reachable = (address) => address !== 'http://x/2.jpg';
    const file = read('a,A,,,1,http://x/1.jpg,', 'a,,,,,http://x/2.jpg,', 'b,B,,,1,,', '"c\u001b[2J\nd",C,,,x,,');
    const report = await runImport(file, shop, { dryRun: false });
    assert.deepEqual(printed(report), [
      'row 2: created a, 1 image',
      'row 4: created b',
      'row 5: skipped c\ufffd[2J\ufffdd: Variant Price "x" in row 5 is not a plain number. Write it as in 9.99.',
      'row 2: image http://x/2.jpg of a failed: externalUrl: name not found',
      'Products: 2 created, 0 updated, 0 unchanged, 1 skipped. Images: 1 added, 0 added before, 1 failed.',
      'Categories: 0 created, 0 products added, 0 failed. Options: 0 created, 0 attributes created, 0 set, 0 failed.',
      'Run the import again to retry the failed images.',
    ]);
    const dry = printed(await runImport(file, shop, { dryRun: true }));
    assert.deepEqual(dry.slice(-3), [
      'Products: 0 to create, 0 to update, 2 unchanged, 1 skipped. Images: 1 to add, 1 added before, 0 failed.',
      'Categories: 0 to create, 0 products to add, 0 failed. Options: 0 to create, 0 attributes to create, 0 to set, 0 failed.',
      'Dry run: no changes were made and no images were downloaded.',
    ]);
    assert.match(printed(await runImport(read(), shop, { dryRun: false })).at(-1) ?? '', /contains no rows/);
  });

  test('reports progress after every product', async () => {
    const seen: Progress[] = [];
    await runImport(read('a,A,,,1,,', 'b,B,,,1,,'), new Shop(), {
      dryRun: false,
      onProgress: (progress) => seen.push(progress),
    });
    assert.deepEqual(seen, [
      { productsDone: 1, productsTotal: 2, sku: 'a' },
      { productsDone: 2, productsTotal: 2, sku: 'b' },
    ]);
  });

  test('shows a bar on a terminal and otherwise a line every 50 products', () => {
    const show = (isTTY: boolean) => {
      const stream = Object.assign(new MemoryCatalog(), { isTTY });
      const display = progressDisplay(stream);
      for (let done = 1; done <= 120; done++) display.show({ productsDone: done, productsTotal: 120, sku: `${done}` });
      display.end();
      return stream.text;
    };
    assert.equal(show(false), '50 of 120 products\n100 of 120 products\n120 of 120 products\n');
    assert.match(show(true), /█+.*of 120 products/);
    const unused = Object.assign(new MemoryCatalog(), { isTTY: true });
    progressDisplay(unused).end();
    assert.equal(unused.text, '', 'no product, no bar');
  });
});

/** An in-memory catalog that behaves like a store: names for tags and classes, and unchanged outcomes for equal input. */
class Shop implements Catalog {
  products = new Map<string, { id: number; record: Record<string, unknown> }>();
  lists = new Map<string, NamedRecord[]>();
  links = new Set<string>();
  choices = new Map<string, Choice[]>();
  images: string[] = [];
  asked: string[] = [];
  writes = 0;
  reachable: (address: string) => boolean = () => true;
  refuseProduct: (input: Record<string, unknown>) => { path: string; message: string }[] = () => [];
  refuseImage: (productId: number) => { path: string; message: string }[] = () => [];
  onSave: (sku: string) => void = () => {};
  refuseName: (list: NameList, name: string) => { path: string; message: string }[] = () => [];
  #known = new Set<string>();
  #lastId = 0;

  async findProduct(sku: string) {
    return this.products.get(sku);
  }

  async *saveProducts(inputs: AsyncIterable<ProductInput>): AsyncGenerator<SavedProduct> {
    for await (const input of inputs) {
      this.onSave(input.sku);
      const stored = this.products.get(input.sku);
      const saved = await (stored ? this.updateProduct(stored.id, input) : this.createProduct(input));
      if (!saved.ok) yield saved;
      else yield { ok: true, id: saved.id, outcome: stored ? (saved.changed ? 'updated' : 'unchanged') : 'created' };
    }
  }

  async createProduct(input: Record<string, unknown>): Promise<Saved> {
    const problems = this.refuseProduct(input);
    if (problems.length > 0) return { ok: false, problems };
    const id = this.products.size + 1;
    this.products.set(String(input.sku), { id, record: { amount: 1000, ...shown(input) } });
    this.writes += 1;
    return { ok: true, id, changed: true };
  }

  async updateProduct(id: number, input: Record<string, unknown>): Promise<Saved> {
    const { record } = [...this.products.values()].find((product) => product.id === id)!;
    const before = JSON.stringify(record);
    Object.assign(record, shown(input));
    const changed = JSON.stringify(record) !== before;
    if (changed) this.writes += 1;
    return { ok: true, id, changed };
  }

  async addImage(productId: number, image: { externalUrl: string }): Promise<Saved> {
    if (this.#known.has(`${productId} ${image.externalUrl}`)) return { ok: true, id: 0, changed: false };
    this.asked.push(image.externalUrl);
    const problems = this.refuseImage(productId);
    if (!this.reachable(image.externalUrl)) problems.push({ path: 'externalUrl', message: 'name not found' });
    if (problems.length > 0) return { ok: false, problems };
    this.images.push(image.externalUrl);
    const { record } = [...this.products.values()].find((product) => product.id === productId)!;
    record.images = [...((record.images as string[] | undefined) ?? []), image.externalUrl];
    this.#known.add(`${productId} ${image.externalUrl}`);
    return this.#wrote(this.images.length);
  }

  async readNames({ kind, parents }: NameList) {
    return this.lists.get(`${kind} ${parents}`) ?? [];
  }

  async addName(list: NameList, name: string, position: number): Promise<Saved> {
    const problems = this.refuseName(list, name);
    if (problems.length > 0) return { ok: false, problems };
    const key = `${list.kind} ${list.parents}`;
    this.#lastId += 1;
    this.lists.set(key, [...(this.lists.get(key) ?? []), { id: this.#lastId, name, position }]);
    return this.#wrote(this.#lastId);
  }

  async categoryHas(categoryId: number, productId: number) {
    return this.links.has(`${categoryId} ${productId}`);
  }

  async addToCategory(categoryId: number, productId: number): Promise<Saved> {
    this.links.add(`${categoryId} ${productId}`);
    return this.#wrote(categoryId);
  }

  // The files of these tests have no variants; see `variants.test.ts`.
  readVariants = nothingOfVariants;
  saveVariants = nothingOfVariants;
  renameVariant = nothingOfVariants;
  setVariantImage = nothingOfVariants;

  async readChoices(productId: number, attributeId: number) {
    return this.choices.get(`${productId} ${attributeId}`) ?? [];
  }

  async addChoice(productId: number, attributeId: number, optionId: number): Promise<Saved> {
    const key = `${productId} ${attributeId}`;
    this.#lastId += 1;
    this.choices.set(key, [...(this.choices.get(key) ?? []), { id: this.#lastId, optionId }]);
    return this.#wrote(this.#lastId);
  }

  async removeChoice(productId: number, attributeId: number, choiceId: number) {
    const key = `${productId} ${attributeId}`;
    this.choices.set(
      key,
      (this.choices.get(key) ?? []).filter(({ id }) => id !== choiceId),
    );
    this.#wrote(choiceId);
    return undefined;
  }

  /** Returns the names in all lists of a kind. */
  names(kind: NameList['kind']): string[] {
    const lists = [...this.lists].filter(([key]) => key.startsWith(`${kind} `));
    return lists.flatMap(([, records]) => records.map(({ name }) => name));
  }

  #wrote(id: number): Saved {
    this.writes += 1;
    return { ok: true, id, changed: true };
  }
}

class MemoryCatalog extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.text += chunk.toString();
    done();
  }
}

function shown(input: Record<string, unknown>): Record<string, unknown> {
  const named = (name: string) => ({ id: 1, name });
  const record = { ...input };
  if (input.tags) record.tags = (input.tags as string[]).map(named);
  if (input.product_class) record.product_class = named(input.product_class as string);
  return record;
}

function outcomes({ rows }: ImportReport): Record<string, number> {
  return Object.fromEntries(
    Map.groupBy(rows, (row) => row.outcome)
      .entries()
      .map(([outcome, { length }]) => [outcome, length]),
  );
}

function nothingOfVariants(): never {
  throw new Error('A file without variants asks nothing of them.');
}

function sum({ rows }: ImportReport, count: keyof PartsAdded): number {
  return rows.reduce((total, row) => total + row[count], 0);
}

function printed(report: ImportReport): string[] {
  const lines: string[] = [];
  printReport(report, (line) => lines.push(line));
  return lines;
}

function readFile(name: string): ImportRows {
  return readBytes(readFileSync(new URL(`../data/${name}`, import.meta.url)));
}

function read(...lines: string[]): ImportRows {
  return readBytes(Buffer.from([HEADER, ...lines].join('\n')));
}

function readBytes(bytes: Buffer): ImportRows {
  const result = readShopifyExport(bytes, { weightUnit: 'kg', sha256 });
  assert.ok(result.readable, result.readable ? '' : result.reason);
  return result;
}
