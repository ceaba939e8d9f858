/** Kept answers, step by step: what comes between a look at the store, a reading, and the use of what was read. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { claimFile, disclaimFiles } from '../../src/engine/unit/released-files.ts';
import type { Service } from '../../src/engine/unit/service.ts';
import { CacheValidator } from '../../src/http/cache/cache-validator.ts';
import { createLru, ResponseCache } from '../../src/http/cache/response-cache.ts';
import { createKey } from '../../src/store/keys.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import {
  blockReads,
  changed,
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  type ReadBlocker,
  removed,
} from '../support/opened-store.ts';

/** Texts that the statement of a look has, that of a page, and that of some of its records. */
const [LOOK, PAGE, RECORDS] = ['api_key', 'count(*)', 'as listed'];

for (const name of databaseNames)
  describe(`what is kept (${name})`, { timeout: 60_000 }, () => {
    let opened: OpenedStore;
    let service: Service;
    let hold: ReadBlocker;
    let app: FastifyInstance;
    let number = 0;
    before(async () => {
      opened = await openedStore(name);
      service = opened.service;
      hold = blockReads(service);
      app = await serverOf(hold.service);
    });
    after(async () => {
      await app.close();
      await opened.remove();
    });
    let id: number;
    beforeEach(async () => {
      number += 1;
      const { record } = await made(service, 'Product', { sku: `S${number}`, name: 'before', price: 1 });
      id = record.id as number;
    });

    const get = async (path: string, headers: Record<string, string> = {}) =>
      (await app.inject({ url: path, headers: { 'x-auth-token': INJECT_KEY, ...headers } })).json();

    test('is not served to a request that came after the look had begun', async () => {
      const cacheValidator = new CacheValidator(hold.service);
      await cacheValidator.look();
      await createKey(service, { name: `seen ${number}`, kind: 'read-only' });
      hold.blockNext(LOOK);
      const first = cacheValidator.look();
      await hold.reached();
      await createKey(service, { name: `late ${number}`, kind: 'read-only' });
      const second = cacheValidator.look();
      hold.release();
      const names = async (look: typeof first) => (await look).keys.map((key) => key.name);
      assert.deepEqual((await names(first)).includes(`late ${number}`), false);
      assert.ok((await names(second)).includes(`late ${number}`));
    });

    test('is looked after though one look does not come back', { timeout: 10_000 }, async (context) => {
      context.after(() => hold.release());
      const cacheValidator = new CacheValidator(hold.service);
      await cacheValidator.look();
      await createKey(service, { name: `before ${number}`, kind: 'read-only' });
      hold.blockNext(LOOK);
      const silent = cacheValidator.look();
      await hold.reached();
      await createKey(service, { name: `meanwhile ${number}`, kind: 'read-only' });
      const state = await cacheValidator.look();
      assert.ok(state.keys.some((key) => key.name === `meanwhile ${number}`));
      hold.release();
      assert.equal(await silent, state, 'late, it has nothing to tell');
      assert.equal(cacheValidator.state, state);
    });

    test('is used once a look that began later has told of no change of it', async () => {
      const cacheValidator = new CacheValidator(service);
      const kept = new ResponseCache<string>(cacheValidator, createLru(1e6), '', (text) => [text]);
      const dependencies = { all: [cacheValidator.cacheTag(() => false)], records: [`Product ${id}`] };
      await cacheValidator.look();
      kept.set('unchanged', 'A', dependencies, cacheValidator.taken);
      assert.equal(kept.get('unchanged'), undefined, 'before a look');
      await cacheValidator.look();
      assert.equal(kept.get('unchanged'), 'A');

      const { taken } = cacheValidator;
      await changed(service, 'Product', id, { name: 'after' });
      kept.set('read after the change', 'B', dependencies, taken);
      assert.equal(kept.get('read after the change'), undefined, 'a page could mix it with what was kept before');
      await cacheValidator.look();
      assert.equal(kept.get('unchanged'), undefined);
    });

    test('is kept beside commits of the program that no record shows', async () => {
      const cacheValidator = new CacheValidator(service);
      const kept = new ResponseCache<string>(cacheValidator, createLru(1e6), '', (text) => [text]);
      await cacheValidator.look();
      kept.set('an answer', 'A', { all: [] }, cacheValidator.taken);
      const claim = await claimFile(service, `${number}.png`);
      await cacheValidator.look();
      assert.equal(kept.get('an answer'), 'A');
      await disclaimFiles(service, [claim]);
      await cacheValidator.look();
      assert.equal(kept.get('an answer'), 'A');
    });

    test('gives way where there is no room, however small that is', async () => {
      const cacheValidator = new CacheValidator(service);
      const kept = new ResponseCache<string>(cacheValidator, createLru(15_000), '', (text) => [text]);
      await cacheValidator.look();
      for (const key of ['one', 'two', 'three', 'four'])
        kept.set(key, 'x'.repeat(500), { all: [] }, cacheValidator.taken);
      kept.set('too large', 'x'.repeat(5000), { all: [] }, cacheValidator.taken);
      const left = ['one', 'two', 'three', 'four', 'too large'].filter((key) => kept.knows(key));
      assert.deepEqual(left, ['three', 'four']);
    });

    test('is what was read when the reading began, though a change was looked at before it ended', async () => {
      await get('/api/products?itemsPerPage=50');
      hold.blockNext(PAGE);
      const reading = get('/api/products?itemsPerPage=51');
      await hold.reached();
      await changed(service, 'Product', id, { name: 'after' });
      assert.equal((await get(`/api/products/${id}`)).name, 'after');
      hold.release();
      const shown = (page: { id: number; name: string }[]) => page.find((record) => record.id === id)!.name;
      assert.equal(shown(await reading), 'before', 'as the store was when it was asked');
      assert.equal(shown(await get('/api/products?itemsPerPage=50')), 'after');
      assert.equal(shown(await get('/api/products?itemsPerPage=51')), 'after');
    });

    test('is what a search finds by the texts of other records, as long as there are these', async () => {
      const word = `cotton${number}`;
      const { record } = await made(service, 'Attribute', { name: 'Stuff' }, [], '/attributes_text');
      const attribute = record.id as number;
      await made(service, 'AttributeValueText', { value: word }, [id, attribute]);
      const found = async () => (await get(`/api/products?search=${word}`)).length;
      assert.deepEqual([await found(), await found()], [1, 1]);
      await removed(service, 'Attribute', attribute, '/attributes_text');
      assert.equal(await found(), 0);
    });

    test('has the texts of the default language where others are missing, whichever that is', async () => {
      await made(service, 'Language', { code: 'fr', name: 'French' });
      await changed(service, 'Product', id, { name: 'danach' }, { ...REQUEST_OPTIONS, language: 'de' });
      const shown = async (): Promise<string> => {
        const page = await get('/api/products?itemsPerPage=60', { 'accept-language': 'fr' });
        return page.find((record: { id: number }) => record.id === id).name;
      };
      assert.deepEqual([await shown(), await shown()], ['before', 'before']);
      await changed(service, 'Product', id, { price: 2 });
      hold.blockNext(RECORDS);
      const reading = shown();
      await hold.reached();
      await changed(service, 'Language', 'de', { is_default: true });
      hold.release();
      await reading;
      assert.deepEqual([await shown(), await shown()], ['danach', 'danach']);
      await changed(service, 'Language', 'en', { is_default: true });
      assert.equal(await shown(), 'before');
      await removed(service, 'Language', 'fr');
    });

    test('stands in one answer only with what holds at the same moment', async () => {
      const [one, other] = [id, id - 1];
      const items = [one, other].map((product_id) => ({ product_id, amount: 1 }));
      const stocks = async (): Promise<number[]> => {
        const page = await get('/api/products?itemsPerPage=70');
        return [one, other].map((each) => page.find((record: { id: number }) => record.id === each).amount);
      };
      for (const each of [one, other]) await changed(service, 'Product', each, { amount: 10 });
      await stocks();
      await changed(service, 'Product', one, { price: 3 });
      hold.blockNext(RECORDS, 'before');
      const reading = stocks();
      await hold.reached();
      await made(service, 'Order', { email: 'ada@example.com', items });
      hold.release();
      const [first, second] = await reading;
      assert.equal(first, second, 'one order takes one of each');
      assert.deepEqual(await stocks(), [9, 9]);
    });

    test('shows no identifier of a record that was deleted', async () => {
      const { record } = await made(service, 'Sticker', { name: `New ${number}` });
      await changed(service, 'Product', id, { stickers: [record.id as number] });
      const shown = async () => (await get(`/api/products/${id}`)).stickers;
      assert.deepEqual([await shown(), await shown()], [[record.id], [record.id]]);
      await removed(service, 'Sticker', record.id!);
      assert.deepEqual(await shown(), []);
    });

    test('tells a record that was made again from the one before', async () => {
      const create = () => made(service, 'Language', { code: 'it', name: 'Italian' });
      await create();
      await changed(service, 'Language', 'it', { name: 'before' });
      await removed(service, 'Language', 'it');
      await create();
      assert.equal((await get('/api/languages/it')).name, 'Italian');
      assert.equal((await get('/api/languages/it')).name, 'Italian');
      await changed(service, 'Language', 'it', { name: 'before' });
      assert.equal((await get('/api/languages/it')).name, 'before');
      await removed(service, 'Language', 'it');
    });

    test('is forgotten where more has changed than is told', async () => {
      await get(`/api/products/${id}`);
      await get(`/api/products/${id}`);
      for (let many = 0; many < 5; many += 1) {
        const tags = Array.from({ length: 201 }, (_, index) => `tag ${number} ${many} ${index}`);
        await made(service, 'Product', { sku: `many ${number} ${many}`, name: 'many', price: 1, tags });
      }
      await changed(service, 'Product', id, { name: 'after' });
      assert.equal((await get(`/api/products/${id}`)).name, 'after');
    });

    if (name === 'sqlite')
      test('is forgotten after a change past the program', async () => {
        await get(`/api/products/${id}`);
        await get(`/api/products/${id}`);
        const { file } = await service.database
          .query({ sql: 'select file from pragma_database_list', placeholders: [] }, {})
          .then(([row]) => ({ file: row![0] as string }));
        const other = new DatabaseSync(file);
        other.exec(`update product_text set name = 'by hand' where product_id = ${id}`);
        other.close();
        assert.equal((await get(`/api/products/${id}`)).name, 'by hand');
      });
  });
