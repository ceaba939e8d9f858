/** Image files and rows agree despite interruptions of uploads, removals and sweeps (catalog.md §2). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { isProblem } from '../../src/engine/errors.ts';
import { writeRecord } from '../../src/engine/operations/write-record.ts';
import { RemovalInDoubt, type Value } from '../../src/engine/ports.ts';
import { allowRemovals, holdRemovals } from '../../src/engine/unit/held-removals.ts';
import { claimFile, sweepFiles } from '../../src/engine/unit/released-files.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { inUnit } from '../../src/engine/unit/unit.ts';
import { routeOf, targetAt } from '../../src/store/own-requests.ts';
import { databaseNames } from '../support/databases.ts';
import { attached, png } from '../support/images.ts';
import {
  blockCommits,
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  withOverrides,
} from '../support/opened-store.ts';

const DAY = 24 * 3600;

for (const database of databaseNames)
  describe(`image files (${database})`, () => {
    let store: OpenedStore;
    let service: Service;
    let product: Value;
    before(async () => {
      store = await openedStore(database);
      service = store.service;
      product = (await made(service, 'Product', { sku: 'FILES', name: 'Files' })).target.id!;
    });
    after(() => store.remove());
    // Removes the released files of the previous test.
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

    test('an upload of the same bytes during their removal waits for the removal and stores the file', async () => {
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
      const swept = sweep({ ...service, images: withOverrides(service.images, { remove }) });
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

    test('a later sweep completes an interrupted removal', async () => {
      const { id, file } = await upload(service, await png());
      await unlink(service, id);
      // As if the process had been killed: nothing is recorded afterwards.
      const remove = (): Promise<void> => Promise.reject(new RemovalInDoubt('killed'));
      await assert.rejects(sweep({ ...service, images: withOverrides(service.images, { remove }) }), /killed/);
      assert.equal(await sweep(service), 0, 'the removal may still be executing');
      assert.ok(await service.images.has(file));
      assert.equal(await sweep(later(61)), 1);
      assert.ok(!(await service.images.has(file)));
    });

    test('a removal whose completion is recorded only on a retry does not block a later upload of the same bytes', async () => {
      const bytes = await png();
      const { id } = await upload(service, bytes);
      await unlink(service, id);
      let transactions = 0;
      const transaction: Service['database']['transaction'] = (work) => {
        transactions += 1;
        // The first transaction starts the removal.
        if (transactions === 2 || transactions === 3) return Promise.reject(new Error('no room'));
        return service.database.transaction(work);
      };
      assert.equal(await sweep({ ...service, database: withOverrides(service.database, { transaction }) }), 1);
      assert.equal(transactions, 4);
      const again = await upload(service, bytes);
      assert.ok(await service.images.has(again.file));
    });

    test('an upload succeeds at once after a failed removal of the same bytes, and a later sweep spares its file', async () => {
      const bytes = await png();
      const { id, file } = await upload(service, bytes);
      await unlink(service, id);
      const remove = (): Promise<void> => Promise.reject(new Error('refused'));
      await assert.rejects(sweep({ ...service, images: withOverrides(service.images, { remove }) }), /refused/);
      const pause = (): Promise<void> => assert.fail('the upload waits');
      const again = await upload({ ...service, clock: { ...service.clock, pause } }, bytes);
      assert.deepEqual([again.file, await sweep(service), await service.images.has(file)], [file, 0, true]);
      await unlink(service, again.id);
      assert.equal(await sweep(service), 1);
    });

    test('a file that cannot be removed does not block the removal of others', async () => {
      const uploads = [await upload(service, await png()), await upload(service, await png())];
      uploads.sort((one, other) => (one.file < other.file ? -1 : 1));
      for (const { id } of uploads) await unlink(service, id);
      const remove = (name: string): Promise<void> =>
        name === uploads[0]!.file ? Promise.reject(new Error('stuck')) : service.images.remove(name);
      await assert.rejects(sweep({ ...service, images: withOverrides(service.images, { remove }) }), /stuck/);
      assert.ok(!(await service.images.has(uploads[1]!.file)));
      assert.equal(await sweep(service), 1);
    });

    test('a sweep that paused past the expiry of its removal does not remove a file that was uploaded again', async () => {
      const bytes = await png();
      const { id, file } = await upload(service, bytes);
      await unlink(service, id);
      let hasPaused = false;
      const transaction: Service['database']['transaction'] = async (work) => {
        const result = await service.database.transaction(work);
        if (hasPaused) return result;
        hasPaused = true;
        await upload(later(61), bytes);
        return result;
      };
      const clock = { ...service.clock, now: () => service.clock.now() + (hasPaused ? 61 : 0) };
      const paused = { ...service, clock, database: withOverrides(service.database, { transaction }) };
      assert.equal(await sweep(paused), 0);
      assert.ok(await service.images.has(file));
    });

    test('a claimed file without a row is removed after a day, and not earlier', async () => {
      const name = `${'ab'.repeat(32)}.png`;
      await claimFile(service, name);
      await service.images.put(name, Buffer.from('unreferenced'));
      assert.equal(await sweep(service), 0);
      assert.equal(await sweep(later(DAY - 60)), 0);
      assert.ok(await service.images.has(name));
      assert.equal(await sweep(later(DAY + 60)), 1);
      assert.ok(!(await service.images.has(name)));
    });

    test('a sweep does not remove a released file that is being uploaded again', async () => {
      const bytes = await png();
      const { id, file } = await upload(service, bytes);
      await unlink(service, id);
      const put = async (name: string, sent: Uint8Array): Promise<void> => {
        await service.images.put(name, sent);
        assert.equal(await sweep(service), 0);
      };
      await upload({ ...service, images: withOverrides(service.images, { put }) }, bytes);
      assert.ok(await service.images.has(file));
    });

    test('an upload stores its file a second time if its claim expires before its row is written', async () => {
      let puts = 0;
      const put = async (name: string, bytes: Uint8Array): Promise<void> => {
        await service.images.put(name, bytes);
        puts += 1;
        if (puts === 1) assert.equal(await sweep(later(DAY + 60)), 1);
      };
      const { file } = await upload({ ...service, images: withOverrides(service.images, { put }) }, await png());
      assert.equal(puts, 2);
      assert.ok(await service.images.has(file));
    });

    test('the file of a rejected upload is removed', async () => {
      const names: string[] = [];
      const put = (name: string, bytes: Uint8Array): Promise<void> => {
        names.push(name);
        return service.images.put(name, bytes);
      };
      const target = targetAt(routeOf(service, 'ProductImage'), { parents: [product] });
      const watched = { ...service, images: withOverrides(service.images, { put }) };
      const body = await attached(await png(), { position: 'first' });
      assert.ok(isProblem(await writeRecord(watched, REQUEST_OPTIONS, target, 'create', body)));
      assert.equal(names.length, 1);
      assert.equal(await sweep(service), 1);
      assert.ok(!(await service.images.has(names[0]!)));
    });

    test('no file is removed while a backup holds removals', async () => {
      const { id, file } = await upload(service, await png());
      await holdRemovals(service, 'test', 600);
      await unlink(service, id);
      assert.equal(await sweep(service), 0);
      assert.ok(await service.images.has(file));
      await allowRemovals(service, 'test');
      assert.equal(await sweep(service), 1);
      assert.ok(!(await service.images.has(file)));
    });

    test('a hold that begins during a sweep protects the remaining files', async () => {
      const { id, file } = await upload(service, await png());
      await unlink(service, id);
      let queries = 0;
      const query: Service['database']['query'] = async (...args) => {
        const rows = await service.database.query(...args);
        queries += 1;
        // The first query reads the holds.
        if (queries === 1) await holdRemovals(service, 'late', 600);
        return rows;
      };
      assert.equal(await sweep({ ...service, database: withOverrides(service.database, { query }) }), 0);
      assert.ok(queries > 1);
      assert.ok(await service.images.has(file));
      await allowRemovals(service, 'late');
      assert.equal(await sweep(service), 1);
    });

    test('the next sweep removes a file that was released while a sweep still found a reference', async () => {
      const bytes = await png();
      const first = await upload(service, bytes);
      const second = await upload(service, bytes);
      await unlink(service, first.id);
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const unlinked = unlink(blockCommits(service, gate.promise, reached.resolve), second.id);
      await reached.promise;
      // The sweep may run before or after the unit; both are valid.
      const swept = sweep(service);
      await Promise.race([swept, service.clock.pause(300)]);
      gate.resolve();
      await Promise.all([unlinked, swept]);
      await sweep(service);
      assert.ok(!(await service.images.has(first.file)));
    });
  });
