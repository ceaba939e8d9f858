/** Waits until a store whose database was unavailable or read-only works again. */
import type { Client } from './client.ts';
import { Broken } from './ledger.ts';

/** A product that the ledger does not track. */
export const STOCK_PATH = '/api/products/1';

const TRIES_MAX = 600;
const PAUSE_MS = 50;

/** Retries a write until it succeeds. @throws {Broken} for a response other than 200 and 503 */
export function untilWritable(client: Client, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  return until(client, 'PATCH', meanwhile);
}

/** Retries a read until it succeeds. @throws {Broken} for a response other than 200 and 503 */
export function untilReadable(client: Client): Promise<void> {
  return until(client, 'GET', async () => {});
}

async function until(client: Client, method: 'GET' | 'PATCH', meanwhile: () => Promise<void>): Promise<void> {
  for (let count = 0; count < TRIES_MAX; count += 1) {
    const response = await client.send(method, STOCK_PATH, method === 'PATCH' ? { name: 'taken again' } : undefined);
    if (response.status === 200) return;
    if (response.status !== 503) throw new Broken(`Expected 503 or 200: ${JSON.stringify(response)}`);
    await meanwhile();
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Broken(`The store still responds to ${method} with 503 although its database is available.`);
}
