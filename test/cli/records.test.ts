/** `purveyor import` and `purveyor export` of collections, on the local store and over HTTP. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { exportRecords } from '../../src/transfer/export/export.ts';
import { importRecords } from '../../src/transfer/import/records.ts';
import { readConfig } from '../../src/wiring/config.ts';
import { EITHER_WAY } from '../import/shop.ts';
import { type FreshDatabase, freshDatabase } from '../support/databases.ts';
import { type Json, READ_WRITE_KEY, Store } from '../support/store.ts';
import { Folder } from './program.ts';

for (const [name, way] of EITHER_WAY)
  describe(`files of records, ${way} (${name})`, () => {
    let database: FreshDatabase;
    let folder: Folder;
    let store: Store;
    let environment: Record<string, string>;
    before(async () => {
      folder = await Folder.make();
      database = await freshDatabase(name, 'migrated');
      environment = { DATABASE_URL: database.url, IMAGES_URL: `file:${join(folder.path, 'images')}` };
      store = new Store(name, environment);
      await store.start();
    });
    after(async () => {
      await store.stop();
      await database.remove();
      await folder.remove();
    });
    const far = () => (way === 'over HTTP' ? { address: store.address, key: READ_WRITE_KEY } : undefined);
    const run = (...args: string[]) =>
      way === 'over HTTP'
        ? folder.run([...args, '--store', store.address], { PURVEYOR_KEY: READ_WRITE_KEY })
        : folder.run(args, environment);

    test('imports lines in order, reports each, and changes nothing when repeated', async () => {
      await folder.write(
        'products.jsonl',
        [
          '{"sku": "A", "name": "First", "price": 1}',
          '',
          '{"sku": "B", "name": "Second", "price": 12345678901234567890}',
          'nonsense',
          '{"sku": "A", "price": 2}',
          '{"op": "delete", "key": "NONE"}',
          '{"name": "No key"}',
        ].join('\n'),
      );
      const dry = await run('import', 'products', 'products.jsonl', '--dry-run');
      assert.deepEqual(await (await store.get('/api/products')).json, []);
      const { code, stdout } = await run('import', 'products', 'products.jsonl');
      assert.equal(code, 2);
      const lines = stdout.trimEnd().split('\n');
      assert.equal(lines[0], 'line 1: created A');
      assert.match(lines[1]!, /^line 3: failed B: price: /);
      assert.match(lines[2]!, /^line 4: failed: The line is not valid JSON|^line 4: failed: .*(JSON|expected)/i);
      assert.equal(lines[3], 'line 5: updated A');
      assert.equal(lines[4], 'line 6: unchanged NONE');
      assert.match(lines[5]!, /^line 7: failed: sku: Each line must identify its record by “sku”\.$/);
      assert.equal(lines[6], 'Products: 1 created, 1 updated, 1 unchanged, 0 deleted, 3 failed.');
      assert.equal(lines.length, 7);
      const tried = dry.stdout.trimEnd().split('\n');
      assert.equal(tried[0], 'line 1: would be created A');
      assert.equal(tried.at(-2), 'Products: 1 to create, 1 to update, 1 unchanged, 0 to delete, 3 failed.');
      assert.equal(tried.at(-1), 'Dry run: no changes were made.');
      await folder.write('tags.jsonl', '{"name": "Red"}\n{"name": "red"}\n{"op": "delete", "key": "RED"}\n');
      const tags = await run('import', 'tags', 'tags.jsonl');
      assert.equal(
        tags.stdout,
        'line 1: created Red\nline 2: updated red\nline 3: deleted RED\nTags: 1 created, 1 updated, 0 unchanged, 1 deleted, 0 failed.\n',
      );
      assert.equal(tags.code, 0);
    });

    test('exports every record, and an import of the file changes nothing', async () => {
      for (let number = 1; number <= 250; number += 1) await store.product({ sku: `P${number}` });
      const { code, stderr, stdout } = await run('export', 'products', 'all.jsonl');
      assert.deepEqual([code, stdout], [0, ''], stderr);
      assert.match(stderr, /^Exported 251 products to all\.jsonl\.$/m);
      const lines = (await readFile(join(folder.path, 'all.jsonl'), 'utf8')).trimEnd().split('\n');
      const ids = lines.map((line) => JSON.parse(line).id);
      assert.deepEqual([lines.length, ids], [251, [...ids].sort((one, other) => one - other)]);
      const { json } = await store.get(`/api/products/${ids[7]}`);
      // The file contains the address from the settings.
      const atHome = ({ og_meta_tags: _, ...record }: Json) => record;
      assert.deepEqual(atHome(JSON.parse(lines[7]!)), atHome(json));
      const again = await run('import', 'products', 'all.jsonl');
      assert.match(again.stdout, /\nProducts: 0 created, 0 updated, 251 unchanged, 0 deleted, 0 failed\.\n$/);
      assert.equal(again.code, 0);
      const piped = await run('export', 'products', '-');
      assert.equal(piped.stdout, `${lines.join('\n')}\n`);
      assert.deepEqual(await folder.files(), ['all.jsonl', 'images', 'products.jsonl', 'tags.jsonl']);
    });

    test('exports products as CSV, which an import reads, with an exit code of 1 if a row fails', async () => {
      const { code, stderr } = await run('export', 'products', 'all.csv', '--format', 'csv');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^Exported 251 products to all\.csv\.$/m);
      const file = await readFile(join(folder.path, 'all.csv'), 'utf8');
      assert.deepEqual([file.charCodeAt(0), file.split('\r\n').length], [0xfeff, 253]);
      const again = await run('import', 'csv', 'all.csv');
      assert.deepEqual([again.code, again.stdout], [0, 'Products: 0 created, 0 updated, 251 unchanged, 0 failed.\n']);
      assert.equal((await run('export', 'products', '-', '--format', 'csv')).stdout, file);
      await folder.write('edited.csv', 'sku;price;colour\nP1;2.5;red\nP2;2,5;\nC1;1;\n');
      const failed =
        /^row 2: (would be updated P1: price 0 → 2\.5|updated P1)\nrow 3: failed P2: price: .*comma.*\nrow 4: failed C1: name: .*\nIgnored unknown columns: colour\.\n/;
      const dry = await run('import', 'csv', 'edited.csv', '--dry-run');
      assert.match(dry.stdout, failed);
      assert.match(dry.stdout, /\nProducts: 0 to create, 1 to update, 0 unchanged, 2 failed\.\nDry run: /);
      assert.equal((await store.get('/api/products?sku=P1')).json[0].price, 0);
      const edited = await run('import', 'csv', 'edited.csv');
      assert.match(edited.stdout, failed);
      assert.deepEqual([dry.code, edited.code, (await store.get('/api/products?sku=P1')).json[0].price], [1, 1, 2.5]);
      await store.patch(`/api/products/${(await store.get('/api/products?sku=P1')).json[0].id}`, { price: 0 });
      await folder.write('stock.csv', 'sku,name,amount,images\nP2,Renamed,7,\n');
      const without = await run('import', 'csv', 'stock.csv', '--dry-run', '--without', 'amount, images');
      assert.match(without.stdout, /\nChanged columns: name \(1 product\)\.\n/);
      const whole = await run('import', 'csv', 'stock.csv', '--dry-run');
      assert.match(whole.stdout, /\nChanged columns: name \(1 product\), amount \(1 product\)\.\n/);
      const unknown = await run('import', 'csv', 'stock.csv', '--without', 'sku');
      assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
      assert.match(unknown.stderr, /“sku” is not a column that can be left out/);
      await folder.write('broken.csv', 'name\nA\n');
      const broken = await run('import', 'csv', 'broken.csv');
      assert.deepEqual([broken.code, broken.stdout], [1, '']);
      assert.match(broken.stderr, /no column "sku"/);
      const missing = await run('import', 'csv', 'none.csv');
      assert.deepEqual([missing.code, missing.stderr], [1, 'Cannot read none.csv: no such file.\n']);
      assert.match((await run('export', 'tags', '-', '--format', 'csv')).stderr, /format/);
    });

    test('leaves no partial file when interrupted, and reports where an import stopped', async () => {
      const stopping = new AbortController();
      stopping.abort(new Error('Stopped.'));
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const interrupted = { store: far(), interrupted: stopping.signal };
      const path = join(folder.path, 'half.jsonl');
      const config = readConfig(environment);
      assert.equal(await exportRecords(config, 'products', path, interrupted, { stdout, stderr }), 1);
      const file = join(folder.path, 'all.jsonl');
      const options = { ...interrupted, dryRun: false };
      assert.equal(await importRecords(config, 'products', 'sku', file, options, { stdout, stderr }), 1);
      stdout.end();
      stderr.end();
      assert.match(
        await text(stdout),
        /^Stopped at line 1: The import was interrupted\. Run the import again to continue/m,
      );
      assert.equal(await text(stderr), 'Stopped.\n');
      assert.ok(!(await folder.files()).some((each) => each.startsWith('half')));
    });

    test('exits 1 for a file that cannot be written and for an unknown choice', async () => {
      const { code, stderr } = await run('export', 'products', 'none/all.jsonl');
      assert.equal(code, 1);
      assert.match(stderr, /^Cannot write none\/all\.jsonl: /);
      assert.equal((await run('import', 'products', 'all.jsonl', '--mode', 'all')).code, 1);
    });
  });
