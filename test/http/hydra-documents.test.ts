/** The documents of JSON-LD and Hydra: public, complete, and consistent with the responses of the data paths. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RequestOptions } from '../support/client.ts';
import type { Json } from '../support/openapi.ts';
import { Store } from '../support/store.ts';

const LD = 'application/ld+json';
const store = new Store('sqlite');
let documentation: Json;
let entrypoint: Json;
describe('JSON-LD documents', () => {
  before(async () => {
    await store.start();
    documentation = (await visit('/api/docs.jsonld')).json;
    entrypoint = (await visit('/api', { accept: LD })).json;
  });
  after(() => store.stop());

  /** As a visitor without a key. */
  function visit(path: string, headers: RequestOptions['headers'] = {}, method = 'GET') {
    return store.request(method, path, { key: null, headers });
  }

  describe('GET /api as JSON-LD', () => {
    for (const accept of [LD, `${LD}, application/json`, `${LD}; profile="http://www.w3.org/ns/json-ld#compacted"`])
      test(`returns the entrypoint for Accept ${accept}`, async () => {
        const response = await visit('/api', { accept });
        assert.equal(response.status, 200);
        assert.equal(response.headers['content-type'], `${LD}; charset=utf-8`);
        const { '@context': context, '@id': id, '@type': type, ...collections } = response.json;
        assert.deepEqual([context, id, type], ['/api/contexts/Entrypoint', '/api', 'Entrypoint']);
        assert.equal(collections.product, '/api/products');
        assert.equal(collections.taxClass, '/api/tax_classes');
        assert.equal(collections.attribute, '/api/attributes');
        assert.equal(collections.attributesSelect, '/api/attributes_select');
        // Collections below another record are found there, not here.
        assert.ok(
          Object.values(collections).every((path) => /^\/api\/(\w+|front_page\/featured)$/.test(path as string)),
        );
      });

    test('lists each collection once with a readable path', async () => {
      const { '@context': _, '@id': __, '@type': ___, ...collections } = entrypoint;
      const paths = Object.values<string>(collections);
      assert.equal(new Set(paths).size, paths.length);
      for (const path of paths) {
        const response = await store.get(path, { accept: LD });
        assert.equal(response.status, 200, path);
        assert.equal(response.json['@id'], path);
      }
    });
  });

  describe('documentation and context paths', () => {
    const paths = [
      '/api/docs.jsonld',
      '/api/contexts/Product',
      '/api/contexts/Product.jsonld',
      '/api/contexts/Entrypoint',
    ];
    for (const path of paths)
      test(`returns ${path} without a key and 304 for its ETag`, async () => {
        const response = await visit(path);
        assert.equal(response.status, 200);
        assert.equal(response.headers['content-type'], `${LD}; charset=utf-8`);
        assert.equal(response.headers['cache-control'], 'public, no-cache');
        assert.equal(response.headers['access-control-allow-origin'], '*');
        assert.match(
          String(response.headers.link),
          /docs\.jsonld>; rel="http:\/\/www\.w3\.org\/ns\/hydra\/core#apiDocumentation"/,
        );
        const again = await visit(path, { 'if-none-match': response.headers.etag! });
        assert.deepEqual([again.status, again.text], [304, '']);
        const head = await visit(path, {}, 'HEAD');
        assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', response.headers.etag]);
        assert.equal(
          (await visit(path, { accept: 'application/json' })).headers['content-type'],
          'application/json; charset=utf-8',
        );
        assert.equal((await visit(path, { accept: 'text/csv' })).status, 406);
        assert.equal((await store.request('POST', path)).status, 405);
        assert.equal((await visit(`${path}?x=1`)).status, 400);
      });

    for (const path of [
      '/api/contexts/Nothing',
      '/api/contexts/product',
      '/api/contexts/a/b',
      '/api/contexts/__proto__',
    ])
      test(`returns 404 for ${path} with and without a key`, async () => {
        for (const key of [null, undefined])
          for (const accept of [undefined, LD]) {
            const response = await store.request('GET', path, {
              ...(key === null ? { key } : {}),
              headers: { accept },
            });
            assert.equal(response.status, 404, response.text);
            assert.match(
              response.headers['content-type']!,
              accept ? /^application\/ld\+json/ : /^application\/problem\+json/,
            );
          }
      });

    test('returns the same context with and without .jsonld', async () => {
      const [one, other] = await Promise.all(paths.slice(1, 3).map((path) => visit(path)));
      assert.equal(one!.text, other!.text);
    });
  });

  /** Clients resolve every address against the documentation's own. */
  describe('Hydra documentation', () => {
    const supported = (): Json[] => documentation['hydra:supportedClass'];
    const ids = (): Set<string> => new Set(supported().map((each) => each['@id']));
    const classNamed = (name: string): Json => supported().find((each) => each['@id'] === `#${name}`);
    const propertiesOf = (each: Json): Json[] => each['hydra:supportedProperty'];
    const operationsOf = (each: Json): Json[] => each['hydra:supportedOperation'];

    test('lists every class once, with a title and properties', () => {
      assert.equal(documentation['@type'], 'hydra:ApiDocumentation');
      assert.equal(documentation['@id'], '/api/docs.jsonld');
      assert.equal(documentation['hydra:entrypoint'], '/api');
      assert.equal(documentation['@context']['@vocab'], `${store.address}/api/docs.jsonld#`);
      assert.equal(ids().size, supported().length);
      for (const each of supported()) {
        assert.equal(each['@type'], 'hydra:Class');
        assert.ok(each['hydra:title'], each['@id']);
        assert.ok(propertiesOf(each).length > 0, each['@id']);
      }
      for (const name of [
        'Product',
        'ProductImage',
        'OrderItem',
        'CategoryStats',
        'Entrypoint',
        'ConstraintViolationList',
      ])
        assert.ok(classNamed(name), name);
    });

    test('every property has an existing class as its domain and its range', () => {
      for (const each of supported())
        for (const supportedProperty of propertiesOf(each)) {
          assert.equal(supportedProperty['@type'], 'hydra:SupportedProperty');
          const { '@id': id, '@type': type, domain, range } = supportedProperty['hydra:property'];
          assert.ok(['rdf:Property', 'hydra:Link'].includes(type), id);
          assert.ok(id.startsWith(`${domain}/`), id);
          assert.ok(ids().has(domain), id);
          if (range !== undefined) assert.ok(/^xmls:\w+$/.test(range) || ids().has(range), `${id} ${range}`);
          for (const claim of ['hydra:required', 'hydra:readable', 'hydra:writeable'])
            assert.equal(typeof supportedProperty[claim], 'boolean', id);
          assert.ok(supportedProperty['hydra:readable'] || supportedProperty['hydra:writeable'], id);
        }
    });

    test('every operation has a method, and existing classes as its input and output', () => {
      for (const each of supported())
        for (const operation of operationsOf(each)) {
          assert.match(operation['hydra:method'], /^(GET|POST|PUT|PATCH|DELETE)$/);
          assert.ok(operation['hydra:title'] && operation['rdfs:label']);
          for (const end of [operation.returns, operation.expects ?? operation.returns])
            assert.ok(/^(hydra|owl):/.test(end) || ids().has(end), `${each['@id']} ${end}`);
        }
      assert.deepEqual(
        operationsOf(classNamed('Product')).map((operation) => operation['hydra:method']),
        ['GET', 'PUT', 'PATCH', 'DELETE'],
      );
      assert.deepEqual(
        operationsOf(classNamed('Order')).map((operation) => operation['hydra:method']),
        ['GET', 'PATCH'],
      );
    });

    test('the Entrypoint class has the links of GET /api, each with the class of its members', () => {
      const links = propertiesOf(classNamed('Entrypoint'));
      const { '@context': _, '@id': __, '@type': ___, ...collections } = entrypoint;
      const keys = links.map((link) => link['hydra:property']['@id'].replace('#Entrypoint/', ''));
      assert.deepEqual(keys, Object.keys(collections));
      for (const link of links) {
        const property = link['hydra:property'];
        assert.equal(property['@type'], 'hydra:Link');
        const [collection, members] = property['rdfs:range'];
        assert.deepEqual(collection, { '@id': 'hydra:Collection' });
        assert.deepEqual(members['owl:equivalentClass']['owl:onProperty'], { '@id': 'hydra:member' });
        assert.ok(ids().has(members['owl:equivalentClass']['owl:allValuesFrom']['@id']));
        const [list, create] = property['hydra:supportedOperation'];
        assert.deepEqual([list['hydra:method'], list.returns], ['GET', 'hydra:Collection']);
        if (create) assert.equal(create['hydra:method'], 'POST');
      }
    });

    test('describes the type, cardinality and access of each property', () => {
      const property = (name: string): Json =>
        propertiesOf(classNamed('Product')).find((each) => each['hydra:title'] === name);
      const described = (name: string) => {
        const { range, 'owl:maxCardinality': count } = property(name)['hydra:property'];
        return [
          range,
          count,
          ...['required', 'readable', 'writeable'].map((claim) => property(name)[`hydra:${claim}`]),
        ];
      };
      assert.deepEqual(described('sku'), ['xmls:string', undefined, true, true, true]);
      assert.deepEqual(described('price'), ['xmls:decimal', undefined, false, true, true]);
      assert.deepEqual(described('amount'), ['xmls:integer', undefined, false, true, true]);
      assert.deepEqual(described('enabled'), ['xmls:boolean', undefined, false, true, true]);
      assert.deepEqual(described('update_date'), ['xmls:dateTime', undefined, false, true, false]);
      assert.deepEqual(described('tags'), ['#Tag', undefined, false, true, true]);
      assert.deepEqual(described('tax_class'), ['#TaxClass', 1, false, true, true]);
      assert.deepEqual(described('images'), ['#ProductImage', undefined, false, true, true]);
      assert.deepEqual(described('stickers'), ['xmls:array', undefined, false, true, true]);
    });

    test('translations have a separate class', () => {
      const own = classNamed('ProductTranslation');
      const titles = propertiesOf(own).map((property) => property['hydra:title']);
      assert.deepEqual(titles.slice(0, 2), ['name', 'description']);
      assert.ok(!titles.includes('sku'));
      assert.deepEqual(
        operationsOf(own).map((operation) => operation['hydra:method']),
        ['GET', 'PUT', 'DELETE'],
      );
      assert.equal(classNamed('LanguageTranslation'), undefined);
    });

    test('a collection with fewer fields has a subclass of the full class', () => {
      const own = classNamed('AttributeAtAttributesText');
      assert.equal(own.subClassOf, '#Attribute');
      const names = (each: Json): string[] => propertiesOf(each).map((property) => property['hydra:title']);
      assert.deepEqual(names(own), ['id', 'name', 'position', 'groupId']);
      assert.ok(names(classNamed('Attribute')).includes('displayMode'));
    });
  });

  describe('JSON-LD contexts', () => {
    test('every class that is not a subclass has a context with all its properties', async () => {
      for (const each of documentation['hydra:supportedClass']) {
        const name = each['@id'].slice(1);
        if (each.subClassOf?.startsWith('#') || name === 'ConstraintViolation') continue;
        const response = await visit(`/api/contexts/${name}`);
        assert.equal(response.status, 200, name);
        const context = response.json['@context'];
        assert.equal(context['@vocab'], `${store.address}/api/docs.jsonld#`);
        assert.equal(context.hydra, 'http://www.w3.org/ns/hydra/core#');
        if (name === 'ConstraintViolationList') continue;
        for (const property of each['hydra:supportedProperty']) {
          const id = property['hydra:property']['@id'].slice(1);
          const term = context[id.split('/')[1]];
          assert.equal(term['@id'] ?? term, id);
          if (term['@context']) assert.equal((await visit(term['@context'])).status, 200, term['@context']);
        }
      }
    });

    test('errors have a context of @vocab and hydra', async () => {
      assert.deepEqual(Object.keys((await visit('/api/contexts/Error')).json['@context']), ['@vocab', 'hydra']);
    });
  });
});
