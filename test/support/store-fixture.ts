/** Saves a sample store for the migration tests of later versions. `npm run renew` calls this once for each migration. */
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Shop } from './shop.ts';

const PRODUCTS = 3;

/** @param migration the newest migration of the store */
export function storeFixturePath(migration: string): string {
  return fileURLToPath(new URL(`../data/stores/${migration}`, import.meta.url));
}

/** Creates a store, fills it, and saves it with its responses. @param folder must not exist yet */
export async function writeStoreFixture(folder: string): Promise<void> {
  const shop = await Shop.make('sqlite', { STORE_CURRENCY: 'EUR' });
  try {
    await fillAndSave(shop, folder);
  } finally {
    await shop.remove();
  }
}

async function fillAndSave(shop: Shop, folder: string): Promise<void> {
  await shop.serve();
  const root = await shop.made('/api/categories', { name: 'All' });
  await shop.made('/api/categories', { name: 'Shirts', parent: root.id });
  await shop.made('/api/tags', { name: 'Summer' });
  await shop.made('/api/memberships', { name: 'Gold' });
  for (let number = 1; number <= PRODUCTS; number += 1) {
    const name = `Golden ${number} “é” ☀️`;
    const { id } = await shop.made('/api/products', {
      sku: `G-${number}`,
      name,
      price: number + 0.0099,
      amount: 100 - number,
      tags: ['Summer'],
    });
    await shop.request('PATCH', `/api/products/${id}`, {
      body: { name: `Golden auf Deutsch ${number}` },
      headers: { 'accept-language': 'de' },
    });
    await shop.addImage(id, 8);
  }
  await shop.made('/api/orders', { email: 'ada@example.com', items: [{ product_id: 1, amount: 2 }] });
  const deleted = await shop.made('/api/products', { sku: 'GONE', name: 'Gone' });
  await shop.request('DELETE', `/api/products/${deleted.id}`);

  const responses: Record<string, unknown> = {};
  const read = async (path: string, language?: string): Promise<void> => {
    const { text } = await shop.request('GET', path, { headers: { 'accept-language': language } });
    responses[language === undefined ? path : `${path} ${language}`] = JSON.parse(
      text.replaceAll(shop.address, 'http://store'),
    );
  };
  for (const list of ['products', 'categories', 'tags', 'memberships', 'languages', 'orders'])
    await read(`/api/${list}`);
  await read('/api/products/1', 'de');
  await shop.stop();

  const file = shop.database.url.slice('sqlite:'.length);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = DELETE; VACUUM');
  database.close();
  // Renamed when complete, so that an interrupted run leaves no incomplete fixture.
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(`${unfinished}/store.db.gz`, gzipSync(await readFile(file), { level: 9 }));
  await writeFile(`${unfinished}/answers.json`, `${JSON.stringify(responses, null, 1)}\n`);
  await rm(`${shop.imagesFolder}/tmp`, { recursive: true });
  await cp(shop.imagesFolder, `${unfinished}/images`, { recursive: true });
  await rename(unfinished, folder);
}
