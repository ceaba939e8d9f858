/** The product import of the admin page, without a browser: it has the results and report of the command. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createClient } from '../../src/client/index.ts';
import { importProductFile, type ProductFile, readProductFile, reportText } from '../../src/transfer/import/in-page.ts';
import { sha256 } from '../../src/transfer/import/sha256.ts';
import { onOneDatabase, READ_WRITE_KEY } from '../support/store.ts';

const OPTIONS = { weightUnit: 'kg', variants: 'together', sha256 } as const;
const EXPORT =
  'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\nshirt,Shirt,Size,S,SHIRT-S,1\nshirt,,,L,SHIRT-L,2\nmug,Mug,,,,x\n';

const read = (text: string): ProductFile => readProductFile(Buffer.from(text), OPTIONS);

for (const [name, kind] of [
  ['shopify-apparel.csv', 'shopify'],
  ['woocommerce-example.csv', 'woocommerce'],
] as const)
  test(`detects ${name} by its columns`, async () => {
    const file = readProductFile(await readFile(new URL(`../data/${name}`, import.meta.url)), OPTIONS);
    assert.equal(file.readable && file.kind, kind);
  });

test('reports why no parser accepts a file, without duplicate reasons', () => {
  const [empty, other] = [read(''), read('name,price\na,1\n')];
  assert.deepEqual(!empty.readable && empty.reasons, [{ kind: 'shopify', reason: 'The file is empty.' }]);
  assert.deepEqual(!other.readable && other.reasons.map(({ kind }) => kind), ['shopify', 'woocommerce']);
});

onOneDatabase('an import in a page', {}, (store) => {
  const client = () => createClient({ baseUrl: store.address, key: READ_WRITE_KEY });

  async function run(dryRun: boolean, onProgress?: () => void): Promise<string> {
    const file = read(EXPORT);
    assert.ok(file.readable);
    const options = { dryRun, ...(onProgress ? { onProgress } : {}) };
    return reportText(await importProductFile(client(), store.address, file.importRows, options));
  }

  test('a dry run writes nothing, and a second run changes nothing', async () => {
    assert.match(
      await run(true),
      /^row 2: would be created shirt, 2 options\nrow 2: would be created variant SHIRT-S\n/,
    );
    assert.deepEqual((await store.get('/api/products')).json, []);
    const counts: number[] = [];
    const report = await run(false, () => counts.push(1));
    assert.match(report, /\nrow 4: skipped mug: Variant Price "x"/);
    assert.match(report, /\nProducts: 1 created, 0 updated, 0 unchanged, 1 skipped\. .*\nVariants: 2 created, /);
    assert.equal(counts.length, 1);
    assert.match(await run(false), /\nProducts: 0 created, 0 updated, 1 unchanged, 1 skipped\. /);
  });

  test('stops if the progress callback throws', async () => {
    const report = await run(false, () => {
      throw new Error('Enough.');
    });
    assert.match(report, /\nStopped at row 2: Enough\. Run the import again to continue\.\n$/);
  });
});
