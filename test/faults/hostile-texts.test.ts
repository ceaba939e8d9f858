/**
 * Long texts that make careless matching take the square of their length, in every text of a body, every filter and every
 * header that is read (reliability, row C19). Each is answered, and not with a 5xx; that none of our patterns can take long
 * is proved by `test/patterns.test.ts`.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Json, operationsOf, resolved } from '../support/openapi.ts';
import { onEachDatabase } from '../support/store.ts';

const BODY_LENGTH = 50_000;
/** An address and a header take 8 KiB. */
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

onEachDatabase('long hostile texts', {}, (store) => {
  let document: Json;
  before(async () => {
    document = (await store.get('/api/openapi.json')).json;
    await store.product();
  });
  const isText = (schema: Json): boolean =>
    [resolved(document, schema), ...(schema.anyOf ?? schema.oneOf ?? [])].some(({ type }) =>
      [type].flat().includes('string'),
    );
  const served = async (answer: ReturnType<typeof store.get>, what: string): Promise<void> => {
    const { status, text } = await answer;
    assert.ok(status < 500, `${status} to ${what}: ${text.slice(0, 200)}`);
  };

  test('in the texts of bodies', async () => {
    let sent = 0;
    for (const { path, method, operation } of operationsOf(document)) {
      // A bulk takes its lines as single bodies are taken.
      if (method !== 'post' || path.includes('{') || path.endsWith('/bulk')) continue;
      const schema = resolved(document, operation.requestBody.content['application/json'].schema);
      const names = Object.keys(schema.properties).filter((name) => isText(schema.properties[name]));
      for (const hostile of HOSTILE)
        for (const name of names) {
          await served(store.post(path, { [name]: hostile(BODY_LENGTH) }), `${path} ${name}`);
          sent += 1;
        }
    }
    assert.ok(sent > 100, `${sent} were sent`);
  });

  test('in numbers of a megabyte', async () => {
    for (const number of [`1.${'0'.repeat(900_000)}1`, `1${'0'.repeat(900_000)}1`, `0.${'0'.repeat(900_000)}`])
      for (const name of ['price', 'amount', 'no_field'])
        await served(store.post('/api/products', `{"${name}":${number}}`), `${name} of 900,000 digits`);
  });

  test('in filters', async () => {
    let sent = 0;
    for (const { path, method, operation } of operationsOf(document)) {
      if (method !== 'get' || path.includes('{')) continue;
      const names = (operation.parameters ?? [])
        .map((parameter: Json) => resolved(document, parameter))
        .filter((parameter: Json) => parameter.in === 'query')
        .map((parameter: Json) => parameter.name as string);
      for (const hostile of HOSTILE)
        for (const name of names) {
          // Percent-encoded it may be three times or six times as long.
          const value = encodeURIComponent(hostile(LINE_LENGTH)).slice(0, LINE_LENGTH).replace(/%\w?$/, '');
          await served(store.get(`${path}?${name}=${value}`), `${path} ${name}`);
          sent += 1;
        }
    }
    assert.ok(sent > 100, `${sent} were sent`);
  });

  test('in headers', async () => {
    for (const text of HOSTILE.map((hostile) => hostile(LINE_LENGTH)).filter(isHeader))
      for (const name of HEADERS) {
        await served(store.get('/api/products/1', { [name]: text }), name);
        await served(store.patch('/api/products/1', {}, { [name]: text }), name);
      }
  });
});
