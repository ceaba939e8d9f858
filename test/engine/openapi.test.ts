/**
 * The OpenAPI document, without a server: it is valid in both versions, its examples match its schemas, and it contains
 * all declarations. Its full content is in test/snapshots/interface.txt.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validate } from '@scalar/openapi-parser';
import { inlineOpenApiDocument, onlyGroup, openApiDocument, type SpecVersion } from '../../src/describe/openapi.ts';
import { store } from '../../src/domain/index.ts';
import { text } from '../../src/engine/fields/text.ts';
import { createModel } from '../../src/engine/model/create-model.ts';
import { type Resource, resource } from '../../src/engine/resource.ts';
import { outputNames } from '../support/fields.ts';
import { expanded, type Json, operationsOf, resolved, schemaChecker } from '../support/openapi.ts';

const OPTIONS = { baseUrl: 'https://shop.example', programVersion: '0.0.0' };

const model = createModel(store);

function documentOf(specVersion: SpecVersion): Json {
  return openApiDocument(model, { ...OPTIONS, specVersion });
}

/** Media types without examples: files, JSON lines and printable pages. */
const HAS_NO_EXAMPLE = /^(application\/(x-ndjson|jsonl)|multipart\/form-data|text\/html)$|^\*\/\*$/;

for (const version of ['3.1.0', '3.0.3'] as const)
  describe(`OpenAPI ${version}`, () => {
    const document = documentOf(version);
    const operations = operationsOf(document);
    const check = schemaChecker(document);

    test('is valid against the meta-schema of its version', async () => {
      const { valid, errors } = await validate(structuredClone(document));
      assert.deepEqual(errors ?? [], []);
      assert.ok(valid);
      assert.equal(document.openapi, version);
    });

    test('has no dangling references', () => {
      for (const { $ref } of everyObject(document).filter((part) => typeof part.$ref === 'string'))
        assert.ok(resolved(document, { $ref }), $ref);
    });

    test('describes every operation in full, with a unique id', () => {
      for (const { path, method, operation } of operations) {
        const where = `${method} ${path}`;
        for (const part of ['operationId', 'summary', 'description']) assert.ok(operation[part], `${where} ${part}`);
        assert.equal(operation.tags.length, 1, where);
        assert.ok(
          operation.parameters.every((parameter: Json) => parameter.name && parameter.description),
          where,
        );
        if (['post', 'put', 'patch'].includes(method)) assert.ok(operation.requestBody, where);
        for (const status of ['400', '401', '404', '406', '412', '414', '500', '503'])
          assert.ok(operation.responses.default.description.includes(`**${status} `), `${where} ${status}`);
        if (operation.requestBody) assert.ok(operation.responses['422'], where);
      }
      assert.deepEqual(document.security, [{ apiKey: [] }]);
      const ids = operations.map(({ operation }) => operation.operationId);
      assert.equal(new Set(ids).size, ids.length);
    });

    test('has different summaries for the operations of a tag', () => {
      const summaries = operations.map(({ operation }) => `${operation.tags[0]}: ${operation.summary}`);
      const repeated = summaries.filter((summary, index) => summaries.indexOf(summary) !== index);
      assert.deepEqual(repeated, []);
      for (const summary of [
        'Attribute: List attributes',
        'Attribute: List select attributes of a product class',
        'AttributeOption: Create an attribute option of a hidden attribute',
        'WholesalePrice: Delete a wholesale price of a variant of a product',
        'Order: Read an order by number',
      ])
        assert.ok(summaries.includes(summary), summary);
    });

    test('declares exactly the parameters of each path', () => {
      for (const { path, operation } of operations) {
        const inPath = operation.parameters.filter((parameter: Json) => parameter.in === 'path');
        assert.deepEqual(
          inPath.map((parameter: Json) => `{${parameter.name}}`),
          path.match(/\{\w+\}/g) ?? [],
        );
      }
    });

    test('has valid examples of all request and response bodies', () => {
      let checked = 0;
      for (const { path, method, operation } of operations) {
        const responses = Object.entries<Json>(operation.responses).map(
          ([status, response]) => [status, resolved(document, response)] as const,
        );
        for (const [status, { content, headers = {} }] of [
          ...responses,
          ['body', operation.requestBody ?? {}] as const,
        ]) {
          for (const name of Object.keys(headers)) assert.ok(resolved(document, headers[name]).description, name);
          if (status !== 'body')
            assert.equal(content === undefined, ['204', '304', '416'].includes(status), `${path} ${status}`);
          for (const [type, { schema, example, examples }] of Object.entries<Json>(content ?? {})) {
            if (HAS_NO_EXAMPLE.test(type)) continue;
            // Named examples of a response would have to match a request example of the same name.
            // The example of a JSON-LD body is that of the JSON body.
            if (status === 'body' && type === 'application/ld+json') continue;
            assert.deepEqual(Object.keys(examples ?? {}), status === 'body' ? ['default'] : []);
            const value = status === 'body' ? examples.default.value : example;
            assert.equal(check(schema, value), undefined, `${method} ${path} ${status}`);
            checked += 1;
          }
        }
      }
      assert.ok(checked > 300);
    });

    test('offers every body as JSON and as JSON-LD', () => {
      const plain = /^application\/((merge-patch|problem)\+)?json$/;
      for (const { path, method, operation } of operations)
        for (const part of [operation.requestBody ?? {}, ...Object.values<Json>(operation.responses)]) {
          // The change feed, exports of personal data, lookups, scopes, addresses, accounts and the audit contain no records in JSON-LD form.
          if (
            /^\/(?:changes|lookup|scopes)$|^\/(?:users|roles|audit|mail_templates)\b|\/(audit|restore|export|erase|old_urls|resolve|feeds)$/.test(
              path,
            ) &&
            [operation.requestBody, operation.responses[200], operation.responses[201]].includes(part)
          )
            continue;
          const all = Object.keys(resolved(document, part).content ?? {});
          const types = all.filter((type) => !HAS_NO_EXAMPLE.test(type));
          const linked = types.filter((type) => type === 'application/ld+json');
          const others = types.filter((type) => plain.test(type));
          assert.equal(linked.length + others.length, types.length, `${method} ${path}`);
          assert.equal(linked.length > 0, others.length > 0, `${method} ${path}`);
        }
    });

    test('offers a multipart form for bodies with an image', () => {
      const offered = operations.flatMap(({ path, method, operation }) => {
        const { schema } = operation.requestBody?.content['multipart/form-data'] ?? {};
        return schema ? [[`${method} ${path}`, Object.keys(schema.properties).sort(), schema.required]] : [];
      });
      // A form uploads the file itself, so it has no URL and no `once`.
      const notInForm = ['attachment', 'externalUrl', 'external_url', 'filename', 'once'];
      const asForm = (name: string): string[] =>
        [...Object.keys(document.components.schemas[name].properties), 'file']
          .filter((field) => !notInForm.includes(field))
          .sort();
      const image = asForm('ProductImageInput');
      for (const field of ['alt', 'file', 'position']) assert.ok(image.includes(field), field);
      assert.deepEqual(offered.sort(), [
        ['patch /products/{product_id}/images/{image_id}', image, undefined],
        ['post /categories/{category_id}/banner', asForm('CategoryBannerInput'), ['file']],
        ['post /categories/{category_id}/icon', asForm('CategoryIconInput'), ['file']],
        ['post /products/{product_id}/attachments', asForm('ProductAttachmentInput'), ['file']],
        ['post /products/{product_id}/images', image, ['file']],
        ['put /products/{product_id}/images/{image_id}', image, undefined],
      ]);
    });

    test('has valid examples of all parameters and fields', () => {
      for (const { path, operation } of operations)
        for (const { name, schema, example } of operation.parameters)
          assert.equal(check(schema, example), undefined, `${path} ${name}`);
      for (const [name, { properties = {} }] of Object.entries<Json>(document.components.schemas))
        for (const [field, schema] of Object.entries<Json>(properties))
          for (const value of version === '3.1.0'
            ? (schema.examples ?? [])
            : 'example' in schema
              ? [schema.example]
              : [])
            assert.equal(check(schema, value), undefined, `${name} ${field}`);
    });
  });

/** Tags without a declared resource. */
const UNDECLARED = ['Key', 'User', 'Role', 'Audit', 'Changes', 'Statistics', 'ShopPages', 'Lookup'];

test('the document lists every resource under its name in its group', () => {
  const document = documentOf('3.1.0');
  const grouped = store.filter(({ group }) => group);
  assert.deepEqual(
    document.tags.map(({ name }: Json) => name),
    [...grouped.flatMap(tagsOf), ...UNDECLARED],
  );
  assert.deepEqual(
    document['x-tagGroups'].map(({ name }: Json) => name),
    ['Catalog', 'Orders', 'Profiles', 'Pricing', 'Store', 'Webhooks', 'Mail'],
  );
  for (const { name, tags } of document['x-tagGroups'])
    assert.deepEqual(tags, [
      ...grouped.filter(({ group }) => group === name).flatMap(tagsOf),
      ...(name === 'Store' ? UNDECLARED : []),
    ]);
  const { paths: methods } = expanded(document);
  for (const { name, routes = [] } of grouped)
    for (const { path, operations, single } of routes) {
      const collection = single ? path : path.slice(0, path.lastIndexOf('/'));
      const paths = [...new Set([path, collection])];
      const described = paths.flatMap((each) => Object.values<Json>(methods[each] ?? {}));
      assert.equal(described.filter(({ tags }) => tags[0] === name).length, operations.length, path);
    }
});

test('every tag and every component is used, and every used one exists', () => {
  for (const version of ['3.1.0', '3.0.3'] as const) {
    const document = documentOf(version);
    const operations = operationsOf(document).map(({ operation }) => operation);
    const used = [...new Set(operations.flatMap(({ tags }) => tags))].sort();
    const declared: string[] = document.tags.map(({ name }: Json) => name);
    assert.deepEqual(used, declared.toSorted());
    const grouped: string[] = document['x-tagGroups'].flatMap(({ tags }: Json) => tags);
    assert.deepEqual(used, grouped.toSorted());
    const referred = new Set(JSON.stringify(document).match(/(?<="#\/components\/)[^"]+/g));
    const existing = Object.entries<Json>(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind}/${name}`));
    assert.deepEqual([...referred].sort(), existing.sort());
  }
});

test('the audit of a record can be filtered by the actions that its entries can have', () => {
  const document = documentOf('3.1.0');
  const actionsOf = (path: string): Json => {
    const all: Json[] = document.paths[path].get.parameters.map(({ $ref, ...own }: Json) =>
      $ref === undefined ? own : document.components.parameters[$ref.split('/').at(-1)],
    );
    return all.find(({ name }) => name === 'action').schema.enum;
  };
  assert.deepEqual(actionsOf('/products/{id}/audit'), ['created', 'updated', 'deleted', 'restored']);
  assert.ok(actionsOf('/audit').includes('privacy_erase'));
});

/** A resource's name, and the further tags of its operations. */
function tagsOf({ name, views = [] }: Resource): string[] {
  return [name, ...views.flatMap(({ tag }) => tag?.name ?? [])];
}

test('the document has translation paths for every route with translated fields', () => {
  const { paths } = expanded(documentOf('3.1.0'));
  const methodsAt = (path: string): string[] => Object.keys(paths[path] ?? {});
  for (const route of model.routes) {
    const hasTexts = route.operations.has('read') && route.resource.translations.length > 0;
    const texts = `${route.path}/translations`;
    assert.deepEqual(methodsAt(texts), hasTexts ? ['get'] : [], texts);
    assert.deepEqual(methodsAt(`${texts}/{code}`), hasTexts ? ['get', 'put', 'delete'] : [], texts);
  }
  assert.equal(Object.keys(paths).filter((path) => path.endsWith('/translations/{code}')).length, 31);
  const shown = resource({
    name: 'Shown',
    group: 'Store',
    description: 'Is read and no more.',
    fields: { title: text({ translated: true }) },
    routes: [{ path: '/shown/{id}', operations: ['read', 'remove'] }],
  });
  const document: Json = openApiDocument(createModel([...store, shown]), { ...OPTIONS, specVersion: '3.1.0' });
  assert.deepEqual(Object.keys(document.paths['/shown/{id}/translations/{code}']), ['get']);
});

test('the document omits a resource without a group', () => {
  const hidden = resource({
    name: 'Veiled',
    description: 'Not in the reference.',
    fields: { title: text({ required: true }) },
    routes: [{ path: '/veiled/{id}', operations: ['list', 'read'] }],
  });
  const document: Json = openApiDocument(createModel([...store, hidden]), { ...OPTIONS, specVersion: '3.1.0' });
  assert.equal(JSON.stringify(document).includes('eiled'), false);
});

test('the document expresses null in the form of its version', () => {
  const of = (version: SpecVersion): Json => documentOf(version).components.schemas;
  assert.deepEqual(of('3.1.0').ProductInput.properties.arrival_date.type, ['string', 'null']);
  assert.deepEqual(of('3.1.0').ProductOutput.properties.tax_class, {
    anyOf: [{ $ref: '#/components/schemas/TaxClassOutput' }, { type: 'null' }],
  });
  assert.equal(of('3.0.3').ProductInput.properties.arrival_date.nullable, true);
  assert.deepEqual(of('3.0.3').ProductOutput.properties.tax_class, {
    anyOf: [{ $ref: '#/components/schemas/TaxClassOutput' }, { type: 'object', nullable: true, enum: [null] }],
  });
  for (const version of ['3.1.0', '3.0.3'] as const) {
    const { tax_class } = of(version).ProductOutput.properties;
    assert.equal(schemaChecker(documentOf(version))(tax_class, null), undefined, version);
  }
  for (const part of everyObject(documentOf('3.0.3'))) {
    assert.ok(!('nullable' in part) || typeof part.type === 'string', JSON.stringify(part));
    assert.ok(!Array.isArray(part.type), JSON.stringify(part));
  }
});

test('input and output schemas have exactly the fields of their groups', () => {
  const { schemas } = documentOf('3.1.0').components;
  const cases: [schema: string, fields: string[], others: string[]][] = [
    [
      'ProductImageInput',
      ['position', 'alt', 'externalUrl', 'attachment', 'filename'],
      ['id', 'url', 'width', 'height'],
    ],
    ['ProductImageOutput', outputNames('ProductImage'), ['externalUrl', 'attachment', 'filename']],
    ['LanguageInput', ['code', 'name', 'enabled', 'is_default'], []],
    ['LanguageReplacement', ['name', 'enabled', 'is_default'], ['code']],
  ];
  for (const [schema, fields, others] of cases) {
    const names = Object.keys(schemas[schema].properties);
    for (const name of fields) assert.ok(names.includes(name), `${schema} ${name}`);
    for (const name of others) assert.ok(!names.includes(name), `${schema} ${name}`);
  }
  assert.deepEqual(schemas.ProductInput.required, ['sku', 'name']);
  assert.equal(schemas.ProductPatch.required, undefined);
  assert.equal(schemas.ProductInput.additionalProperties, undefined);
  assert.deepEqual(schemas.ProductInput.properties.tax_class.allOf, [
    { $ref: '#/components/schemas/TaxClassLinkOrNull' },
  ]);
  assert.deepEqual(
    schemas.TaxClassLinkOrNull.anyOf.map(({ type, $ref }: Json) => type ?? $ref),
    ['string', 'integer', '#/components/schemas/TaxClassOutput', 'null'],
  );
  assert.deepEqual(
    schemas.TagLink.anyOf.map(({ type, $ref }: Json) => type ?? $ref),
    ['string', 'integer', '#/components/schemas/TagOutput'],
  );
  // No `default` keyword, because generated clients would send defaults, which PATCH and PUT must not contain.
  for (const name of Object.keys(schemas))
    assert.equal(JSON.stringify(schemas[name]).includes('"default":'), false, name);
  const { amount } = schemas.ProductInput.properties;
  assert.match(amount.description, /Default: `1000`\. A PUT without it leaves it unchanged\./);
  assert.doesNotMatch(schemas.ProductPatch.properties.amount.description, /Default|PUT/);
});

test('the document lists every form of a collection’s filters', () => {
  const { parameters } = expanded(documentOf('3.1.0')).paths['/products'].get;
  const names: string[] = parameters.map(({ name }: Json) => name);
  for (const name of [
    ...['page', 'itemsPerPage', 'order[name]', 'order[arrivalDate]', 'id', 'id[]', 'name', 'enabled', 'tags[]'],
    ...['price', 'price[]', 'price[gt]', 'price[gte]', 'price[lt]', 'price[lte]', 'price[between]'],
    ...['create_date', 'create_date[]', 'create_date[before]', 'create_date[strictly_before]', 'create_date[after]'],
    ...['create_date[strictly_after]', 'Accept-Language', 'If-None-Match', 'Prefer'],
  ])
    assert.ok(names.includes(name), name);
  for (const name of ['enabled[]', 'sku[gt]', 'id[gt]', 'page[]']) assert.ok(!names.includes(name), name);
  const { schema, ...list } = parameters.find(({ name }: Json) => name === 'id[]');
  assert.deepEqual([schema.type, list.style, list.explode], ['array', 'form', true]);
  const { schema: size } = parameters.find(({ name }: Json) => name === 'itemsPerPage');
  // Larger values are reduced to the limit, so it is not a maximum.
  assert.deepEqual([size.minimum, size.maximum, size.default], [1, undefined, 30]);
});

test('repeated parameters, bodies and responses are components, and the document has at most 4,400 bytes for each path', () => {
  for (const version of ['3.1.0', '3.0.3'] as const) {
    const document = documentOf(version);
    const size = Buffer.byteLength(JSON.stringify(document));
    const paths = Object.keys(document.paths).length;
    assert.ok(size <= 4400 * paths, `OpenAPI ${version}: ${size} bytes for ${paths} paths`);
    const inline = Object.values<Json>(document.paths).flatMap((item) => [
      ...(item.parameters ?? []),
      ...Object.values<Json>(item).flatMap(({ parameters = [], requestBody = [], responses = {} }) => [
        ...parameters,
        ...[requestBody].flat(),
        ...Object.values<Json>(responses),
      ]),
    ]);
    const texts = inline.filter(({ $ref }: Json) => !$ref).map((part: Json) => JSON.stringify(part));
    const repeated = texts.filter((text, index) => text.length > 80 && texts.indexOf(text) !== index);
    assert.deepEqual(repeated, []);
    for (const [section, parts] of Object.entries<Json>(document.components)) {
      const names = Object.keys(parts).map((name) => name.toLowerCase().replace(/\W|_/g, ''));
      assert.equal(new Set(names).size, names.length, `names in ${section} differ only in case or separators`);
    }
    for (const [path, { parameters: common = [], ...methods }] of Object.entries<Json>(document.paths))
      for (const { parameters = [] } of Object.values<Json>(methods))
        for (const parameter of parameters) assert.ok(!includes(common, parameter), path);
  }
});

function includes(parts: readonly Json[], part: Json): boolean {
  return parts.some((each) => JSON.stringify(each) === JSON.stringify(part));
}

test('the document has the same content as the one without shared components', () => {
  for (const specVersion of ['3.1.0', '3.0.3'] as const) {
    const inline: Json = inlineOpenApiDocument(model, { ...OPTIONS, specVersion });
    const content = (document: Json): Json =>
      operationsOf(document).map(({ path, method, operation }) => {
        const parameters = operation.parameters.map((parameter: Json) => JSON.stringify(parameter)).sort();
        return { path, method, ...operation, parameters };
      });
    assert.deepEqual(content(documentOf(specVersion)), content(inline));
  }
});

test('a group of the document has its paths whole, and exactly the components that they use', () => {
  const whole = documentOf('3.1.0');
  for (const { name, tags } of whole['x-tagGroups']) {
    const part: Json = onlyGroup(whole, name);
    const isOfGroup = (path: string): boolean =>
      operationsOf({ ...whole, paths: { [path]: whole.paths[path] } }).some(({ operation }) =>
        tags.includes(operation.tags[0]),
      );
    assert.deepEqual(Object.keys(part.paths), Object.keys(whole.paths).filter(isOfGroup), name);
    for (const path of Object.keys(part.paths)) assert.deepEqual(part.paths[path], whole.paths[path]);
    const references = new Set(JSON.stringify(part).match(/(?<="#\/components\/)[^"]+/g));
    const existing = Object.entries<Json>(part.components)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, parts]) => Object.keys(parts).map((each) => `${section}/${each}`));
    assert.deepEqual([...references].sort(), existing.sort(), name);
    assert.deepEqual(part.components.securitySchemes, whole.components.securitySchemes);
    const used = new Set(operationsOf(part).map(({ operation }) => operation.tags[0]));
    assert.deepEqual(new Set(part.tags.map((tag: Json) => tag.name)), used, name);
  }
  assert.equal(onlyGroup(whole, 'Nothing'), undefined);
});

function everyObject(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(everyObject);
  return Array.isArray(value) ? below : [value, ...below];
}
