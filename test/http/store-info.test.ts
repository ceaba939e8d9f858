/** Information about the store: defaults, and the settings of the server (http.md §22). `test/api/store-info.test.ts` changes it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { type OpenedStore, openedStore } from '../support/opened-store.ts';

describe('store information', () => {
  let opened: OpenedStore;
  let app: FastifyInstance;

  before(async () => {
    opened = await openedStore('sqlite');
    app = await serverOf(opened.service);
  });
  after(async () => {
    await app.close();
    await opened.remove();
  });

  const get = (query = '', headers: Record<string, string> = {}) =>
    app.inject({ url: `/api/store${query}`, headers: { 'x-auth-token': INJECT_KEY, ...headers } });

  test('returns the defaults with an ETag, and 401 without a key', async () => {
    const { statusCode, headers, json } = await get();
    assert.equal(statusCode, 200);
    assert.deepEqual(json(), {
      ...{ currency: 'USD', time_zone: 'UTC', weight_unit: 'kg', seller: '', invoice_keep_years: 10, shop_url: '' },
      ...{ tax_number: '', invoice_header: '', invoice_footer: '', email_header: '', email_footer: '' },
      ...{ dimension_unit: 'cm', address: null, logo: null },
    });
    assert.equal((await get('', { 'if-none-match': headers.etag as string })).statusCode, 304);
    assert.equal((await app.inject('/api/store')).statusCode, 401);
  });

  test('rejects unknown parameters and has a JSON-LD context', async () => {
    const rejected = await get('?page=1');
    assert.equal(rejected.statusCode, 400);
    assert.match(rejected.json().detail, /page/);
    assert.equal((await get('?page=1', { prefer: 'handling=lenient' })).statusCode, 200);
    const linked = (await get('', { accept: 'application/ld+json' })).json();
    assert.deepEqual(
      [linked['@context'], linked['@id'], linked['@type']],
      ['/api/contexts/StoreInfo', '/api/store', 'StoreInfo'],
    );
    assert.equal((await app.inject('/api/contexts/StoreInfo')).statusCode, 200);
  });
});
