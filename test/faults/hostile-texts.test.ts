/**
 * Long texts that cause quadratic time in naive regular expressions, in every text field of a body, every filter and every
 * header (reliability, row C19). No response is a 5xx. `test/patterns.test.ts` proves that the patterns take linear time.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Json, operationsOf, resolved } from '../support/openapi.ts';
import { onEachDatabase } from '../support/store.ts';

const BODY_LENGTH = 50_000;
/** Headers are limited to 8 KiB. */
const LINE_LENGTH = 7000;

const HOSTILE: readonly ((length: number) => string)[] = [
  (length) => `${' '.repeat(length - 1)}x`,
  (length) => `${'-'.repeat(length - 1)}!`,
  (length) => `1.${'0'.repeat(length - 3)}1`,
  (length) => '<'.repeat(length),
  (length) => `a@${'a.'.repeat(length / 2 - 1)}`,
  (length) => `${'T00:00'.repeat(length / 6)}:`,
  (length) => '\\"'.repeat(length / 2),
  (length) => '\u0316\u0301'.repeat(length / 2),
];
/** Headers that carry the texts. */
const HEADERS = [
  ...['accept', 'accept-language', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'prefer', 'range'],
  ...['transfer-encoding', 'x-auth-token', 'cookie', 'origin'],
];
const isHeader = (text: string): boolean => /^[\t\x20-\x7e]*$/.test(text);

onEachDatabase('hostile texts', {}, (store) => {
  let document: Json;
  before(async () => {
    document = (await store.get('/api/openapi.json')).json;
    await store.product();
  });
  const isText = (schema: Json): boolean =>
    [resolved(document, schema), ...(schema.anyOf ?? schema.oneOf ?? [])].some(({ type }) =>
      [type].flat().includes('string'),
    );
  const assertServed = async (response: ReturnType<typeof store.get>, what: string): Promise<void> => {
    const { status, text } = await response;
    assert.ok(status < 500, `${status} to ${what}: ${text.slice(0, 200)}`);
  };

  test('long hostile texts in text fields of bodies get no 5xx', async () => {
    let sent = 0;
    for (const { path, method, operation } of operationsOf(document)) {
      // Bulk writes parse their lines in the same way as single bodies.
      if (method !== 'post' || path.includes('{') || path.endsWith('/bulk')) continue;
      const schema = resolved(document, operation.requestBody.content['application/json'].schema);
      // A body may have no fields, such as that of `/users/me/totp`.
      const names = Object.keys(schema.properties ?? {}).filter((name) => isText(schema.properties[name]));
      for (const hostile of HOSTILE)
        for (const name of names) {
          await assertServed(store.post(path, { [name]: hostile(BODY_LENGTH) }), `${path} ${name}`);
          sent += 1;
        }
    }
    assert.ok(sent > 100, `${sent} were sent`);
  });

  test('numbers with 900,000 digits in bodies get no 5xx', async () => {
    for (const number of [`1.${'0'.repeat(900_000)}1`, `1${'0'.repeat(900_000)}1`, `0.${'0'.repeat(900_000)}`])
      for (const name of ['price', 'amount', 'no_field'])
        await assertServed(store.post('/api/products', `{"${name}":${number}}`), `${name} of 900,000 digits`);
  });

  test('long hostile texts in filters get no 5xx', async () => {
    let sent = 0;
    for (const { path, method, operation } of operationsOf(document)) {
      if (method !== 'get' || path.includes('{')) continue;
      const names = (operation.parameters ?? [])
        .map((parameter: Json) => resolved(document, parameter))
        .filter((parameter: Json) => parameter.in === 'query')
        .map((parameter: Json) => parameter.name as string);
      for (const hostile of HOSTILE)
        for (const name of names) {
          // Percent-encoding makes the text up to six times as long.
          const value = encodeURIComponent(hostile(LINE_LENGTH)).slice(0, LINE_LENGTH).replace(/%\w?$/, '');
          await assertServed(store.get(`${path}?${name}=${value}`), `${path} ${name}`);
          sent += 1;
        }
    }
    assert.ok(sent > 100, `${sent} were sent`);
  });

  test('long hostile texts in headers get no 5xx', async () => {
    for (const text of HOSTILE.map((hostile) => hostile(LINE_LENGTH)).filter(isHeader))
      for (const name of HEADERS) {
        await assertServed(store.get('/api/products/1', { [name]: text }), name);
        await assertServed(store.patch('/api/products/1', {}, { [name]: text }), name);
      }
  });
});
