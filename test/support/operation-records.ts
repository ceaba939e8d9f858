/**
 * Prepares requests for tools that test every operation of the OpenAPI document. Each operation gets its own new records for
 * the parameters of its path, and a body that names existing records and has new values for unique fields.
 */
import assert from 'node:assert/strict';
import { failedTest } from './example-environment.ts';
import { expanded, type Json } from './openapi.ts';
import { nameItems } from './order-parts.ts';
import type { Store } from './store.ts';

/** The methods of a store that create records. */
type Maker = Pick<Store, 'delete' | 'get' | 'post' | 'put' | 'made'>;

export interface Prepared {
  /** The values of the path parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

export class Records {
  readonly #store: Maker;
  readonly #paths: Json;

  constructor(store: Maker, document: Json) {
    this.#store = store;
    this.#paths = expanded(document).paths;
  }

  /** Creates the records that a request of this operation needs to succeed. */
  async prepare(path: string, method: string): Promise<Prepared> {
    const url = await this.#resolve(path);
    if (path === '/urls/resolve') await this.#makeAddress(this.#paths[path].get);
    // Without it, there is only the built-in template.
    if (path.startsWith('/mail_templates/') && method === 'delete')
      await this.#store.put(
        `/api${url}`,
        this.#paths[path].put.requestBody.content['application/json'].examples.default.value,
      );
    // The record of a singleton route does not exist until it is created below its parents.
    if (this.#isSingle(path) && method !== 'post' && !isOwnAccount(path)) await this.#makeAt(path, url);
    const names = path.split('/');
    const values = url.split('/');
    const parameters = names.flatMap((name, index) =>
      name.startsWith('{') ? [[name.slice(1, -1), values[index]!]] : [],
    );
    // A body of lines has no record.
    const takesRecord = this.#paths[path][method].requestBody?.content['application/json'] !== undefined;
    return {
      parameters: Object.fromEntries(parameters),
      body: takesRecord ? await this.#bodyOf(this.#paths[path][method], path, url) : undefined,
    };
  }

  #isSingle(path: string): boolean {
    const { get, post } = this.#paths[path] ?? {};
    return Boolean(post) && /^read/.test(get?.operationId);
  }

  /** The operation's example, with new values for unique fields. */
  async #bodyOf(operation: Json, path: string, url: string): Promise<Json> {
    made += 1;
    const body = structuredClone(operation.requestBody.content['application/json'].examples.default.value);
    for (const name of ['sku', 'name', 'clean_url']) if (body[name]) body[name] += ` ${made}`;
    // Hashing a password is slow, and few requests need one.
    delete body.password;
    if (body.email && /^\/users(\/\{\w+\})?$/.test(path)) body.email = `staff.${made}@example.com`;
    if (body.login) body.login = `ada.${made}@example.com`;
    if (body.clean_url) body.clean_url = body.clean_url.replace(' ', '-');
    // The code of a coupon can be changed, that of a status or language cannot.
    if (body.code && (this.#paths[path].post || path.startsWith('/coupons')))
      body.code = path === '/languages' ? languageCode() : `Q${made.toString(36).toUpperCase().padStart(3, '0')}`;
    if (path.endsWith('/check_password')) {
      await this.#store.made('/api/profiles', { login: body.login, password: 'correct horse' });
      body.password = 'correct horse';
    }
    // The erasure of an existing person would change orders of other requests.
    if (path.startsWith('/privacy/')) body.email = `nobody.${made}@example.com`;
    if (body.product_id) body.product_id = Number(await this.#make('/products'));
    for (const item of body.items ?? []) item.product_id = Number(await this.#make('/products'));
    if (body.parent) body.parent = Number(await this.#make('/categories'));
    if (body.zone_id) body.zone_id = Number(await this.#make('/zones'));
    if (body.option_id) {
      const attribute = url.replace(/\/values.*/, '').replace(/^\/products\/\d+(?=\/attributes_hidden)/, '');
      body.option_id = (await this.#store.made(`/api${attribute}/options`, { value: `Option ${made}` })).id;
    }
    if (body.attribute_select_values) body.attribute_select_values = [await this.#selectValue(url)];
    await nameItems(this.#store, url, body);
    return body;
  }

  /** Creates a select value that distinguishes variants of the product in the path. */
  async #selectValue(url: string): Promise<number> {
    const product = `/api${url.replace(/\/variants.*/, '')}`;
    const { id } = await this.#store.made(`${product}/attributes_select`, { name: `Attribute ${made}` });
    const at = `${product}/attributes_select/${id}`;
    const option = await this.#store.made(`${at}/options`, { value: `Option ${made}` });
    return (await this.#store.made(`${at}/values`, { option_id: option.id })).id;
  }

  async #make(path: string): Promise<string> {
    return this.#makeAt(path, await this.#resolve(path));
  }

  /** @returns the new record's identifier */
  async #makeAt(path: string, url: string): Promise<string> {
    const created = await this.#store.post(`/api${url}`, await this.#bodyOf(this.#paths[path].post, path, url));
    assert.equal(created.status, 201, `${path} ${created.text}`);
    return created.headers.location!.split('/').at(-1)!;
  }

  /** Replaces the path parameters by identifiers of new records. */
  async #resolve(path: string): Promise<string> {
    if (path === '/audit/{id}/restore') return `/audit/${await this.#deletion()}/restore`;
    let url = '';
    let template = '';
    for (const segment of path.split('/').slice(1)) {
      url += `/${segment.startsWith('{') ? await this.#identifier(template, url) : segment}`;
      template += `/${segment}`;
      if (
        /^\/(?:translations|(?:audit|restore)$)/.test(path.slice(template.length)) &&
        path.startsWith(template) &&
        this.#isSingle(template)
      )
        await this.#makeAt(template, url);
    }
    return url;
  }

  async #identifier(collection: string, url: string): Promise<string> {
    // A key has no account, so these paths are a 404.
    if (isOwnAccount(collection)) return '1';
    if (this.#paths[collection]?.post) return this.#makeAt(collection, url);
    if (collection.endsWith('/translations')) return this.#writeTexts(collection, url);
    const kind = collection.split('/').at(-1)!;
    if (kind === 'deliveries') return failedTest(this.#store, `/api${url.replace(/\/deliveries$/, '')}`);
    // The store sends no mails and has no carts, so these paths are a 404.
    if (kind === 'mails' || kind === 'carts') return '1';
    if (kind === 'mail_templates') return 'staff_reset';
    if (collection === '/mail_templates/{name}') return 'en';
    // The user has no sessions, so these paths are a 404.
    if (kind === 'sessions') return '1';
    if (kind === 'old_urls') return this.#formerUrl(`/api${url.replace(/\/old_urls$/, '')}`);
    if (kind === 'by_number')
      return (await this.#store.get(`/api/orders/${await this.#make('/orders')}`)).json.order_number;
    // Attributes below a product can be global and are created at the global path; an order writes its own history.
    const elsewhere = kind === 'attributes' ? '/attributes_text' : `/${kind}`;
    return this.#paths[elsewhere]?.post ? this.#make(elsewhere) : (await this.#store.get(`/api${url}`)).json[0].id;
  }

  /** Deletes a new record. @returns the id of the audit entry */
  async #deletion(): Promise<string> {
    made += 1;
    const { id } = await this.#store.made('/api/tags', { name: `Deleted ${made}` });
    const removed = await this.#store.delete(`/api/tags/${id}`);
    assert.equal(removed.status, 204, removed.text);
    return (await this.#store.get(`/api/tags/${id}/audit`)).json[0].id;
  }

  /** Renames the record. @returns its former clean URL */
  async #formerUrl(record: string): Promise<string> {
    const { json } = await this.#store.get(record);
    const renamed = await this.#store.put(record, { ...json, clean_url: `${json.clean_url}-renamed` });
    assert.equal(renamed.status, 200, renamed.text);
    return json.clean_url;
  }

  /** Creates the page that the operation's example names, unless it exists. */
  async #makeAddress({ parameters }: Json): Promise<void> {
    const { example } = parameters.find(({ name }: Json) => name === 'path');
    const clean_url = example.slice(1);
    await this.#store.post('/api/products', { sku: 'ADDRESS', name: 'Address', clean_url });
  }

  /** Writes a translation into a language that is optional for the record. */
  async #writeTexts(collection: string, url: string): Promise<string> {
    const language = 'de';
    const path = `${collection}/{code}`;
    const body = await this.#bodyOf(this.#paths[path].put, path, url);
    const written = await this.#store.put(`/api${url}/${language}`, body);
    assert.equal(written.status, 200, `${path} ${written.text}`);
    return language;
  }
}

/** The number of bodies so far, which makes values unique. */
let made = 0;

let languages = 0;

/** A code of the private-use range. */
function languageCode(): string {
  languages += 1;
  return `qa-${String.fromCharCode(65 + Math.floor(languages / 26))}${String.fromCharCode(65 + (languages % 26))}`;
}

/** Whether a path belongs to the account of the caller. */
function isOwnAccount(path: string): boolean {
  return path.startsWith('/users/me');
}
