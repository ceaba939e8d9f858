/** Conformance suite of the port `Database`, for every adapter. Each scenario runs on its own empty database. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  BindParam,
  type ColumnType,
  type Database,
  type FillColumn,
  type Migration,
  NewerSchema,
  type SchemaStep,
  StoreExists,
  type TextIndex,
  type Transaction,
  type Value,
} from '../../src/engine/ports.ts';
import { trigramsOf } from '../../src/engine/text-forms.ts';
import {
  column,
  create,
  decode,
  parsed,
  placeholder,
  run,
  runQuery,
  scenario,
  search,
} from '../support/database-scenario.ts';
import { databaseNames } from '../support/databases.ts';

const EXAMPLES: Readonly<Record<ColumnType, readonly Value[]>> = {
  text: ['', 'plain', `it's "quoted" \\ {a,b} NULL`, 'e\u0301 \u00e9', '👩‍👩‍👧 🇪🇸', everyCharacter()],
  integer: [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  decimal: [0, 0.0001, -0.0001, 1.1, 1.005, 1234567.8901, 9999999999.9999, -9999999999.9999],
  boolean: [true, false],
  timestamp: ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2038-01-19T03:14:08Z', '9999-12-31T23:59:59Z'].map(
    (text) => Date.parse(text) / 1000,
  ),
  json: [{}, [], '', 'text', 0, 1.5, true, { b: [null, 'é 🍎', { c: false }], a: '\u0000 "' }],
};

/** Excludes U+0000, which PostgreSQL texts cannot contain, and surrogates. */
function everyCharacter(): string {
  let text = '';
  for (let point = 1; point <= 0x10ffff; point += 1) {
    if (point < 0xd800 || point > 0xdfff) text += String.fromCodePoint(point);
  }
  return text;
}

for (const name of databaseNames) {
  describe(`the database ${name}`, () => {
    describe('values', () => {
      for (const [type, values] of Object.entries(EXAMPLES) as [ColumnType, Value[]][]) {
        scenario(name, `returns ${type} unchanged from a column, a JSON array and a list`, async ({ database }) => {
          await database.migrate([only(create('thing', [column('number', 'integer'), column('value', type)]))]);
          for (const [number, value] of [...values, null].entries()) {
            const row = { number, value };
            const insert = sql`insert into thing (number, value)
              values (${placeholder(database, 'number', 'integer')}, ${placeholder(database, 'value', type)})`;
            await run(database, insert, row);
            const [read] = await runQuery(database, sql`select value from thing where number = ${number}`);
            assert.deepEqual(decode(database, type, read?.[0]), value);

            const nested = database.dialect.jsonArray([sql`value`, sql`number`]);
            const [inJson] = await runQuery(database, sql`select ${nested} from thing where number = ${number}`);
            assert.deepEqual(decode(database, type, parsed(database, inJson?.[0])[0]), value);

            const [alone] = await runQuery(database, sql`select ${placeholder(database, 'value', type)}`, { value });
            assert.deepEqual(decode(database, type, alone?.[0]), value);
          }
          assert.deepEqual(await listed(database, type, [...values, null]), [...values, null]);
          assert.deepEqual(await listed(database, type, []), []);
        });
      }

      scenario(name, 'represents every decimal of fourteen digits exactly', async ({ database }) => {
        const tenThousandths = fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 });
        await fc.assert(
          fc.asyncProperty(fc.array(tenThousandths, { minLength: 100, maxLength: 1_000 }), async (numbers) => {
            const decimals = numbers.map((number) => number / 10_000);
            assert.deepEqual(await listed(database, 'decimal', decimals), decimals);
          }),
          { numRuns: 20 },
        );
      });

      scenario(name, 'divides integers as integers', async ({ database }) => {
        const [row] = await runQuery(database, sql`select ${placeholder(database, 'five', 'integer')} / 2`, {
          five: 5,
        });
        assert.deepEqual(row, [2]);
      });

      scenario(name, 'sorts text by its bytes', async ({ database }) => {
        const sorted = ['10', '9', 'B', 'Z', '_', 'a', 'b', 'É', 'é', '日', '🍎'];
        await database.migrate([only(create('thing', [column('value', 'text')], 'value'))]);
        for (const value of sorted.toReversed()) {
          await run(database, sql`insert into thing (value) values (${value})`);
        }
        assert.deepEqual((await runQuery(database, sql`select value from thing order by value`)).flat(), sorted);
        const list = database.dialect.listed(new BindParam('values', 'text', true));
        const fromList = await runQuery(database, sql`select value from ${list} order by value`, { values: sorted });
        assert.deepEqual(fromList.flat(), sorted);
      });
    });

    describe('queries', () => {
      scenario(name, 'returns nested rows as JSON in order, and an empty array for no rows', async ({ database }) => {
        const { jsonArray, jsonAggregate } = database.dialect;
        await database.migrate([first]);
        const boxes = sql`select ${jsonAggregate(
          jsonArray([
            sql`box.label`,
            sql`(select ${jsonAggregate(jsonArray([sql`item.id`]), sql`item.id desc`)}
            from item where item.box_id = box.id)`,
          ]),
          sql`box.position`,
        )} from box where box.shelf_id = shelf.id`;
        const query = sql`select ${jsonArray([sql`id`, sql`open`, sql`(${boxes})`])} from shelf order by id desc`;
        assert.deepEqual(await runQuery(database, query), []);

        await run(database, sql`insert into shelf (id, open) values (1, ${true}), (2, ${false})`);
        await run(
          database,
          sql`insert into box (id, shelf_id, label, position)
            values (1, 1, 'last "quoted"', 9), (2, 1, 'first', 1), (3, 1, 'middle', 5)`,
        );
        await run(database, sql`insert into item (box_id) values (1), (1), (2)`);
        const [two, one] = (await runQuery(database, query)).map(([cell]) => parsed(database, cell));
        assert.deepEqual([two?.[0], decode(database, 'boolean', two?.[1]), two?.[2]], [2, false, []]);
        assert.equal(decode(database, 'boolean', one?.[1]), true);
        assert.deepEqual(one?.[2], [
          ['first', [[3]]],
          ['middle', []],
          ['last "quoted"', [[2], [1]]],
        ]);
      });

      scenario(name, 'finds the rows in a list parameter', async ({ database }) => {
        await database.migrate([first]);
        await run(database, sql`insert into shelf (id, open) values (1, ${true}), (2, ${true}), (3, ${false})`);
        const list = database.dialect.listed(new BindParam('ids', 'integer', true));
        const query = sql`select id from shelf where id in (select value from ${list}) order by id`;
        assert.deepEqual(await runQuery(database, query, { ids: [3, 1, 7] }), [[1], [3]]);
        assert.deepEqual(await runQuery(database, query, { ids: [] }), []);
      });

      scenario(name, 'returns the same rows from a search and a scan as from a query', async ({ database }) => {
        await database.migrate([only(create('thing', [column('number', 'integer')]))]);
        for (const number of [3, 1, 2]) {
          await run(database, sql`insert into thing (number) values (${number})`);
          const least = sql`select count(*) from thing where number >= ${placeholder(database, 'least', 'integer')}`;
          const found = await runQuery(database, least, { least: 2 });
          assert.deepEqual(await search(database, least, { least: 2 }), found);
          assert.deepEqual(await database.scan(database.dialect.compile(least), { least: 2 }), found);
        }
      });

      scenario(name, 'rejects a statement with an unbound parameter', async ({ database }) => {
        const query = sql`select ${placeholder(database, 'unbound', 'text')}`;
        await assert.rejects(runQuery(database, query, {}), /without a value for "unbound"/);
      });

      scenario(
        name,
        'runs more distinct statements than its cache of prepared statements holds',
        async ({ database }) => {
          for (let number = 0; number < 1_100; number += 1) {
            assert.deepEqual(await runQuery(database, sql`select ${sql.lit(number)}`), [[number]]);
          }
        },
      );
    });

    describe('transactions', () => {
      scenario(name, 'are atomic and pass on the error of the work', async ({ database }) => {
        await database.migrate([first]);
        const failure = new Error('the work failed');
        const outcome = database.transaction(async (transaction) => {
          await addShelf(database, transaction, 1);
          throw failure;
        });
        await assert.rejects(outcome, (error) => error === failure);
        assert.equal(await countShelves(database), 0);
        assert.equal(
          await database.transaction(async (transaction) => {
            await addShelf(database, transaction, 1);
            await addShelf(database, transaction, 2);
            return 'the result of the work';
          }),
          'the result of the work',
        );
        assert.equal(await countShelves(database), 2);
      });

      scenario(name, 'roll back after a failed statement, even if the work continues', async ({ database }) => {
        await database.migrate([first]);
        const outcome = database.transaction(async (transaction) => {
          await addShelf(database, transaction, 1);
          await transaction.run(database.dialect.compile(sql`select * from nowhere`), {}).catch(() => {});
          await addShelf(database, transaction, 2).catch(() => {});
          return 'done';
        });
        await assert.rejects(outcome, /nowhere/);
        assert.equal(await countShelves(database), 0);
      });

      scenario(name, 'reject statements after their end', async ({ database }) => {
        await database.migrate([first]);
        const ended = await database.transaction(async (transaction) => ({ transaction }));
        await assert.rejects(addShelf(database, ended.transaction, 1), /has ended/);
        let failed: Transaction | undefined;
        const outcome = database.transaction(async (transaction) => {
          failed = transaction;
          throw new Error('refused');
        });
        await assert.rejects(outcome, /refused/);
        await assert.rejects(addShelf(database, failed!, 1), /has ended/);
        assert.equal(await countShelves(database), 0);
      });

      scenario(name, 'are invisible to readers until the commit', async ({ database, open }) => {
        await database.migrate([first]);
        const other = await open();
        await database.transaction(async (transaction) => {
          await addShelf(database, transaction, 1);
          assert.equal(await countShelves(database), 0);
          assert.equal(await countShelves(other), 0);
          const own = await transaction.run(database.dialect.compile(sql`select count(*) from shelf`), {});
          assert.deepEqual(own, [[1]]);
        });
        assert.equal(await countShelves(database), 1);
        assert.equal(await countShelves(other), 1);
      });

      scenario(name, 'lose no update under concurrent increments', async ({ database, open }) => {
        await database.migrate([only(create('counter', [column('number', 'integer')]))]);
        await run(database, sql`insert into counter (number) values (0)`);
        const increment = (through: Database) =>
          through.transaction(async (transaction) => {
            const { compile, forUpdate } = through.dialect;
            const [row] = await transaction.run(compile(sql`select number from counter ${forUpdate}`), {});
            await sleep(1);
            const update = sql`update counter set number = ${placeholder(through, 'number', 'integer')}`;
            await transaction.run(compile(update), { number: (row?.[0] as number) + 1 });
          });
        const other = await open();
        await Promise.all(Array.from({ length: 40 }, (_, index) => increment(index % 2 ? database : other)));
        assert.deepEqual(await runQuery(database, sql`select number from counter`), [[40]]);
      });

      scenario(name, 'run one at a time under a named lock', async ({ database, open }) => {
        await database.migrate([only(create('ticket', [column('number', 'integer')]))]);
        const takeTicket = (through: Database) =>
          through.transaction(async (transaction) => {
            await transaction.lock('tickets');
            const next = sql`insert into ticket (number) select coalesce(max(number), 0) + 1 from ticket`;
            await transaction.run(through.dialect.compile(next), {});
          });
        const other = await open();
        await Promise.all(Array.from({ length: 30 }, (_, index) => takeTicket(index % 2 ? database : other)));
        const drawn = (await runQuery(database, sql`select number from ticket order by number`)).flat();
        assert.deepEqual(
          drawn,
          Array.from({ length: 30 }, (_, index) => index + 1),
        );
      });

      scenario(name, 'a unique value for one of many who race for it', async ({ database, open }) => {
        await database.migrate([only(create('code', [column('value', 'text')], 'value'))]);
        const taker = (through: Database) =>
          through.transaction(async (transaction) => {
            const { compile } = through.dialect;
            const [existing] = await transaction.run(compile(sql`select value from code where value = 'A-1'`), {});
            if (existing) return 'lost';
            await transaction.run(compile(sql`insert into code (value) values ('A-1')`), {});
            return 'won';
          });
        const other = await open();
        const race = Array.from({ length: 20 }, (_, index) => taker(index % 2 ? database : other));
        const outcomes = await Promise.all(race);
        assert.equal(outcomes.filter((outcome) => outcome === 'won').length, 1);
        assert.deepEqual(await runQuery(database, sql`select value from code`), [['A-1']]);
      });

      scenario(name, 'reject a unique value that is already used', async ({ database }) => {
        await database.migrate([only(create('code', [column('value', 'text')], 'value'))]);
        const insert = sql`insert into code (value) values ('A-1')`;
        await run(database, insert);
        await assert.rejects(run(database, insert));
        assert.equal((await runQuery(database, sql`select value from code`)).length, 1);
      });

      scenario(name, 'retry after a deadlock', async ({ database }) => {
        await database.migrate([first]);
        await run(database, sql`insert into shelf (id, open) values (1, ${false}), (2, ${false})`);
        const openBoth = (one: number, two: number) =>
          database.transaction(async (transaction) => {
            for (const id of [one, two]) {
              const update = sql`update shelf set open = ${true} where id = ${id}`;
              await transaction.run(database.dialect.compile(update), {});
              await sleep(50);
            }
          });
        await Promise.all([openBoth(1, 2), openBoth(2, 1)]);
        const rows = await runQuery(database, sql`select open from shelf`);
        assert.deepEqual(
          rows.map(([open]) => decode(database, 'boolean', open)),
          [true, true],
        );
      });

      scenario(name, 'never reuse a generated number', async ({ database, open }) => {
        await database.migrate([first]);
        const add = async (through: Database) =>
          (await run(through, sql`insert into item (box_id) values (null) returning id`))[0]?.[0];
        assert.deepEqual([await add(database), await add(database), await add(database)], [1, 2, 3]);
        await run(database, sql`delete from item where id >= 2`);
        assert.equal(await add(database), 4);
        await run(database, sql`delete from item`);
        assert.equal(await add(await open()), 5);
      });

      scenario(name, 'enforce references', async ({ database }) => {
        await database.migrate([first]);
        const lost = run(database, sql`insert into box (id, shelf_id, label, position) values (1, 99, '', 1)`);
        await assert.rejects(lost, (error) => error instanceof Error && /foreign key/i.test(error.message));

        await run(database, sql`insert into shelf (id, open) values (1, ${true})`);
        await run(database, sql`insert into box (id, shelf_id, label, position) values (1, 1, '', 1), (2, 1, '', 2)`);
        await run(database, sql`insert into item (box_id) values (1)`);
        await run(database, sql`insert into seal (box_id) values (2)`);
        await assert.rejects(run(database, sql`delete from box where id = 2`), /foreign key/i);
        await run(database, sql`delete from seal`);
        await run(database, sql`delete from shelf`);
        assert.deepEqual(await runQuery(database, sql`select id from box`), [], 'deletes boxes with their shelf');
        assert.deepEqual(
          await runQuery(database, sql`select box_id from item`),
          [[null]],
          'unlinks items from their box',
        );
      });

      scenario(name, 'complete before the database closes', async ({ database, fresh }) => {
        await database.migrate([first]);
        const closing = await fresh.open();
        const writing = closing.transaction(async (transaction) => {
          await addShelf(closing, transaction, 1);
          await sleep(50);
          await addShelf(closing, transaction, 2);
        });
        await sleep(10);
        await closing.close();
        await writing;
        assert.equal(await countShelves(database), 2);
      });

      scenario(name, 'change the generation if it is supported', async ({ database, open }) => {
        await database.migrate([first]);
        const other = await open();
        const [before, beforeOthers] = [database.generation(), database.generationOfOthers()];
        // Undefined if determining it costs a query.
        const isSupported = before !== undefined;
        assert.equal(isSupported, name === 'sqlite');
        assert.equal(database.generation(), before);
        await countShelves(database);
        await database.transaction(async () => {});
        assert.equal(database.generation(), before, 'no change without a write');
        await database.transaction((transaction) => addShelf(database, transaction, 1));
        const afterOwn = database.generation();
        assert.equal(afterOwn !== before, isSupported);
        assert.equal(database.generationOfOthers(), beforeOthers, 'own commits are not included');
        await other.transaction((transaction) => addShelf(other, transaction, 2));
        assert.equal(database.generation() !== afterOwn, isSupported);
        assert.equal(database.generationOfOthers() !== beforeOthers, isSupported);
      });
    });

    describe('snapshots', () => {
      scenario(name, 'do not show concurrent commits, own or of others', async ({ database, open }) => {
        await database.migrate([first]);
        const other = await open();
        const count = database.dialect.compile(sql`select count(*) from shelf`);
        await database.transaction((transaction) => addShelf(database, transaction, 1));
        await database.storeSnapshot(async ({ migrations, run }) => {
          assert.deepEqual(migrations, ['0001-first']);
          await database.transaction((transaction) => addShelf(database, transaction, 2));
          assert.deepEqual(await run(count, {}), [[1]]);
          await other.transaction((transaction) => addShelf(database, transaction, 3));
          assert.deepEqual(await run(count, {}), [[1]]);
        });
        assert.equal(await countShelves(database), 3);
      });

      scenario(name, 'show a consistent schema during a concurrent migration', async ({ database, open }) => {
        await database.migrate([first]);
        const other = await open();
        let migrating: Promise<unknown> | undefined;
        await database.storeSnapshot(async ({ migrations, run }) => {
          assert.deepEqual(migrations, ['0001-first']);
          migrating = other.migrate([first, second]);
          await sleep(50);
          const all = database.dialect.compile(sql`select * from shelf`);
          await run(all, {});
        });
        assert.deepEqual(await migrating, ['0002-second']);
        await database.storeSnapshot(async ({ migrations }) =>
          assert.deepEqual(migrations, ['0001-first', '0002-second']),
        );
      });

      scenario(name, 'return no migrations for an empty database', async ({ database }) => {
        assert.deepEqual(await database.storeSnapshot(async ({ migrations }) => migrations), []);
      });

      scenario(name, 'pass on an error of the reader', async ({ database }) => {
        const failure = new Error('disk full');
        await database.migrate([first]);
        await assert.rejects(
          database.storeSnapshot(() => Promise.reject(failure)),
          (error) => error === failure,
        );
      });
    });

    describe('creation of a store', () => {
      const shelfAndBoxes = (database: Database) =>
        [sql`insert into box (id, shelf_id) values (1, 7)`, sql`insert into shelf (id, open) values (7, ${true})`].map(
          (each) => database.dialect.compile(each),
        );

      scenario(name, 'accepts rows in any order and enforces references afterwards', async ({ database, open }) => {
        await database.found([first, second], async (store) => {
          for (const statement of shelfAndBoxes(database)) await store.run(statement, {});
          await store.checkReferences();
        });
        assert.deepEqual(await runQuery(database, sql`select id, shelf_id from box`), [[1, 7]]);
        assert.deepEqual(await database.migrate([first, second]), []);
        await assert.rejects(run(database, sql`insert into box (id, shelf_id) values (2, 8)`));
        await run(database, sql`delete from shelf`);
        assert.deepEqual(await runQuery(database, sql`select * from box`), []);
        await assert.rejects(
          (await open()).found([first], async () => {}),
          StoreExists,
        );
      });

      scenario(name, 'rejects violated references and leaves no store', async ({ database }) => {
        const filling = database.found([first], async (store) => {
          await store.run(shelfAndBoxes(database)[0]!, {});
          await store.checkReferences();
        });
        await assert.rejects(filling, /box/);
        assert.deepEqual(await database.storeSnapshot(async ({ migrations }) => migrations), []);
        await database.found([first], async () => {});
      });

      scenario(name, 'leaves no store if filling it fails', async ({ database }) => {
        const failure = new Error('disk full');
        await assert.rejects(
          database.found([first], () => Promise.reject(failure)),
          (error) => error === failure,
        );
        assert.deepEqual(await database.storeSnapshot(async ({ migrations }) => migrations), []);
      });

      scenario(name, 'continues generated numbers above a given one', async ({ database }) => {
        const { dialect } = database;
        const after = dialect.compile(dialect.startAfterNumber('item', new BindParam('number', 'integer')));
        await database.found([first], async (store) => {
          await store.run(after, { number: 41 });
          await store.run(dialect.compile(sql`insert into item (id) values (7)`), {});
          await store.checkReferences();
        });
        const add = sql`insert into item (box_id) values (null) returning id`;
        assert.deepEqual(await run(database, add), [[42]]);
        assert.deepEqual(await runQuery(database, dialect.lastNumber('item')), [[42]]);
      });
    });

    describe('text indexes', () => {
      const index: TextIndex = { name: 'note_texts', table: 'note', columns: ['said', 'meant'], record: 'owner' };
      const columns = [
        column('owner', 'integer'),
        column('language', 'text'),
        column('said', 'text'),
        column('meant', 'text'),
      ];
      const notes: Migration = { name: '0001-notes', steps: [create('note', columns, 'owner', 'language')] };
      const indexed: Migration = { name: '0002-indexed', steps: [{ step: 'create text index', index }] };
      const dropped: Migration = { name: '0003-dropped', steps: [{ step: 'drop text index', index: index.name }] };
      const ODD = 'čaj: "a%_\\"';
      const insert = sql`insert into note values (1, 'de', ${sql.lit(ODD)}, null), (1, 'en', 'tea', ''),
        (2, 'en', 'coffee', 'tea house'), (3, 'en', '手机壳🍎🍏', null)`;

      const having = async (database: Database, ...texts: string[]): Promise<unknown[]> => {
        const query = database.dialect.havingTrigrams(index, new BindParam('trigrams', 'json', true));
        const rows = await runQuery(database, query, { trigrams: texts.map(trigramsOf) });
        return [...new Set(rows.map(([record]) => record))].sort();
      };
      const assertFound = async (database: Database): Promise<void> => {
        assert.deepEqual(await having(database, 'tea'), [1, 2]);
        assert.deepEqual(await having(database, 'coffee'), [2]);
        assert.deepEqual(await having(database, '手机壳', 'čaj'), [1, 3]);
        assert.deepEqual(await having(database, '壳🍎🍏'), [3]);
        for (const part of trigramsOf(ODD)) assert.deepEqual(await having(database, part), [1], part);
        assert.deepEqual(await having(database, 'nowhere'), []);
      };

      scenario(name, 'find texts that are older than the index', async ({ database }) => {
        await database.migrate([notes]);
        await run(database, insert);
        await database.migrate([notes, indexed]);
        await assertFound(database);
      });

      scenario(name, 'find texts of a new store', async ({ database }) => {
        await database.found([notes, indexed], async (store) => {
          await store.run(database.dialect.compile(insert), {});
          await store.checkReferences();
        });
        await assertFound(database);
      });

      scenario(name, 'follow changes and rollbacks', async ({ database }) => {
        await database.migrate([notes, indexed]);
        await run(database, insert);
        await assertFound(database);
        await run(database, sql`update note set said = 'rooibos' where language = 'en' and owner = 1`);
        assert.deepEqual(await having(database, 'tea'), [2]);
        assert.deepEqual(await having(database, 'rooibos'), [1]);
        assert.deepEqual(await having(database, 'čaj'), [1], 'its text in the other language is still there');
        await run(database, sql`update note set owner = 9 where owner = 2`);
        assert.deepEqual(await having(database, 'coffee'), [9]);
        await run(database, sql`delete from note where owner = 9`);
        assert.deepEqual(await having(database, 'coffee'), []);
        await assert.rejects(
          database.transaction(async (transaction) => {
            await transaction.run(database.dialect.compile(sql`delete from note`), {});
            throw new Error('rolled back');
          }),
        );
        assert.deepEqual(await having(database, 'rooibos'), [1]);
        assert.deepEqual(await database.faults(), []);
      });

      scenario(name, 'find texts after they were dropped and created again', async ({ database }) => {
        await database.migrate([notes, indexed, dropped]);
        await run(database, insert);
        await database.migrate([notes, indexed, dropped, { ...indexed, name: '0004-again' }]);
        await assertFound(database);
      });
    });

    describe('migrations', () => {
      scenario(name, 'run once each, in order', async ({ database }) => {
        assert.deepEqual(await database.migrate([first]), ['0001-first']);
        assert.deepEqual(await database.migrate([first]), []);
        await run(database, sql`insert into shelf (id, open) values (1, ${true})`);

        assert.deepEqual(await database.migrate([second, first]), ['0002-second']);
        const [row] = await runQuery(database, sql`select note, size, new, tags, item_id from shelf`);
        const types: ColumnType[] = ['text', 'decimal', 'boolean', 'json', 'integer'];
        const values = types.map((type, index) => decode(database, type, row?.[index]));
        assert.deepEqual(values, [null, 1.5, true, ["it's"], null]);
        const twice = sql`insert into box (id, shelf_id, label, position) values (1, 1, 'x', 1), (2, 1, 'x', 2)`;
        await assert.rejects(run(database, twice), /unique/i);

        assert.deepEqual(await database.migrate([first, second, third]), ['0003-third']);
        await run(database, twice);
        await assert.rejects(runQuery(database, sql`select note from shelf`));
        await assert.rejects(runQuery(database, sql`select * from seal`));
        const list = await runQuery(database, sql`select name, applied_at from migration order by name`);
        assert.deepEqual(
          list.map(([each]) => each),
          ['0001-first', '0002-second', '0003-third'],
        );
        for (const [, appliedAt] of list) assert.ok(Math.abs((appliedAt as number) - Date.now() / 1000) < 60);
      });

      scenario(name, 'fill columns with a form of another text or with the time', async ({ database }) => {
        const columns = [
          ...[column('number', 'integer'), column('part', 'text'), column('name', 'text'), column('address', 'json')],
        ];
        await database.migrate([{ name: '0001-first', steps: [create('thing', columns, 'number', 'part')] }]);
        const address = JSON.stringify({ first: 'Ádá', last: '', city: 'London', company: 'Engine Ltd' });
        const rows = Array.from(
          { length: 1100 },
          (_, index) => sql`(${index}, ${'a'}, ${` \uff2dL-${index} `}, ${address})`,
        );
        await run(
          database,
          sql`insert into thing (number, part, name, address) values ${sql.join(rows)}, (-1, 'b', null, null)`,
        );
        const key = [
          { name: 'number', type: 'integer' },
          { name: 'part', type: 'text' },
        ] as const;
        const fill = (target: string, from: FillColumn['from']): SchemaStep[] => [
          { step: 'add column', table: 'thing', column: column(target, from === 'moment' ? 'timestamp' : 'text') },
          { step: 'fill column', table: 'thing', column: target, key, from },
        ];
        const steps = [
          ...fill('loose', { form: 'loose', of: 'name' }),
          ...fill('key', { form: 'key', of: 'name' }),
          ...fill('members_key', { form: 'key', of: 'address', members: ['first', 'last', 'company', 'missing'] }),
          ...fill('since', 'moment'),
        ];
        const before = Math.floor(Date.now() / 1000);
        await database.migrate([
          { name: '0001-first', steps: [create('thing', columns, 'number', 'part')] },
          { name: '0002-filled', steps },
        ]);
        const filled = await runQuery(
          database,
          sql`select number, loose, key, members_key, since from thing order by number`,
        );
        assert.deepEqual(filled[0]!.slice(0, 4), [-1, null, null, null]);
        assert.deepEqual(filled[1100]!.slice(0, 4), [1099, 'ml-1099', ' ml-1099 ', 'ada\nengine ltd']);
        assert.equal(new Set(filled.map(([, loose]) => loose)).size, 1101);
        for (const [, , , , since] of filled) assert.ok((since as number) >= before);
      });

      scenario(name, 'run once if two programs start at the same time', async ({ database, open }) => {
        const other = await open();
        const applied = await Promise.all([database.migrate([first, second]), other.migrate([first, second])]);
        assert.deepEqual(applied.map(({ length }) => length).sort(), [0, 2]);
      });

      scenario(name, 'roll back entirely if a step fails', async ({ database }) => {
        const broken: Migration = { name: '0002-broken', steps: [{ step: 'drop table', table: 'nowhere' }] };
        await assert.rejects(database.migrate([first, broken]), /nowhere/);
        await assert.rejects(countShelves(database));
        assert.deepEqual(await database.migrate([first]), ['0001-first']);
      });

      scenario(name, 'reject a newer store', async ({ database }) => {
        await database.migrate([first, second]);
        await assert.rejects(
          database.migrate([first]),
          (error) =>
            error instanceof NewerSchema &&
            error.message ===
              'This store was last opened by a newer Purveyor (migration 0002-second). This program supports migrations up to ' +
                '0001-first. Install the newer version, or restore a backup made before the upgrade.',
        );
      });

      scenario(name, 'reject a migration that sorts before an applied one', async ({ database }) => {
        const alone: Migration = { name: '0002-alone', steps: [create('thing', [column('number', 'integer')])] };
        await database.migrate([alone]);
        await assert.rejects(
          database.migrate([first, alone]),
          (error) => error instanceof NewerSchema && /0001-first sorts before 0002-alone/.test(error.message),
        );
      });

      scenario(name, 'reject dropping a table that others reference', async ({ database }) => {
        await database.migrate([first]);
        await run(database, sql`insert into shelf (id, open) values (1, ${true})`);
        await run(database, sql`insert into box (id, shelf_id, label, position) values (1, 1, '', 1)`);
        const drop: Migration = { name: '0002-drop', steps: [{ step: 'drop table', table: 'shelf' }] };
        await assert.rejects(database.migrate([first, drop]), /box|depend/);
        assert.deepEqual(await runQuery(database, sql`select id from box`), [[1]]);
      });
    });
  });
}

/** Boxes are deleted with their shelf; items are unlinked from their box; a sealed box cannot be deleted. */
const first: Migration = {
  name: '0001-first',
  steps: [
    create('shelf', [column('id', 'integer'), column('open', 'boolean')]),
    create('box', [
      column('id', 'integer'),
      { ...column('shelf_id', 'integer'), nullable: false, references: { table: 'shelf', onDelete: 'cascade' } },
      column('label', 'text'),
      column('position', 'integer'),
    ]),
    {
      step: 'create table',
      table: {
        name: 'item',
        columns: [
          { ...column('id', 'integer'), nullable: false },
          { ...column('box_id', 'integer'), references: { table: 'box', onDelete: 'set null' } },
        ],
        primaryKey: ['id'],
        counted: true,
      },
    },
    create(
      'seal',
      [
        { ...column('box_id', 'integer'), nullable: false, references: { table: 'box', onDelete: 'restrict' } },
        { ...column('number', 'integer'), nullable: false, default: 1 },
      ],
      'box_id',
      'number',
    ),
  ],
};

const second: Migration = {
  name: '0002-second',
  steps: [
    { step: 'add column', table: 'shelf', column: column('note', 'text') },
    { step: 'add column', table: 'shelf', column: { ...column('size', 'decimal'), nullable: false, default: 1.5 } },
    { step: 'add column', table: 'shelf', column: { ...column('new', 'boolean'), nullable: false, default: true } },
    { step: 'add column', table: 'shelf', column: { ...column('tags', 'json'), default: ["it's"] } },
    {
      step: 'add column',
      table: 'shelf',
      column: { ...column('item_id', 'integer'), references: { table: 'item', onDelete: 'set null' } },
    },
    { step: 'create index', index: { name: 'box_label', table: 'box', columns: ['label'], unique: true } },
    { step: 'create index', index: { name: 'box_place', table: 'box', columns: ['shelf_id', 'id'], unique: false } },
  ],
};
const third: Migration = {
  name: '0003-third',
  steps: [
    { step: 'drop index', index: 'box_label' },
    { step: 'drop column', table: 'shelf', column: 'note' },
    { step: 'drop column', table: 'shelf', column: 'item_id' },
    { step: 'drop table', table: 'seal' },
  ],
};

function only(step: SchemaStep): Migration {
  return { name: '0001-only', steps: [step] };
}

async function listed(database: Database, type: ColumnType, values: Value[]): Promise<Value[]> {
  const rows = await runQuery(
    database,
    sql`select value from ${database.dialect.listed(new BindParam('values', type, true))}`,
    {
      values,
    },
  );
  return rows.map(([raw]) => decode(database, type, raw));
}

async function addShelf(database: Database, transaction: Transaction, id: number): Promise<void> {
  await transaction.run(database.dialect.compile(sql`insert into shelf (id, open) values (${id}, ${true})`), {});
}

async function countShelves(database: Database): Promise<unknown> {
  return (await runQuery(database, sql`select count(*) from shelf`))[0]?.[0];
}
