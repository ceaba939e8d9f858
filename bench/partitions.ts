/**
 * `npm run bench:partitions -- 10000000`: compares a PostgreSQL table of this many products with 16 partitions by the hash of
 * the identifier. In addition to times it counts the pages that PostgreSQL reads, which do not depend on other work on the
 * machine. The SQL is a simplified form of the engine's, on a table with fewer columns. docs/scale.md has the conclusions.
 */
import { tmpdir } from 'node:os';
import pg from 'pg';
import { PostgresServer } from '../test/support/postgres-server.ts';

const ROWS = Number(process.argv[2] ?? 10_000_000);
const PARTITIONS = 16;
const CATEGORIES = 10_000;
const ROUNDS = 15;

const MIDDLE = Math.floor(ROWS / 2);

/** SQL by description. */
const QUERIES: Readonly<Record<string, (table: string) => string>> = {
  'one by id': (table) => `select * from ${table} where id = ${MIDDLE}`,
  'one by sku': (table) => `select * from ${table} where sku_key = 's${MIDDLE}'`,
  'first page of all': (table) => `select * from ${table} order by id limit 30`,
  'page in the middle, by its last id': (table) => `select * from ${table} where id > ${MIDDLE} order by id limit 30`,
  'a category by price': (table) => `select * from ${table} where category = 77 order by price, id limit 30`,
  'a name': (table) => `select * from ${table} where name_key = 'product ${MIDDLE}'`,
  'newest that are enabled': (table) => `select * from ${table} where enabled order by created desc, id limit 30`,
  'total of a category': (table) => `select count(*) from ${table} where category = 77`,
};

const COLUMNS = `id bigint not null, sku_key text not null, name_key text not null, price numeric(14,2) not null,
  enabled boolean not null, category integer not null, created bigint not null`;

const server = await PostgresServer.make({ within: tmpdir() });
const client = new pg.Client({ connectionString: server.url });
try {
  await client.connect();
  await client.query(`create unlogged table whole (${COLUMNS})`);
  await client.query(`create table parted (${COLUMNS}) partition by hash (id)`);
  for (let part = 0; part < PARTITIONS; part += 1)
    await client.query(
      `create unlogged table parted_${part} partition of parted for values with (modulus ${PARTITIONS}, remainder ${part})`,
    );
  for (const table of ['whole', 'parted']) await fill(table);
  console.log(`${ROWS} rows; pages read, and milliseconds (median of ${ROUNDS}):`);
  for (const [what, sql] of Object.entries(QUERIES)) {
    const [one, many] = [await measure(sql('whole')), await measure(sql('parted'))];
    console.log(
      `  ${what.padEnd(36)} ${String(one.pages).padStart(6)} ${one.milliseconds.toFixed(2).padStart(9)} ms   ` +
        `${String(many.pages).padStart(6)} ${many.milliseconds.toFixed(2).padStart(9)} ms   ${(many.pages / one.pages).toFixed(1)} × the pages`,
    );
  }
} finally {
  await client.end();
  await server.remove();
}

async function fill(table: string): Promise<void> {
  const startedAt = performance.now();
  await client.query(`insert into ${table} select number, 's' || number, 'product ' || number,
    (number * 7919 % 100000) / 100.0, number % 10 <> 0, number * 31 % ${CATEGORIES}, 1700000000 + number % 86400000
    from generate_series(1::bigint, ${ROWS}) as number`);
  const filled = performance.now();
  await client.query(`alter table ${table} add primary key (id)`);
  // A unique index of a partitioned table must include the partition key.
  await client.query(`create ${table === 'whole' ? 'unique' : ''} index on ${table} (sku_key)`);
  for (const columns of ['name_key, id', 'category, price, id', 'enabled, created desc, id'])
    await client.query(`create index on ${table} (${columns})`);
  await client.query(`analyze ${table}`);
  const { rows } = await client.query(
    `select pg_size_pretty(coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size('${table}'))) as size
      from pg_partition_tree('${table}')`,
  );
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(0);
  console.log(
    `${table}: rows in ${seconds(filled - startedAt)} s, indexes in ${seconds(performance.now() - filled)} s, ${rows[0].size}`,
  );
}

async function measure(sql: string): Promise<{ pages: number; milliseconds: number }> {
  const times: number[] = [];
  let pages = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`);
    const [{ Plan: plan, 'Execution Time': execution, 'Planning Time': planning }] = rows[0]['QUERY PLAN'];
    times.push(execution + planning);
    pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  return { pages, milliseconds: times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]! };
}
