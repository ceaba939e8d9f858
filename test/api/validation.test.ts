/**
 * Validation of every product field, each rule violated alone: the violation, and that nothing is stored (catalog.md
 * §1).
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  assertSameResponses,
  assertUnchanged,
  assertViolations,
  choiceOf,
  type ExpectedViolation,
} from '../support/expect.ts';
import { onBothDatabases, onEachDatabase, onOneDatabase } from '../support/store.ts';

const BLANK = 'This value should not be blank.';
const NULL = 'This value should not be null.';
const NOT_NEGATIVE = 'This value should be either positive or zero.';
const USED = 'This value is already used.';
const tooLong = (count: number) => `This value is too long. It should have ${count} characters or less.`;
const ofType = (type: string) => `This value should be of type ${type}.`;

const TEXTS = ['sku', 'name', 'description', 'brief_description', 'meta_tags', 'meta_description', 'meta_title'];
const STRINGS = [...TEXTS, 'og_meta_tags', 'clean_url'];
const DECIMALS = ['price', 'market_price', 'cost_price', 'sale_price_value', 'weight'];
const INTEGERS = ['amount', 'backorder_limit'];
const FLAGS = [
  ...['participate_sale', 'apply_sale_to_wholesale', 'enabled', 'free_shipping', 'taxable', 'inventory_traceable'],
  ...[
    'available_for_backorder',
    'pin_codes_enabled',
    'auto_pin_codes',
    'facebook_marketing_enabled',
    'google_feed_enabled',
  ],
];
const SETS = ['stickers', 'tags', 'memberships'];

/** The value as JSON text, so that numbers are sent exactly as written here. */
type Row = [field: string, json: string, code: string, message?: string | RegExp];

const rows: Row[] = [
  ...[...STRINGS, ...DECIMALS, ...INTEGERS, ...FLAGS, ...SETS, 'discount_type'].map(
    (field): Row => [field, 'null', 'null', NULL],
  ),
  ...['meta_description_type', 'og_meta_tags_type'].map((field): Row => [field, 'null', 'null', NULL]),

  ...[...STRINGS, 'discount_type', 'meta_description_type', 'og_meta_tags_type', 'arrival_date'].flatMap((field) =>
    ['1', '0', '1.5', 'true', 'false', '[]', '["a"]', '{}'].map((json): Row => [field, json, 'type', ofType('string')]),
  ),
  ...DECIMALS.flatMap((field) =>
    ['"1"', '""', '"1e3"', '"0x10"', '" 5 "', '"NaN"', 'true', '[]', '[1]', '{}'].map(
      (json): Row => [field, json, 'type', ofType('number')],
    ),
  ),
  ...INTEGERS.flatMap((field) =>
    [
      '"1"',
      '""',
      '"0x10"',
      'true',
      '[]',
      '{}',
      '1.5',
      '-0.5',
      '1e-400',
      '1.00000000000000000001',
      '9007199254740990.5',
    ].map((json): Row => [field, json, 'type', ofType('integer')]),
  ),
  ...FLAGS.flatMap((field) =>
    ['1', '0', '"true"', '"false"', '"1"', '""', '[]', '{}'].map(
      (json): Row => [field, json, 'type', ofType('boolean')],
    ),
  ),
  ...SETS.flatMap((field) =>
    ['"a"', '1', 'true', '{}', '{"0":"a"}'].map((json): Row => [field, json, 'type', ofType('array')]),
  ),

  ...['sku', 'name'].flatMap((field) =>
    [
      ...[
        '""',
        '" "',
        '"\\t\\n\\r"',
        '"\\u00a0"',
        '"\\u200b"',
        '"\\u3000"',
        '"\\u3164"',
        '"\\u00ad"',
        '"\\ufeff"',
        '"\\u2028"',
      ],
      ...['"\\u115f\\u1160"', '"\\ufe0f"', '"\\udb40\\udd00"', '" \\u200d\\u2060 "', '"\\u0085"'],
    ].map((json): Row => [field, json, 'blank', BLANK]),
  ),

  ['sku', text(33), 'too_long', tooLong(32)],
  ['sku', text(33, '😀'), 'too_long', tooLong(32)],
  ['sku', text(17, 'e\u0301'), 'too_long', tooLong(32)],
  ['sku', text(100_000), 'too_long', tooLong(32)],
  ['name', text(256), 'too_long', tooLong(255)],
  ['name', text(256, '😀'), 'too_long', tooLong(255)],
  ['meta_tags', text(256), 'too_long', tooLong(255)],
  ['meta_title', text(256, '😀'), 'too_long', tooLong(255)],
  ['clean_url', text(256), 'too_long', tooLong(255)],

  ...STRINGS.flatMap((field) =>
    ['"a\\u0000b"', '"\\u0000"', '"a\\ud800"', '"\\udc00a"', '"\\ude00\\ud83d"'].map(
      (json): Row => [field, json, 'format'],
    ),
  ),
  ...['a b', 'a\tb', 'a\u00a0b', 'a\u0007b', 'a/b', 'a\\b', 'a?b', 'a#b', '\u2003', 'a\u007fb', 'a\u0085b'].map(
    (url): Row => ['clean_url', JSON.stringify(url), 'format'],
  ),

  ...DECIMALS.flatMap((field): Row[] => [
    [field, '-0.0001', 'range', NOT_NEGATIVE],
    [field, '-1', 'range', NOT_NEGATIVE],
    [field, '10000000000', 'range'],
    [field, '1e10', 'range'],
    [field, '1e308', 'range'],
    [field, '1e309', 'range'],
    [field, '-1e309', 'range', NOT_NEGATIVE],
    [field, '9007199254740993', 'range'],
    [field, '0.00001', 'decimals'],
    [field, '19.99999', 'decimals'],
    [field, '1e-5', 'decimals'],
    [field, '1e-400', 'decimals'],
    [field, '0.10000000000000000001', 'decimals'],
    [field, '12345678.12345', 'decimals'],
  ]),
  ...INTEGERS.flatMap((field): Row[] => [
    [field, '-1', 'range', NOT_NEGATIVE],
    [field, '9007199254740992', 'range'],
    [field, '9007199254740993', 'range'],
    [field, '-9007199254740993', 'range'],
    [field, '1e400', 'range'],
  ]),

  ['sale_price_value', '100.0001', 'range'],
  ...['"half"', '""', '"SALE_PRICE"', '"sale_price "'].map(
    (json): Row => ['discount_type', json, 'choice', choiceOf('sale_price', 'sale_percent')],
  ),
  ['meta_description_type', '"B"', 'choice', choiceOf('A', 'C')],
  ['og_meta_tags_type', '""', 'choice', choiceOf('A', 'C')],

  ['prise', '1', 'unknown_field', /"prise".*"price"/],
  ['Price', '1', 'unknown_field', /"price"/],
  ['', '1', 'unknown_field'],
  ['price ', '1', 'unknown_field', /"price"/],
  ['categories', '[]', 'unknown_field'],
  ...['toString', 'hasOwnProperty', 'then', 'prototype', 'valueOf'].map(
    (field): Row => [field, '"x"', 'unknown_field', new RegExp(field)],
  ),
];

onOneDatabase('invalid fields of a product', {}, (store) => {
  before(() => store.product({ sku: 'USED', clean_url: 'used' }));

  for (const [rule, broken] of Map.groupBy(rows, ([field, , code]) => `${field}: ${code}`))
    test(`${rule}, by ${broken.map(([, json]) => json).join(' ')}`.slice(0, 100), () =>
      assertUnchanged(store, async () => {
        for (const [field, json, code, message] of broken) {
          const violation: ExpectedViolation = [field, code, message];
          const member = `${JSON.stringify(field)}: ${json}`;
          const required = ['"sku": "NEW"', '"name": "New"'].filter((each) => !each.startsWith(JSON.stringify(field)));
          const whole = `{${[...required, member].join(', ')}}`;
          assertViolations(await store.post('/api/products', whole), violation);
          assertViolations(await store.put('/api/products/1', whole), violation);
          assertViolations(await store.patch('/api/products/1', `{${member}}`), violation);
        }
      }),
    );

  for (const field of ['sku', 'name'])
    test(`${field} is required in POST and PUT`, () =>
      assertUnchanged(store, async () => {
        const { [field]: _, ...body } = { sku: 'NEW', name: 'New' } as Record<string, string>;
        assertViolations(await store.post('/api/products', body), [field, 'required', BLANK]);
        assertViolations(await store.put('/api/products/1', body), [field, 'required', BLANK]);
      }));

  test('a violation names the invalid element of a set', () =>
    assertUnchanged(store, async () => {
      const body = { sku: 'NEW', name: 'New', tags: ['ok', '', 'x'.repeat(256), 1.5, null, ['a'], {}] };
      const { status, json } = await store.post('/api/products', body);
      assert.equal(status, 422);
      const paths = json.violations.map(({ propertyPath }: { propertyPath: string }) => propertyPath.slice(0, 7));
      for (const path of ['tags[3]', 'tags[4]', 'tags[5]', 'tags[6]']) assert.ok(paths.includes(path), path);
      assert.ok(!paths.includes('tags[0]'));
      assertViolations(
        await store.patch('/api/products/1', { tags: ['ok', '\u200b', 'x'.repeat(256)] }),
        ['tags[1]', 'blank', BLANK],
        ['tags[2]', 'too_long', tooLong(255)],
      );
    }));
});

/** Valid values, stored as sent. */
const valid: Record<string, unknown[]> = {
  sku: [
    'x',
    ' padded ',
    'x'.repeat(32),
    '😀'.repeat(32),
    'e\u0301'.repeat(16),
    'ABC',
    'def',
    'Ghi ',
    'É',
    'U\u0301',
    '\u2800',
    "'; --",
    '0',
  ],
  name: [
    'x',
    ' padded ',
    'x'.repeat(255),
    '😀'.repeat(255),
    '0',
    '<script>alert(1)</script>',
    '#{7*7}',
    'null',
    'a\nb',
  ],
  description: ['', ' ', '<p>HTML &amp; more</p>', 'x'.repeat(200_000), '\u0001\u001f\u007f', 'ﷺ\u202e\ufdd0\uffff'],
  meta_tags: ['x'.repeat(255), '😀'.repeat(255), ''],
  clean_url: ['u'.repeat(255), 'Ünïcode', 'a.b-c_d~e', 'a&b=c%20', '😀', 'a\u200bb'],
  discount_type: ['sale_price', 'sale_percent'],
  sale_price_value: [0, 100, 99.9999],
  price: [0, 0.0001, 9999999999.9999],
  amount: [0, 1, 2 ** 31, 2 ** 53 - 1],
  backorder_limit: [0, 2 ** 53 - 1],
};

onEachDatabase('valid fields of a product', {}, (store) => {
  test('sku and clean_url are unique', async () => {
    await store.product({ sku: 'USED', clean_url: 'used' });
    const { id } = await store.product();
    await assertUnchanged(store, async () => {
      for (const response of [
        await store.post('/api/products', { sku: 'USED', name: 'New', clean_url: 'used' }),
        await store.put(`/api/products/${id}`, { sku: 'USED', name: 'New', clean_url: 'used' }),
        await store.patch(`/api/products/${id}`, { sku: 'USED', clean_url: 'used' }),
      ])
        assertViolations(response, ['sku', 'not_unique', USED], ['clean_url', 'not_unique', USED]);
    });
  });

  for (const [field, values] of Object.entries(valid))
    describe(field, () => {
      for (const value of values)
        test(`stores ${JSON.stringify(value).slice(0, 40)}`, async () => {
          const created = await store.product({ [field]: value });
          assert.deepEqual(created[field], value);
          assert.deepEqual((await store.get(`/api/products/${created.id}`)).json[field], value);
        });
    });

  const byValue: [field: string, json: string, value: number][] = [
    ['amount', '1.0', 1],
    ['amount', '1e0', 1],
    ['amount', '1.5e3', 1500],
    ['amount', '-0', 0],
    ['amount', '-0.0', 0],
    ['amount', '1000e-3', 1],
    ['amount', '9007199254740991.0', 2 ** 53 - 1],
    ['backorder_limit', '10.000000000000000000000', 10],
    ['price', '1', 1],
    ['price', '0.10000000000000000000', 0.1],
    ['price', '-0', 0],
    ['weight', '123e-4', 0.0123],
  ];
  for (const [field, json, value] of byValue)
    test(`${field} ${json} is stored as ${value}`, async () => {
      const { id } = await store.product();
      const response = await store.patch(`/api/products/${id}`, `{"${field}": ${json}}`);
      assert.equal(response.status, 200, response.text);
      assert.ok(response.text.includes(`"${field}":${value},`), response.text);
    });
});

onBothDatabases('validation', {}, (stores) => {
  before(() => Promise.all(stores.map((store) => store.product({ sku: 'FIRST', name: 'First', clean_url: 'first' }))));

  test('is equal on both databases for invalid values', () =>
    assertSameResponses(
      stores,
      rows.map(([field, json]) => ['PATCH', '/api/products/1', { body: `{${JSON.stringify(field)}: ${json}}` }]),
    ));

  test('is equal on both databases for valid values', () =>
    assertSameResponses(
      stores,
      Object.entries(valid).flatMap(([field, values]) =>
        values.map((value) => ['PATCH', '/api/products/1', { body: { [field]: value } }] as const),
      ),
    ));
});

function text(count: number, character = 'x'): string {
  return JSON.stringify(character.repeat(count));
}
