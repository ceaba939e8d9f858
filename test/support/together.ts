/**
 * Test files that share a process: `npm test` reads test/api in ten of them (`test/together/api-*.ts`). Each process loads
 * the program, builds the OpenAPI document and compiles its schemas once, where each file would by itself. A file still
 * runs alone as it stands; one that is to share keeps its hooks inside `describe`, so that they concern nobody else.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const API = new URL('../api/', import.meta.url);

const SHARES = 10;

/** Declares the tests of one share of test/api. @param number from 1 */
export async function declareShare(number: number): Promise<void> {
  const files = readdirSync(fileURLToPath(API)).filter((file) => file.endsWith('.test.ts'));
  // Neighbours in the list are alike, and take alike long.
  const share = files.sort().filter((_, index) => index % SHARES === number - 1);
  await declareFiles(share.map((file) => new URL(file, API)));
}

export async function declareFiles(files: readonly URL[]): Promise<void> {
  for (const file of files) await import(file.href);
}
