/** The counterpart of load.lua for autocannon. Prints requests per second and the number of failed requests as JSON. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SKU_PLACEHOLDER } from './scenarios.ts';

// autocannon has no types.
const autocannon = createRequire(import.meta.url)('autocannon') as (options: object) => Promise<{
  requests: { total: number };
  duration: number;
  non2xx: number;
  errors: number;
}>;

const [url, connections, seconds, header, key, file, prefix] = process.argv.slice(2);
const lines = readFileSync(file!, 'utf8').trimEnd().split('\n');
let count = 0;

function setupRequest(request: object): object {
  const [path, body] = lines[Math.floor(Math.random() * lines.length)]!.split('\t');
  if (body === undefined) return { ...request, method: 'GET', path };
  count += 1;
  return { ...request, method: 'POST', path, body: body.replaceAll(SKU_PLACEHOLDER, `${prefix}${count}`) };
}

const { requests, duration, non2xx, errors } = await autocannon({
  url,
  connections: Number(connections),
  duration: Number(seconds),
  headers: { [header!]: key, 'content-type': 'application/json' },
  requests: [{ setupRequest }],
});
console.log(JSON.stringify({ perSecond: requests.total / duration, failed: non2xx + errors }));
