/** Rows K5, K6 and K8 of docs/reliability/k-upgrade.md: a backup made under load is a consistent snapshot with all images. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { run, runQuery } from '../support/database-scenario.ts';
import { type DatabaseName, databaseNames } from '../support/databases.ts';
import { assertSnapshot, writeUnderLoad } from '../support/load.ts';
import { Shop } from '../support/shop.ts';

const OTHER: Readonly<Record<DatabaseName, DatabaseName>> = { sqlite: 'postgres', postgres: 'sqlite' };

for (const name of databaseNames)
  describe(`backup under load (${name})`, () => {
    test('each of two backups under load is a consistent snapshot with every image that its rows name', async () => {
      const shop = await Shop.make(name);
      const copies: Shop[] = [];
      await shop.serve();
      const load = writeUnderLoad(shop, 3);
      try {
        while (load.writers.some(({ length }) => length < 12)) await sleep(20);
        const began: number[] = [];
        for (const round of [0, 1]) {
          began.push(performance.now());
          const { code, stderr } = await shop.run('backup', `round-${round}`);
          assert.equal(code, 0, stderr);
        }
        await load.stop();
        const lengths: number[][] = [];
        for (const round of [0, 1]) {
          const copy = await Shop.make(round === 0 ? name : OTHER[name]);
          copies.push(copy);
          assert.equal((await copy.run('restore', shop.path(`round-${round}`))).code, 0);
          await copy.serve();
          lengths.push(await assertSnapshot(copy, load, began[round]!));
        }
        for (const [writer, length] of lengths[0]!.entries())
          assert.ok(length < lengths[1]![writer]!, 'there were writes between the two backups');
      } finally {
        await load.stop();
        await Promise.all([shop, ...copies].map((each) => each.remove()));
      }
    });

    test('image files are not removed while a backup holds removals, and are removed afterwards', async () => {
      const shop = await Shop.make(name);
      await shop.serve();
      try {
        const imageFiles = (): Promise<string[]> => shop.imageFiles();
        /** A sweep removes files soon after the commit. */
        const assertFileCount = async (count: number, message = `there are ${count} files`): Promise<void> => {
          for (let tries = 0; tries < 500 && (await imageFiles()).length !== count; tries += 1) await sleep(20);
          assert.equal((await imageFiles()).length, count, message);
        };
        const product = await shop.made('/api/products', { sku: 'A', name: 'A' });
        for (let number = 0; number < 8; number += 1) await shop.addImage(product.id);
        const { json: images } = await shop.request('GET', `/api/products/${product.id}/images`);
        const remove = (index: number) =>
          shop.request('DELETE', `/api/products/${product.id}/images/${images[index].id}`);
        await remove(0);
        await assertFileCount(7, 'without a backup a file is removed with its row');

        const database = await shop.database.open();
        const holds = sql`select count(*) from setting where name like 'backup:%'`;
        const isHolding = async (): Promise<boolean> => Number((await runQuery(database, holds))[0]![0]) > 0;
        const backup = shop.start('backup', 'backup');
        const hasEnded = backup.ended.then(() => true);
        while (!(await isHolding()) && !(await Promise.race([hasEnded, sleep(1, false)])));
        // A killed backup does not release its hold, which expires after some minutes.
        backup.signal('SIGKILL');
        await backup.ended;
        const isHeld = await isHolding();
        assert.ok(isHeld || existsSync(shop.path('backup')), 'a complete backup releases its hold');
        await remove(1);
        // Long enough for a sweep, which the hold prevents.
        await sleep(500);
        await assertFileCount(isHeld ? 7 : 6);

        assert.equal((await shop.run('backup', 'whole')).code, 0);
        assert.equal((await filesIn(shop.path('whole/images'))).length, 6);
        await assertFileCount(isHeld ? 7 : 6, 'the end of one backup does not release the hold of another');

        await run(database, sql`update setting set value = '000000000001' where name like 'backup:%'`);
        await database.close();
        await remove(2);
        // Also removes the file that the expired hold protected, if any.
        await assertFileCount(5, 'files are removed again after the hold has expired');
        for (const file of await imageFiles())
          await utimes(join(shop.imagesFolder, file.slice(0, 2), file.slice(2, 4), file), 0, 0);
        await shop.stop();
        await shop.serve();
        while ((await imageFiles()).length > 5) await sleep(20); // The sweep removes unreferenced files.
        assert.equal((await imageFiles()).length, 5);
      } finally {
        await shop.remove();
      }
    });
  });

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((each) => each.includes('.'));
}
