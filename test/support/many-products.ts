/** Many products at once, for tests of limits. */
import type { Store } from './store.ts';

/** Creates products in one request. @returns their ids */
export async function manyProducts(store: Store, count: number, prefix: string): Promise<number[]> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ sku: `${prefix}-${index}`, name: `${prefix} ${index}` }),
  );
  const { text } = await store.request('POST', '/api/products/bulk', {
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' },
  });
  // The last line has the totals.
  return text
    .trim()
    .split('\n')
    .slice(0, count)
    .map((line) => JSON.parse(line).id);
}
