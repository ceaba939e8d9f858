/**
 * Every answer that a test gets from a store is held against the OpenAPI document: its path, method and status are
 * described, its body is valid against the schema of its media type, and it has the headers that are described and no other
 * that means something to a client.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { openApiDocument } from '../../src/describe/openapi.ts';
import { storeModel } from '../../src/wiring/open.ts';
import type { Answer } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
type Json = any;

/** Headers that an answer has only when the request, or the store, gave cause. */
const ONLY_WITH_CAUSE = new Set(['Preference-Applied', 'Idempotency-Replayed', 'RateLimit', 'RateLimit-Policy']);
/** Headers of every answer, for caches, browsers and connections; described in words at the top. */
const EVERYWHERE = new Set([
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

export function assertDescribed(method: string, path: string, answer: Answer): void {
  const [address = ''] = withoutAlias(path.replace(/^https?:\/\/[^/?#]*/i, '')).split(/[?#]/);
  if (!address.startsWith('/api/') || method === 'OPTIONS') return;
  known ??= read();
  const { document, check } = known;
  const where = `${method} ${path} ${answer.status} ${answer.text.slice(0, 500)}`;
  const template = isDecodable(address) ? known.paths.find(({ pattern }) => pattern.test(address)) : undefined;
  const operation = template?.methods[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!operation) {
    assertRefused(check, template, answer, where);
    return;
  }
  const at = operation.responses[answer.status];
  assert.ok(at, `not described: ${where}`);
  const described = resolved(document, at);
  assertHeaders(document, described, answer, where);
  const isRead = method === 'HEAD' || answer.status === 204 || answer.status === 304;
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  const isEmpty = answer.text === '' && LINES.test(type);
  assert.equal(answer.text === '', isRead || isEmpty, where);
  if (isRead) return;
  assert.ok(described.content?.[type], `${type} is not described: ${where}`);
  const pointer =
    at.$ref ?? `#/paths/${escaped(template!.template)}/${method.toLowerCase()}/responses/${answer.status}`;
  const schema = `${pointer}/content/${escaped(type)}/schema`;
  // An answer with some of the fields lacks the others.
  const isPartial = answer.status === 200 && /[?&]fields=/.test(path);
  const values = LINES.test(type) ? linesOf(answer.text) : [type === 'text/html' ? answer.text : answer.json];
  for (const value of values) assert.equal(check(schema, value, isPartial), undefined, where);
}

/** Media types of answers with a JSON value on each line. */
const LINES = /ndjson$|jsonl$/;

function linesOf(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The path of the document that an address of old clients stands for. */
function withoutAlias(path: string): string {
  return path.replace(/^\/api\/product_(tags|stickers)(?=[/?#]|$)/, '/api/$1');
}

/** `%FF` stands for no character, so an address with it is no path of the document. */
function isDecodable(address: string): boolean {
  try {
    return decodeURIComponent(address) !== '';
  } catch {
    return false;
  }
}

/** A request that the document does not offer is refused, in the form of every other problem. */
function assertRefused(
  check: (pointer: string, value: unknown) => string | undefined,
  template: Path | undefined,
  answer: Answer,
  where: string,
): void {
  // Before the path is looked at, the form of the request and its key are; public documents are paths of their own.
  const isPublic = /\/api\/(openapi|docs)\.json|\/api\/(docs\.jsonld|contexts\/|_reference\/|docs\b)/.test(where);
  if (isPublic) return;
  const possible = [400, 401, 403, 404, 406, 408, 413, 414, 415, 417, 431, 503, ...(template ? [405] : [])];
  assert.ok(possible.includes(answer.status), `not described: ${where}`);
  if (answer.text === '' || !(answer.headers['content-type'] ?? '').includes('problem+json')) return;
  assert.equal(check('#/components/schemas/Problem', answer.json), undefined, where);
}

/** Headers that tell a browser what a page may do; no program reads them. */
const OF_PAGES = new Set(['content-security-policy', 'referrer-policy']);

function assertHeaders(document: Json, { headers = {} }: Json, answer: Answer, where: string): void {
  const isWhole = LINES.test((answer.headers['content-type'] ?? '').split(';')[0]!);
  const isFeed = where.includes(' /api/changes');
  const isTrial = /\/edit\?dry_run/.test(where);
  for (const [name, header] of Object.entries<Json>(headers)) {
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) {
      const isOwed =
        name === 'ETag'
          ? !isWhole && !isTrial
          : name === 'Changes-Cursor'
            ? isWhole || isFeed
            : answer.status !== 409 || name !== 'Retry-After';
      assert.ok(ONLY_WITH_CAUSE.has(name) || !isOwed, `no ${name}: ${where}`);
      continue;
    }
    if (resolved(document, header).schema.type === 'integer') assert.match(String(value), /^\d+$/, `${name}: ${where}`);
  }
  const told = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isPage = answer.headers['content-type'] === 'text/html; charset=utf-8';
  for (const name of Object.keys(answer.headers))
    assert.ok(
      EVERYWHERE.has(name) || told.has(name) || (isPage && OF_PAGES.has(name)),
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
  // A word in the path goes before a parameter, as in the server.
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

/** The document as it describes an answer that may lack fields. */
function withoutRequired(document: Json): Json {
  return JSON.parse(
    JSON.stringify(document, (key, value) => (key === 'required' && Array.isArray(value) ? [] : value)),
  );
}

function createAjv(document: Json): Json {
  const require = createRequire(import.meta.url);
  const Ajv = require('ajv/dist/2020');
  // A schema is compiled for a few answers each: quicker code would take longer to make than it saves.
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

/** A name in a JSON pointer inside an address. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
