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

/** Headers for caches, browsers and connections, and those that the description of the document lists. */
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
  ...['x-request-id', 'traceresponse', 'server-timing', 'etag', 'content-language', 'location', 'accept-patch'],
  ...[
    'x-total-count',
    'x-total-count-relation',
    'changes-cursor',
    'preference-applied',
    'idempotency-replayed',
    'ratelimit',
    'ratelimit-policy',
  ],
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
  const at = operation.responses[response.status] ?? operation.responses.default;
  const described = resolved(document, at);
  if (at === operation.responses.default)
    assert.ok(described.description.includes(`**${response.status} `), `not described: ${where}`);
  assertHeaders(document, described, operation, template!.methods, response, where);
  // A file has any type and content.
  if (described.content?.['*/*']) return;
  const isRead = method === 'HEAD' || [204, 304, 416].includes(response.status);
  let [type = ''] = (response.headers['content-type'] ?? '').split(';');
  const isEmpty = response.text === '' && LINES.test(type);
  assert.equal(response.text === '', isRead || isEmpty, where);
  if (isRead) return;
  // Of the two media types of JSON Lines, collections describe one.
  if (LINES.test(type) && !described.content?.[type]) type = 'application/jsonl';
  assert.ok(described.content?.[type], `${type} is not described: ${where}`);
  const pointer =
    at.$ref ?? `#/paths/${escaped(template!.template)}/${method.toLowerCase()}/responses/${response.status}`;
  const schema = `${pointer}/content/${escaped(type)}/schema`;
  // `fields` omits fields that the schema requires.
  const isPartial = response.status === 200 && /[?&]fields=/.test(path);
  // A sequence of lines is described as an array.
  const value = LINES.test(type) ? linesOf(response.text) : type === 'text/html' ? response.text : response.json;
  assert.equal(check(schema, value, isPartial), undefined, where);
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

/** Asserts that the response has the headers of the contract (http.md), and no header that the document does not describe. */
function assertHeaders(
  document: Json,
  described: Json,
  operation: Json,
  methods: Json,
  response: HttpResponse,
  where: string,
): void {
  const { headers = {} } = described;
  for (const name of [
    ...requiredHeaders(operation, methods, response, where),
    ...ownHeaders(operation, headers, response),
  ])
    assert.ok(response.headers[name] !== undefined, `no ${name}: ${where}`);
  for (const [name, header] of Object.entries<Json>(headers)) {
    const value = response.headers[name.toLowerCase()];
    if (value !== undefined && resolved(document, header).schema.type === 'integer')
      assert.match(String(value), /^\d+$/, `${name}: ${where}`);
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

/** Returns the headers that a response with a file describes itself. */
function ownHeaders({ operationId }: Json, headers: Json, { status }: HttpResponse): string[] {
  return /^download/.test(operationId) && (status < 400 || status === 416)
    ? Object.keys(headers).map((name) => name.toLowerCase())
    : [];
}

/** Returns the headers that every response of this kind has. */
function requiredHeaders(operation: Json, methods: Json, response: HttpResponse, where: string): string[] {
  const { status, headers } = response;
  if (status === 412) return ['etag'];
  if (status === 401) return ['www-authenticate'];
  // A store without mail does not have it later, either.
  if (status === 503 && response.text.includes('mail-not-configured')) return [];
  if (status === 429 || status === 503) return ['retry-after'];
  if (status === 304) return ['etag'];
  if (status !== 200 && status !== 201) return [];
  const { operationId } = operation;
  const isFeed = operationId === 'readChanges';
  const isWhole = LINES.test((headers['content-type'] ?? '').split(';')[0]!);
  const isPage = /^list/.test(operationId) && !isWhole && !/(OldUrls|Feeds)$/.test(operationId);
  const isRecord =
    !isFeed &&
    !isWhole &&
    !/^(export|erase|quote|invite|reset|preview)/.test(operationId) &&
    !/^\S+ \S*\?dry_run/.test(where);
  const hasNoLanguage = /^(read\w+Translations|download|invite|reset|preview)/.test(operationId);
  return [
    ...(isRecord ? ['etag'] : []),
    ...(hasNoLanguage || (isFeed && headers['content-type'] === 'text/event-stream') ? [] : ['content-language']),
    ...(isPage ? ['link', 'x-total-count'] : []),
    ...(isFeed || (isWhole && /^list/.test(operationId)) ? ['changes-cursor'] : []),
    ...(status === 201 ? ['location'] : []),
    ...(methods.patch && status === 200 && /^(read|replace|patch)/.test(operationId) ? ['accept-patch'] : []),
  ];
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
