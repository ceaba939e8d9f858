/** Fills a store with exactly the records of the reference's examples: each record is the first of its resource. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { expanded, type Json } from './openapi.ts';
import type { Store } from './store.ts';

/** Matches the paths of a record's translations. */
const TEXTS = /\/translations(\/\{code\})?$/;
const SELECT_VALUES = '/products/{product_id}/attributes_select/{attribute_id}/values';
const TEXTS_OF_ONE = '/translations/{code}';
const TEMPLATE = '/mail_templates/{name}/{language}';

/** As in the example of an order. */
const ADDRESS = {
  ...{ firstname: 'Ada', lastname: 'Lovelace', street: '12 St James Square', city: 'London', country_code: 'GB' },
};

export class ExampleEnvironment {
  readonly #store: Store;
  readonly #paths: Json;
  readonly #made = new Map<string, string>();
  #hasSecondProduct = false;
  #mail: Promise<string> | undefined;

  constructor(store: Store, document: Json) {
    this.#store = store;
    this.#paths = expanded(document).paths;
  }

  /** Creates the records that an operation's path and body name. @returns the URL path of the request */
  async prepare(path: string, method: string): Promise<string> {
    // The record that a POST creates must not exist yet.
    const address = await this.#addressOf(path);
    const single = path.replace(TEXTS, '');
    const isSingle = this.#paths[single]?.post && /^read/.test(this.#paths[single].get?.operationId ?? '');
    if (isSingle && method !== 'post') await this.#make(single);
    if (method === 'get' && this.#paths[path].post && !isSingle) await this.#make(path);
    if (path.endsWith('/old_urls')) await this.#rename(path);
    if (path === '/urls/resolve') {
      await this.#make('/products');
      return `${address}?path=/t-shirt`;
    }
    if (path === '/lookup') {
      await this.#make('/products');
      return `${address}?q=shirt`;
    }
    // Records of these lists are created at other paths.
    if (path === '/attributes') await this.#make('/attributes_text');
    if (path === '/variants' || path === '/reviews') await this.#make(`/products/{product_id}${path}`);
    if (path === '/products/search') await this.#make('/products');
    if (path.endsWith('/coverage')) await this.#make('/shipping_methods/{method_id}/rates');
    if (path === '/wholesale_prices') await this.#make('/products/{product_id}/wholesale_prices');
    if (path === '/webhooks/{webhook_id}/deliveries') await failedTest(this.#store, '/api/webhooks/1');
    if (path === '/products/{product_id}/categories') await this.#make('/categories/{category_id}/products');
    if (path.endsWith(TEXTS_OF_ONE) && method === 'delete') return this.#otherTexts(path, address);
    if (path === '/mails') await this.#failedMail();
    if (path === '/carts') await this.#makeCart();
    // Without it, there is only the built-in one.
    if (path.startsWith(TEMPLATE) && method !== 'put')
      assert.equal(
        (await this.#store.put(address.replace('/preview', ''), this.exampleOf(TEMPLATE, 'put'))).status,
        200,
      );
    await this.#prepareBody(path, this.exampleOf(path, method));
    return address;
  }

  /** Writes a translation into a second language, because the first one cannot be deleted. */
  async #otherTexts(path: string, address: string): Promise<string> {
    const { parameters } = this.#paths[path].delete;
    const language = parameters.find(({ name }: Json) => name === 'code').example;
    assert.equal(await this.#make('/languages'), language);
    const texts = `${address.slice(0, address.lastIndexOf('/'))}/${language}`;
    assert.equal((await this.#store.put(texts, this.exampleOf(path, 'put'))).status, 200, texts);
    return texts;
  }

  exampleOf(path: string, method: string): Json {
    return this.#paths[path][method].requestBody?.content['application/json'].examples.default.value;
  }

  async #addressOf(path: string): Promise<string> {
    let template = '';
    let address = '/api';
    for (const segment of path.split('/').slice(1)) {
      address += `/${segment.startsWith('{') ? await this.#identifier(template) : segment}`;
      template += `/${segment}`;
    }
    return address;
  }

  async #identifier(collection: string): Promise<string> {
    if (this.#paths[collection]?.post) return this.#make(collection);
    if (`${collection}/{code}`.endsWith(TEXTS_OF_ONE)) return this.#ownLanguage(`${collection}/{code}`);
    const kind = collection.split('/').at(-1)!;
    if (kind === 'deliveries') {
      await this.#make('/webhooks');
      await failedTest(this.#store, '/api/webhooks/1');
      return '1';
    }
    if (kind === 'mails') return this.#failedMail();
    if (kind === 'carts') return this.#makeCart();
    if (kind === 'mail_templates') return 'staff_reset';
    if (collection === '/mail_templates/{name}') return 'en';
    // The first start has entries.
    if (kind === 'audit') return '1';
    if (kind === 'old_urls') return this.#rename(collection);
    if (kind === 'by_number' || kind === 'items' || kind === 'history') {
      await this.#make('/orders');
      return '1';
    }
    return this.#make(kind === 'attributes' ? '/attributes_text' : `/${kind}`);
  }

  /** Creates the cart of the example below `/storefront`. @returns its id */
  async #makeCart(): Promise<string> {
    const shop = { name: 'Shop of the cart', kind: 'publishable', origins: ['https://shop.example'] };
    const { json } = await this.#store.post('/api/keys', shop);
    const headers = { 'content-type': 'application/json' };
    const body = { email: 'ada@example.com', shipping_address: ADDRESS };
    const cart = await this.#store.request('POST', '/storefront/carts', { key: json.key, headers, body });
    assert.equal(cart.status, 201, cart.text);
    return String(cart.json.id);
  }

  /** Changes the clean URL of the record above. @returns the former one */
  async #rename(collection: string): Promise<string> {
    const address = await this.#addressOf(collection.slice(0, collection.lastIndexOf('/')));
    const { clean_url } = (await this.#store.get(address)).json;
    assert.equal((await this.#store.patch(address, { clean_url: `new-${clean_url}` })).status, 200);
    return clean_url;
  }

  /** The language of the example, which every store has. */
  #ownLanguage(path: string): string {
    return this.#paths[path].get.parameters.find(({ name }: Json) => name === 'code').example;
  }

  async #make(path: string): Promise<string> {
    const known = this.#made.get(path);
    if (known !== undefined) return known;
    const body = this.exampleOf(path, 'post');
    const address = await this.#addressOf(path);
    await this.#prepareBody(path, body);
    const created = await this.#store.post(address, body);
    assert.equal(created.status, 201, `${path} ${created.text}`);
    return this.register(path, created.headers.location!);
  }

  #failedMail(): Promise<string> {
    this.#mail ??= failedMail(this.#store);
    return this.#mail;
  }

  /** Registers a record. @param address of the record that a POST to this collection created */
  register(path: string, address: string): string {
    const identifier = address.split('/').at(-1)!;
    this.#made.set(path, identifier);
    return identifier;
  }

  /** A product cannot be related to itself. */
  async #makeSecondProduct(): Promise<void> {
    if (this.#hasSecondProduct) return;
    this.#hasSecondProduct = true;
    const { status, text } = await this.#store.post('/api/products', { sku: 'SECOND', name: 'Second' });
    assert.equal(status, 201, text);
  }

  async #prepareBody(path: string, body: Json): Promise<void> {
    if (body?.lines && path.endsWith('/returns')) await this.#make('/orders/{order_id}/shipments');
    if (body?.product_id || body?.items) await this.#make('/products');
    if (path.includes('/related_products')) await this.#makeSecondProduct();
    if (path.endsWith('/check_password')) await this.#make('/profiles');
    if (body?.attribute_select_values) await this.#make(SELECT_VALUES);
    if (body?.parent) await this.#make('/categories');
    if (body?.zone_id) await this.#make('/zones');
    if (body?.option_id) await this.#make(this.#optionsOf(path));
  }

  /** Hidden attributes and their options are global. */
  #optionsOf(path: string): string {
    const attribute = path.replace(/\/values.*/, '');
    return `${attribute.replace(/^\/products\/\{\w+\}(?=\/attributes_hidden)/, '')}/options`;
  }
}

/** Sends a test event to the example's receiver, which does not exist, and waits until the delivery has failed. */
export async function failedTest(store: Pick<Store, 'get' | 'post'>, webhook: string): Promise<string> {
  const { status, text } = await store.post(`${webhook}/test`, {});
  assert.equal(status, 200, text);
  for (let tries = 0; ; tries += 1) {
    const delivery = (await store.get(`${webhook}/deliveries`)).json.at(-1);
    // Without a server's background jobs the delivery stays in this status.
    if (delivery.status !== 'waiting' || tries === TRIES_MAX) return String(delivery.id);
    await sleep(PAUSE_MS);
  }
}

/** Settings of a store that tries to send mails, without success. */
export const FAILING_MAILS = {
  ...{ MAIL_VIA: 'smtp', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'shop@mail.example', MAIL_RETRY_SECONDS: '86400' },
} as const;

/** Invites a user by mail, and waits for the first attempt. @returns the id of the mail; 1 if the store sends none */
async function failedMail(store: Pick<Store, 'get' | 'post'>): Promise<string> {
  const user = await store.post('/api/users', { email: 'ada@example.com', name: 'Ada', role_ids: [1] });
  assert.equal(user.status, 201, user.text);
  const { status, text } = await store.post(`/api/users/${user.json.id}/invite`, { mail: true });
  if (status === 503) return '1';
  assert.equal(status, 200, text);
  for (let tries = 0; ; tries += 1) {
    const mail = (await store.get('/api/mails')).json.at(-1);
    if (mail.attempts > 0 || tries === TRIES_MAX) return String(mail.id);
    await sleep(PAUSE_MS);
  }
}

const TRIES_MAX = 40;
const PAUSE_MS = 50;
