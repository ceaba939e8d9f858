/**
 * A server is unavailable while a thousand clients send requests, then returns. The clients retry like the typed client, with
 * exponential backoff and jitter, or at every full second. In both cases each write must be executed once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_RETRY_POLICY, type Reply, sendWithRetries } from '../src/client/retries.ts';
import { Client } from './client.ts';
import { Broken } from './ledger.ts';
import type { Run } from './report.ts';
import { KEY, placeIn, Server, stop } from './server.ts';

export interface StormOptions {
  readonly clients: number;
  readonly outageSeconds: number;
}

/** Retries until the response is not a 503. */
type Sender = (attempt: () => Promise<Reply>) => Promise<unknown>;

/** With the default of four retries, clients would give up after about eight seconds. */
const PATIENCE = { ...DEFAULT_RETRY_POLICY, retriesMax: 1000, waitSecondsMax: 8 };

const SENDERS: Readonly<Record<string, Sender>> = {
  'as the typed client waits': (attempt) =>
    sendWithRetries(attempt, { method: 'GET', url: 'http://store/', isIdempotent: true, signal: undefined }, PATIENCE),
  'at each full second': async (attempt) => {
    for (;;) {
      const reply = await attempt().catch(() => undefined);
      if (reply && reply.status !== 503) return reply;
      await sleep(1000 - (performance.now() % 1000));
    }
  },
};

export async function retryStorm(run: Run, options: StormOptions): Promise<void> {
  for (const [what, sender] of Object.entries(SENDERS)) await storm(run, options, what, sender);
}

async function storm({ folder, say }: Run, { clients, outageSeconds }: StormOptions, what: string, sender: Sender) {
  const location = placeIn(`${folder}/${what.replaceAll(' ', '-')}`);
  let server = new Server(location);
  try {
    const address = await server.ready();
    await server.end('SIGKILL');
    const counts: Record<string, number> = {};
    const count = (outcome: string | number): void => {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    };
    const doneAt: number[] = [];
    const all = Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        // Spreads the first requests over a second.
        await sleep((1000 * index) / clients);
        await sender(() => make(address, `Tag ${index}`, count));
        doneAt.push(performance.now());
      }),
    );
    await sleep(outageSeconds * 1000);
    server = new Server(location, { environment: { PORT: new URL(address).port } });
    await server.ready();
    const back = performance.now();
    await all;
    await expectOnce(address, clients);
    const after = (share: number): string => ((doneAt[Math.ceil(clients * share) - 1]! - back) / 1000).toFixed(1);
    say(
      `${clients} clients, ${what}, ${outageSeconds} s without a server: ${JSON.stringify(counts)}, each write executed once; ` +
        `responses ${after(0.5)} s (half), ${after(0.99)} s (99 %), ${after(1)} s (all) after the server returned`,
    );
    await stop(server);
  } finally {
    server.signal('SIGKILL');
  }
}

async function make(address: string, name: string, count: (outcome: string | number) => void): Promise<Reply> {
  const headers = {
    'X-Auth-Token': KEY,
    'Content-Type': 'application/json',
    'Idempotency-Key': name.replace(' ', '-'),
  };
  try {
    const body = JSON.stringify({ name });
    const response = await fetch(`${address}/api/tags`, { method: 'POST', headers, body });
    count(response.status);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    count('no response');
    throw error;
  }
}

async function expectOnce(address: string, clients: number): Promise<void> {
  const client = new Client(address);
  const { headers } = await client.expect('GET', '/api/tags?itemsPerPage=1');
  client.close();
  if (headers['x-total-count'] !== String(clients))
    throw new Broken(`${clients} clients created ${headers['x-total-count']} records.`);
}
