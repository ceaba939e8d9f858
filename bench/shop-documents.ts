/**
 * `npm run bench:shop-documents`: builds the sitemap and a product feed of 100,000 products with two images each, and prints
 * the time and the memory of the server. Asserts neither.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { STORE_FILE } from './constants.ts';
import { growSqlite } from './growing.ts';
import { GROWN_PRODUCTS } from './grown.ts';
import { describeMachine } from './machine.ts';
import { seedStore } from './seed.ts';
import { copyStore, send, startServer } from './servers.ts';

const SAMPLE_MS = 50;
const SHOP_URL = 'https://shop.example';

const { values: options } = parseArgs({ options: { products: { type: 'string', default: '100000' } } });
const products = Number(options.products);

await seedStore(console.log);
const file = await copyStore(STORE_FILE, 'shop-documents');
growSqlite(file, GROWN_PRODUCTS, products);
const database = new DatabaseSync(file);
// Every product is listed.
database.exec('delete from "product_memberships"');
database.exec('update "product" set "enabled" = 1, "google_feed_enabled" = 1');
database.close();

const settings = { DATABASE_URL: `sqlite:${file}`, SHOP_URL, FEEDS: 'google', SHOP_PRODUCT_PATH: '/p/{clean_url}' };
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
console.log(`${describeMachine()}, sqlite; ${products.toLocaleString('en')} products.\n`);
console.log('| document | seconds | document, MB | memory before | at most |\n|---|---|---|---|---|');
for (const paths of [['/sitemap.xml', '/sitemaps/1.xml'], ['/feeds/google.xml']]) {
  const server = await startServer('purveyor + cache', settings);
  await send(server.address, '/api/products');
  const before = server.residentBytes();
  let peak = before;
  const sampling = setInterval(() => (peak = Math.max(peak, server.residentBytes())), SAMPLE_MS);
  const startedAt = performance.now();
  const sizes: number[] = [];
  for (const path of paths) sizes.push(await sizeAt(server.address, path));
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampling);
  console.log(
    `| ${paths.at(-1)} | ${seconds.toFixed(1)} | ${megabytes(sizes.at(-1)!)} | ${megabytes(before)} MB | ${megabytes(peak)} MB |`,
  );
  await server.stop();
}
for (const ending of ['', '-wal', '-shm', '.lock']) await rm(`${file}${ending}`, { force: true });

/** Reads a document without storing it. @returns its size in bytes */
async function sizeAt(address: string, path: string): Promise<number> {
  const sending = request(`${address}${path}`).end();
  const [response] = await once(sending, 'response');
  if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}.`);
  let size = 0;
  for await (const chunk of response) size += chunk.length;
  return size;
}
