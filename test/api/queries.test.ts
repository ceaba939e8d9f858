/**
 * Lists, and references in a body, require a constant number of statements for any length and any dependent records.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { store } from '../../src/domain/index.ts';
import type { Database } from '../../src/engine/ports.ts';
import { freshDatabases } from '../support/databases.ts';
import { type Fixture, serveDeclarations } from '../support/fixture.ts';

/** The database, and the statements that are run on it. */
function counting(database: Database): { database: Database; statements: string[] } {
  const statements: string[] = [];
  const query: Database['query'] = (statement, values) => {
    statements.push(statement.sql);
    return database.query(statement, values);
  };
  const transaction: Database['transaction'] = (work) =>
    database.transaction((inner) =>
      work({
        run: (statement, values) => {
          statements.push(statement.sql);
          return inner.run(statement, values);
        },
        lock: (name) => inner.lock(name),
      }),
    );
  const counted = new Proxy(database, {
    get: (target, name) => {
      if (name === 'query') return query;
      if (name === 'transaction') return transaction;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { database: counted, statements };
}

for (const fresh of await freshDatabases())
  describe(`statement counts (${fresh.name})`, () => {
    let fixture: Fixture;
    let statements: string[];

    before(async () => {
      const counted = counting(await fresh.open());
      statements = counted.statements;
      const others = store.filter(({ name }) => name !== 'Language');
      fixture = await serveDeclarations(others, counted.database);
      await fixture.request('POST', '/api/memberships', { name: 'VIP' });
      await fixture.request('POST', '/api/product_classes', { name: 'Shirts' });
      for (let number = 0; number < 40; number += 1) {
        const product = {
          sku: `S${number}`,
          name: `Shirt ${number}`,
          tags: ['A', 'B'],
          memberships: ['VIP'],
          product_class: 'Shirts',
        };
        assert.equal((await fixture.request('POST', '/api/products', product)).status, 201);
      }
    });
    after(async () => {
      await fixture.stop();
      await fresh.remove();
    });

    test('checking 2 and 40 references of a set runs the same number of statements', async () => {
      const rejected = async (count: number): Promise<number> => {
        const memberships = Array.from({ length: count }, (_, index) => ({ id: index + 2, name: 'VIP' }));
        statements.length = 0;
        const { status, json } = await fixture.request('PATCH', '/api/products/1', { memberships });
        assert.deepEqual([status, json.violations.length], [422, count]);
        return statements.length;
      };
      for (let number = 0; number < 40; number += 1)
        await fixture.request('POST', '/api/memberships', { name: `Member ${number}` });
      // The first request after a write may read the keys and languages of the store again.
      await rejected(2);
      const few = await rejected(2);
      assert.ok(few > 2, 'the statements of the transaction are counted');
      assert.equal(await rejected(40), few);
    });

    const countOf = async (path: string): Promise<number> => {
      statements.length = 0;
      assert.equal((await fixture.request('GET', path)).status, 200);
      return statements.length;
    };

    test('pages of 1, 30 and 40 products run the same number of statements, at most two', async () => {
      // One statement for keys and languages, if the database cannot report that they did not change, and one for the
      // page.
      await countOf('/api/products');
      const counts: number[] = [];
      for (const size of [1, 30, 40]) counts.push(await countOf(`/api/products?itemsPerPage=${size}`));
      assert.equal(new Set(counts).size, 1, `pages cost ${counts.join(', ')} statements`);
      assert.ok(counts[0]! <= 2, `a page costs ${counts[0]} statements`);
    });

    test('filtered and sorted lists and single records run at most two statements', async () => {
      assert.ok((await countOf('/api/products?tags[]=a&memberships=vip&name=shirt&order[name]=desc')) <= 2);
      assert.ok((await countOf('/api/products/1')) <= 2);
    });

    test('another value of the same filter uses the same statement', async () => {
      await countOf('/api/products?price[gt]=1&sku[]=S1&sku[]=S2');
      const first = statements.at(-1);
      await countOf('/api/products?price[gt]=2&sku[]=S3');
      assert.equal(statements.at(-1), first);
    });
  });
