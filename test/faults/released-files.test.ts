/** Files and rows agree, whatever comes between a file and its row, or between a removal and its end (catalog.md §2). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { isProblem } from '../../src/engine/errors.ts';
import { save } from '../../src/engine/operations/save.ts';
import type { Value } from '../../src/engine/ports.ts';
import { allowRemovals, holdRemovals } from '../../src/engine/unit/held-removals.ts';
import { claimFile, sweepFiles } from '../../src/engine/unit/released-files.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { inUnit } from '../../src/engine/unit/unit.ts';
import { routeOf, targetAt } from '../../src/store/own-requests.ts';
import { databaseNames } from '../support/databases.ts';
import { attached, png } from '../support/images.ts';
import {
  blockCommits,
  instead,
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
} from '../support/opened-store.ts';

const DAY = 24 * 3600;

for (const database of databaseNames)
  describe(`files of images (${database})`, () => {
    let store: OpenedStore;
    let service: Service;
    let product: Value;
    before(async () => {
      store = await openedStore(database);
      service = store.service;
      product = (await made(service, 'Product', { sku: 'FILES', name: 'Files' })).target.id!;
    });
    after(() => store.remove());
    // One test's released files are not the next one's.
    beforeEach(() => sweepFiles(later(61), new AbortController().signal));

    const upload = async (to: Service, bytes: Buffer): Promise<{ id: Value; file: string }> => {
      const { target, record } = await made(to, 'ProductImage', await attached(bytes), [product]);
      return { id: target.id!, file: String(record.url).split('/').at(-1)! };
    };
    const unlink = (of: Service, id: Value) =>
      inUnit(of, REQUEST_OPTIONS, (unit) => unit.remove('ProductImage', { id }));
    const sweep = (of: Service) => sweepFiles(of, new AbortController().signal);
    const later = (seconds: number): Service => ({
      ...service,
      clock: { ...service.clock, now: () => service.clock.now() + seconds },
    });

    test('the same bytes, sent while they are being removed, wait and are there', async () => {
      const bytes = await png();
      const { id, file } = await upload(service, bytes);
      await unlink(service, id);
      const events: string[] = [];
      const removing = Promise.withResolvers<void>();
      const waiting = Promise.withResolvers<void>();
      const remove = async (name: string): Promise<void> => {
        removing.resolve();
        await waiting.promise;
        await service.images.remove(name);
        events.push('removed');
      };
      const swept = sweep({ ...service, images: instead(service.images, { remove }) });
      await removing.promise;
      let pauses = 0;
      const pause = (milliseconds: number): Promise<void> => {
        pauses += 1;
        if (pauses === 3) waiting.resolve();
        return service.clock.pause(milliseconds);
      };
      const again = await upload({ ...service, clock: { ...service.clock, pause } }, bytes);
      events.push('uploaded');
      waiting.resolve();
      assert.deepEqual([await swept, events], [1, ['removed', 'uploaded']]);
      assert.equal(again.file, file);
      await sweep(service);
      assert.ok(await service.images.has(file));
    });

    test('a removal that was cut off is taken up by a later sweep', async () => {
      const { id, file } = await upload(service, await png());
      await unlink(service, id);
      const remove = (): Promise<void> => Promise.reject(new Error('killed'));
      await assert.rejects(sweep({ ...service, images: instead(service.images, { remove }) }), /killed/);
      assert.equal(await sweep(service), 0, 'the removal may still be going on');
      assert.ok(await service.images.has(file));
      assert.equal(await sweep(later(61)), 1);
      assert.ok(!(await service.images.has(file)));
    });

    test('a removal whose end cannot be written at first keeps the same bytes waiting no longer than that', async () => {
      const bytes = await png();
      const { id } = await upload(service, bytes);
      await unlink(service, id);
      let transactions = 0;
      const transaction: Service['database']['transaction'] = (work) => {
        transactions += 1;
        // The first begins the removal.
        if (transactions === 2 || transactions === 3) return Promise.reject(new Error('no room'));
        return service.database.transaction(work);
      };
      assert.equal(await sweep({ ...service, database: instead(service.database, { transaction }) }), 1);
      assert.equal(transactions, 4);
      const again = await upload(service, bytes);
      assert.ok(await service.images.has(again.file));
    });

    test('a file that cannot be removed holds no other one up', async () => {
      const uploads = [await upload(service, await png()), await upload(service, await png())];
      uploads.sort((one, other) => (one.file < other.file ? -1 : 1));
      for (const { id } of uploads) await unlink(service, id);
      const remove = (name: string): Promise<void> =>
        name === uploads[0]!.file ? Promise.reject(new Error('stuck')) : service.images.remove(name);
      await assert.rejects(sweep({ ...service, images: instead(service.images, { remove }) }), /stuck/);
      assert.ok(!(await service.images.has(uploads[1]!.file)));
      assert.equal(await sweep(later(61)), 1);
    });

    test('a sweep that stood still until its removal had run out leaves the file to whoever sent it again', async () => {
      const bytes = await png();
      const { id, file } = await upload(service, bytes);
      await unlink(service, id);
      let isAway = false;
      const transaction: Service['database']['transaction'] = async (work) => {
        const result = await service.database.transaction(work);
        if (isAway) return result;
        isAway = true;
        await upload(later(61), bytes);
        return result;
      };
      const clock = { ...service.clock, now: () => service.clock.now() + (isAway ? 61 : 0) };
      const stood = { ...service, clock, database: instead(service.database, { transaction }) };
      assert.equal(await sweep(stood), 0);
      assert.ok(await service.images.has(file));
    });

    test('what a kill between a file and its row left claimed goes after a day, and not before', async () => {
      const name = `${'ab'.repeat(32)}.png`;
      await claimFile(service, name);
      await service.images.put(name, Buffer.from('of nobody'));
      assert.equal(await sweep(service), 0);
      assert.equal(await sweep(later(DAY - 60)), 0);
      assert.ok(await service.images.has(name));
      assert.equal(await sweep(later(DAY + 60)), 1);
      assert.ok(!(await service.images.has(name)));
    });

    test('a released file that is being sent again stays', async () => {
      const bytes = await png();
      const { id, file } = await upload(service, bytes);
      await unlink(service, id);
      const put = async (name: string, sent: Uint8Array): Promise<void> => {
        await service.images.put(name, sent);
        assert.equal(await sweep(service), 0);
      };
      await upload({ ...service, images: instead(service.images, { put }) }, bytes);
      assert.ok(await service.images.has(file));
    });

    test('an upload whose claim ran out before its row puts its file again', async () => {
      let puts = 0;
      const put = async (name: string, bytes: Uint8Array): Promise<void> => {
        await service.images.put(name, bytes);
        puts += 1;
        if (puts === 1) assert.equal(await sweep(later(DAY + 60)), 1);
      };
      const { file } = await upload({ ...service, images: instead(service.images, { put }) }, await png());
      assert.equal(puts, 2);
      assert.ok(await service.images.has(file));
    });

    test('a refused upload leaves no file', async () => {
      const names: string[] = [];
      const put = (name: string, bytes: Uint8Array): Promise<void> => {
        names.push(name);
        return service.images.put(name, bytes);
      };
      const target = targetAt(routeOf(service, 'ProductImage'), { parents: [product] });
      const watched = { ...service, images: instead(service.images, { put }) };
      const body = await attached(await png(), { position: 'first' });
      assert.ok(isProblem(await save(watched, REQUEST_OPTIONS, target, 'create', body)));
      assert.equal(names.length, 1);
      assert.equal(await sweep(service), 1);
      assert.ok(!(await service.images.has(names[0]!)));
    });

    test('a backup keeps every file until it has them', async () => {
      const { id, file } = await upload(service, await png());
      await holdRemovals(service, 'test', 600);
      await unlink(service, id);
      assert.equal(await sweep(service), 0);
      assert.ok(await service.images.has(file));
      await allowRemovals(service, 'test');
      assert.equal(await sweep(service), 1);
      assert.ok(!(await service.images.has(file)));
    });

    test('a backup that begins while files are swept keeps those that are left', async () => {
      const { id, file } = await upload(service, await png());
      await unlink(service, id);
      let queries = 0;
      const query: Service['database']['query'] = async (...asked) => {
        const rows = await service.database.query(...asked);
        queries += 1;
        // The first asks for holds.
        if (queries === 1) await holdRemovals(service, 'late', 600);
        return rows;
      };
      assert.equal(await sweep({ ...service, database: instead(service.database, { query }) }), 0);
      assert.ok(queries > 1);
      assert.ok(await service.images.has(file));
      await allowRemovals(service, 'late');
      assert.equal(await sweep(service), 1);
    });

    test('a release that commits while a sweep finds the file named is not forgotten', async () => {
      const bytes = await png();
      const first = await upload(service, bytes);
      const second = await upload(service, bytes);
      await unlink(service, first.id);
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const unlinked = unlink(blockCommits(service, gate.promise, reached.resolve), second.id);
      await reached.promise;
      // It waits for the unit or comes before it: both are right.
      const swept = sweep(service);
      await Promise.race([swept, service.clock.pause(300)]);
      gate.resolve();
      await Promise.all([unlinked, swept]);
      await sweep(service);
      assert.ok(!(await service.images.has(first.file)));
    });
  });
