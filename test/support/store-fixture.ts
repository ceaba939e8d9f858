/** Keeps a store as this program leaves it, for the tests of later ones. `npm run renew` does it once for each migration. */
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Shop } from './shop.ts';

const PRODUCTS = 3;

/** @param migration the newest that the store has */
export function keptStorePath(migration: string): string {
  return fileURLToPath(new URL(`../data/stores/${migration}`, import.meta.url));
}

/** @param folder is made; there is none of that name yet */
export async function keepStore(folder: string): Promise<void> {
  const shop = await Shop.make('sqlite', { STORE_CURRENCY: 'EUR' });
  try {
    await fillAndKeep(shop, folder);
  } finally {
    await shop.remove();
  }
}

async function fillAndKeep(shop: Shop, folder: string): Promise<void> {
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
  const gone = await shop.made('/api/products', { sku: 'GONE', name: 'Gone' });
  await shop.request('DELETE', `/api/products/${gone.id}`);

  const answers: Record<string, unknown> = {};
  const ask = async (path: string, language?: string): Promise<void> => {
    const { text } = await shop.request('GET', path, { headers: { 'accept-language': language } });
    answers[language === undefined ? path : `${path} ${language}`] = JSON.parse(
      text.replaceAll(shop.address, 'http://store'),
    );
  };
  for (const list of ['products', 'categories', 'tags', 'memberships', 'languages', 'orders'])
    await ask(`/api/${list}`);
  await ask('/api/products/1', 'de');
  await shop.stop();

  const file = shop.database.url.slice('sqlite:'.length);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = DELETE; VACUUM');
  database.close();
  // It has its name once it is whole.
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(`${unfinished}/store.db.gz`, gzipSync(await readFile(file), { level: 9 }));
  await writeFile(`${unfinished}/answers.json`, `${JSON.stringify(answers, null, 1)}\n`);
  await rm(`${shop.imagesFolder}/tmp`, { recursive: true });
  await cp(shop.imagesFolder, `${unfinished}/images`, { recursive: true });
  await rename(unfinished, folder);
}
