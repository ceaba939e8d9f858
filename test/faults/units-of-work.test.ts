/** Units of work that others come between, that are cut off, or that change very much at once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { problem } from '../../src/engine/errors.ts';
import type { Value } from '../../src/engine/ports.ts';
import { orderChanges } from '../../src/engine/unit/journal-order.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { inUnit } from '../../src/engine/unit/unit.ts';
import { databaseNames } from '../support/databases.ts';
import { assertInOrder, type Entry, entriesAfter, versionsIn } from '../support/journal.ts';
import {
  blockCommits,
  instead,
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  watching,
} from '../support/opened-store.ts';

for (const database of databaseNames)
  describe(`units of work (${database})`, () => {
    let store: OpenedStore;
    let service: Service;
    before(async () => {
      store = await openedStore(database);
      service = store.service;
    });
    after(() => store.remove());

    const remove = (of: Service, resource: string, id: Value): Promise<void> =>
      inUnit(of, REQUEST_OPTIONS, (unit) => unit.remove(resource, { id }));

    /** The journal, once it is compared with the tables. */
    const whole = async (): Promise<Entry[]> => {
      await orderChanges(service);
      const entries = await entriesAfter(service.database, 0);
      assertInOrder(entries, await versionsIn(service.database));
      return entries;
    };

    /** Units that are about to commit, and the events that come between. */
    const meanwhile = async (
      first: (held: Service) => Promise<unknown>,
      second: () => Promise<unknown>,
    ): Promise<PromiseSettledResult<unknown>[]> => {
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const slow = first(blockCommits(service, gate.promise, reached.resolve));
      await reached.promise;
      const quick = second();
      // It waits for the first one or comes before it: both are right.
      await Promise.race([quick.catch(() => {}), service.clock.pause(300)]);
      gate.resolve();
      return Promise.allSettled([slow, quick]);
    };

    test('a process that ends right after a commit has told what it committed', async () => {
      const transaction: Service['database']['transaction'] = async (work) => {
        await service.database.transaction(work);
        throw new Error('killed');
      };
      const doomed = { ...service, database: instead(service.database, { transaction }) };
      await assert.rejects(made(doomed, 'Product', { sku: 'DOOMED', name: 'Doomed' }), /killed/);
      const [last] = (await whole()).slice(-1);
      assert.deepEqual([last!.resource, last!.kind], ['Product', 'created']);
    });

    test('what is linked to a record while that is deleted is told as gone, or comes to nothing', async () => {
      const { id: product } = (await made(service, 'Product', { sku: 'LINKED', name: 'Linked' })).target;
      const [attribute, option] = await inUnit(service, REQUEST_OPTIONS, async (unit) => {
        const select = await unit.insert('Attribute', { kind: 'select', name: 'Size' });
        return [select, await unit.insert('AttributeOption', { attribute: select, value: 'XL' })];
      });
      const values = { product: product!, attribute: attribute!, option: option! };
      const choose = (of: Service): Promise<Value> =>
        inUnit(of, REQUEST_OPTIONS, (unit) => unit.insert('AttributeValueSelect', values));
      const outcomes = await meanwhile(choose, () => remove(service, 'AttributeOption', option!));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      );
      const told = (await whole()).filter(({ resource }) => resource === 'AttributeValueSelect');
      assert.deepEqual(
        told.map(({ kind }) => kind),
        ['created', 'deleted'],
      );
    });

    test('a part that is made while its owner is deleted', async () => {
      const { id: product } = (await made(service, 'Product', { sku: 'SOLD', name: 'Sold', amount: 1 })).target;
      const items = [{ product_id: product, amount: 1 }];
      const { id } = (await made(service, 'Order', { email: 'ada@example.com', items })).target;
      const add = (of: Service): Promise<Value> =>
        inUnit(of, REQUEST_OPTIONS, (unit) => unit.insert('OrderDetail', { order: id!, name: 'gift', value: 'yes' }));
      const outcomes = await meanwhile(add, () => remove(service, 'Order', id!));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      );
      await whole();
    });

    test('two units that change one record, and one that is undone', async () => {
      const { id } = (await made(service, 'Product', { sku: 'RENAMED', name: 'Renamed' })).target;
      const rename = (of: Service, name: string): Promise<void> =>
        inUnit(of, REQUEST_OPTIONS, (unit) => unit.update('Product', id!, { name }));
      await meanwhile(
        (held) => rename(held, 'one'),
        () => rename(service, 'other'),
      );
      const undone = inUnit(service, REQUEST_OPTIONS, async (unit) => {
        await unit.update('Product', id!, { name: 'never' });
        return problem('conflict', 'Undone.');
      });
      assert.equal((await undone).detail, 'Undone.');
      const versions = (await whole()).filter(
        ({ resource, record }) => resource === 'Product' && record === String(id),
      );
      assert.deepEqual(
        versions.map(({ version }) => version),
        [1, 2, 3],
      );
    });

    test('many at once, of which some come to nothing when they have told what they changed', async () => {
      const known = (await whole()).length;
      const transaction: Service['database']['transaction'] = (work) =>
        service.database.transaction(async (inner) => {
          await work(inner);
          throw new Error('cut off');
        });
      const doomed = { ...service, database: instead(service.database, { transaction }) };
      const isDoomed = (number: number): boolean => number % 3 === 1;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, number) =>
          made(isDoomed(number) ? doomed : service, 'Tag', { name: `At once ${number}` }),
        ),
      );
      for (const [number, { status }] of outcomes.entries())
        assert.equal(status, isDoomed(number) ? 'rejected' : 'fulfilled');
      const entries = await whole();
      assert.equal(entries.length - known, 13);
      assert.deepEqual(
        entries.map(({ position }) => position),
        entries.map((_, index) => index + 1),
        'positions have no gaps',
      );
    });

    test('a record that is made and deleted in one unit is none', async () => {
      const before = (await whole()).length;
      await inUnit(service, REQUEST_OPTIONS, async (unit) => {
        const id = await unit.insert('Tag', { name: 'Short' });
        await unit.update('Tag', id, { name: 'Shorter' });
        await unit.remove('Tag', { id });
      });
      assert.equal((await whole()).length, before);
    });

    const MANY = 1000;
    const statementsOf = async (work: (watched: Service) => Promise<unknown>): Promise<number> => {
      let count = 0;
      const watched = watching(service, () => {
        count += 1;
      });
      await work(watched);
      return count;
    };

    test('more changes than are put in order at once', async () => {
      const known = (await whole()).length;
      const count = 10_001;
      const tags = Array.from({ length: count }, (_, index) => ({ name: `Tag ${index}` }));
      await inUnit(service, REQUEST_OPTIONS, (unit) => unit.insertAll('Tag', tags));
      const told = (await whole()).slice(known);
      const records = told.map(({ record }) => Number(record));
      assert.equal(told.length, count);
      assert.deepEqual(
        records,
        [...records].sort((one, other) => one - other),
      );
    });

    test('deleting an attribute with very many options takes no more statements than one with few', async () => {
      const attributeWith = (count: number): Promise<Value> =>
        inUnit(service, REQUEST_OPTIONS, async (unit) => {
          const id = await unit.insert('Attribute', { kind: 'select', name: 'Size' });
          const options = Array.from({ length: count }, (_, index) => ({ attribute: id, value: `Size ${index}` }));
          await unit.insertAll('AttributeOption', options);
          return id;
        });
      const counts: number[] = [];
      for (const count of [2, MANY]) {
        const id = await attributeWith(count);
        counts.push(await statementsOf((watched) => remove(watched, 'Attribute', id)));
      }
      assert.equal(counts[1], counts[0]);
      await whole();
    });

    test('deleting a tree takes no more statements for many records than for few', async () => {
      const treeWith = (count: number): Promise<Value> =>
        inUnit(service, REQUEST_OPTIONS, async (unit) => {
          const id = await unit.insert('Category', { name: 'Root' });
          const leaves = Array.from({ length: count }, (_, index) => ({ name: `Leaf ${index}`, parent: id }));
          await unit.insertAll('Category', leaves);
          return id;
        });
      const counts: number[] = [];
      for (const count of [2, MANY]) {
        const id = await treeWith(count);
        counts.push(await statementsOf((watched) => remove(watched, 'Category', id)));
      }
      assert.equal(counts[1], counts[0]);
      await whole();
    });
  });
