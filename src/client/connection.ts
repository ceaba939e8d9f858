/** Connection to a store: authentication, language, JSON bodies, retries, and parsing of responses. */
import { StoreProblem } from './problem.ts';
import {
  DEFAULT_RETRY_POLICY,
  type LastReply,
  type RetryPolicy,
  retryAfterSeconds,
  sendWithRetries,
} from './retries.ts';
import type { ApiResponse, RequestOptions } from './shapes.ts';

export interface ClientOptions extends Partial<RetryPolicy> {
  /** URL of the store, with or without `/api`, such as `https://shop.example`. */
  readonly baseUrl: string;
  /** API key. Only pages served by the store itself omit it: they use the browser's session cookie. */
  readonly key?: string;
  /** Language of the texts. If omitted, the store's default language. */
  readonly language?: string;
}

export interface Connection {
  /** Base URL of the API, without a trailing slash. */
  readonly root: string;
  readonly policy: RetryPolicy;
  readonly key: string | undefined;
  readonly language: string | undefined;
}

/**
 * @param base path of the interface
 * @throws {TypeError} if `baseUrl` is not a URL, or has a user name or password, which `fetch` does not accept
 */
export function connect(
  { baseUrl, key, language, ...policy }: ClientOptions,
  base: '/api' | '/storefront',
): Connection {
  const { href, username, password } = new URL(baseUrl);
  if (username || password) throw new TypeError('The option “baseUrl” must not contain a user name or password.');
  const trimmed = href.replace(/\/+$/, '');
  const root = `${trimmed.endsWith(base) ? trimmed.slice(0, -base.length) : trimmed}${base}`;
  return { root, policy: { ...DEFAULT_RETRY_POLICY, ...policy }, key, language };
}

/** Redirects are not followed, so that the key is not sent to another host. */
export const WITHOUT_REDIRECTS = { redirect: 'manual' } as const;

export function headersFor(
  connection: Connection,
  language: string | undefined,
  headers: Readonly<Record<string, string>>,
): Headers {
  const all = new Headers({ Accept: 'application/json', ...headers });
  if (connection.key !== undefined) all.set('X-Auth-Token', connection.key);
  const texts = language ?? connection.language;
  if (texts !== undefined) all.set('Accept-Language', texts);
  return all;
}

export interface SentRequest extends RequestOptions {
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The request has no effect, so it can be repeated. */
  readonly isTrial?: boolean;
  /** Whether the browser sends and stores cookies of another origin. */
  readonly withCookies?: boolean;
}

/** Sends a JSON request, with retries if it is idempotent. */
export async function send(
  connection: Connection,
  method: string,
  path: string,
  { body, headers: ownHeaders, signal, language, isTrial = false, withCookies = false }: SentRequest,
  policy: Partial<RetryPolicy> = {},
): Promise<LastReply> {
  const headers = headersFor(connection, language, ownHeaders);
  if (body === undefined) headers.delete('Content-Type');
  else if (!headers.has('Content-Type'))
    headers.set('Content-Type', method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  const request: RequestInit = { ...WITHOUT_REDIRECTS, method, headers };
  if (body !== undefined) request.body = JSON.stringify(body);
  if (withCookies) request.credentials = 'include';
  // A merge patch sets values, so it is idempotent like PUT (RFC 7396).
  const isIdempotent = method !== 'POST' || headers.has('Idempotency-Key') || isTrial;
  const url = `${connection.root}${path}`;
  const attempt = async (limit: AbortSignal) => {
    const response = await fetch(url, { ...request, signal: limit });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return sendWithRetries(attempt, { method, url, isIdempotent, signal }, { ...connection.policy, ...policy });
}

/**
 * Parses a response.
 *
 * @throws {StoreProblem} if it is an error or not a response of a store
 */
export function parseResponse(reply: LastReply, method: string, path: string): ApiResponse<never> {
  const { status, headers } = reply;
  const etag = headers.get('etag') ?? undefined;
  const body = parsed(reply.text);
  // Only a 204 has no JSON body. Anything else without one comes from a proxy, whatever its status.
  if (status < 200 || status > 299 || (body === undefined && status !== 204))
    throw new StoreProblem({
      method,
      path,
      status,
      body: body as Readonly<Record<string, unknown>> | undefined,
      ...explanationOf(status),
      etag,
      retryAfterSeconds: retryAfterSeconds(headers),
      wasPerhapsDone: reply.wasPerhapsDone,
    });
  const version = /^"(\d+)-/.exec(etag ?? '')?.[1];
  return {
    data: body as never,
    status,
    etag,
    version: version === undefined ? undefined : Number(version),
    language: headers.get('content-language') ?? undefined,
    location: headers.get('location') ?? undefined,
    isReplayed: headers.get('idempotency-replayed') === 'true',
  };
}

function explanationOf(status: number): { explanation?: string } {
  // Browsers report a redirect as status 0.
  if (status === 0 || (status >= 300 && status <= 399))
    return { explanation: 'The store redirects to another URL, to which the key is not sent. Check baseUrl.' };
  return status <= 299 ? { explanation: 'The response is not JSON. Check that baseUrl is the URL of a store.' } : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws {TypeError} if there is no ETag: without one, the change would be unconditional */
export function etagOf(given: { readonly etag: string | undefined } | string): string {
  const etag = typeof given === 'string' ? given : given.etag;
  if (!etag) throw new TypeError('The response to compare with has no ETag.');
  return etag;
}

/** Generates an idempotency key. `randomUUID` is not used, because browsers have it only on secure pages. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
