/**
 * Generates requests to every operation of the OpenAPI document: bodies that are valid by its schemas, with at most one error.
 * Ids are placeholders, so that one case can be sent to several stores.
 */
import fc from 'fast-check';
import { operationsOf, resolved } from '../test/support/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: parts of an OpenAPI document, and bodies that may hold anything
type Json = any;

/** A placeholder for the id of an existing or deleted record. */
export class Id {
  readonly field: string;
  readonly pick: number;
  constructor(field: string, pick: number) {
    this.field = field;
    this.pick = pick;
  }
}

/** A number literal, which a double may not be able to represent. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export interface Case {
  readonly method: string;
  /** `/products/{product_id}/images/{image_id}` */
  readonly template: string;
  /** Selects the records in the path. */
  readonly pick: number;
  readonly path: PathTwist;
  readonly query: readonly (readonly [string, unknown])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The error in the body; undefined if the body is valid. */
  readonly mutation: string | undefined;
  /** Corrupts the JSON text of the body. */
  readonly spoil: ((text: string) => string | Buffer) | undefined;
}

/** `other`: a record with the id of another parent. `gone`: a deleted record. */
export type PathTwist =
  | { readonly kind: 'right' | 'gone' | 'other' }
  | { readonly kind: 'garbage'; readonly text: string; readonly index: number };

/** How often an operation is chosen, relative to the others. */
const WEIGHTS: readonly (readonly [RegExp, number])[] = [
  [/^\/(products|orders|categories)(\/\{\w+\})?$/, 5],
  [/(images|icon|banner)/, 0.4],
  [/^\/(languages|payment_statuses|shipping_statuses)/, 0.4],
  [/^\/(orders|categories)\//, 2],
];
const DELETES = 0.35;
const READS = 0.5;
const CREATES = 1.6;

export function cases(document: Json): fc.Arbitrary<Case> {
  const options = operationsOf(document).map(({ path, method, operation }) => ({
    weight: Math.round(100 * weightOf(path, method)),
    arbitrary: caseOf(document, path, method.toUpperCase(), operation),
  }));
  return fc.oneof(...options);
}

function weightOf(path: string, method: string): number {
  const factor = { delete: DELETES, get: READS, post: CREATES }[method] ?? 1;
  return factor * (WEIGHTS.find(([pattern]) => pattern.test(path))?.[1] ?? 1);
}

function caseOf(document: Json, template: string, method: string, operation: Json): fc.Arbitrary<Case> {
  const schema = operation.requestBody && Object.values<Json>(operation.requestBody.content)[0].schema;
  const depth = template.split('{').length - 1;
  const plain = {
    method: fc.constant(method),
    template: fc.constant(template),
    pick: fc.nat(9999),
    path: depth === 0 ? fc.constant<PathTwist>({ kind: 'right' }) : pathTwist(depth),
    query: queryOf(document, operation),
    headers: headersOf(method, schema !== undefined),
  };
  if (schema === undefined) return fc.record({ ...plain, ...NO_BODY });
  const right = valid(document, schema, '');
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ ...plain, ...NO_BODY, body: right }) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.record(plain), right, fc.nat(), fc.nat(), hostile)
        .map(([rest, body, at, how, value]) => ({ ...rest, spoil: undefined, ...mutated(body, at, how, value) })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.record(plain), right, fc.constantFrom(...SPOILS))
        .map(([rest, body, [mutation, spoil]]) => ({ ...rest, body, mutation, spoil })),
    },
  );
}

const NO_BODY = { body: fc.constant(undefined), mutation: fc.constant(undefined), spoil: fc.constant(undefined) };

function pathTwist(depth: number): fc.Arbitrary<PathTwist> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant<PathTwist>({ kind: 'right' }) },
    { weight: 1, arbitrary: fc.constant<PathTwist>({ kind: 'gone' }) },
    { weight: 1, arbitrary: fc.constant<PathTwist>({ kind: 'other' }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...GARBAGE_IDS), fc.nat(depth - 1))
        .map(([text, index]): PathTwist => ({ kind: 'garbage', text, index })),
    },
  );
}

const GARBAGE_IDS = [
  ...['0', '-1', '01', '1.0', '1e3', '0x10', '+1', '%201', '9007199254740991', '9007199254740992', '9007199254740993'],
  ...[
    '9223372036854775808',
    '99999999999999999999999',
    'abc',
    'null',
    'undefined',
    'NaN',
    '%00',
    '1%00',
    '%F0%9F%92%A9',
  ],
  ...[
    '%FF',
    '%C3%28',
    '..',
    '%2e%2e',
    '%2F',
    '1;drop%20table%20product',
    "1'--",
    '*',
    '{id}',
    '１',
    '%D9%A1',
    '~',
    'en',
  ],
  ...['by_number', '__proto__', 'constructor', '1,2', '1/', 'x'.repeat(300)],
].map((text) => (text.includes('%') ? text : encodeURI(text)));

function queryOf(document: Json, operation: Json): fc.Arbitrary<Case['query']> {
  const parameters = (operation.parameters ?? [])
    .map((parameter: Json) => resolved(document, parameter))
    .filter((parameter: Json) => parameter.in === 'query');
  const unknown = fc.tuple(fc.constantFrom('nonsense', '', 'page[]', 'order[', 'id[][]', '__proto__'), hostileText);
  if (parameters.length === 0)
    return fc.oneof(
      { weight: 20, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(unknown, { maxLength: 1 }) },
    );
  const one = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom<Json>(...parameters).chain(({ name, schema }) => {
        const right = /(^|_)id\b|Id\b/.test(name)
          ? fc.nat(9999).map((pick) => new Id('id', pick))
          : valid(document, schema, name);
        return fc.tuple(
          fc.constant<string>(name),
          fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: hostileText }),
        );
      }),
    },
    { weight: 1, arbitrary: unknown },
  );
  return fc.array(one, { maxLength: 3 });
}

function headersOf(method: string, hasBody: boolean): fc.Arbitrary<Readonly<Record<string, string>>> {
  const some = (values: fc.Arbitrary<string>, odds: number): fc.Arbitrary<string | undefined> =>
    fc.oneof({ weight: odds, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
  return fc
    .record({
      'accept-language': some(fc.constantFrom('en', 'de', 'fr', 'pt-BR', 'xx', 'de;q=0.5, fr', '*', ';;;'), 3),
      accept: some(fc.constantFrom('application/ld+json', 'application/json', '*/*', 'text/html', 'x'), 6),
      prefer: some(fc.constantFrom('handling=lenient', 'return=minimal', 'handling=strict', ';'), 8),
      'if-match':
        method === 'GET' ? fc.constant(undefined) : some(fc.constantFrom('*', '"1-x"', '"0-0"', 'W/"1"', '', 'x'), 15),
      'if-none-match':
        method === 'GET' ? some(fc.constantFrom('*', '"1-x"', 'W/"1"', 'x'), 12) : fc.constant(undefined),
      'idempotency-key':
        method === 'POST'
          ? some(
              fc.nat(200).map((key) => `key-${key}`),
              8,
            )
          : fc.constant(undefined),
      'content-type': hasBody
        ? some(
            fc.constantFrom(
              ...['application/json', 'application/json; charset=utf-8', 'application/ld+json', 'text/plain'],
              ...['application/json; charset=latin1', 'application/merge-patch+json', '', 'application/json;;'],
            ),
            12,
          )
        : fc.constant(undefined),
    })
    .map(
      (all) =>
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>,
    );
}

const DATES = [
  '2026-01-31',
  '2026-01-31T09:30:00',
  '2026-01-31T09:30:00Z',
  '2031-12-31T23:59:59+02:00',
  '1999-06-01T00:00:00-11:00',
];
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Values for fields whose format the document describes only in prose; most of them are accepted. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: fc.nat(99).map((number) => `buyer${number}@example.com`),
  attachment: fc.constant(PNG),
  externalUrl: fc.constantFrom(
    'http://127.0.0.1:1/a.png',
    'ftp://example.com/a.png',
    'http://[::1]/a',
    'http://169.254.169.254/',
  ),
  payment_status: fc.constantFrom('Q', 'A', 'P', 'C', 'D'),
  shipping_status: fc.constantFrom('N', 'P', 'S', 'NBA'),
  currency: fc.constantFrom('EUR', 'USD', 'USD'),
  amount: fc.integer({ min: 1, max: 5 }),
};
const IDS = new Set([
  ...['product_id', 'option_id', 'option', 'groupId', 'parent', 'tags', 'memberships', 'stickers', 'product_class'],
  'tax_class',
]);

function valid(document: Json, schema: Json, name: string, depth = 0): fc.Arbitrary<unknown> {
  const known = BY_NAME[name];
  if (known && !(name === 'amount' && schema.minimum < 1)) return known;
  if (/date/.test(name) && schema.type !== 'object') return fc.constantFrom(...DATES);
  if (schema.$ref) return valid(document, resolved(document, schema), name, depth);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) {
    const branches = schema.anyOf.map((branch: Json) =>
      branch.$ref?.endsWith('Output')
        ? fc.nat(9999).map((pick) => ({ id: new Id(name, pick) }))
        : valid(document, branch, name, depth + 1),
    );
    return fc.oneof(...branches);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const value = ofType(document, type, schema, name, depth);
  const isNullable = Array.isArray(schema.type) && schema.type.includes('null');
  return isNullable ? fc.option(value, { freq: 4 }) : value;
}

function ofType(document: Json, type: string, schema: Json, name: string, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object': {
      const properties = Object.entries<Json>(schema.properties ?? {});
      const required: string[] = [...(schema.required ?? []), ...(name === 'items' ? ['product_id'] : [])];
      // Few fields at a time: with many, too often one is invalid and the others are not tested.
      const left = properties.filter(([key]) => !(name === 'items' && key === 'sku'));
      return fc
        .record(
          Object.fromEntries(
            left.map(([key, part]) => [key, sometimes(valid(document, part, key, depth + 1), required.includes(key))]),
          ),
        )
        .map((all) => Object.fromEntries(Object.entries(all as object).filter(([, value]) => value !== ABSENT)));
    }
    case 'array':
      return fc.array(valid(document, schema.items ?? {}, name, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(3, schema.maxItems ?? 3),
      });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      if (IDS.has(name)) return fc.nat(9999).map((pick) => new Id(name, pick));
      return fc.oneof(
        {
          weight: 6,
          arbitrary: fc.integer({ min: Math.max(schema.minimum ?? 0, 0), max: Math.min(schema.maximum ?? 50, 50) }),
        },
        { weight: 1, arbitrary: fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 0) },
      );
    case 'number':
      return fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 999_999 }).map((cents) => cents / 100) },
        { weight: 1, arbitrary: fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 0, 0.0001, 12.3456) },
      );
    case 'string':
      return text(schema, name);
    default:
      return fc.constant('any');
  }
}

const ABSENT = Symbol('absent');

function sometimes(value: fc.Arbitrary<unknown>, isRequired: boolean): fc.Arbitrary<unknown> {
  return isRequired ? value : fc.oneof({ weight: 3, arbitrary: fc.constant(ABSENT) }, { weight: 1, arbitrary: value });
}

function text({ pattern, minLength = 0, maxLength = 200 }: Json, name: string): fc.Arbitrary<string> {
  if (pattern) return fc.stringMatching(new RegExp(pattern.replace('(?:\\.', '(?:[.]')));
  const isUnique = minLength > 0 || name === 'clean_url';
  const short = fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...'abcXYZ 09äßжĲ漢🎈é-'), maxLength: Math.min(10, maxLength) }),
      fc.nat(1e6),
    )
    .map(([start, number]) =>
      isUnique ? `${name === 'clean_url' ? 'url-' : start}${number}`.slice(0, maxLength) : start,
    );
  return fc.oneof(
    { weight: 9, arbitrary: short },
    { weight: 1, arbitrary: fc.nat(99).map((n) => `${n}`.padEnd(maxLength, 'm').slice(0, maxLength)) },
  );
}

const HOSTILE_TEXTS = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfff',
    '\u200b',
    '\u202egnp.exe',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\u{10ffff}',
  ],
  ...['Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A', '\u1160', '\u3164', 'é', 'e\u0301', 'İ', 'ı', 'ß', 'ﬃ', '👩‍👩‍👧‍👦', '１２', '٣'],
  ...[
    "' or 1=1 --",
    '"; drop table product; --',
    '%',
    '_',
    '%_%',
    '\\',
    '\\u0000',
    "\\'",
    '$\u007b7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ],
  ...[
    '../../etc/passwd',
    '/dev/null',
    'file:///etc/passwd',
    'null',
    'undefined',
    'NaN',
    'true',
    '0',
    '-1',
    '1e309',
    '0x10',
  ],
  ...[
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    '\r\nSet-Cookie: a=b',
    '\t\n\v\f\r',
    '\u0085\u2028\u2029',
  ],
  ...[
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0000-01-01',
    '10000-01-01',
    '-000001-01-01',
    '2026-01-01T24:00:00Z',
  ],
  ...[
    '2026-01-01T00:00:60Z',
    '1e3',
    '9007199254740993',
    'a'.repeat(255),
    'a'.repeat(256),
    '🎈'.repeat(255),
    '🎈'.repeat(256),
  ],
  ...['x'.repeat(5000), '/', '//', '.', '..', 'a/b', '?', '#', 'ſ', 'K', 'Ω', '\u{1f1e9}\u{1f1ea}', 'ﷺ'.repeat(60)],
];
const hostileText = fc.constantFrom(...HOSTILE_TEXTS);

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  {
    weight: 5,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -0, 1, -1, 0.5, 1.00005, 99999, 1e15, 1e21, -1e21, 5e-324, [], {}, [null], [[]], [{}]],
      ...[
        [1, 1],
        ['a', 'a'],
        { id: 1 },
        { id: null },
        { id: '1' },
        { id: {} },
        { length: 3 },
        { toString: 1 },
        [1, 'a', null],
      ],
      ...[{ '@id': '/api/products/1' }, { '@id': 1 }, { '@id': 'http://[' }, { '': '' }, { a: { b: { c: [] } } }],
      ...['9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740992', '9223372036854775807'].map(
        (n) => new Raw(n),
      ),
      ...['9223372036854775808', '1e309', '-1e309', '1E400', '1e-400', '-0', '0.1e1', '1.0', '10e-1'].map(
        (n) => new Raw(n),
      ),
      ...[
        '9999999999.9999',
        '9999999999.99990',
        '9999999999.99991',
        '10000000000',
        '0.00001',
        '-0.0001',
        '1.23456',
      ].map((n) => new Raw(n)),
      ...['2147483647', '2147483648', '-2147483649', '4294967296', `1${'0'.repeat(400)}`, `0.${'0'.repeat(400)}1`].map(
        (n) => new Raw(n),
      ),
      Array.from({ length: 251 }, (_, index) => index + 1),
      Array.from({ length: 1001 }, () => ({ amount: 1, product_id: 1 })),
    ),
  },
);

const EXTRA_NAMES = [
  ...[
    'nonsense',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '\0',
    'ID',
    'Id',
    'id',
    'version',
  ],
  ...[
    'create_date',
    'update_date',
    'sku_key',
    '@id',
    '@type',
    '@context',
    'name ',
    'name\u200b',
    'length',
    'then',
    'toJSON',
    '$ref',
  ],
];

/** Changes one thing in a body. @param at selects the position @param how selects the kind of change */
function mutated(body: unknown, at: number, how: number, value: unknown): { body: unknown; mutation: string } {
  const copy = cloned(body);
  const positions = positionsIn(copy);
  if (positions.length === 0 || how % 12 === 0) {
    if (how % 24 === 0) return { body: value, mutation: 'another body' };
    const name = EXTRA_NAMES[at % EXTRA_NAMES.length]!;
    return { body: withOwn(copy, name, value), mutation: `extra ${name}` };
  }
  const [holder, key] = positions[at % positions.length]!;
  if (how % 6 === 1) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return { body: copy, mutation: `without ${key}` };
  }
  if (how % 6 === 2 && typeof holder[key] === 'object' && holder[key] && !Array.isArray(holder[key])) {
    holder[key] = withOwn(holder[key], EXTRA_NAMES[how % EXTRA_NAMES.length]!, value);
    return { body: copy, mutation: `extra below ${key}` };
  }
  if (how % 6 === 3 && Array.isArray(holder)) holder.push(holder[Number(key)]);
  else holder[key] = how % 6 === 4 ? swapped(holder[key]) : value;
  return { body: copy, mutation: `other ${key}` };
}

/** Defines the property, because assigning `__proto__` would set the prototype. */
function withOwn(target: unknown, name: string, value: unknown): unknown {
  if (typeof target !== 'object' || target === null || Array.isArray(target)) return { [name]: value };
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  return target;
}

function swapped(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? 0 : [value];
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return Number(value);
  if (Array.isArray(value)) return value[0] ?? {};
  return value === null ? 'null' : [value];
}

function cloned(value: unknown): Json {
  if (Array.isArray(value)) return value.map(cloned);
  if (typeof value !== 'object' || value === null || value instanceof Id || value instanceof Raw) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cloned(part)]));
}

function positionsIn(value: Json): [Json, string][] {
  if (typeof value !== 'object' || value === null || value instanceof Id || value instanceof Raw) return [];
  return Object.keys(value).flatMap((key): [Json, string][] => [[value, key], ...positionsIn(value[key])]);
}

const SPOILS: readonly (readonly [string, (text: string) => string | Buffer])[] = [
  ['cut off', (text) => text.slice(0, -1)],
  ['half', (text) => text.slice(0, text.length / 2)],
  ['empty', () => ''],
  ['blank', () => ' \n'],
  ['BOM', (text) => `\ufeff${text}`],
  ['two of them', (text) => text + text],
  ['in an array', (text) => `[${text}]`],
  ['a text', (text) => JSON.stringify(text)],
  ['null', () => 'null'],
  ['a number', () => '1e999'],
  ['comma', (text) => text.replace(/\}$/, ',}')],
  ['same name twice', (text) => text.replace(/^\{("[^"]*":)/, '{$1null,$1')],
  ['single quotes', (text) => text.replaceAll('"', "'")],
  ['Latin-1', (text) => Buffer.from(text.replace(/\}$/, ',"name":"\xe9"}'), 'latin1')],
  ['UTF-16', (text) => Buffer.from(text, 'utf16le')],
  ['deep', (text) => text.replace(/\}$/, `,"name":${'['.repeat(5000)}${']'.repeat(5000)}}`)],
  ['NaN', (text) => text.replace(/:[^,}]*/, ':NaN')],
  ['lone surrogate', (text) => text.replace(/"\}/, '\\ud800"}')],
  ['comment', (text) => `/**/${text}`],
];
