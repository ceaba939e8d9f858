/** Former addresses after 1,000 random renames, swaps and deletions, compared with a model (catalog.md §16). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase, type Store } from '../support/store.ts';

const STEPS = 1000;
const CHECK_EVERY = 50;

const COLLECTIONS = ['/api/products', '/api/categories'] as const;
const URLS = Array.from({ length: 24 }, (_, index) => `page-${index}`);
const RECORDS = 12;

const index = (count: number) => fc.nat({ max: count - 1 });
const step = fc.record({
  kind: fc.constantFrom('rename', 'rename', 'rename', 'swap', 'delete', 'forget', 'enable', 'disable'),
  record: index(RECORDS),
  other: index(RECORDS),
  url: index(URLS.length),
});

interface Page {
  readonly path: string;
  readonly id: number;
  cleanUrl: string;
  isEnabled: boolean;
}

onEachDatabase('former clean URLs after random changes', {}, (store) => {
  test('lead to no chain, loop, or disabled or deleted record', async () => {
    const model = new Model(store);
    for (let number = 0; number < RECORDS; number += 1) await model.create(number);
    for (const [number, { kind, record, other, url }] of fc.sample(step, { numRuns: STEPS, seed: 32 }).entries()) {
      const page = model.pages[record]!;
      if (kind === 'rename') await model.rename(page, URLS[url]!);
      else if (kind === 'swap' && record !== other) await model.swap(page, model.pages[other]!, `swap-${number}`);
      else if (kind === 'delete') await model.replace(record);
      else if (kind === 'forget') await model.forget(page, URLS[url]!);
      else if (kind === 'enable' || kind === 'disable') await model.enable(page, kind === 'enable');
      if (number % CHECK_EVERY === 0) await model.check(`step ${number}`);
    }
    await model.check('the end');
  });
});

/** What the store must return. */
class Model {
  readonly pages: Page[] = [];
  /** By former clean URL. */
  readonly #former = new Map<string, Page>();
  readonly #store: Store;
  #created = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async create(number: number): Promise<void> {
    this.#created += 1;
    const path = COLLECTIONS[number % 2]!;
    const cleanUrl = `created-${this.#created}`;
    const { id } = await this.#store.made(path, {
      ...(path === COLLECTIONS[0] ? { sku: cleanUrl } : {}),
      ...{ name: cleanUrl, clean_url: cleanUrl, enabled: true },
    });
    this.pages[number] = { path: `${path}/${id}`, id, cleanUrl, isEnabled: true };
  }

  async rename(page: Page, cleanUrl: string): Promise<void> {
    const isTaken = this.pages.some((other) => other !== page && other.cleanUrl === cleanUrl);
    const { status, text } = await this.#store.patch(page.path, { clean_url: cleanUrl });
    assert.equal(status, isTaken ? 422 : 200, text);
    if (isTaken || page.cleanUrl === cleanUrl) return;
    this.#former.delete(cleanUrl);
    this.#former.set(page.cleanUrl, page);
    page.cleanUrl = cleanUrl;
  }

  async swap(one: Page, other: Page, between: string): Promise<void> {
    const [first, second] = [one.cleanUrl, other.cleanUrl];
    await this.rename(one, between);
    await this.rename(other, first);
    await this.rename(one, second);
  }

  async replace(number: number): Promise<void> {
    const page = this.pages[number]!;
    assert.equal((await this.#store.delete(page.path)).status, 204);
    for (const [url, owner] of this.#former) if (owner === page) this.#former.delete(url);
    await this.create(number);
  }

  async forget(page: Page, cleanUrl: string): Promise<void> {
    const { status } = await this.#store.delete(`${page.path}/old_urls/${cleanUrl}`);
    const isOwn = this.#former.get(cleanUrl) === page;
    assert.equal(status, isOwn ? 204 : 404);
    if (isOwn) this.#former.delete(cleanUrl);
  }

  async enable(page: Page, isEnabled: boolean): Promise<void> {
    await this.#store.patch(page.path, { enabled: isEnabled });
    page.isEnabled = isEnabled;
  }

  /** Resolves every URL that was ever used, and follows each redirect, which leads to its page in one step. */
  async check(when: string): Promise<void> {
    for (const url of new Set([...URLS, ...this.#former.keys(), ...this.pages.map(({ cleanUrl }) => cleanUrl)])) {
      const current = this.pages.find(({ cleanUrl }) => cleanUrl === url);
      const page = current ?? this.#former.get(url);
      const { status, json } = await this.#resolve(`/${url}`);
      assert.equal(status, page?.isEnabled ? 200 : 404, `${when}: ${url}`);
      if (!page?.isEnabled) continue;
      const location = `/${page.cleanUrl}`;
      const resource = page.path.startsWith(COLLECTIONS[0]) ? 'Product' : 'Category';
      assert.deepEqual(json, { status: current ? 200 : 301, location, resource, id: page.id }, `${when}: ${url}`);
      const led = await this.#resolve(location);
      assert.deepEqual([led.json.status, led.json.id, led.json.resource], [200, page.id, resource], `${when}: ${url}`);
    }
  }

  #resolve(path: string) {
    return this.#store.get(`/api/urls/resolve?path=${encodeURIComponent(path)}`);
  }
}
