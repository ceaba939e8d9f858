/** A body must be one JSON object in strict UTF-8; anything else is rejected with 400 (http.md §§2 and 9). */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertProblem, assertUnchanged } from '../support/expect.ts';
import { onOneDatabase } from '../support/store.ts';

const bytes = (...values: number[]) => Buffer.from(values);
const around = (middle: Buffer) => Buffer.concat([Buffer.from('{"sku":"S","name":"'), middle, Buffer.from('"}')]);
const nested = (depth: number) => `{"tags":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

const REJECTED: Record<string, string | Buffer> = {
  'an empty body': '',
  'white space': ' \n',
  'an open object': '{',
  'half a body': '{"sku":"S","name":"N"',
  'a trailing comma': '{"sku":"S","name":"N",}',
  'a trailing comma in a list': '{"sku":"S","name":"N","tags":["a",]}',
  'single quotes': "{'sku':'S','name':'N'}",
  'names without quotes': '{sku:"S",name:"N"}',
  'a comment': '{"sku":"S","name":"N"} // comment',
  'a comment before it': '/* comment */{"sku":"S","name":"N"}',
  NaN: '{"sku":"S","name":"N","price":NaN}',
  Infinity: '{"sku":"S","name":"N","price":Infinity}',
  undefined: '{"sku":"S","name":"N","price":undefined}',
  'a plus sign': '{"sku":"S","name":"N","price":+1}',
  'no digit before the point': '{"sku":"S","name":"N","price":.5}',
  'no digit after the point': '{"sku":"S","name":"N","price":1.}',
  'a leading zero': '{"sku":"S","name":"N","price":01}',
  'a hexadecimal number': '{"sku":"S","name":"N","price":0x1}',
  'a digit separator': '{"sku":"S","name":"N","price":1_000}',
  'two objects': '{"sku":"S","name":"N"}{"sku":"S","name":"N"}',
  'text after the object': '{"sku":"S","name":"N"}x',
  'a raw line break in a string': '{"sku":"S","name":"a\nb"}',
  'a raw NUL in a string': '{"sku":"S","name":"a\u0000b"}',
  'an unknown escape': '{"sku":"S","name":"\\x41"}',
  'half an escape': '{"sku":"S","name":"\\u00"}',
  'capital literals': '{"sku":"S","name":"N","enabled":True}',
  'a form': 'sku=S&name=N',

  'an array': '[{"sku":"S","name":"N"}]',
  'an empty array': '[]',
  null: 'null',
  true: 'true',
  'a number': '1',
  'a string': '"{}"',

  'a byte that no UTF-8 has': around(bytes(0xff)),
  'an overlong slash': around(bytes(0xc0, 0xaf)),
  'a lone continuation byte': around(bytes(0x80)),
  'a cut character': around(bytes(0xe2, 0x82)),
  'a surrogate in UTF-8': around(bytes(0xed, 0xa0, 0x80)),
  'a code point over U+10FFFF': around(bytes(0xf4, 0x90, 0x80, 0x80)),
  'Latin-1': around(bytes(0xe9)),
  'UTF-16': Buffer.from('{"sku":"S","name":"N"}', 'utf16le'),

  'a key twice': '{"sku":"S","sku":"T","name":"N"}',
  'a key twice with the same value': '{"sku":"S","sku":"S","name":"N"}',
  'a key twice, once escaped': '{"sku":"S","\\u0073ku":"T","name":"N"}',
  'a key twice inside': '{"sku":"S","name":"N","product_class":{"id":1,"id":2}}',
  'an unknown key twice': '{"sku":"S","name":"N","x":1,"x":2}',

  __proto__: '{"sku":"S","name":"N","__proto__":{"polluted":true}}',
  '__proto__ escaped': '{"sku":"S","name":"N","\\u005f_proto__":{"polluted":true}}',
  '__proto__ inside': '{"sku":"S","name":"N","tags":[{"__proto__":{"polluted":true}}]}',
  constructor: '{"sku":"S","name":"N","constructor":{"prototype":{"polluted":true}}}',
  'constructor inside': '{"sku":"S","name":"N","tax_class":{"constructor":{"prototype":{"polluted":true}}}}',
  'constructor escaped': '{"sku":"S","name":"N","constructo\\u0072":1}',

  'a depth of 33': nested(33),
  'a depth of 34 objects': `${'{"a":'.repeat(34)}1${'}'.repeat(34)}`,
  'a depth of 5,000': nested(5000),
  'a depth of 400,000': nested(400_000),
  'a depth that is never closed': `{"tags":${'['.repeat(400_000)}`,
};

onOneDatabase('strict JSON', {}, (store) => {
  before(() => store.product());

  for (const [title, body] of Object.entries(REJECTED))
    test(`rejects ${title} with 400`, () =>
      assertUnchanged(store, async () => {
        for (const [method, path] of [
          ['POST', '/api/products'],
          ['PUT', '/api/products/1'],
          ['PATCH', '/api/products/1'],
        ] as const) {
          assertProblem(await store.request(method, path, { body }), 400);
        }
        assert.equal(({} as Record<string, unknown>).polluted, undefined);
      }));

  const parsed: Record<string, string> = {
    'a depth of 32': nested(32),
    'names of every object': '{"toString":1,"hasOwnProperty":1,"then":1,"length":1,"prototype":1}',
    'a list of 200,000 elements': `{"tags":[${'1,'.repeat(200_000)}1]}`,
    '50,000 keys': `{${Array.from({ length: 50_000 }, (_, index) => `"key${index}":1`).join(',')}}`,
    'a long number': `{"price":${'9'.repeat(100_000)}}`,
    'a long exponent': `{"price":1e${'9'.repeat(1000)}}`,
    'a long fraction': `{"amount":0.${'3'.repeat(100_000)}}`,
  };
  for (const [title, body] of Object.entries(parsed))
    test(`parses ${title}, which violates a rule, and responds with 422`, () =>
      assertUnchanged(store, async () => {
        assertProblem(await store.patch('/api/products/1', body), 422);
      }));

  const accepted: [title: string, body: string | Buffer, name: string][] = [
    ['white space around', ' \r\n\t{ "sku" : "S1" , "name" : "N" } \n', 'N'],
    ['escapes', '{"\\u0073ku":"S2","name":"\\u00e9\\ud83d\\ude00\\/\\"\\\\\\n"}', 'é😀/"\\\n'],
    ['UTF-8', Buffer.from('{"sku":"S3","name":"é😀\u2028\ufeff"}'), 'é😀\u2028\ufeff'],
    ['names as values', '{"sku":"S4","name":"__proto__","description":"constructor"}', '__proto__'],
  ];
  for (const [title, body, name] of accepted)
    test(`accepts ${title}`, async () => {
      const response = await store.post('/api/products', body);
      assert.equal(response.status, 201, response.text);
      assert.equal(response.json.name, name);
    });
});

onOneDatabase('bodies that resemble a problem', {}, (store) => {
  test('have unknown fields and set no status or header', () =>
    assertUnchanged(store, async () => {
      for (const problem of ['not-found', 'internal-error', 'nope']) {
        const body = { problem, detail: 'x', headers: { 'set-cookie': 'a=b' }, violations: [] };
        const response = await store.post('/api/tags', body);
        assertProblem(response, 422);
        assert.equal(response.headers['set-cookie'], undefined);
      }
    }));
});
