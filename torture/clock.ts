/**
 * Wrong clocks, by libfaketime: they jump under load, stop, or start in another century. Versions must remain in order and all
 * guarantees hold. Only timestamps follow the clock.
 */
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Checker } from './check.ts';
import { Client } from './client.ts';
import { Broken, Ledger } from './ledger.ts';
import { createStock, Load } from './load.ts';
import { DoesNotApply, type Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';

const JUMPS = ['+1d', '-1d', '+0', '+400d', '-400d', '+0'];
const STARTS = [
  '1970-01-02 00:00:00',
  '2024-02-29 23:59:58',
  '2038-01-19 03:14:06',
  '2106-02-07 06:28:14',
  '2200-01-01 00:00:00',
  '9999-06-01 00:00:00',
];
const ZONES = ['UTC', 'Pacific/Apia', 'America/St_Johns', 'Europe/Berlin'];

function library(): string {
  const [path] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
  if (path === undefined || !existsSync(path))
    throw new DoesNotApply('libfaketime is missing: apt-get install libfaketime');
  return path;
}

/** Creates a clock that is correct until it is set to an offset (`+3d`) or to a time at which it stops. */
export function settableClock(folder: string) {
  const file = join(folder, 'clock');
  const set = (clock: string): void => writeFileSync(file, `${clock}\n`);
  set('+0');
  const environment = {
    LD_PRELOAD: library(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { set, environment };
}

/** J1, J2, J5: the clock jumps forward and back by a day and a year between writes, then stops. */
export async function clockJumps({ seed, folder, say }: Run): Promise<void> {
  const { set, environment } = settableClock(folder);
  const location = placeIn(folder);
  const ledger = new Ledger(join(folder, 'ledger.jsonl'));
  const load = new Load(ledger, seed, 2);
  const checker = new Checker(ledger, location);
  const server = new Server(location, { environment });
  try {
    const address = await server.ready();
    await createStock(address);
    const client = new Client(address);
    const key = { 'idempotency-key': 'across the jumps'.replaceAll(' ', '-') };
    const first = await client.expect('POST', '/api/tags', { name: 'kept' }, key);
    const path = '/api/products/1';
    let { version, updated, created } = await moments(client, path);
    const frozen = new Date(Date.now()).toISOString().slice(0, 19).replace('T', ' ');
    const shown = new Set<string>();
    for (const clock of [...JUMPS, frozen]) {
      set(clock);
      await load.run(address, 10);
      await client.expect('PATCH', path, { brief_description: clock });
      const now = await moments(client, path);
      shown.add(now.updated);
      if (now.version <= version)
        throw new Broken(`After the clock was set to ${clock}, version ${version} became ${now.version}.`);
      if (now.updated < updated || now.created !== created || now.updated < now.created)
        throw new Broken(
          `After the clock was set to ${clock}: ${JSON.stringify({ before: { updated, created }, now })}`,
        );
      ({ version, updated, created } = now);
      // The key must be known for a day, regardless of jumps in between.
      if (clock !== '+400d' && clock !== '-400d') {
        const again = await client.expect('POST', '/api/tags', { name: 'kept' }, key);
        if (again.text !== first.text || again.headers['idempotency-replayed'] !== 'true')
          throw new Broken(
            `After the clock was set to ${clock}, an idempotency key was no longer known: ${again.text}`,
          );
      }
      await checker.check(address);
    }
    // Checked above: no change has an earlier time than the one before.
    if (shown.size < 2) throw new Broken(`The clock did not jump for the server: ${[...shown]}`);
    client.close();
    await stop(server);
    say(`${JUMPS.length} jumps and a stopped clock: ${ledger.counts.ok} writes in order, none lost.`);
  } finally {
    server.signal('SIGKILL');
    await server.ended.catch(() => {});
  }
  await checker.checkSweep();
}

/** J3: the server starts and works in other centuries. */
export async function oddStarts({ folder, say }: Run): Promise<void> {
  for (const [index, start] of STARTS.entries()) {
    const server = new Server(placeIn(join(folder, String(index))), {
      environment: { LD_PRELOAD: library(), FAKETIME: `@${start}`, FAKETIME_DONT_FAKE_MONOTONIC: '1', TZ: 'UTC' },
    });
    try {
      const client = new Client(await server.ready());
      const { json } = await client.expect('POST', '/api/products', { sku: 'A', name: 'A', price: 1 });
      // A start in the last seconds of a year may reach the next year.
      const year = Number(start.slice(0, 4));
      if (![year, year + 1].includes(Number(json.create_date.slice(0, 4))))
        throw new Broken(`Started at ${start}, a new product has the date ${json.create_date}.`);
      const found = await client.expect('GET', `/api/products?create_date[after]=${start.slice(0, 10)}`);
      if (found.json.length !== 1) throw new Broken(`Started at ${start}, the product is not found by its date.`);
      client.close();
      await stop(server);
    } finally {
      server.signal('SIGKILL');
      await server.ended.catch(() => {});
    }
  }
  say(`Started and wrote at ${STARTS.join(', ')}.`);
}

/** J4: processes in different time zones read one store, with dates on a leap day and both daylight saving changes. */
export async function zones({ folder, say }: Run): Promise<void> {
  const location = placeIn(folder);
  const dates = ['2024-02-29', '2024-03-31T02:30', '2024-10-27 02:30:00', '2011-12-30', '2024-03-10T02:30:00-05:00'];
  const outputs = new Map<string, string>();
  for (const [index, zone] of ZONES.entries()) {
    const server = new Server(location, {
      environment: { TZ: zone, STORE_TIME_ZONE: 'Europe/Berlin' },
    });
    try {
      const client = new Client(await server.ready());
      for (const [number, date] of dates.entries())
        if (index === 0)
          await client.expect('POST', '/api/products', { sku: `P${number}`, name: 'A', price: 1, arrival_date: date });
        else await client.expect('PATCH', `/api/products/${number + 1}`, { arrival_date: date });
      const { text } = await client.expect('GET', '/api/products');
      outputs.set(zone, text.replaceAll(client.address, ''));
      client.close();
      await stop(server);
    } finally {
      server.signal('SIGKILL');
      await server.ended.catch(() => {});
    }
  }
  const [[, one] = [], ...others] = outputs;
  for (const [zone, text] of others)
    if (text !== one) throw new Broken(`With TZ=${zone} the same store reads differently:\n${one}\n${text}`);
  say(`TZ ${ZONES.join(', ')}: identical responses; writing the same dates again has no effect.`);
}

interface Moments {
  readonly version: number;
  readonly created: string;
  readonly updated: string;
}

async function moments(client: Client, path: string): Promise<Moments> {
  const { json, headers } = await client.expect('GET', path);
  const version = Number(/^"(\d+)-/.exec(headers.etag!)![1]);
  return { version, created: json.create_date, updated: json.update_date };
}
