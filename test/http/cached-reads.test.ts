/** The response cache step by step: changes between a check of the store, a read, and the use of the cached value. */
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
  ACTOR,
  blockReads,
  changed,
  made,
  type OpenedStore,
  openedStore,
  REQUEST_OPTIONS,
  type ReadBlocker,
  removed,
} from '../support/opened-store.ts';

/** Texts in the statements of a check, of a page, and of some records of a page. */
const [CHECK, PAGE, RECORDS] = ['api_key', 'count(*)', 'as listed'];

for (const name of databaseNames)
  describe(`cached reads (${name})`, { timeout: 60_000 }, () => {
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

    test('a cache check does not serve requests that arrive after its start', async () => {
      const cacheValidator = new CacheValidator(hold.service);
      await cacheValidator.check();
      await createKey(service, { name: `seen ${number}`, kind: 'read-only' }, ACTOR);
      hold.blockNext(CHECK);
      const first = cacheValidator.check();
      await hold.reached();
      await createKey(service, { name: `late ${number}`, kind: 'read-only' }, ACTOR);
      const second = cacheValidator.check();
      hold.release();
      const names = async (check: typeof first) => (await check).keys.map((key) => key.name);
      assert.deepEqual((await names(first)).includes(`late ${number}`), false);
      assert.ok((await names(second)).includes(`late ${number}`));
    });

    test('a cache check that does not end does not block the next one', { timeout: 10_000 }, async (context) => {
      context.after(() => hold.release());
      const cacheValidator = new CacheValidator(hold.service);
      await cacheValidator.check();
      await createKey(service, { name: `before ${number}`, kind: 'read-only' }, ACTOR);
      hold.blockNext(CHECK);
      const silent = cacheValidator.check();
      await hold.reached();
      await createKey(service, { name: `meanwhile ${number}`, kind: 'read-only' }, ACTOR);
      const state = await cacheValidator.check();
      assert.ok(state.keys.some((key) => key.name === `meanwhile ${number}`));
      hold.release();
      assert.equal(await silent, state, 'the late check returns the newer state');
      assert.equal(cacheValidator.state, state);
    });

    test('a cached value is used only if a later cache check reports no change of it', async () => {
      const cacheValidator = new CacheValidator(service);
      const cache = new ResponseCache<string>(cacheValidator, createLru(1e6), '', (text) => [text]);
      const dependencies = { all: [cacheValidator.createTag(() => false)], records: [`Product ${id}`] };
      await cacheValidator.check();
      cache.set('unchanged', 'A', dependencies, cacheValidator.lastCheck);
      assert.equal(cache.get('unchanged'), undefined, 'before a check');
      await cacheValidator.check();
      assert.equal(cache.get('unchanged'), 'A');

      const { lastCheck } = cacheValidator;
      await changed(service, 'Product', id, { name: 'after' });
      cache.set('read after the change', 'B', dependencies, lastCheck);
      assert.equal(cache.get('read after the change'), undefined, 'a page could mix it with older cached values');
      await cacheValidator.check();
      assert.equal(cache.get('unchanged'), undefined);
    });

    test('a cached value survives commits of the server that change no record', async () => {
      const cacheValidator = new CacheValidator(service);
      const cache = new ResponseCache<string>(cacheValidator, createLru(1e6), '', (text) => [text]);
      await cacheValidator.check();
      cache.set('a response', 'A', { all: [] }, cacheValidator.lastCheck);
      const claim = await claimFile(service, `${number}.png`);
      await cacheValidator.check();
      assert.equal(cache.get('a response'), 'A');
      await disclaimFiles(service, [claim]);
      await cacheValidator.check();
      assert.equal(cache.get('a response'), 'A');
    });

    test('the cache evicts entries when its memory is full', async () => {
      const cacheValidator = new CacheValidator(service);
      const cache = new ResponseCache<string>(cacheValidator, createLru(15_000), '', (text) => [text]);
      await cacheValidator.check();
      for (const key of ['one', 'two', 'three', 'four'])
        cache.set(key, 'x'.repeat(500), { all: [] }, cacheValidator.lastCheck);
      cache.set('too large', 'x'.repeat(5000), { all: [] }, cacheValidator.lastCheck);
      const left = ['one', 'two', 'three', 'four', 'too large'].filter((key) => cache.has(key));
      assert.deepEqual(left, ['three', 'four']);
    });

    test('a value counts as read when its read started, even if a change is reported before the read ends', async () => {
      await get('/api/products?itemsPerPage=50');
      hold.blockNext(PAGE);
      const reading = get('/api/products?itemsPerPage=51');
      await hold.reached();
      await changed(service, 'Product', id, { name: 'after' });
      assert.equal((await get(`/api/products/${id}`)).name, 'after');
      hold.release();
      const shown = (page: { id: number; name: string }[]) => page.find((record) => record.id === id)!.name;
      assert.equal(shown(await reading), 'before', 'as of the start of the read');
      assert.equal(shown(await get('/api/products?itemsPerPage=50')), 'after');
      assert.equal(shown(await get('/api/products?itemsPerPage=51')), 'after');
    });

    test('a cached search result is invalidated when a record with the found text is deleted', async () => {
      const word = `cotton${number}`;
      const { record } = await made(service, 'Attribute', { name: 'Stuff' }, [], '/attributes_text');
      const attribute = record.id as number;
      await made(service, 'AttributeValueText', { value: word }, [id, attribute]);
      const found = async () => (await get(`/api/products?search=${word}`)).length;
      assert.deepEqual([await found(), await found()], [1, 1]);
      await removed(service, 'Attribute', attribute, '/attributes_text');
      assert.equal(await found(), 0);
    });

    test('cached texts of the default language change with the default language', async () => {
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

    test('a composed page is a single snapshot', async () => {
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
      assert.equal(first, second, 'one order takes one unit of each');
      assert.deepEqual(await stocks(), [9, 9]);
    });

    test('a cached record shows no identifier of a deleted record', async () => {
      const { record } = await made(service, 'Sticker', { name: `New ${number}` });
      await changed(service, 'Product', id, { stickers: [record.id as number] });
      const shown = async () => (await get(`/api/products/${id}`)).stickers;
      assert.deepEqual([await shown(), await shown()], [[record.id], [record.id]]);
      await removed(service, 'Sticker', record.id!);
      assert.deepEqual(await shown(), []);
    });

    test('a record created again under the same identifier replaces the cached one', async () => {
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

    test('more changes than a check reads invalidate every cached value', async () => {
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
      test('a change made outside the server invalidates every cached value', async () => {
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
