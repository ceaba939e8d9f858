/**
 * Records for the requests of a collection that a tool generates: for each operation of the document, those that its path
 * names, made for it alone, and a body that names records which are there and repeats nothing that must be unique.
 */
import assert from 'node:assert/strict';
import { failedTest } from './example-environment.ts';
import type { Json } from './openapi.ts';
import { nameItems } from './order-parts.ts';
import type { Store } from './store.ts';

/** Makes records by requests. */
type Maker = Pick<Store, 'get' | 'post' | 'put' | 'made'>;

export interface Prepared {
  /** The path's parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

export class Records {
  readonly #store: Maker;
  readonly #paths: Json;

  constructor(store: Maker, document: Json) {
    this.#store = store;
    this.#paths = document.paths;
  }

  /** Makes the records that a request of this operation needs to succeed. */
  async prepare(path: string, method: string): Promise<Prepared> {
    const url = await this.#resolve(path);
    // A single record is made below its parents; then it is there to be read.
    if (this.#isSingle(path) && method !== 'post') await this.#makeAt(path, url);
    const names = path.split('/');
    const values = url.split('/');
    const parameters = names.flatMap((name, index) =>
      name.startsWith('{') ? [[name.slice(1, -1), values[index]!]] : [],
    );
    // A body of lines is none of a record.
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

  /** The operation's example, with what must differ from body to body. */
  async #bodyOf(operation: Json, path: string, url: string): Promise<Json> {
    made += 1;
    const body = structuredClone(operation.requestBody.content['application/json'].examples.default.value);
    for (const name of ['sku', 'name', 'clean_url']) if (body[name]) body[name] += ` ${made}`;
    // A hash takes its time, and only few requests are about one.
    delete body.password;
    if (body.login) body.login = `ada.${made}@example.com`;
    if (body.clean_url) body.clean_url = body.clean_url.replace(' ', '-');
    if (body.code && this.#paths[path].post)
      body.code = path === '/languages' ? languageCode() : `Q${made.toString(36).toUpperCase()}`;
    if (path.endsWith('/check_password')) {
      await this.#store.made('/api/profiles', { login: body.login, password: 'correct horse' });
      body.password = 'correct horse';
    }
    // An erasure would take parts of the orders that other requests are about.
    if (path.startsWith('/privacy/')) body.email = `nobody.${made}@example.com`;
    if (body.product_id) body.product_id = Number(await this.#make('/products'));
    for (const item of body.items ?? []) item.product_id = Number(await this.#make('/products'));
    if (body.parent) body.parent = Number(await this.#make('/categories'));
    if (body.option_id) {
      const attribute = url.replace(/\/values.*/, '').replace(/^\/products\/\d+(?=\/attributes_hidden)/, '');
      body.option_id = (await this.#store.made(`/api${attribute}/options`, { value: `Option ${made}` })).id;
    }
    if (body.attribute_select_values) body.attribute_select_values = [await this.#selectValue(url)];
    await nameItems(this.#store, url, body);
    return body;
  }

  /** A value that tells variants apart, of the product in the path. */
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

  /** The path with identifiers of new records for its parameters. */
  async #resolve(path: string): Promise<string> {
    let url = '';
    let template = '';
    for (const segment of path.split('/').slice(1)) {
      url += `/${segment.startsWith('{') ? await this.#identifier(template, url) : segment}`;
      template += `/${segment}`;
      if (path.startsWith(`${template}/translations`) && this.#isSingle(template)) await this.#makeAt(template, url);
    }
    return url;
  }

  async #identifier(collection: string, url: string): Promise<string> {
    if (this.#paths[collection]?.post) return this.#makeAt(collection, url);
    if (collection.endsWith('/translations')) return this.#writeTexts(collection, url);
    const kind = collection.split('/').at(-1)!;
    if (kind === 'deliveries') return failedTest(this.#store, `/api${url.replace(/\/deliveries$/, '')}`);
    if (kind === 'by_number')
      return (await this.#store.get(`/api/orders/${await this.#make('/orders')}`)).json.order_number;
    // Attributes below a product may be global ones, which are made elsewhere; an order writes its history itself.
    const elsewhere = kind === 'attributes' ? '/attributes_text' : `/${kind}`;
    return this.#paths[elsewhere]?.post ? this.#make(elsewhere) : (await this.#store.get(`/api${url}`)).json[0].id;
  }

  /** Texts of the record in a language in which it needs none. */
  async #writeTexts(collection: string, url: string): Promise<string> {
    const language = 'de';
    const path = `${collection}/{code}`;
    const body = await this.#bodyOf(this.#paths[path].put, path, url);
    const written = await this.#store.put(`/api${url}/${language}`, body);
    assert.equal(written.status, 200, `${path} ${written.text}`);
    return language;
  }
}

/** How many bodies were written; what must be unique has the number in it. */
let made = 0;

let languages = 0;

/** One that nobody speaks. */
function languageCode(): string {
  languages += 1;
  return `qa-${String.fromCharCode(65 + Math.floor(languages / 26))}${String.fromCharCode(65 + (languages % 26))}`;
}
