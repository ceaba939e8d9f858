/**
 * Test files that share a process (`test/together`): it loads the program, builds the OpenAPI document and compiles its
 * schemas once, where each file would by itself. A file still runs alone as it stands; one that is to share keeps its hooks
 * inside `describe`, so that they concern nobody else.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TESTS = new URL('../', import.meta.url);

/** How many processes `npm test` reads test/api in. */
const SHARES = 12;

/** Declares the tests of one share of test/api. @param number from 1 */
export async function declareShare(number: number): Promise<void> {
  await declareFiles(...filesOfShare(number));
}

/** @returns names below `test/`, without `.test.ts` */
export function filesOfShare(number: number): string[] {
  const files = readdirSync(fileURLToPath(new URL('api/', TESTS))).filter((file) => file.endsWith(ENDING));
  // Neighbours in the list are alike, and take alike long.
  const share = files.sort().filter((_, index) => index % SHARES === number - 1);
  return share.map((file) => `api/${file.slice(0, -ENDING.length)}`);
}

/** @param names below `test/`, without `.test.ts` */
export async function declareFiles(...names: readonly string[]): Promise<void> {
  for (const name of names) await import(new URL(`${name}${ENDING}`, TESTS).href);
}

const ENDING = '.test.ts';
