/** Two stores never share an image folder: each would remove the images of the other, because its rows do not name them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Ended } from '../cli/program.ts';
import { databaseNames } from '../support/databases.ts';
import { unpackOldStore } from '../support/old-stores.ts';
import { fill, Shop } from '../support/shop.ts';
import { startOf } from '../support/start-line.ts';

for (const name of databaseNames)
  describe(`image folder (${name})`, () => {
    let shop: Shop;
    const others: Shop[] = [];
    /** Another database with the image folder of the first store. */
    const otherStore = (): Promise<Shop> => tracked(Shop.make(name, { IMAGES_URL: `file:${shop.imagesFolder}` }));
    const tracked = async (making: Promise<Shop>): Promise<Shop> => {
      const made = await making;
      others.push(made);
      return made;
    };
    before(async () => {
      shop = await Shop.make(name, { LOG_LEVEL: 'info' });
      await shop.serve();
      await fill(shop, 2);
      assert.equal((await shop.run('backup', 'backup')).code, 0);
    });
    after(() => Promise.all([shop, ...others].map((each) => each.remove())));

    test('every command of another store rejects the image folder and changes no file', async () => {
      await makeOld(shop);
      const [files, owner] = [await shop.imageFiles(), await ownerOf(shop)];
      const export_ = join(import.meta.dirname, '../data/shopify-apparel.csv');
      for (const command of [
        ['serve'],
        ['restore', shop.path('backup')],
        ['import', 'shopify', export_],
        ['import', 'shopify', export_, '--dry-run'],
        ['import', 'orders', '/dev/null'],
      ]) {
        const other = await otherStore();
        assertRejected(await other.run(...command), shop, 'belongs to another store');
      }
      assert.deepEqual([await shop.imageFiles(), await ownerOf(shop)], [files, owner]);
      await shop.stop();
      await shop.serve();
      const products = (await shop.request('GET', '/api/products')).json;
      for (const { images } of products) for (const { url } of images) await shop.imageBytes(url);
      assert.deepEqual([await shop.imageFiles(), await ownerOf(shop)], [files, owner]);
    });

    test('a restore rejects the image folder of another store before it reads the backup', async () => {
      const other = await otherStore();
      assertRejected(await other.run('restore', '/nowhere'), shop, 'belongs to another store');
    });

    test('the command in the rejection transfers the image folder of a lost store to a new one', async () => {
      const lost = await tracked(Shop.make(name));
      await lost.serve();
      await fill(lost, 1);
      await lost.stop();
      await makeOld(lost);
      const files = await lost.imageFiles();
      const next = await tracked(Shop.make(name, { IMAGES_URL: `file:${lost.imagesFolder}`, LOG_LEVEL: 'info' }));
      const { stderr } = assertRejected(await next.run('serve'), lost, 'belongs to another store');
      assert.deepEqual(await lost.imageFiles(), files);
      const [, command] = /“(echo .*)”/.exec(stderr)!;
      execFileSync('sh', ['-c', command!]);
      const server = next.start('serve');
      await startOf(server);
      await server.says(/"level":30.*"count":1,"msg":"removed image files without a record"/);
      assert.deepEqual(await lost.imageFiles(), []);
      server.signal('SIGTERM');
      await server.ended;
    });

    test('two restores of one backup have different owners, also different from the original', async () => {
      const restored = [await tracked(Shop.make(name)), await tracked(Shop.make(name))] as const;
      for (const each of restored) assert.equal((await each.run('restore', shop.path('backup'))).code, 0);
      const owners = await Promise.all([shop, ...restored].map(ownerOf));
      assert.equal(new Set(owners).size, 3, owners.join());
      for (const each of restored) {
        await each.serve();
        await each.stop();
      }
      assert.deepEqual(await Promise.all([shop, ...restored].map(ownerOf)), owners);
    });

    test('the image folder of an interrupted restore accepts the next restore, and no other store', async () => {
      const cut = await tracked(Shop.make(name));
      await mkdir(cut.imagesFolder);
      await cp(shop.path('images'), cut.imagesFolder, { recursive: true });
      await writeFile(join(cut.imagesFolder, 'belongs-to'), 'restoring 0b0e7c5e\n');
      assertRejected(await cut.run('serve'), cut, 'contains an interrupted restore, which can be repeated');
      const other = await tracked(Shop.make(name, { IMAGES_URL: `file:${cut.imagesFolder}` }));
      assert.equal((await other.run('restore', shop.path('backup'))).code, 0);
      await other.serve();
      await other.stop();
      assertRejected(await cut.run('serve'), cut, 'belongs to another store');
    });

    test('only one of two stores that start at once gets an empty image folder', async () => {
      const first = await tracked(Shop.make(name));
      const second = await tracked(Shop.make(name, { IMAGES_URL: `file:${first.imagesFolder}` }));
      const started = await Promise.all(
        [first, second].map(async (each) => {
          const running = each.start('serve');
          const isServed = await startOf(running).then(
            () => true,
            () => false,
          );
          return { running, isServed };
        }),
      );
      assert.equal(started.filter(({ isServed }) => isServed).length, 1);
      for (const { running, isServed } of started) {
        if (isServed) running.signal('SIGTERM');
        else assertRejected(await running.ended, first, 'belongs to another store');
      }
    });

    test('a new store rejects an image folder with images and without an owner, unless it is handed over', async () => {
      const other = await tracked(Shop.make(name));
      await cp(shop.imagesFolder, other.imagesFolder, { recursive: true });
      await rm(join(other.imagesFolder, 'belongs-to'));
      const because = 'contains images that this new store cannot have created';
      for (const command of [['restore', shop.path('backup')], ['serve'], ['serve']])
        assertRejected(await other.run(...command), other, because);
      await writeFile(join(other.imagesFolder, 'belongs-to'), 'nobody\n');
      const restored = await tracked(Shop.make(name, { IMAGES_URL: `file:${other.imagesFolder}` }));
      assert.equal((await restored.run('restore', shop.path('backup'))).code, 0);
      assertRejected(await other.run('serve'), other, 'belongs to another store');
      await restored.serve();
    });

    test('check reports an image folder of another store', async () => {
      const other = await tracked(Shop.make(name));
      await other.serve();
      const settings = { ...other.environment, IMAGES_URL: `file:${shop.imagesFolder}` };
      const { code, stdout } = await other.folder.run(['check'], settings);
      assert.equal(code, 2);
      assert.match(stdout, /^The folder of IMAGES_URL, \S+, belongs to another store\. Set IMAGES_URL .*$/m);
      assert.equal((await other.run('check')).code, 0);
    });
  });

describe('store from before image folders had owners', () => {
  test('an old store becomes the owner of its image folder when it opens, and a new store cannot take it before', async () => {
    const oldStore = await unpackOldStore('0005-found-where-one-looks');
    const other = await Shop.make('sqlite', { IMAGES_URL: `file:${oldStore.imagesFolder}` });
    try {
      const files = await oldStore.imageFiles();
      assert.equal(files.length, 3);
      await makeOld(oldStore);
      assertRejected(await other.run('serve'), oldStore, 'contains images that this new store cannot have created');
      await oldStore.serve();
      assertRejected(await other.run('serve'), oldStore, 'belongs to another store');
      await oldStore.stop();
      await oldStore.serve();
      assert.deepEqual(await oldStore.imageFiles(), files);
    } finally {
      await oldStore.remove();
      await other.remove();
    }
  });

  test('the first of two old stores that share an image folder becomes its owner', async () => {
    const one = await unpackOldStore('0005-found-where-one-looks');
    const two = await Shop.make('sqlite', { IMAGES_URL: `file:${one.imagesFolder}` });
    try {
      await mkdir(dirname(fileOf(two)), { recursive: true });
      await copyFile(fileOf(one), fileOf(two));
      await one.serve();
      assertRejected(await two.run('serve'), one, 'belongs to another store');
    } finally {
      await one.remove();
      await two.remove();
    }
  });
});

test('a copy of a store with a copy of its image folder starts while the original runs', async () => {
  const shop = await Shop.make('sqlite');
  const copy = await Shop.make('sqlite');
  try {
    await shop.serve();
    await fill(shop, 1);
    await shop.stop();
    await mkdir(dirname(fileOf(copy)), { recursive: true });
    await copyFile(fileOf(shop), fileOf(copy));
    await cp(shop.imagesFolder, copy.imagesFolder, { recursive: true });
    for (const each of [shop, copy]) await each.serve();
    assert.equal(await copy.responses(), await shop.responses());
  } finally {
    await shop.remove();
    await copy.remove();
  }
});

test('three servers of one database start at once on one image folder', async () => {
  const shop = await Shop.make('postgres');
  try {
    const servers = Array.from({ length: 3 }, () => shop.start('serve'));
    await Promise.all(servers.map((server) => startOf(server)));
    for (const server of servers) server.signal('SIGTERM');
    for (const { ended } of servers) assert.equal((await ended).code, 0);
  } finally {
    await shop.remove();
  }
});

/** Asserts a one-line error that names the setting, the folder and the remedy. */
function assertRejected(ended: Ended, { imagesFolder }: Shop, why: string): Ended {
  assert.deepEqual([ended.code, ended.stdout], [1, ''], ended.stderr);
  assert.equal(
    ended.stderr,
    `The folder of IMAGES_URL, ${imagesFolder}, ${why}. Set IMAGES_URL to a folder of this store’s own. If no other store uses it, ` +
      `run “echo nobody > '${imagesFolder}/belongs-to'” to hand it over. This store then removes all images that its records do not use.\n`,
  );
  return ended;
}

function ownerOf({ imagesFolder }: Shop): Promise<string> {
  return readFile(join(imagesFolder, 'belongs-to'), 'utf8');
}

/** Makes the image files old enough for the sweep of unreferenced files. */
async function makeOld(shop: Shop): Promise<void> {
  for (const name of await shop.imageFiles()) {
    const path = join(shop.imagesFolder, name.slice(0, 2), name.slice(2, 4), name);
    await utimes(path, 0, 0).catch(() => {}); // Files in tmp are not images.
  }
}

function fileOf(shop: Shop): string {
  return shop.database.url.slice('sqlite:'.length);
}
