/**
 * Text indexes are complete: thousands of filters and searches find the same records with and without them, after every
 * kind of change. Runs on both databases, through the engine's list operation.
 */

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { isProblem } from '../../src/engine/errors.ts';
import { strictReading } from '../../src/engine/field.ts';
import { replay } from '../../src/engine/model/migrations.ts';
import { list, type Page } from '../../src/engine/operations/reads/list.ts';
import { removeTranslation, replaceTranslation } from '../../src/engine/operations/translations.ts';
import { writeRecord } from '../../src/engine/operations/write-record.ts';
import type { Database, Value } from '../../src/engine/ports.ts';
import { type ListQuery, readListQuery } from '../../src/engine/request/list-query.ts';
import { fillTable, onlyCounts, readLastNumber, readRows } from '../../src/engine/sql/table-rows.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { inUnit } from '../../src/engine/unit/unit.ts';
import { routeOf, targetAt } from '../../src/store/own-requests.ts';
import { readMigrations } from '../../src/wiring/open.ts';
import { Random } from '../../torture/random.ts';
import { run } from '../support/database-scenario.ts';
import { databaseNames, freshDatabase } from '../support/databases.ts';
import {
  changed,
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  removed,
  withOverrides,
} from '../support/opened-store.ts';
import { rounds } from '../support/rounds.ts';

const MIGRATION = '0007-parts-of-texts';
const PIECES = [
  ...[
    'shirt',
    'Shírt',
    't-shirt',
    'ﬁne',
    'İstanbul',
    'straße',
    'aaaa',
    'ab',
    'x',
    '100%',
    'a_b',
    'c:\\dir',
    '%',
    '_',
    '\\',
  ],
  ...['Чёрная', 'шапка', 'шапки', 'й', '北京', '手机', '手机壳', '中', 'かばん', 'ガム', '한국어'],
  ...[
    '☕️',
    '👩‍👩‍👧',
    '🇪🇸',
    '🍎🍏',
    '"',
    "'",
    '""',
    `"a" OR 'b'`,
    'NEAR(',
    '*',
    '-',
    '^',
    '(',
    'AND',
    '\u{1f}',
    '\n',
    '\t',
    ' ',
  ],
];
const GERMAN = { ...REQUEST_OPTIONS, language: 'de' };
const PRODUCTS = 40;
/** Runs after each kind of change. */
const QUERIES = rounds(80, 160);

for (const name of databaseNames)
  describe(`lists with text indexes (${name})`, () => {
    const random = new Random(20261122, name);
    let store: OpenedStore;
    let service: Service;
    let products: Value[];
    before(async () => {
      store = await openedStore(name, 'empty');
      service = store.service;
    });
    after(() => store.remove());

    const target = (id: Value) => targetAt(routeOf(service, 'Product'), { id });
    const bodyOf = () => ({
      sku: `${crypto.randomUUID().slice(0, 8)} ${textOf(random, 1)}`.slice(0, 20).trim(),
      name: `${textOf(random)}.`,
      brief_description: random.chance(0.5) ? textOf(random) : '',
      description: random.chance(0.5) ? textOf(random, 12) : '',
    });

    test('find new records', async () => {
      products = [];
      for (let number = 0; number < PRODUCTS; number += 1)
        products.push((await made(service, 'Product', bodyOf())).record.id as Value);
      for (let number = 0; number < 10; number += 1) {
        await made(service, 'Category', { name: `${textOf(random)}.` });
        await made(service, 'Tag', { name: `${textOf(random)}${number}` });
      }
      await assertAlike(service, store.url, random);
    });

    test('find changed and deleted parts', async () => {
      const attribute = (await made(service, 'Attribute', { name: 'Care' }, [], '/attributes_text')).record.id as Value;
      const values: Value[] = [];
      const path = '/products/{product_id}/attributes_text/{attribute_id}/values';
      for (const product of products.slice(0, 12)) {
        const parents = [product, attribute];
        const { record } = await made(service, 'AttributeValueText', { value: textOf(random) }, parents, path);
        values.push(record.id as Value);
      }
      await assertAlike(service, store.url, random);
      await inUnit(service, REQUEST_OPTIONS, async (unit) => {
        await unit.update('AttributeValueText', values[0]!, { value: 'another value' });
        await unit.remove('AttributeValueText', { id: values[1]! });
      });
      await assertFound(service, 'search=another+value', 1);
      await assertAlike(service, store.url, random);
    });

    test('find changed and replaced records', async () => {
      for (const id of products.slice(0, 15)) await changed(service, 'Product', id, { name: `${textOf(random)}!` });
      for (const id of products.slice(10, 20)) {
        const { sku, ...body } = bodyOf();
        const outcome = await writeRecord(service, REQUEST_OPTIONS, target(id), 'replace', {
          sku: `R ${String(id)}`,
          ...body,
        });
        if (isProblem(outcome)) throw new Error(outcome.detail);
      }
      await changed(service, 'Product', products[3]!, { name: 'Unerhört', description: 'Unerhört', sku: 'UNERHÖRT' });
      await assertFound(service, 'search=unerho', 1);
      await changed(service, 'Product', products[3]!, { name: 'Bekannt', description: '', sku: 'BEKANNT' });
      await assertFound(service, 'search=unerho', 0);
      await assertAlike(service, store.url, random);
    });

    test('find added and deleted translations', async () => {
      for (const id of products.slice(0, 20))
        await changed(service, 'Product', id, { name: `${textOf(random)}?`, description: textOf(random) }, GERMAN);
      await assertAlike(service, store.url, random);
      await inUnit(service, GERMAN, async (unit) => {
        for (const id of products.slice(0, 8))
          assert.equal(await removeTranslation(unit, target(id), () => undefined), undefined);
        const body = { name: 'Ausgesprochen' };
        await replaceTranslation(unit, target(products[9]!), body, () => undefined);
      });
      await assertFound(service, 'name=ausgesp', 1, 'de');
      await assertFound(service, 'name=ausgesp', 0);
      await assertAlike(service, store.url, random);
    });

    test('find no texts of a deleted language', async () => {
      await inUnit(service, GERMAN, async (unit) => {
        for (const id of products.slice(8, 20))
          assert.equal(await removeTranslation(unit, target(id), () => undefined), undefined);
      });
      await removed(service, 'Language', 'de');
      await assertFound(service, 'name=ausgesp', 0);
      await assertAlike(service, store.url, random);
    });

    test('find no deleted records', async () => {
      for (const id of products.slice(0, 10)) await removed(service, 'Product', id);
      await assertAlike(service, store.url, random);
    });

    test('find rows changed with SQL', async () => {
      const { database } = service;
      const id = sql.lit(products[30]!);
      await run(
        database,
        sql`update product_text set name = 'Handmade', name_key = 'handmade' where product_id = ${id}`,
      );
      await run(database, sql`update product set sku_key = 'by hand' where id = ${id}`);
      await assertFound(service, 'name=andmad', 1);
      await assertFound(service, 'search=by+hand', 1);
      await run(database, sql`delete from product where id = ${sql.lit(products[31]!)}`);
      await assertAlike(service, store.url, random);
    });

    test('find records of a restored store and of one older than the indexes', async () => {
      for (const way of ['restored', 'migrated'] as const) {
        const fresh = await freshDatabase(name);
        const other = await fresh.open();
        try {
          const known = readMigrations().filter((migration) => way === 'restored' || migration.name < MIGRATION);
          const { tables } = replay(known);
          await other.found(known, async (copy) => {
            for (const table of tables) {
              const read: Database['query'] = (one, values) => service.database.query(one, values);
              const lastNumber = table.counted ? await readLastNumber(service.database.dialect, table, read) : null;
              const rows = onlyCounts(table) ? nothing() : readRows(service.database.dialect, table, read);
              await fillTable(other.dialect, table, { rows, lastNumber }, (one, values) => copy.run(one, values));
            }
            await copy.checkReferences();
          });
          await other.migrate(readMigrations());
          await assertAlike({ ...service, database: other }, fresh.url, random);
          assert.deepEqual(await other.faults(), []);
        } finally {
          await other.close();
          await fresh.remove();
        }
      }
    });

    test('use the indexes', async () => {
      const searched = [
        'product_searched',
        'product_text_containing_name_key',
        'product_text_searched',
        'attribute_value_text_text_searched',
      ];
      const looked: readonly (readonly [query: string, indexes: readonly string[]])[] = [
        ['name=shirt', ['product_text_containing_name_key']],
        ['name[]=shirt&name[]=cap', ['product_text_containing_name_key']],
        ['search=shirt', searched],
        ['search=a+shirt', searched],
        // Too short for a trigram, so each text is scanned.
        ['name=sh', []],
        ['name[]=shirt&name[]=sh', []],
        ['search=sh', []],
      ];
      for (const [query, indexes] of looked) {
        const plan = await planOf(service, query);
        const found = new Set(plan.match(/\w+_(searched|containing_\w+)/g));
        assert.deepEqual([...found].sort(), [...indexes].sort(), `${query}\n${plan}`);
      }
    });

    test('report faults of the indexes', async () => {
      const { database } = service;
      assert.deepEqual(await database.faults(), []);
      if (name === 'postgres') return;
      const other = new DatabaseSync(store.url.slice('sqlite:'.length), { defensive: false });
      other.exec('delete from product_text_searched_data where id > 10');
      other.close();
      const [fault] = await database.faults();
      assert.match(fault ?? '', /product_text_searched/);
    });
  });

async function* nothing(): AsyncGenerator<Value[]> {}

function textOf(random: Random, piecesMax = 5): string {
  const join = random.chance(0.5) ? ' ' : '';
  return Array.from({ length: random.whole(1, piecesMax) }, () => random.pick(PIECES)).join(join);
}

/** A filter or search for a text that exists, almost exists, or does not exist. */
function queryOf(random: Random, texts: readonly string[]): { resource: string; query: string } {
  const part = (): string => {
    const characters = [...(random.chance(0.7) ? random.pick(texts) : textOf(random, 3))];
    const from = random.whole(0, Math.max(0, characters.length - 1));
    const found = characters.slice(from, from + random.whole(1, random.chance(0.5) ? 4 : 12)).join('');
    return random.chance(0.2) ? found.toUpperCase() : found;
  };
  if (random.chance(0.5)) {
    const words = Array.from({ length: random.whole(1, 3) }, part).join(' ');
    return { resource: 'Product', query: `search=${encodeURIComponent(words.trim() === '' ? 'a' : words)}` };
  }
  const values = Array.from({ length: random.chance(0.8) ? 1 : random.whole(2, 3) }, part);
  const isOne = values.length === 1;
  return {
    resource: random.pick(['Product', 'Product', 'Product', 'Category', 'Tag']),
    query: values.map((value) => `name${isOne ? '' : '[]'}=${encodeURIComponent(value)}`).join('&'),
  };
}

async function assertAlike(service: Service, url: string, random: Random): Promise<void> {
  if (service.database.dialect.name === 'sqlite') assertExact(url);
  const select = sql`select name from product_text where name is not null union select description from product_text where description <> '' union select sku from product`;
  const texts = (await run(service.database, select)).map(([text]) => text as string);
  let found = 0;
  for (let number = 0; number < QUERIES; number += 1) {
    const { resource, query } = queryOf(random, texts);
    const language = random.pick(['en', 'en', 'de']);
    const [indexed, plain] = await Promise.all([
      pageOf(service, resource, query, language, true),
      pageOf(service, resource, query, language, false),
    ]);
    assert.deepEqual(indexed, plain, `${resource} ${decodeURIComponent(query)} in ${language}`);
    if (indexed.total > 0) found += 1;
  }
  assert.ok(found > QUERIES / 4, `only ${found} find anything`);
}

async function assertFound(service: Service, query: string, count: number, language = 'en'): Promise<void> {
  const { total } = await pageOf(service, 'Product', query, language, true);
  assert.equal(total, count, query);
}

async function pageOf(
  service: Service,
  resource: string,
  query: string,
  language: string,
  isIndexed: boolean,
): Promise<Omit<Page, 'records'>> {
  const route = routeOf(service, resource);
  const read = readListQuery(route, `${query}&itemsPerPage=100`, strictReading(service.environment));
  if (isProblem(read)) throw new Error(`${query}: ${read.detail}`);
  const page = await list(
    service,
    { ...REQUEST_OPTIONS, language },
    targetAt(route),
    isIndexed ? read : withoutIndexes(read),
  );
  if (isProblem(page)) throw new Error(`${query}: ${page.detail}`);
  return { ids: page.ids, total: page.total, hasNext: page.hasNext };
}

/** The same list without text indexes. */
function withoutIndexes(listQuery: ListQuery): ListQuery {
  return {
    ...listQuery,
    filters: listQuery.filters.map((use) => (use.form === 'partial' ? { ...use, hasTrigrams: false } : use)),
    search: listQuery.search && { ...listQuery.search, longWords: 0 },
    shape: `${listQuery.shape} without`,
  };
}

/** The query plan of this list's statement. */
async function planOf(service: Service, query: string): Promise<string> {
  const statements: Parameters<Database['search']>[] = [];
  const search: Database['search'] = (...asked) => {
    statements.push(asked);
    return service.database.search(...asked);
  };
  await pageOf({ ...service, database: withOverrides(service.database, { search }) }, 'Product', query, 'en', true);
  const [statement, values] = statements[0]!;
  const isSqlite = service.database.dialect.name === 'sqlite';
  const plan = await service.database.transaction(async (transaction) => {
    // Sequential scans are disabled, because the planner prefers them for small tables.
    if (!isSqlite) await transaction.run({ sql: 'set local enable_seqscan = off', placeholders: [] }, {});
    const explain = isSqlite ? 'explain query plan' : 'explain';
    return transaction.run({ ...statement, sql: `${explain} ${statement.sql}` }, values);
  });
  return plan.map((row) => row.at(-1)).join('\n');
}

/** The index contains exactly the trigrams of all texts. */
function assertExact(url: string): void {
  const database = new DatabaseSync(url.slice('sqlite:'.length));
  try {
    for (const { name, table, columns, record } of replay(readMigrations()).textIndexes) {
      database.exec(`create virtual table temp.known using fts5vocab(main, '${name}', instance);
        create virtual table temp.anew using fts5(texts, content='', detail=none, tokenize='trigram case_sensitive 1');
        create virtual table temp.wanted using fts5vocab(temp, anew, instance);`);
      const texts = columns.map((column) => `coalesce("${column}", '')`).join(` || ' ' || `);
      database.exec(`insert into temp.anew (rowid, texts) select "${record}", group_concat(${texts}, ' ')
        from "${table}" group by "${record}"`);
      const rows = (from: string) =>
        database.prepare(`select distinct term, doc from ${from} where term not like '% %' order by 1, 2`).all();
      assert.deepEqual(rows('temp.known'), rows('temp.wanted'), name);
      database.exec('drop table temp.known; drop table temp.wanted; drop table temp.anew');
    }
  } finally {
    database.close();
  }
}
