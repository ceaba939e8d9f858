/**
 * The summary of the interface says everything that a client could notice: whatever is changed in the document, but for prose,
 * changes the summary. Review reads the summary, so what it left out would change unseen.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { interfaceSummary } from '../../renew/interface.ts';
import { openApiDocument, type SpecVersion } from '../../src/describe/openapi.ts';
import { problemTypes } from '../../src/engine/errors.ts';
import { storeModel } from '../../src/wiring/open.ts';
import { type Json, operationsOf } from '../support/openapi.ts';

const OPTIONS = { baseUrl: 'https://shop.example', programVersion: '0.0.0' };
const model = storeModel();

function documentOf(specVersion: SpecVersion): Json {
  // As a client reads it: no part of it is another.
  return JSON.parse(JSON.stringify(openApiDocument(model, { ...OPTIONS, specVersion })));
}

/** These have the value that they have when nothing is said. */
const SAME_WITHOUT = /(parameters\.\*\.(style|explode))$/;

/** Objects whose keys are names: a further one would be a thing of its own. */
const NAMES = /(^|\.)(paths(\.\*)?|components|schemas|responses|headers|securitySchemes|properties|content)$/;

const PROSE = new Set(['description', 'summary', 'example', 'examples']);

const document = documentOf('3.1.0');
const whole = interfaceSummary(document);
const lines = whole.split('\n');

/** Whatever has a different form somewhere in the document, once. */
const sample = withOneOfEachForm(document);
const summary = interfaceSummary(sample);

test('both versions of OpenAPI say the same', () => {
  const [first, ...rest] = interfaceSummary(documentOf('3.0.3')).split('\n');
  assert.equal(first, 'OpenAPI 3.0.3');
  assert.deepEqual(rest, lines.slice(1));
});

test('it can be read: every line fits, and nothing is said in the document’s own form', () => {
  assert.ok(lines.length < 6000, String(lines.length));
  for (const line of lines) assert.ok(line.length <= 160, line);
  // The summary writes a keyword that it has no words for as `keyword=JSON`.
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
  assert.deepEqual([...new Set(unknown)].sort(), [...known, 'deprecated', 'explode'].sort());
});

test('every operation, schema, kind of problem and code is in it', () => {
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

test('every default, uniqueness and language of a field is in it, which the document has in sentences', () => {
  const { ProductInput, ProductOutput, ProductReplacement } = document.components.schemas;
  const told = new Map(block('ProductInput').map((line) => [line.split(/\??: /)[0]!.trim(), line]));
  let defaults = 0;
  for (const [name, { description = '' }] of Object.entries<Json>(ProductInput.properties)) {
    const line = told.get(name)!;
    assert.equal(/ default /.test(line), description.includes('Default: '), line);
    assert.equal(/ unique\b/.test(line), description.includes('Must be unique.'), line);
    assert.equal(/ by language\b/.test(line), description.includes('in the language of the request'), line);
    assert.equal(/ kept by PUT\b/.test(line), description.includes('A PUT without it leaves it unchanged'), line);
    defaults += Number(/ default /.test(line));
  }
  assert.ok(defaults > 20);
  assert.match(told.get('discount_type')!, /: sale_price\|sale_percent default "sale_percent"$/);
  const outputAlone = Object.keys(ProductOutput.properties).filter((name) => !(name in ProductInput.properties));
  assert.ok(whole.includes(`\nProductInput (taken as shown: ${outputAlone.join(', ')})\n`), outputAlone.join());
  assert.ok(!('images' in ProductReplacement.properties));
  assert.match(whole, /^ProductReplacement = ProductInput .*\n {2}- images$/m);
});

test('a field more is a few lines more', () => {
  const changed = structuredClone(document);
  for (const [name, schema] of Object.entries<Json>(changed.components.schemas))
    if (/^Product(Input|Patch|Replacement|Output)(\.jsonld)?$/.test(name)) schema.properties.shelf = { type: 'string' };
  for (const { operation } of operationsOf(changed))
    for (const { name, schema } of operation.parameters)
      if (name === 'fields' && schema.items.enum.includes('stickers')) schema.items.enum.push('shelf');
  const before = new Set(lines);
  const after = interfaceSummary(changed).split('\n');
  assert.deepEqual(
    after.filter((line) => !before.has(line)),
    ['  shelf?: string', '  shelf?: string'],
    'what is written and what is shown',
  );
  assert.equal(after.length, lines.length + 2);
});

describe('an alteration of', () => {
  const all = alterations(sample);

  test('each sort of thing is seen', () => {
    assert.ok(all.length > 500, String(all.length));
    const unseen = all.filter(({ altered }) => summaryOrNone(altered()) === summary);
    assert.deepEqual(
      unseen.map(({ what }) => what),
      [],
    );
  });

  test('prose is not', () => {
    const altered = structuredClone(sample);
    for (const { operation } of operationsOf(altered)) {
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
    'what is required': ({ components: { schemas } }) => {
      schemas.ProductInput.required.pop();
    },
    'what may be null': ({ components: { schemas } }) => {
      schemas.ProductInput.properties.arrival_date.type = 'string';
    },
    'the default of a field': ({ components: { schemas } }) => {
      const { amount } = schemas.ProductInput.properties;
      amount.description = amount.description.replace('1000', '0');
    },
    'a code of a broken rule': ({ components: { schemas } }) => {
      schemas.Violation.properties.code.enum[0] = 'empty';
    },
    'the JSON-LD form alone': ({ components: { schemas } }) => {
      schemas['ProductOutput.jsonld'].properties.sku.type = 'integer';
    },
    'a status': ({ paths: { '/products': path } }) => {
      delete path.post.responses[409];
    },
    'a problem of one operation': ({ paths: { '/products': path } }) => {
      path.get.responses[400] = { $ref: '#/components/responses/MalformedRequestOrInvalidArgument' };
    },
    'a header of an answer': ({ paths: { '/products': path } }) => {
      delete path.post.responses[201].headers.Location;
    },
    'a header of a problem': (altered) => {
      delete altered.components.responses.TooManyRequests.headers['Retry-After'];
    },
    'the default of a parameter': ({ paths: { '/products': path } }) => {
      path.get.parameters.find(({ name }: Json) => name === 'itemsPerPage').schema.default = 31;
    },
    'what a parameter may be': ({ paths: { '/categories': path } }) => {
      path.get.parameters.find(({ name }: Json) => name === 'fields').schema.items.enum.pop();
    },
    'a media type': ({ paths: { '/products/{id}': path } }) => {
      delete path.patch.requestBody.content['application/merge-patch+json'];
    },
    'the order of a list': ({ paths: { '/products': path } }) => {
      path.get.description = path.get.description.replace('Sorted by `id`', 'Sorted by `sku`');
    },
    'a kind of problem': ({ info }) => {
      info.description = info.description.replace('/key-reused)', '/key-used)');
    },
    'what is asked of one operation': ({ paths: { '/products': path } }) => {
      path.get.security = [];
    },
  };
  for (const [name, alter] of Object.entries(examples))
    test(`${name} is seen`, () => {
      const altered = structuredClone(document);
      alter(altered);
      const before = new Set(lines);
      const after = interfaceSummary(altered).split('\n');
      assert.notDeepEqual(after, lines);
      assert.ok(after.filter((line) => !before.has(line)).length <= 4, 'and is a small difference');
    });
});

/** The lines below a heading. */
function block(heading: string): string[] {
  const start = lines.findIndex((line) => line === heading || line.startsWith(`${heading} (`));
  return lines.slice(start + 1, lines.indexOf('', start));
}

/** @returns undefined for what is no OpenAPI document, as one without paths */
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
  /** The document with it. */
  readonly altered: () => Json;
}

/** One of each sort: every value changed and taken away, every list with one less, every object with a keyword more. */
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
      add('taken away', (parent, key) => {
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else delete parent[key];
      });
    if (Array.isArray(value)) continue;
    if (typeof value === 'object' && value !== null) {
      // A list of names cannot have keywords.
      if (!NAMES.test(form))
        add('with a keyword more', (parent, key) => {
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
  /** The same for what stands in the same place of another operation, schema or field. */
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

/** Schemas of different types have different forms, and so has what is referred to. */
function sortOf(value: Json): string {
  if (typeof value?.$ref === 'string') return '→';
  return typeof value?.type === 'string' ? `:${value.type}` : '';
}

/** A copy of the value, changed in one place. All that does not lead there is the value's own. */
function changedAt(value: Json, path: readonly string[], change: (parent: Json, key: string) => void): Json {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const [key, ...rest] = path;
  if (rest.length === 0) change(copy, key!);
  else copy[key!] = changedAt(value[key!], rest, change);
  return copy;
}

/** The document with as few operations, schemas and answers as still have every form that it has. */
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
