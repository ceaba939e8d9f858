/**
 * The interface summary is complete: every change of the OpenAPI document, other than prose, changes the summary.
 * Reviews rely on it, so an omission would hide a change.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { interfaceSummary } from '../../renew/interface.ts';
import { inlineOpenApiDocument, type SpecVersion } from '../../src/describe/openapi.ts';
import { problemTypes } from '../../src/engine/errors.ts';
import { storeModel } from '../../src/wiring/open.ts';
import { type Json, operationsOf } from '../support/openapi.ts';

const OPTIONS = { baseUrl: 'https://shop.example', programVersion: '0.0.0' };
const model = storeModel();

function documentOf(specVersion: SpecVersion): Json {
  // As a client parses it: no object is shared.
  return JSON.parse(JSON.stringify(inlineOpenApiDocument(model, { ...OPTIONS, specVersion })));
}

/** Keywords with their default value, whose removal changes nothing. */
const SAME_WITHOUT = /(parameters\.\*\.(style|explode))$/;

/** Objects whose keys are names rather than keywords. */
const NAMES = /(^|\.)(paths(\.\*)?|components|schemas|responses|headers|securitySchemes|properties|content)$/;

const PROSE = new Set(['description', 'summary', 'example', 'examples']);

const document = documentOf('3.1.0');
const whole = interfaceSummary(document);
const lines = whole.split('\n');

/** The document reduced to one element of each form. */
const sample = withOneOfEachForm(document);
const summary = interfaceSummary(sample);

test('both OpenAPI versions have the same summary', () => {
  const [first, ...rest] = interfaceSummary(documentOf('3.0.3')).split('\n');
  assert.equal(first, 'OpenAPI 3.0.3');
  assert.deepEqual(rest, lines.slice(1));
});

test('the summary has short lines and no raw keywords', () => {
  assert.ok(lines.length < 11_000, String(lines.length));
  for (const line of lines) assert.ok(line.length <= 160, line);
  // The summary shows an unsupported keyword as `keyword=JSON`.
  const unknown = lines.flatMap((line) => [...line.matchAll(/([\w-]+)=[^ ]/g)].map(([, name]) => name));
  const known = [
    'title',
    'version',
    'contact',
    'license',
    'x-purveyor-version',
    'url',
    'security',
    'type',
    'in',
    'name',
  ];
  assert.deepEqual([...new Set(unknown)].sort(), [...known, 'additionalProperties', 'deprecated', 'explode'].sort());
});

test('the summary contains every operation, schema and problem type', () => {
  const unbroken = whole.replace(/\s+/g, ' ');
  for (const { path, method, operation } of operationsOf(document))
    assert.ok(unbroken.includes(` ${method.toUpperCase()} ${path} ${operation.operationId} [`), path);
  for (const name of Object.keys(document.components.schemas))
    assert.ok(
      lines.some((line) => line === name || line.startsWith(`${name} `)),
      name,
    );
  for (const [type, { status }] of Object.entries(problemTypes)) assert.ok(lines.includes(`  ${status} ${type}`), type);
});

test('the summary contains defaults, uniqueness and translation of fields, which the document describes in prose', () => {
  const { ProductInput, ProductOutput, ProductReplacement } = document.components.schemas;
  const fieldLines = new Map(block('ProductInput').map((line) => [line.split(/\??: /)[0]!.trim(), line]));
  let defaults = 0;
  for (const [name, { description = '' }] of Object.entries<Json>(ProductInput.properties)) {
    const line = fieldLines.get(name)!;
    assert.equal(/ default /.test(line), description.includes('Default: '), line);
    assert.equal(/ unique\b/.test(line), description.includes('Must be unique.'), line);
    assert.equal(/ by language\b/.test(line), description.includes('in the language of the request'), line);
    assert.equal(/ kept by PUT\b/.test(line), description.includes('A PUT without it leaves it unchanged'), line);
    defaults += Number(/ default /.test(line));
  }
  assert.ok(defaults > 20);
  assert.match(fieldLines.get('discount_type')!, /: sale_price\|sale_percent default "sale_percent"$/);
  // Only lists with its parameters show `price_for`; it is unknown in a body.
  const outputAlone = Object.keys(ProductOutput.properties).filter(
    (name) => !(name in ProductInput.properties) && name !== 'price_for',
  );
  assert.ok(whole.includes(`\nProductInput (taken as shown: ${outputAlone.join(', ')})\n`), outputAlone.join());
  assert.ok(!('images' in ProductReplacement.properties));
  assert.match(whole, /^ProductReplacement = ProductInput .*\n(?: {4}.*\n)* {2}- images$/m);
});

test('an added field adds two lines', () => {
  const changed = structuredClone(document);
  for (const [name, schema] of Object.entries<Json>(changed.components.schemas))
    if (/^Product(Input|Patch|Replacement|Output)$/.test(name)) schema.properties.shelf = { type: 'string' };
  const before = new Set(lines);
  const after = interfaceSummary(changed).split('\n');
  assert.deepEqual(
    after.filter((line) => !before.has(line)),
    ['  shelf?: string', '  shelf?: string'],
    'one line each in input and output',
  );
  assert.equal(after.length, lines.length + 2);
});

describe('changes of the document', () => {
  const all = alterations(sample);

  test('every kind of change changes the summary', () => {
    assert.ok(all.length > 500, String(all.length));
    const unseen = all.filter(({ altered }) => summaryOrNone(altered()) === summary);
    assert.deepEqual(
      unseen.map(({ what }) => what),
      [],
    );
  });

  test('prose does not change the summary', () => {
    const altered = structuredClone(sample);
    for (const operation of Object.values<Json>(altered.paths).flatMap((methods) => Object.values<Json>(methods))) {
      operation.summary += ' Or not.';
      for (const parameter of operation.parameters) parameter.description += ' Or not.';
    }
    assert.equal(interfaceSummary(altered), summary);
  });

  const examples: Record<string, (altered: Json) => void> = {
    'a type': ({ components: { schemas } }) => {
      schemas.ProductInput.properties.price.type = 'integer';
    },
    'a limit': ({ components: { schemas } }) => {
      schemas.ProductInput.properties.sku.maxLength = 33;
    },
    'an enumeration': ({ components: { schemas } }) => {
      schemas.ProductInput.properties.discount_type.enum.pop();
    },
    'the required fields': ({ components: { schemas } }) => {
      schemas.ProductInput.required.pop();
    },
    nullability: ({ components: { schemas } }) => {
      schemas.ProductInput.properties.arrival_date.type = 'string';
    },
    'the default of a field': ({ components: { schemas } }) => {
      const { amount } = schemas.ProductInput.properties;
      amount.description = amount.description.replace('1000', '0');
    },
    'a violation code': ({ components: { schemas } }) => {
      schemas.Violation.properties.code.enum[0] = 'empty';
    },
    'the JSON-LD form only': ({ components: { schemas } }) => {
      schemas['Record.jsonld'].properties['@type'].type = 'integer';
    },
    'a status': ({ paths: { '/products': path } }) => {
      delete path.post.responses[409];
    },
    'a problem of one operation': ({ paths: { '/products': path } }) => {
      path.get.responses[409] = { $ref: '#/components/responses/Conflict' };
    },
    'a header of a response': ({ components: { responses } }) => {
      delete responses.PageNotModified.headers.Link;
    },
    'a header of a problem': ({ components: { responses } }) => {
      delete responses.Error.headers['Retry-After'];
    },
    'the default of a parameter': ({ paths: { '/products': path } }) => {
      path.get.parameters.find(({ name }: Json) => name === 'itemsPerPage').schema.default = 31;
    },
    'the values of a parameter': ({ paths: { '/categories/bulk': path } }) => {
      path.post.parameters.find(({ name }: Json) => name === 'mode').schema.enum.pop();
    },
    'a media type': ({ paths: { '/products/{id}': path } }) => {
      delete path.patch.requestBody.content['application/merge-patch+json'];
    },
    'the order of a list': ({ paths: { '/products': path } }) => {
      path.get.description = path.get.description.replace('Sorted by `id`', 'Sorted by `sku`');
    },
    'a problem type': ({ info }) => {
      info.description = info.description.replace('/key-reused)', '/key-used)');
    },
    'the authentication of one operation': ({ paths: { '/products': path } }) => {
      path.get.security = [];
    },
  };
  for (const [name, alter] of Object.entries(examples))
    test(`a change of ${name} changes few lines of the summary`, () => {
      const altered = structuredClone(document);
      alter(altered);
      const before = new Set(lines);
      const after = interfaceSummary(altered).split('\n');
      assert.notDeepEqual(after, lines);
      assert.ok(after.filter((line) => !before.has(line)).length <= 4, 'the difference is small');
    });
});

/** The lines below a heading. */
function block(heading: string): string[] {
  const start = lines.findIndex((line) => line === heading || line.startsWith(`${heading} (`));
  return lines.slice(start + 1, lines.indexOf('', start));
}

/** @returns undefined if the document is invalid, e.g. without paths */
function summaryOrNone(of: Json): string | undefined {
  try {
    return interfaceSummary(of);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface Alteration {
  readonly what: string;
  /** The changed document. */
  readonly altered: () => Json;
}

/** One change of each kind: values changed and removed, list elements removed, keywords added to objects. */
function alterations(of: Json): Alteration[] {
  const found = new Map<string, Alteration>();
  for (const { path, form, value } of everyPart(of)) {
    const add = (kind: string, change: (parent: Json, key: string) => void): void => {
      const what = `${form} ${kind}`;
      if (found.has(what)) return;
      found.set(what, { what: `${path.join('/')} ${kind}`, altered: () => changedAt(of, path, change) });
    };
    if (path.length === 0) continue;
    if (!SAME_WITHOUT.test(form))
      add('removed', (parent, key) => {
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else delete parent[key];
      });
    if (Array.isArray(value)) continue;
    if (typeof value === 'object' && value !== null) {
      // A list of names cannot have keywords.
      if (!NAMES.test(form))
        add('with an added keyword', (parent, key) => {
          parent[key] = { ...parent[key], 'x-new': true };
        });
    } else
      add('changed', (parent, key) => {
        parent[key] = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}x`;
      });
  }
  return [...found.values()];
}

interface DocumentPart {
  readonly path: readonly string[];
  /** Equal for the same part of other operations, schemas or fields. */
  readonly form: string;
  readonly value: Json;
}

function* everyPart(value: Json, path: readonly string[] = [], form: readonly string[] = []): Generator<DocumentPart> {
  yield { path, form: form.join('.'), value };
  if (typeof value !== 'object' || value === null) return;
  const areNames = Array.isArray(value) || NAMES.test(form.join('.'));
  const isAName = /(^|\.)properties$/.test(form.join('.'));
  for (const [key, each] of Object.entries(value)) {
    if (PROSE.has(key) && !isAName) continue;
    const name = areNames && form.at(-1) !== 'components' ? '*' : key;
    yield* everyPart(each, [...path, key], [...form, `${name}${sortOf(each)}`]);
  }
}

/** Schemas of different types, and references, have different forms. */
function sortOf(value: Json): string {
  if (typeof value?.$ref === 'string') return '→';
  return typeof value?.type === 'string' ? `:${value.type}` : '';
}

/** A copy with one change. Other branches are shared with the original. */
function changedAt(value: Json, path: readonly string[], change: (parent: Json, key: string) => void): Json {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const [key, ...rest] = path;
  if (rest.length === 0) change(copy, key!);
  else copy[key!] = changedAt(value[key!], rest, change);
  return copy;
}

/** The smallest set of operations, schemas and responses that contains every form of the document. */
function withOneOfEachForm(of: Json): Json {
  const seen = new Set<string>();
  const isNew = (part: Json, form: string): boolean => {
    const forms = [...everyPart(part, [], [form])].map((each) => each.form);
    const fresh = forms.some((each) => !seen.has(each));
    for (const each of forms) seen.add(each);
    return fresh;
  };
  const few = (parts: Json, form: string): Json =>
    Object.fromEntries(Object.entries(parts).filter(([, part]) => isNew(part, form)));
  const paths: Json = {};
  for (const { path, method, operation } of operationsOf(of))
    if (isNew(operation, 'operation')) paths[path] = { ...paths[path], [method]: operation };
  const { schemas, responses, ...others } = of.components;
  return {
    ...of,
    paths,
    components: { ...others, schemas: few(schemas, 'schema'), responses: few(responses, 'response') },
  };
}
