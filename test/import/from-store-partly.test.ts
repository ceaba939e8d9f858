/** `purveyor import store` from a store with rejected records, concurrent changes or failures. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Ended, Folder } from '../cli/program.ts';
import { READ_ONLY_KEY, READ_WRITE_KEY, Store } from '../support/store.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
type Json = any;

interface Shows {
  readonly status: number;
  readonly json: Json;
}

/** Replaces a response of the source. */
type Change = (url: URL, response: Shows) => Shows | Promise<Shows>;

describe('a partial import of a store', () => {
  const servers: Server[] = [];
  let folder: Folder;
  let [source, target] = [new Store('sqlite'), new Store('sqlite')];
  before(async () => {
    folder = await Folder.make();
  });
  after(() => folder.remove());
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await Promise.all([source.stop(), target.stop()]);
  });

  async function open(): Promise<void> {
    [source, target] = [new Store('sqlite'), new Store('sqlite')];
    await Promise.all([source.start(), target.start()]);
  }

  function importing(address = source.address): Promise<Ended> {
    const keys = { PURVEYOR_KEY: READ_ONLY_KEY, PURVEYOR_STORE_KEY: READ_WRITE_KEY };
    return folder.run(['import', 'store', address, '--store', target.address], keys);
  }

  /** Starts a proxy that changes responses of the source. @returns its address */
  async function changing(change: Change, isOld = false): Promise<string> {
    const server = createServer(async (request, response) => {
      const { url = '', headers } = request;
      const { accept = '', 'x-auth-token': key } = headers;
      const original = await source.get(url, { 'x-auth-token': String(key), accept });
      if (accept.includes('ndjson') && !isOld) {
        response.writeHead(original.status, {
          'content-type': accept,
          'x-total-count': original.headers['x-total-count'],
        });
        return void response.end(original.text);
      }
      const isHidden = isOld && url.startsWith('/api/changes');
      const shown = { status: isHidden ? 404 : original.status, json: original.json };
      const { status, json } = await change(new URL(url, source.address), shown);
      const total = original.headers['x-total-count'];
      response.writeHead(status, { 'content-type': 'application/json', ...(total ? { 'x-total-count': total } : {}) });
      response.end(JSON.stringify(json));
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await new Promise((listening) => server.once('listening', listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Creates a shirt in red and blue, M and L, with a variant for red and M. */
  async function shirt() {
    const own = await source.product({ sku: 'SHIRT', price: 20, amount: 5 });
    const values: Record<string, Json> = {};
    for (const [name, options] of [
      ['Colour', ['red', 'blue']],
      ['Size', ['M', 'L']],
    ] as const) {
      const path = `/api/products/${own.id}/attributes_select`;
      const attribute = await source.made(path, { name });
      for (const value of options) {
        const option = await source.made(`${path}/${attribute.id}/options`, { value });
        const made = await source.made(`${path}/${attribute.id}/values`, { option_id: option.id, price_modifier: 1 });
        values[value] = { ...made, path: `${path}/${attribute.id}/values/${made.id}` };
      }
    }
    const ids = [values.red.id, values.M.id];
    const path = `/api/products/${own.id}/variants`;
    const variant = await source.made(path, { sku: 'RED-M', price: 25, amount: 3, attribute_select_values: ids });
    return { id: own.id, values, variant: `${path}/${variant.id}` };
  }

  async function only(store: Store, path: string): Promise<Json> {
    const { json } = await store.get(path);
    assert.equal(json.length, 1, `${path}: ${JSON.stringify(json)}`);
    return json[0];
  }

  test('reports a variant on every run until its values are copied', async () => {
    await open();
    await shirt();
    const address = await changing(({ pathname }, { status, json }) => ({
      status,
      json: pathname.endsWith('/options') ? json.filter((option: Json) => option.value !== 'red') : json,
    }));
    for (const _ of ['first', 'second']) {
      const { code, stdout } = await importing(address);
      assert.equal(code, 2, stdout);
      assert.match(stdout, /^variants RED-M of SHIRT: failed: Some of its attribute values could not be copied/m);
      const { id } = await only(target, '/api/products?sku=SHIRT');
      assert.deepEqual((await target.get(`/api/products/${id}/variants`)).json, []);
    }
    const { code, stdout } = await importing();
    assert.equal(code, 0, stdout);
    const { id } = await only(target, '/api/products?sku=SHIRT');
    assert.equal((await only(target, `/api/products/${id}/variants`)).attribute_select_values.length, 2);
  });

  test('a second run updates changed values and variants but not stock', async () => {
    await open();
    const { id, values, variant } = await shirt();
    assert.equal((await importing()).code, 0);
    await source.patch(`/api/products/${id}`, { price: 21, amount: 50 });
    await source.patch(values.red.path, { price_modifier: 4, is_default: true });
    await source.patch(variant, { price: 27, amount: 30, weight: 2 });
    const { code, stdout } = await importing();
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^products SHIRT: updated, 1 value, 1 variant$/m);
    const here = await only(target, '/api/products?sku=SHIRT');
    assert.deepEqual([here.price, here.amount], [21, 5]);
    const own = await only(target, `/api/products/${here.id}/variants`);
    assert.deepEqual([own.price, own.amount, own.weight, own.default_weight], [27, 3, 2, false]);
    const attributes = (await target.get(`/api/products/${here.id}/attributes_select`)).json;
    const colours = `/api/products/${here.id}/attributes_select/${attributes[0].id}/values`;
    const red = (await target.get(colours)).json.find((value: Json) => value.option.value === 'red');
    assert.deepEqual([red.price_modifier, red.is_default], [4, true]);
    await source.patch(variant, { default_price: true });
    assert.match((await importing()).stdout, /^products SHIRT: unchanged, 1 variant$/m);
    assert.equal((await only(target, `/api/products/${here.id}/variants`)).default_price, true);
    assert.match((await importing()).stdout, /^products SHIRT: unchanged$/m);
  });

  for (const [name, at, status] of [
    ['a page further on that is refused', 2, 400],
    ['a page further on that is nowhere', 2, 404],
    ['products that are nowhere', 1, 404],
  ] as const)
    test(`stops with a message at ${name}`, async () => {
      await open();
      for (let number = 1; number <= 101; number += 1) await source.product({ sku: `P-${number}` });
      const address = await changing(
        ({ pathname, searchParams }, response) =>
          pathname === '/api/products' && searchParams.get('page') === String(at)
            ? { status, json: { type: 'about:bad-request', detail: 'No.', status } }
            : response,
        true,
      );
      const { code, stdout } = await importing(address);
      assert.notEqual(code, 0);
      assert.match(stdout, new RegExp(`^Stopped: The store at \\S+ responded with ${status}: No\\.`, 'm'));
    });

  for (const isOld of [true, false])
    test(`copies every record while others are deleted (${isOld ? 'pages' : 'exports'})`, async () => {
      await open();
      const first = await source.product({ sku: 'P-1' });
      for (let number = 2; number <= 201; number += 1) await source.product({ sku: `P-${number}` });
      let isGone = false;
      const address = await changing(async ({ pathname }, response) => {
        if (pathname === '/api/products' && response.json.length === 100 && !isGone) {
          isGone = true;
          await source.delete(`/api/products/${first.id}`);
        }
        return response;
      }, isOld);
      const { code, stdout } = await importing(address);
      assert.equal(code, 0, stdout);
      assert.ok(isGone);
      assert.match(stdout, /^Products: 201 created\.$/m);
      await only(target, '/api/products?sku=P-101');
    });

  test('skips the tree below a failed category, and disables records whose memberships are missing', async () => {
    await open();
    const wholesale = await source.made('/api/memberships', { name: 'Wholesale' });
    const vip = await source.made('/api/memberships', { name: 'VIP' });
    await source.product({ sku: 'BULK', memberships: [wholesale.id] });
    await source.product({ sku: 'BOTH', memberships: [wholesale.id, vip.id] });
    await source.made('/api/categories', { name: 'Members', memberships: [wholesale.id] });
    const top = await source.made('/api/categories', { name: 'Top' });
    const middle = await source.made('/api/categories', { name: 'Middle', parent: top.id });
    await source.made('/api/categories', { name: 'Low', parent: middle.id });
    const address = await changing(({ pathname }, { status, json }) => {
      if (pathname === '/api/memberships') return { status, json: json.filter((one: Json) => one.name === 'VIP') };
      const isTop = (one: Json) => one.name === 'Top' && pathname === '/api/categories';
      return {
        status,
        json: Array.isArray(json) ? json.map((one) => (isTop(one) ? { ...one, position: 'x' } : one)) : json,
      };
    });
    const { code, stdout } = await importing(address);
    assert.equal(code, 2);
    assert.match(
      stdout,
      /^categories Top: failed: position: .*\ncategories Middle: skipped: .*“Top”.*\ncategories Low: skipped: /m,
    );
    assert.match(stdout, /^memberships of product BULK: failed: .* so it is disabled\./m);
    assert.match(stdout, /^memberships of category Members: failed: .* so it is disabled\./m);
    assert.match(
      stdout,
      /^memberships of product BOTH: failed: A membership to which it is restricted could not be copied\./m,
    );
    const enabled = async (path: string) => (await only(target, path)).enabled;
    const paths = ['/api/products?sku=BULK', '/api/products?sku=BOTH', '/api/categories?name=Members'];
    assert.deepEqual(await Promise.all(paths.map(enabled)), [false, true, false]);
    assert.equal((await importing()).code, 0);
    assert.deepEqual(await Promise.all(paths.map(enabled)), [true, true, true]);
  });
});
