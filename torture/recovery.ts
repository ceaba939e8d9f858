/** A store whose database is away or takes no writes, asked until it is itself again. */
import type { Client } from './client.ts';
import { Broken } from './ledger.ts';

/** A product that the ledger does not follow. */
export const STOCK_PATH = '/api/products/1';

const TRIES_MAX = 600;
const PAUSE_MS = 50;

/** Until a write is taken; anything but "not now" before that is wrong. */
export function untilWritable(client: Client, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  return until(client, 'PATCH', meanwhile);
}

/** Until a read is answered, likewise. */
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
  throw new Broken(`The store answers ${method} with 503 although its database is there.`);
}
