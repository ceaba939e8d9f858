/**
 * Test files that share a process (`test/shares`, `test/together`): it loads the program, builds the OpenAPI document and
 * compiles its schemas once, where each file would by itself. A file still runs alone as it stands; one that is to share keeps its hooks
 * inside `describe`, so that they concern nobody else.
 */
import { readdirSync } from 'node:fs';

const TESTS = new URL('../', import.meta.url);

/** Files of these folders share. In the others a file watches its own process, or takes long by itself. */
const FOLDERS = ['api', 'client', 'engine', 'http'];

/** How many processes `npm test` reads these folders in. */
const SHARES = 15;

/** The files that take longest are in shares of their own, as far as there are as many. */
const LONG: readonly string[] = [
  ...['attribute-values', 'category-tree', 'changes', 'concurrency', 'conditional', 'export', 'filters', 'idempotency'],
  ...['order-money', 'order-parts', 'order-creation', 'order-stock', 'product-image', 'reference-examples', 'webhooks'],
].map((name) => `api/${name}`);

/** Declares the tests of one share. @param number from 1 */
export async function declareShare(number: number): Promise<void> {
  await declareFiles(...filesOfShare(number));
}

/** @returns names below `test/`, without `.test.ts` */
export function filesOfShare(number: number): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, TESTS))
      .filter((file) => file.endsWith(ENDING))
      .map((file) => `${folder}/${file.slice(0, -ENDING.length)}`),
  ).sort();
  // Neighbours in the list are alike, and take alike long.
  const rest = files.filter((file) => !LONG.includes(file));
  return [...LONG.filter((file) => files.includes(file)), ...rest].filter((_, index) => index % SHARES === number - 1);
}

/** @param names below `test/`, without `.test.ts` */
export async function declareFiles(...names: readonly string[]): Promise<void> {
  for (const name of names) await import(new URL(`${name}${ENDING}`, TESTS).href);
}

const ENDING = '.test.ts';
