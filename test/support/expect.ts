/** Shared assertions: the form of a problem, an unchanged store, equal responses from both databases. */
import assert from 'node:assert/strict';
import type { HttpResponse, RequestOptions } from './client.ts';
import type { Json, Store } from './store.ts';

/** Asserts a problem (RFC 9457) with this status and without internal details. */
export function assertProblem(response: HttpResponse, status: number, detail?: RegExp): void {
  assert.equal(response.status, status, response.text);
  assert.match(response.headers['content-type'] ?? '', /^application\/problem\+json/);
  const { json } = response;
  assert.equal(json.status, status);
  assert.ok(URL.canParse(json.type), `type is a URL: ${json.type}`);
  for (const part of ['title', 'detail', 'instance']) assert.ok(json[part], `${part} is missing: ${response.text}`);
  assert.doesNotMatch(response.text, INTERNALS);
  if (detail) assert.match(json.detail, detail);
}

/** Stack frames, SQL, and names of drivers and files, which no response may contain. */
const INTERNALS = /\bat \w+ \(|node_modules|\.ts:|SQLITE_|select .* from |insert into|fastify|kysely/i;

export type ExpectedViolation = readonly [propertyPath: string, code: string, message?: string | RegExp];

/** Asserts a 422 with exactly these violations, in any order. */
export function assertViolations(response: HttpResponse, ...expected: readonly ExpectedViolation[]): void {
  assertProblem(response, 422);
  const violations: Violation[] = response.json.violations;
  const short = (path: string, code: string): string => `${path} ${code}`;
  assert.deepEqual(
    violations.map(({ propertyPath, code }) => short(propertyPath, code)).sort(),
    expected.map(([path, code]) => short(path, code)).sort(),
    response.text,
  );
  for (const [path, code, message] of expected) {
    const violation = violations.find((each) => each.propertyPath === path && each.code === code)!;
    assert.ok(violation.message, 'a violation has a message');
    if (typeof message === 'string') assert.equal(violation.message, message);
    if (message instanceof RegExp) assert.match(violation.message, message);
  }
}

interface Violation {
  readonly propertyPath: string;
  readonly code: string;
  readonly message: string;
}

/** The violation message for a value that is not one of the choices. */
export function choiceOf(...values: string[]): string {
  const named = values.map((value) => JSON.stringify(value)).join(', ');
  return `The value you selected is not a valid choice. It should be one of ${named}.`;
}

/** All rows, including those that no client can read, and the names of the image files. */
export async function contentOf(store: Store): Promise<Json> {
  const files = await store.imageFiles();
  return { rows: await store.rows(), files };
}

/** Asserts that an action changes no row and no image file. */
export async function assertUnchanged<T>(store: Store, act: () => Promise<T>): Promise<T> {
  const before = await contentOf(store);
  const result = await act();
  assert.deepEqual(await contentOf(store), before);
  return result;
}

export type Sent = readonly [method: string, path: string, options?: RequestOptions];

/** Sends the same requests to each store and asserts equal responses, except for timestamps, request ids and origins. */
export async function assertSameResponses(stores: readonly Store[], requests: readonly Sent[]): Promise<void> {
  for (const [method, path, options] of requests) {
    const [one, ...others] = await Promise.all(stores.map((store) => store.request(method, path, options)));
    for (const other of others)
      assert.deepEqual(comparable(other), comparable(one!), `${method} ${path} ${JSON.stringify(options?.body) ?? ''}`);
  }
}

function comparable({ status, text, headers }: HttpResponse): Json {
  return {
    status,
    body: text
      .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}/g, '<timestamp>')
      .replace(/urn:uuid:[0-9a-f-]{36}/g, '<request>')
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, '<store>'),
    total: headers['x-total-count'],
    language: headers['content-language'],
  };
}
