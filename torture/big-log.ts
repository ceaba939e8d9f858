/**
 * Measures a start after a kill on a large store whose write-ahead log grew because another process was reading, compared with
 * a start with an empty log. Asserts no times, but that acknowledged writes are present.
 */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from './client.ts';
import { Broken } from './ledger.ts';
import type { Run } from './report.ts';
import { placeIn, Server, stop } from './server.ts';

const CLIENTS = 4;
const STARTS = 3;
/** Long enough to fill the log quickly, short enough for the body limit. */
const TEXT = 'A description. '.repeat(10_000);

/** G11 */
export async function bigLog({ folder, say }: Run, { products, megabytes }: { products: number; megabytes: number }) {
  const location = placeIn(folder);
  const file = location.file!;
  const size = (suffix: string): number => Math.round(statSync(`${file}${suffix}`).size / 2 ** 20);
  await stop(await started());
  fill(file, products);
  await stop(await started());
  const empty: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const { server, seconds } = await timed();
    empty.push(seconds);
    await server.end('SIGKILL');
  }
  const baseline = empty.toSorted((one, other) => one - other)[Math.floor(STARTS / 2)]!;
  const report = (what: string, seconds: number): void =>
    say(
      `${what}: ready after ${seconds.toFixed(1)} s, ${(seconds / baseline).toFixed(1)} × the start with an empty log`,
    );
  say(`${products} products, a file of ${size('')} MB, an empty log: ready after ${baseline.toFixed(1)} s`);

  const { server, address } = await timed();
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec('BEGIN; SELECT 1 FROM product LIMIT 1');
  let written = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new Client(address);
      while (size('-wal') < megabytes) {
        written += 1;
        await client.expect('PATCH', `/api/products/${written}`, { description: TEXT });
      }
      client.close();
    }),
  );
  await server.end('SIGKILL');
  const log = size('-wal');
  const held = await timed();
  report(`A log of ${log} MB (${written} writes), while the reader is connected`, held.seconds);
  await held.server.end('SIGKILL');
  reader.close();
  const free = await timed();
  report(`A log of ${log} MB, without the reader: checkpointed into a file of ${size('')} MB`, free.seconds);
  const client = new Client(free.address);
  for (const id of [1, Math.ceil(written / 2), written])
    if ((await client.expect('GET', `/api/products/${id}`)).json.description !== TEXT)
      throw new Broken(`Product ${id} does not have its acknowledged description.`);
  client.close();
  await stop(free.server);

  async function started(): Promise<Server> {
    return (await timed()).server;
  }

  /** Measures the time from the start of the process until it is ready. */
  async function timed(): Promise<{ server: Server; address: string; seconds: number }> {
    const begunAt = performance.now();
    const server = new Server(location);
    try {
      const address = await server.ready();
      return { server, address, seconds: (performance.now() - begunAt) / 1000 };
    } catch (error) {
      server.signal('SIGKILL');
      throw error;
    }
  }
}

/** Fills the store with SQL, which is faster than the API and not measured. */
function fill(file: string, products: number): void {
  const database = new DatabaseSync(file);
  database.exec(`
    begin;
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${products})
      insert into product (sku, sku_key, clean_url, create_date, update_date, arrival_date)
      select 'S' || number, 's' || number, 's' || number, 0, 0, 0 from numbers;
    insert into product_text (product_id, language, name, name_key, description, brief_description)
      select id, 'en', 'Product ' || sku, 'product ' || sku_key, hex(zeroblob(200)), 'A product' from product;
    commit;
    pragma wal_checkpoint(truncate)`);
  database.close();
}
