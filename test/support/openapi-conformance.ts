/**
 * Validates every response that a test receives against the OpenAPI document: the path, method and status are documented, the
 * body matches the schema of its media type, and the response has all documented headers and no undocumented ones.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { storeModel } from '../../src/wiring/open.ts';
import type { HttpResponse } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
type Json = any;

/** Documented headers that depend on the request or on settings. */
const CONDITIONAL = new Set(['Preference-Applied', 'Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy']);
/** Headers of every response, for caches, browsers and connections; the description of the document lists them. */
const COMMON = new Set([
  ...[
    'cache-control',
    'vary',
    'x-content-type-options',
    'link',
    'content-type',
    'content-encoding',
    'content-length',
    'date',
    'connection',
  ],
  ...['x-request-id', 'traceresponse', 'server-timing'],
  ...['keep-alive', 'transfer-encoding', 'access-control-allow-origin', 'access-control-expose-headers'],
]);

interface Path {
  readonly pattern: RegExp;
  readonly parameters: number;
  readonly template: string;
  readonly methods: Json;
}

let known:
  | {
      document: Json;
      paths: Path[];
      check: (pointer: string, value: unknown, isPartial?: boolean) => string | undefined;
    }
  | undefined;

export function assertDescribed(method: string, path: string, response: HttpResponse): void {
  const [written = ''] = withoutAlias(path.replace(/^https?:\/\/[^/?#]*/i, '')).split(/[?#]/);
  // A slash at the end is a redirect, or means the path without it (http.md §2).
  const address = written.replace(/(?<=[^/])\/$/, '');
  if (!address.startsWith('/api/') || method === 'OPTIONS' || response.status === 308) return;
  known ??= read();
  const { document, check } = known;
  const where = `${method} ${path} ${response.status} ${response.text.slice(0, 500)}`;
  const template = isDecodable(address) ? known.paths.find(({ pattern }) => pattern.test(address)) : undefined;
  const operation = template?.methods[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation) {
    assertRejected(check, template, response, where);
    return;
  }
  const at = operation.responses[response.status];
  assert.ok(at, `not described: ${where}`);
  const described = resolved(document, at);
  assertHeaders(document, described, response, where);
  // A file has any type and content.
  if (described.content?.['*/*']) return;
  const isRead = method === 'HEAD' || [204, 304, 416].includes(response.status);
  const [type = ''] = (response.headers['content-type'] ?? '').split(';');
  const isEmpty = response.text === '' && LINES.test(type);
  assert.equal(response.text === '', isRead || isEmpty, where);
  if (isRead) return;
  assert.ok(described.content?.[type], `${type} is not described: ${where}`);
  const pointer =
    at.$ref ?? `#/paths/${escaped(template!.template)}/${method.toLowerCase()}/responses/${response.status}`;
  const schema = `${pointer}/content/${escaped(type)}/schema`;
  // `fields` omits fields that the schema requires.
  const isPartial = response.status === 200 && /[?&]fields=/.test(path);
  const values = LINES.test(type) ? linesOf(response.text) : [type === 'text/html' ? response.text : response.json];
  for (const value of values) assert.equal(check(schema, value, isPartial), undefined, where);
}

/** Media types with one JSON value on each line. */
const LINES = /ndjson$|jsonl$/;

function linesOf(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Replaces a path alias for old clients by the documented path. */
function withoutAlias(path: string): string {
  return path.replace(/^\/api\/product_(tags|stickers)(?=[/?#]|$)/, '/api/$1');
}

/** `%FF` is no valid UTF-8, so a URL with it matches no documented path. */
function isDecodable(address: string): boolean {
  try {
    return decodeURIComponent(address) !== '';
  } catch {
    return false;
  }
}

/** Checks that a request that is not documented is rejected with a problem. */
function assertRejected(
  check: (pointer: string, value: unknown) => string | undefined,
  template: Path | undefined,
  response: HttpResponse,
  where: string,
): void {
  // The server checks the form of the request and its key before the path. Public documents are not in the document.
  const isPublic = /\/api\/(openapi|docs)\.json|\/api\/(docs\.jsonld|contexts\/|_reference\/|docs\b)/.test(where);
  if (isPublic) return;
  const possible = [400, 401, 403, 404, 406, 408, 413, 414, 415, 417, 431, 503, ...(template ? [405] : [])];
  assert.ok(possible.includes(response.status), `not described: ${where}`);
  if (response.text === '' || !(response.headers['content-type'] ?? '').includes('problem+json')) return;
  assert.equal(check('#/components/schemas/Problem', response.json), undefined, where);
}

/** Headers with policies for browsers. */
const PAGE_HEADERS = new Set(['content-security-policy', 'referrer-policy']);

function assertHeaders(document: Json, { headers = {} }: Json, response: HttpResponse, where: string): void {
  const isWhole = LINES.test((response.headers['content-type'] ?? '').split(';')[0]!);
  const isFeed = where.includes(' /api/changes');
  const isTrial = /\/(?:edit|settle)\?dry_run/.test(where);
  for (const [name, header] of Object.entries<Json>(headers)) {
    const value = response.headers[name.toLowerCase()];
    if (value === undefined) {
      const isRequired =
        name === 'ETag'
          ? !isWhole && !isTrial
          : name === 'Changes-Cursor'
            ? isWhole || isFeed
            : response.status !== 409 || name !== 'Retry-After';
      assert.ok(CONDITIONAL.has(name) || !isRequired, `no ${name}: ${where}`);
      continue;
    }
    if (resolved(document, header).schema.type === 'integer') assert.match(String(value), /^\d+$/, `${name}: ${where}`);
  }
  const documented = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isPage =
    response.headers['content-type'] === 'text/html; charset=utf-8' || documented.has('content-disposition');
  for (const name of Object.keys(response.headers))
    assert.ok(
      COMMON.has(name) || documented.has(name) || (isPage && PAGE_HEADERS.has(name)),
      `the header ${name} is not described: ${where}`,
    );
}

function read(): NonNullable<typeof known> {
  const document = openApiDocument(storeModel(), { baseUrl: '', programVersion: 'test', specVersion: '3.1.0' }) as Json;
  const paths = Object.entries<Json>(document.paths).map(([template, methods]) => ({
    pattern: new RegExp(`^/api${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    parameters: template.split('{').length,
    template,
    methods,
  }));
  // A literal segment takes precedence over a parameter, as in the server.
  paths.sort((one, other) => one.parameters - other.parameters);
  const whole = createAjv(document);
  let partial: Json;
  const check = (pointer: string, value: unknown, isPartial = false): string | undefined => {
    if (isPartial) partial ??= createAjv(withoutRequired(document));
    const schemas = isPartial ? partial : whole;
    const validate = schemas.getSchema(`document${pointer}`) ?? schemas.compile({ $ref: `document${pointer}` });
    return validate(value) ? undefined : schemas.errorsText(validate.errors);
  };
  return { document, paths, check };
}

/** The document for responses that may lack fields. */
function withoutRequired(document: Json): Json {
  return JSON.parse(
    JSON.stringify(document, (key, value) => (key === 'required' && Array.isArray(value) ? [] : value)),
  );
}

function createAjv(document: Json): Json {
  const require = createRequire(import.meta.url);
  const Ajv = require('ajv/dist/2020');
  // Each schema validates few responses, so optimizing the compiled code would cost more time than it saves.
  const ajv = new Ajv.default({ strict: false, validateSchema: false, code: { optimize: false } });
  require('ajv-formats').default(ajv);
  ajv.addSchema(document, 'document');
  return ajv;
}

function resolved(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  return value.$ref
    .split('/')
    .slice(1)
    .reduce((part: Json, key: string) => part[key], document);
}

/** Escapes a name for a JSON pointer in a URL fragment. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
