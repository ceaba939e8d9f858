/** Sends bulk writes and parses their responses line by line. */
import assert from 'node:assert/strict';
import type { HttpResponse, RequestOptions } from './client.ts';
import type { Json, Store } from './store.ts';

export const LINES = 'application/x-ndjson';

export interface Bulked {
  readonly response: HttpResponse;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  readonly results: any[];
  /** `created 2, failed 1`, without zero counts. */
  readonly counts: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
  readonly summary: any;
}

/** @param lines objects, or lines sent unchanged */
export function asLines(lines: readonly (Json | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
export function readLines(text: string): any[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

export async function bulk(
  store: Store,
  path: string,
  lines: readonly (Json | string)[],
  headers: RequestOptions['headers'] = {},
): Promise<Bulked> {
  const response = await store.request('POST', path, {
    body: asLines(lines),
    headers: { 'content-type': LINES, ...headers },
  });
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['content-type'], `${headers.accept ?? LINES}; charset=utf-8`);
  const results = readLines(response.text);
  const { summary } = results.pop();
  const { complete, lines: count, empty, ...counted } = summary;
  assert.equal(complete, true);
  assert.equal(count, results.length);
  const counts = Object.entries(counted).flatMap(([name, each]) => (each === 0 ? [] : `${name} ${each}`));
  return { response, results, summary, counts: counts.join(', ') };
}
