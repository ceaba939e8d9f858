/**
 * `npm run bench:texts -- --products 10000,1000000 --on sqlite,postgres`: the time of substring filters and `search=` with and
 * without text indexes, and the cost of these indexes: migration, size and creates. Runs the engine's operations in process.
 * Asserts no times.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { schemaStatements as postgresStatements } from '../src/adapters/postgres/schema.ts';
import { schemaStatements as sqliteStatements } from '../src/adapters/sqlite/schema.ts';
import { isProblem } from '../src/engine/errors.ts';
import { strictReading } from '../src/engine/field.ts';
import { replay } from '../src/engine/model/migrations.ts';
import { list, type Page } from '../src/engine/operations/reads/list.ts';
import { writeRecord } from '../src/engine/operations/write-record.ts';
import { type Database, type Row, SearchGivenUp, type Table, type Value } from '../src/engine/ports.ts';
import { type ListQuery, readListQuery } from '../src/engine/request/list-query.ts';
import { fillTable } from '../src/engine/sql/table-rows.ts';
import { columnsOf, textsOf } from '../src/engine/unit/filled.ts';
import type { Service } from '../src/engine/unit/service.ts';
import { ownRequestOptions, routeOf, targetAt } from '../src/store/own-requests.ts';
import { readConfig } from '../src/wiring/config.ts';
import { fillSettings } from '../src/wiring/first-start.ts';
import { type OpenStore, openDatabase, openStore, readMigrations, storeModel } from '../src/wiring/open.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { productBody } from './catalog.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';

const MIGRATION = '0007-parts-of-texts';
/** Number of pairs, and creates in each measurement. */
const [CREATE_PAIRS, CREATES] = [15, 100];
const LANGUAGE = sql`insert into language (code, name, enabled, is_default) values ('en', 'English', ${sql.lit(true)}, ${sql.lit(true)})`;

const QUERIES = (products: number): readonly string[] => [
  `name=${products - 1}`,
  'name=nowhere',
  'name=walnut pocket silver',
  'name=walnut',
  'name=wa',
  `search=${products - 1}`,
  'search=nowhere',
  'search=walnut velvet sku-0005',
  'search=walnut',
];

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '10000,1000000' },
    on: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '5' },
  },
});
const rounds = Number(options.rounds);
const requestOptions = ownRequestOptions('en');

console.log(`${describeMachine()}; medians of ${rounds} rounds.`);
for (const on of options.on.split(',')) {
  const inFolder = async (work: (folder: string, url: (name: string) => Promise<string>) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'purveyor-bench-texts-'));
    const postgres = on === 'postgres' ? await PostgresServer.make() : undefined;
    try {
      await work(folder, async (name) =>
        postgres ? newDatabase(postgres.url, name) : `sqlite:${join(folder, `${name}.db`)}`,
      );
    } finally {
      await postgres?.remove();
      await rm(folder, { recursive: true });
    }
  };
  for (const products of options.products.split(',').map(Number))
    await inFolder(async (folder, url) => measure(on, products, folder, await url('store')));
  await inFolder(async (folder, url) => compareCreates(on, folder, [await url('plain'), await url('indexed')]));
}

async function newDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

async function measure(on: string, products: number, folder: string, databaseUrl: string): Promise<void> {
  console.log(`\n${products} products on ${on}`);
  const database = await openDatabase({ databaseUrl, databaseSchema: '' });
  await database.migrate(readMigrations().filter(({ name }) => name < MIGRATION));
  await fill(database, products);
  const before = await bytesOf(database);
  const seconds = (await timed(() => database.migrate(readMigrations()))) / 1000;
  const megabytes = ((await bytesOf(database)) - before) / 1e6;
  console.log(
    `The migration took ${seconds.toFixed(1)} s and added ${megabytes.toFixed(0)} MB to ${(before / 1e6).toFixed(0)} MB.`,
  );
  await database.close();
  const config = readConfig({ DATABASE_URL: databaseUrl, IMAGES_URL: `file:${join(folder, 'images')}` });
  const { service, close } = await openStore(config);
  await fillSettings(service, config);
  console.log('\n| | found | without, ms | with, ms | with ÷ without |');
  console.log('|---|---|---|---|---|');
  for (const query of QUERIES(products)) await compare(service, query);
  await close();
}

/** Writes rows directly, which is faster than the API and not measured. */
async function fill(database: Database, products: number): Promise<void> {
  const { tables } = replay(readMigrations().filter(({ name }) => name < MIGRATION));
  const resource = storeModel().resources.get('Product')!;
  const own = (number: number): Record<string, Value> => {
    const { tags, memberships, product_class, tax_class, ...body } = productBody(number) as Record<string, Value>;
    return { ...body, clean_url: String(number), create_date: number, update_date: number, arrival_date: number };
  };
  const filled: Readonly<Record<string, (number: number) => Record<string, Value>>> = {
    product: (number) => ({ id: number, ...valuesOf(columnsOf(resource, own(number))) }),
    product_text: (number) => ({ product_id: number, language: 'en', ...valuesOf(textsOf(resource, own(number))) }),
  };
  await database.transaction(async (transaction) => {
    await transaction.run(database.dialect.compile(LANGUAGE), {});
    for (const [name, values] of Object.entries(filled)) {
      const table = tables.find((one) => one.name === name)!;
      const lastNumber = table.counted ? products : null;
      await fillTable(database.dialect, table, { rows: rowsOf(table, products, values), lastNumber }, (one, given) =>
        transaction.run(one, given),
      );
    }
  });
  if (database.dialect.name !== 'postgres') return;
  await database.transaction(async (transaction) => {
    for (const statement of [sql`set local statement_timeout = 0`, sql`analyze`])
      await transaction.run(database.dialect.compile(statement), {});
  });
}

function valuesOf(columns: readonly { column: string; value: Value }[]): Record<string, Value> {
  return Object.fromEntries(columns.map(({ column, value }) => [column, value]));
}

async function* rowsOf(
  { columns }: Table,
  count: number,
  values: (number: number) => Record<string, Value>,
): AsyncGenerator<Value[]> {
  for (let number = 1; number <= count; number += 1) {
    const given = values(number);
    yield columns.map((column) => given[column.name] ?? column.default ?? null);
  }
}

async function compare(service: Service, query: string): Promise<void> {
  const listQuery = readListQuery(
    routeOf(service, 'Product'),
    encodeURI(query),
    strictReading(service.environment),
  ) as ListQuery;
  const plain: ListQuery = {
    ...listQuery,
    filters: listQuery.filters.map((use) => (use.form === 'partial' ? { ...use, hasTrigrams: false } : use)),
    search: listQuery.search && { ...listQuery.search, longWords: 0 },
    shape: `${listQuery.shape} without`,
  };
  const ratios: number[] = [];
  const times: Record<'without' | 'with', number[]> = { without: [], with: [] };
  const totals = new Set<number>();
  for (let round = 0; round <= rounds; round += 1) {
    const without = await timedList(service, plain);
    const indexed = await timedList(service, listQuery);
    for (const { total } of [without, indexed]) if (total !== undefined) totals.add(total);
    // The first round is the warm-up: it compiles statements and reads pages into memory.
    if (round === 0) continue;
    times.without.push(without.milliseconds);
    times.with.push(indexed.milliseconds);
    ratios.push(indexed.milliseconds / without.milliseconds);
  }
  if (totals.size > 1) throw new Error(`${query} finds ${[...totals].join(' or ')}.`);
  const cells = [times.without, times.with].map((each) => medianOf(each).toFixed(1));
  console.log(`| ${[`\`${query}\``, [...totals].join(), ...cells, medianOf(ratios).toFixed(4)].join(' | ')} |`);
}

/** A canceled search counts with its time limit. */
async function timedList(
  service: Service,
  listQuery: ListQuery,
): Promise<{ total: number | undefined; milliseconds: number }> {
  const startedAt = performance.now();
  const total = await list(service, requestOptions, targetAt(routeOf(service, 'Product')), listQuery).then(
    (page) => (page as Page).total,
    (error) => {
      if (error instanceof SearchGivenUp) return undefined;
      throw error;
    },
  );
  return { total, milliseconds: performance.now() - startedAt };
}

/** Alternates the same creates between two new stores, one with and one without the indexes. */
async function compareCreates(on: string, folder: string, urls: readonly [string, string]): Promise<void> {
  const stores = await Promise.all(
    urls.map(async (url, index) => {
      const config = readConfig({ DATABASE_URL: url, IMAGES_URL: `file:${join(folder, `images-${index}`)}` });
      const store = await openStore(config);
      await fillSettings(store.service, config);
      return store;
    }),
  );
  const [plain, indexed] = stores as [OpenStore, OpenStore];
  await dropTextIndexes(plain.service.database);
  const ratios: number[] = [];
  for (let pair = -1; pair < CREATE_PAIRS; pair += 1) {
    const order = pair % 2 === 0 ? [plain, indexed] : [indexed, plain];
    const times = new Map<OpenStore, number>();
    for (const store of order) times.set(store, await timed(() => createSome(store.service)));
    if (pair >= 0) ratios.push(times.get(indexed)! / times.get(plain)!);
  }
  console.log(`\nCreates on ${on}, with ÷ without: ${medianOf(ratios).toFixed(2)}.`);
  for (const { close } of stores) await close();
}

async function createSome(service: Service): Promise<void> {
  for (let count = 0; count < CREATES; count += 1) {
    const { tags, memberships, product_class, tax_class, ...body } = productBody(1 + Math.floor(Math.random() * 9999));
    const made = { ...body, sku: crypto.randomUUID().replaceAll('-', '') };
    const outcome = await writeRecord(service, requestOptions, targetAt(routeOf(service, 'Product')), 'create', made);
    if (isProblem(outcome)) throw new Error(outcome.detail);
  }
}

/** Removes the text indexes of a store. */
async function dropTextIndexes(database: Database): Promise<void> {
  const statementsOf = database.dialect.name === 'sqlite' ? sqliteStatements : postgresStatements;
  for (const { name } of replay(readMigrations()).textIndexes)
    for (const statement of statementsOf({ step: 'drop text index', index: name })) await run(database, statement);
}

async function bytesOf(database: Database): Promise<number> {
  const size =
    database.dialect.name === 'sqlite'
      ? sql`select page_count * page_size from pragma_page_count, pragma_page_size`
      : sql`select pg_database_size(current_database())`;
  return Number((await run(database, size))[0]![0]);
}

function run(database: Database, statement: RawBuilder<unknown>): Promise<Row[]> {
  return database.transaction((transaction) => transaction.run(database.dialect.compile(statement), {}));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
