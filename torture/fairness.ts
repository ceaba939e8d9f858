/**
 * One key floods the store with reads while another sends one request at a time. Measures how many requests of the second are
 * rejected, with and without a rate limit per key (reliability, row I3).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.ts';
import type { Run } from './report.ts';
import { KEY, placeIn, Server, stop } from './server.ts';

const FLOOD_KEY = 'torture-read-only-key';
const FLOODERS = 200;
const POLITE_REQUESTS = 300;
const POLITE_EVERY_MS = 20;
const LIMIT = '3000';

export async function fairness({ folder, say }: Run): Promise<void> {
  const alone = await polite(`${folder}/alone`, '0', 0);
  for (const limit of ['0', LIMIT]) {
    const { refused, median, p99, flood } = await polite(`${folder}/limit-${limit}`, limit, FLOODERS);
    say(
      `${limit === '0' ? 'No limit' : `${limit} per minute and key`}: ${refused} of ${POLITE_REQUESTS} well-behaved requests were rejected; ` +
        `median ${(median / alone.median).toFixed(1)} ×, p99 ${(p99 / alone.p99).toFixed(1)} × those without a flood; ` +
        `the flood: ${JSON.stringify(flood)}`,
    );
  }
}

interface Politeness {
  readonly refused: number;
  readonly median: number;
  readonly p99: number;
  /** Responses to the other key by status. */
  readonly flood: Readonly<Record<number, number>>;
}

async function polite(folder: string, limit: string, flooders: number): Promise<Politeness> {
  const environment = { RATE_LIMIT_PER_MINUTE: limit, API_KEY_READ_ONLY: FLOOD_KEY };
  const server = new Server(placeIn(folder), { environment });
  try {
    const address = await server.ready();
    const client = new Client(address);
    await client.expect('POST', '/api/products', { sku: 'ONE', name: 'One' });
    const flood: Record<number, number> = {};
    let isOver = false;
    const others = Array.from({ length: flooders }, async () => {
      const other = new Client(address);
      while (!isOver) {
        const { status } = await other.send('GET', '/api/products/1', undefined, { 'x-auth-token': FLOOD_KEY });
        flood[status] = (flood[status] ?? 0) + 1;
      }
      other.close();
    });
    const times: number[] = [];
    let refused = 0;
    for (let count = 0; count < POLITE_REQUESTS; count += 1) {
      const start = performance.now();
      const { status } = await client.send('GET', '/api/products/1', undefined, { 'x-auth-token': KEY });
      times.push(performance.now() - start);
      if (status !== 200) refused += 1;
      await sleep(POLITE_EVERY_MS);
    }
    isOver = true;
    await Promise.all(others);
    client.close();
    await stop(server);
    times.sort((one, other) => one - other);
    const at = (share: number): number => times[Math.floor(times.length * share)]!;
    return { refused, median: at(0.5), p99: at(0.99), flood };
  } finally {
    server.signal('SIGKILL');
  }
}
