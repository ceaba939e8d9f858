/** Cached responses with values of other records: `options` of variants follow every change of an attribute or option. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { readConfig } from '../../src/wiring/config.ts';
import { openStore } from '../../src/wiring/open.ts';
import { databaseNames } from '../support/databases.ts';
import { INJECT_KEY, serverOf } from '../support/injected-server.ts';
import { type OpenedStore, openedStore, withOverrides } from '../support/opened-store.ts';

const DE = { 'accept-language': 'de' };

type Headers = Readonly<Record<string, string>>;

async function send(app: FastifyInstance, method: string, url: string, body?: object, headers: Headers = {}) {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { 'x-auth-token': INJECT_KEY, ...headers },
    ...(body && { payload: body }),
  } satisfies InjectOptions);
  assert.ok(response.statusCode < 400, `${method} ${url}: ${response.body}`);
  return response;
}

/** Paths of a product's variant, of the attribute and option that distinguish it, and of the product's value. */
type Paths = Readonly<Record<'variant' | 'attribute' | 'option' | 'value', string>>;

/** Creates a product with the variant M of the attribute Size. @param scope of the attribute; by default the product */
async function madeShirt(app: FastifyInstance, sku: string, scope?: string): Promise<Paths> {
  const made = async (url: string, body: object) => (await send(app, 'POST', url, body)).json().id as number;
  const product = `/api/products/${await made('/api/products', { sku, name: 'Shirt' })}`;
  const attributes = `${scope ?? product}/attributes_select`;
  const attributeId = await made(attributes, { name: 'Size' });
  const attribute = `${attributes}/${attributeId}`;
  const optionId = await made(`${attribute}/options`, { value: 'M' });
  const values = `${product}/attributes_select/${attributeId}/values`;
  const valueId = await made(values, { option_id: optionId });
  const variantId = await made(`${product}/variants`, { sku: `${sku}-M`, attribute_select_values: [valueId] });
  return {
    variant: `${product}/variants/${variantId}`,
    attribute,
    option: `${attribute}/options/${optionId}`,
    value: `${values}/${valueId}`,
  };
}

/** A change of another record, and the texts in English and German after all changes so far. */
const CHANGES: readonly [
  title: string,
  change: (app: FastifyInstance, paths: Paths) => Promise<unknown>,
  en: readonly string[],
  de: readonly string[],
][] = [
  [
    'the attribute is renamed',
    (app, { attribute }) => send(app, 'PATCH', attribute, { name: 'Width' }),
    ['Width', 'M'],
    ['Width', 'M'],
  ],
  [
    'the option is renamed',
    (app, { option }) => send(app, 'PATCH', option, { value: 'Medium' }),
    ['Width', 'Medium'],
    ['Width', 'Medium'],
  ],
  [
    'the attribute is renamed in another language',
    (app, { attribute }) => send(app, 'PATCH', attribute, { name: 'Weite' }, DE),
    ['Width', 'Medium'],
    ['Weite', 'Medium'],
  ],
  [
    'the option gets a text in another language',
    (app, { option }) => send(app, 'PUT', `${option}/translations/de`, { value: 'Mittel' }),
    ['Width', 'Medium'],
    ['Weite', 'Mittel'],
  ],
  [
    'the attribute loses its text in another language',
    (app, { attribute }) => send(app, 'DELETE', `${attribute}/translations/de`),
    ['Width', 'Medium'],
    ['Width', 'Mittel'],
  ],
  [
    'the value gets another option',
    async (app, { attribute, value }) => {
      const option_id = (await send(app, 'POST', `${attribute}/options`, { value: 'Large' })).json().id;
      await send(app, 'PATCH', value, { option_id });
    },
    ['Width', 'Large'],
    ['Width', 'Large'],
  ],
];

for (const name of databaseNames)
  describe(`cached values of linked records (${name})`, { timeout: 120_000 }, () => {
    let opened: OpenedStore;
    let other: Awaited<ReturnType<typeof openStore>>;
    // Each server has its own connections and caches, as workers do. The second one learns of changes from the journal.
    let servers: readonly [FastifyInstance, FastifyInstance];
    before(async () => {
      opened = await openedStore(name);
      other = await openStore(readConfig({ DATABASE_URL: opened.url, LANGUAGES: 'de' }));
      servers = [await serverOf(opened.service), await serverOf(other.service)];
    });
    after(async () => {
      for (const server of servers) await server.close();
      await other.close();
      await opened.remove();
    });

    for (const [scope, path] of [
      ['the product', undefined],
      ['the store', '/api'],
    ] as const)
      test(`are current on every server after every change of an attribute of ${scope}`, async () => {
        const paths = await madeShirt(servers[0], scope, path);
        const { variant } = paths;
        const list = variant.slice(0, variant.lastIndexOf('/'));
        const urls = [
          variant,
          `${variant}?fields=options`,
          list,
          '/api/variants?order[id]=desc',
          '/api/variants?order[id]=desc&fields=options',
        ];
        const reads = servers.flatMap((server) =>
          urls.flatMap((url) => [{}, DE].map((headers: Headers) => ({ server, url, headers }))),
        );
        for (const [title, change, en, de] of CHANGES) {
          // The second and the third time from the cache.
          for (let time = 0; time < 2; time += 1)
            for (const { server, url, headers } of reads) await send(server, 'GET', url, undefined, headers);
          const tags: string[] = [];
          for (const { server, url, headers } of reads)
            tags.push(String((await send(server, 'GET', url, undefined, headers)).headers.etag));
          await change(servers[0], paths);
          for (const [index, { server, url, headers }] of reads.entries()) {
            const where = `after ${title}: ${url} ${JSON.stringify(headers)} of server ${servers.indexOf(server)}`;
            const expected = headers === DE ? de : en;
            const ifNoneMatch = { ...headers, 'if-none-match': tags[index]! };
            const conditional = await send(server, 'GET', url, undefined, ifNoneMatch);
            const now = await send(server, 'GET', url, undefined, headers);
            assert.deepEqual(textsIn(now.json()), expected, where);
            const isSame = now.headers.etag === tags[index];
            assert.equal(conditional.statusCode, isSame ? 304 : 200, where);
            if (!isSame) assert.equal(conditional.body, now.body, where);
          }
        }
      });

    test('are read with the records of a list by one statement', async () => {
      for (const sku of ['A', 'B', 'C']) await madeShirt(servers[0], sku);
      const { service } = opened;
      let statements = 0;
      const query: typeof service.database.query = (statement, values) => {
        if (statement.sql.includes('attribute_option')) statements += 1;
        return service.database.query(statement, values);
      };
      const database = withOverrides(service.database, { query, search: query });
      const server = await serverOf({ ...service, database }, { RESPONSE_CACHE_BYTES_MAX: '0' });
      const variants = (await send(server, 'GET', '/api/variants')).json();
      await server.close();
      assert.ok(variants.length > 2);
      assert.equal(statements, 1);
    });
  });

/** The texts of the only option of a variant, or of the first variant in a list. */
function textsIn(json: Shown | Shown[]): unknown[] {
  const { options } = Array.isArray(json) ? json[0]! : json;
  assert.equal(options.length, 1);
  return [options[0]!.name, options[0]!.value];
}

interface Shown {
  readonly options: readonly Readonly<Record<string, unknown>>[];
}
