/** The values of the whole store: as its server is set, and as the first start left them (http.md §22). */
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
      dimension_unit: 'cm',
    });
    assert.equal((await get('', { 'if-none-match': headers.etag as string })).statusCode, 304);
    assert.equal((await app.inject('/api/store')).statusCode, 401);
    const refused = await app.inject({ method: 'PATCH', url: '/api/store', headers: { 'x-auth-token': INJECT_KEY } });
    assert.equal(refused.statusCode, 405);
  });

  test('returns the values of the settings', async () => {
    const { service } = opened;
    const settings = { ...service.environment.settings, currency: 'EUR', weight_unit: 'lb', seller: 'Shop\n1 Road' };
    const other = await serverOf({
      ...service,
      environment: { ...service.environment, timeZone: 'Europe/Berlin', settings },
    });
    const { json } = await other.inject({ url: '/api/store', headers: { 'x-auth-token': INJECT_KEY } });
    const { currency, time_zone, weight_unit, seller } = json();
    assert.deepEqual([currency, time_zone, weight_unit, seller], ['EUR', 'Europe/Berlin', 'lb', 'Shop\n1 Road']);
    await other.close();
  });

  test('rejects query parameters and has a JSON-LD context', async () => {
    const refused = await get('?page=1');
    assert.equal(refused.statusCode, 400);
    assert.match(refused.json().detail, /This path takes no parameters/);
    assert.equal((await get('?page=1', { prefer: 'handling=lenient' })).statusCode, 200);
    const linked = (await get('', { accept: 'application/ld+json' })).json();
    assert.deepEqual(
      [linked['@context'], linked['@id'], linked['@type']],
      ['/api/contexts/StoreInfo', '/api/store', 'StoreInfo'],
    );
    assert.equal((await app.inject('/api/contexts/StoreInfo')).statusCode, 200);
  });
});
