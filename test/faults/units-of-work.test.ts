/** Units of work that run concurrently, are interrupted, or change many records. */
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
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  recordingStatements,
  withOverrides,
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

    /** Asserts that the journal agrees with the tables. @returns all entries */
    const checkedJournal = async (): Promise<Entry[]> => {
      await orderChanges(service);
      const entries = await entriesAfter(service.database, 0);
      assertInOrder(entries, await versionsIn(service.database));
      return entries;
    };

    /** Runs `second` while the transaction of `first` waits before its commit. */
    const duringCommit = async (
      first: (blocked: Service) => Promise<unknown>,
      second: () => Promise<unknown>,
    ): Promise<PromiseSettledResult<unknown>[]> => {
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const slow = first(blockCommits(service, gate.promise, reached.resolve));
      await reached.promise;
      const quick = second();
      // The second unit may wait for the first one or precede it; both are valid.
      await Promise.race([quick.catch(() => {}), service.clock.pause(300)]);
      gate.resolve();
      return Promise.allSettled([slow, quick]);
    };

    test('a unit of work whose process ends right after the commit is in the journal', async () => {
      const transaction: Service['database']['transaction'] = async (work) => {
        await service.database.transaction(work);
        throw new Error('killed');
      };
      const doomed = { ...service, database: withOverrides(service.database, { transaction }) };
      await assert.rejects(made(doomed, 'Product', { sku: 'DOOMED', name: 'Doomed' }), /killed/);
      const [last] = (await checkedJournal()).slice(-1);
      assert.deepEqual([last!.resource, last!.kind], ['Product', 'created']);
    });

    test('a record that links to a record being deleted has a creation and a deletion entry', async () => {
      const { id: product } = (await made(service, 'Product', { sku: 'LINKED', name: 'Linked' })).target;
      const [attribute, option] = await inUnit(service, REQUEST_OPTIONS, async (unit) => {
        const select = await unit.insert('Attribute', { kind: 'select', name: 'Size' });
        return [select, await unit.insert('AttributeOption', { attribute: select, value: 'XL' })];
      });
      const values = { product: product!, attribute: attribute!, option: option! };
      const choose = (of: Service): Promise<Value> =>
        inUnit(of, REQUEST_OPTIONS, (unit) => unit.insert('AttributeValueSelect', values));
      const outcomes = await duringCommit(choose, () => remove(service, 'AttributeOption', option!));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      );
      const entries = (await checkedJournal()).filter(({ resource }) => resource === 'AttributeValueSelect');
      assert.deepEqual(
        entries.map(({ kind }) => kind),
        ['created', 'deleted'],
      );
    });

    test('a part that is created while its owner is deleted leaves a consistent journal', async () => {
      const { id: product } = (await made(service, 'Product', { sku: 'SOLD', name: 'Sold', amount: 1 })).target;
      const items = [{ product_id: product, amount: 1 }];
      const { id } = (await made(service, 'Order', { email: 'ada@example.com', items })).target;
      const add = (of: Service): Promise<Value> =>
        inUnit(of, REQUEST_OPTIONS, (unit) => unit.insert('OrderDetail', { order: id!, name: 'gift', value: 'yes' }));
      const outcomes = await duringCommit(add, () => remove(service, 'Order', id!));
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      );
      await checkedJournal();
    });

    test('two concurrent changes of a record have successive versions, and a rolled-back change has none', async () => {
      const { id } = (await made(service, 'Product', { sku: 'RENAMED', name: 'Renamed' })).target;
      const rename = (of: Service, name: string): Promise<void> =>
        inUnit(of, REQUEST_OPTIONS, (unit) => unit.update('Product', id!, { name }));
      await duringCommit(
        (blocked) => rename(blocked, 'one'),
        () => rename(service, 'other'),
      );
      const undone = inUnit(service, REQUEST_OPTIONS, async (unit) => {
        await unit.update('Product', id!, { name: 'never' });
        return problem('conflict', 'Undone.');
      });
      assert.equal((await undone).detail, 'Undone.');
      const versions = (await checkedJournal()).filter(
        ({ resource, record }) => resource === 'Product' && record === String(id),
      );
      assert.deepEqual(
        versions.map(({ version }) => version),
        [1, 2, 3],
      );
    });

    test('rolled-back units among 20 concurrent ones leave no entries and no gaps in the journal', async () => {
      const known = (await checkedJournal()).length;
      const transaction: Service['database']['transaction'] = (work) =>
        service.database.transaction(async (inner) => {
          await work(inner);
          throw new Error('cut off');
        });
      const doomed = { ...service, database: withOverrides(service.database, { transaction }) };
      const isDoomed = (number: number): boolean => number % 3 === 1;
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, number) =>
          made(isDoomed(number) ? doomed : service, 'Tag', { name: `At once ${number}` }),
        ),
      );
      for (const [number, { status }] of outcomes.entries())
        assert.equal(status, isDoomed(number) ? 'rejected' : 'fulfilled');
      const entries = await checkedJournal();
      assert.equal(entries.length - known, 13);
      assert.deepEqual(
        entries.map(({ position }) => position),
        entries.map((_, index) => index + 1),
        'positions have no gaps',
      );
    });

    test('a record that is created and deleted in one unit has no journal entry', async () => {
      const before = (await checkedJournal()).length;
      await inUnit(service, REQUEST_OPTIONS, async (unit) => {
        const id = await unit.insert('Tag', { name: 'Short' });
        await unit.update('Tag', id, { name: 'Shorter' });
        await unit.remove('Tag', { id });
      });
      assert.equal((await checkedJournal()).length, before);
    });

    const MANY = 1000;
    const statementsOf = async (work: (watched: Service) => Promise<unknown>): Promise<number> => {
      let count = 0;
      const watched = recordingStatements(service, () => {
        count += 1;
      });
      await work(watched);
      return count;
    };

    test('10,001 changes of one unit are all journaled in order', async () => {
      const known = (await checkedJournal()).length;
      const count = 10_001;
      const tags = Array.from({ length: count }, (_, index) => ({ name: `Tag ${index}` }));
      await inUnit(service, REQUEST_OPTIONS, (unit) => unit.insertAll('Tag', tags));
      const entries = (await checkedJournal()).slice(known);
      const records = entries.map(({ record }) => Number(record));
      assert.equal(entries.length, count);
      assert.deepEqual(
        records,
        [...records].sort((one, other) => one - other),
      );
    });

    test('deleting an attribute takes the same number of statements for 2 and for 1,000 options', async () => {
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
      await checkedJournal();
    });

    test('deleting a category tree takes the same number of statements for 2 and for 1,000 leaves', async () => {
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
      await checkedJournal();
    });
  });
