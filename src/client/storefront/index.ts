/**
 * Client of the storefront for shops in browsers, apps and on servers. Its types are generated from the OpenAPI document of
 * `/storefront`. It holds the session of the customer and the token of the cart, and retries requests that can be repeated.
 */
import { addressOf } from '../address.ts';
import { type ClientOptions, type Connection, connect, etagOf, parseResponse, randomKey, send } from '../connection.ts';
import { rejectUnknownNames } from '../option-names.ts';
import { StoreProblem } from '../problem.ts';
import type { WriteOptions } from '../shapes.ts';
import type {
  GetArguments,
  Item,
  ListPath,
  Output,
  PathOf,
  StorefrontMethod,
  StorefrontResponse,
  WriteArguments,
} from './shapes.ts';
import { type TokenStorage, Tokens } from './state.ts';

export { StoreProblem } from '../problem.ts';
export type { ApiResponse, RequestOptions, WriteOptions } from '../shapes.ts';
export { StoreUnreachable } from '../unreachable.ts';
export type * from './shapes.ts';
export type { TokenStorage } from './state.ts';
export type * from './types.ts';

export interface StorefrontOptions extends Omit<ClientOptions, 'key'> {
  /** Publishable key. */
  readonly key: string;
  /** Stores the tokens of session and cart, such as `localStorage`. If omitted, they are in memory. */
  readonly storage?: TokenStorage;
  /**
   * `cookie`: the browser holds the session in a cookie that scripts cannot read. The shop and the store must then have the same
   * site, such as `shop.example` and `api.shop.example`. The default is `bearer`.
   */
  readonly transport?: 'bearer' | 'cookie';
}

/**
 * Methods take a path as the reference writes it, then the path parameters and the body, if there are any:
 * `shop.patch('/me/addresses/{id}', { id: 5 }, { city: 'Bonn' })`. They throw a `StoreProblem` for error responses, and
 * `StoreUnreachable` if there is no response after the last retry.
 *
 * The client fills in `{token}` of a cart. After a login, it sends the session with all requests for the customer.
 */
export interface Storefront {
  get<P extends PathOf<'get'>>(path: P, ...rest: GetArguments<P>): Promise<StorefrontResponse<Output<P, 'get'>>>;
  /** Yields all records of a list. Requests pages as the caller needs them. */
  list<P extends ListPath>(path: P, ...rest: GetArguments<P>): AsyncIterable<Item<P>>;
  post<P extends PathOf<'post'>>(
    path: P,
    ...rest: WriteArguments<P, 'post'>
  ): Promise<StorefrontResponse<Output<P, 'post'>>>;
  put<P extends PathOf<'put'>>(
    path: P,
    ...rest: WriteArguments<P, 'put'>
  ): Promise<StorefrontResponse<Output<P, 'put'>>>;
  patch<P extends PathOf<'patch'>>(
    path: P,
    ...rest: WriteArguments<P, 'patch'>
  ): Promise<StorefrontResponse<Output<P, 'patch'>>>;
  delete<P extends PathOf<'delete'>>(
    path: P,
    ...rest: WriteArguments<P, 'delete'>
  ): Promise<StorefrontResponse<Output<P, 'delete'>>>;
  /** Whether the client holds the token of a session. Always false with cookies, which the client cannot read. */
  readonly hasSession: boolean;
  /** Whether the client holds the token of a guest’s cart. */
  readonly hasCart: boolean;
}

/** @throws {TypeError} if `baseUrl` is not a URL, or an option is unknown */
export function createStorefront(options: StorefrontOptions): Storefront {
  rejectUnknownNames('createStorefront', OPTION_NAMES, options);
  const { storage, transport = 'bearer', ...own } = options;
  const connection = connect(own, '/storefront');
  const shop: Shop = { connection, tokens: new Tokens(connection.root, storage), transport };
  const write =
    (name: Exclude<StorefrontMethod, 'get'>) =>
    (path: string, ...rest: unknown[]) =>
      sendRequest(shop, name.toUpperCase(), path, writeArguments(path, rest)) as Promise<never>;
  return {
    get: (path, ...rest) => sendRequest(shop, 'GET', path, readArguments(path, rest)) as Promise<never>,
    list: (path, ...rest) => ({
      [Symbol.asyncIterator]: () => readAll(shop, path, readArguments(path, rest)) as AsyncGenerator<never>,
    }),
    ...{ post: write('post'), put: write('put'), patch: write('patch'), delete: write('delete') },
    get hasSession() {
      return shop.tokens.get('session') !== undefined;
    },
    get hasCart() {
      return shop.tokens.get('cart') !== undefined;
    },
  };
}

const OPTION_NAMES = [
  ...['baseUrl', 'key', 'language', 'storage', 'transport'],
  ...['retriesMax', 'firstWaitSeconds', 'waitSecondsMax', 'attemptSecondsMax'],
];
const GET_NAMES = ['query', 'language', 'signal'];
const WRITE_NAMES = ['ifMatch', 'language', 'signal'];

interface Shop {
  readonly connection: Connection;
  readonly tokens: Tokens;
  readonly transport: 'bearer' | 'cookie';
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  /** The token of the session that the request had. */
  readonly session: string | undefined;
}

interface Arguments {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly options: WriteOptions & { readonly query?: Readonly<Record<string, unknown>> };
}

function readArguments(path: string, [...rest]: readonly unknown[]): Arguments {
  const parameters = parametersFrom(path, rest);
  const [options = {}] = rest as [Arguments['options']?];
  rejectUnknownNames('get', GET_NAMES, options);
  return { parameters, options };
}

function writeArguments(path: string, [...rest]: readonly unknown[]): Arguments {
  const parameters = parametersFrom(path, rest);
  const [body, options = {}] = rest as [unknown?, WriteOptions?];
  rejectUnknownNames('a write', WRITE_NAMES, options);
  return { parameters, body, options };
}

const CART = '/carts/{token}';

/** Removes the path parameters from the arguments. */
function parametersFrom(path: string, rest: unknown[]): Arguments['parameters'] {
  const own = path.startsWith(CART) ? path.slice(CART.length) : path;
  return own.includes('{') ? ((rest.shift() ?? {}) as Arguments['parameters']) : {};
}

/** Sends a request with the tokens that it needs, and stores those of its response. */
async function sendRequest(
  shop: Shop,
  method: string,
  path: string,
  { parameters, body, options }: Arguments,
): Promise<StorefrontResponse<unknown>> {
  const { connection, tokens, transport } = shop;
  const { query = {}, ifMatch, ...others } = options;
  const isForCustomer = method !== 'GET' || query.for === 'me' || !CATALOG.test(path);
  const session = isForCustomer ? tokens.get('session') : undefined;
  const request = { method, path, session };
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (session !== undefined) headers.Authorization = `Bearer ${session}`;
  if (ifMatch !== undefined) headers['If-Match'] = etagOf(ifMatch);
  if (method === 'POST' && REPEATABLE.test(path)) headers['Idempotency-Key'] = randomKey();
  const own = path.startsWith(CART) ? { ...parameters, token: cartOf(shop) } : parameters;
  const address = `${addressOf(path, own)}${queryString(query)}`;
  const sent = SIGNS_IN.test(path) && method === 'POST' ? signInBody(shop, body) : body;
  const withCookies = transport === 'cookie' && isForCustomer;
  const reply = await send(connection, method, address, { ...others, body: sent, headers, withCookies });
  try {
    const response = parseResponse(reply, method, path);
    holdTokens(shop, request, response.data);
    const total = reply.headers.get('x-total-count');
    return { ...response, total: total === null ? undefined : Number(total) };
  } catch (error) {
    if (error instanceof StoreProblem) forgetTokens(shop, request, error);
    throw error;
  }
}

/** Paths whose responses do not depend on the customer, so that caches can store them. */
const CATALOG = /^\/(products|categories|tags|attributes|store)\b/;
/** Paths at which a request with the same `Idempotency-Key` has no second effect. */
const REPEATABLE = /^\/carts\/\{token\}\/(lines|coupons)$/;
const SIGNS_IN = /^\/(session|account\/verify)$/;

/** Lists are repeated parameters if their name ends with `[]`; otherwise commas separate their values. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const values: readonly unknown[] = Array.isArray(value) && name.endsWith('[]') ? value : [value];
    // An empty list would be missing in the URL, and a missing filter matches every record.
    if (values.length === 0) throw new TypeError(`The list ${name} is empty. Omit the parameter, or skip the request.`);
    return values.map((each) => [name, String(each)]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The segment of the cart in a path. */
function cartOf({ tokens, transport }: Shop): string {
  const token = tokens.get('cart');
  if (token !== undefined) return token;
  if (tokens.get('session') === undefined && transport === 'bearer')
    throw new TypeError('There is no cart. Create one with post("/carts", …).');
  return 'mine';
}

/** Adds the transport if sessions are cookies, and the token of the guest’s cart. */
function signInBody({ tokens, transport }: Shop, body: unknown): unknown {
  const cart = tokens.get('cart');
  return { ...(transport === 'cookie' ? { transport } : {}), ...(cart ? { cart } : {}), ...(body as object) };
}

/**
 * Holds the tokens of a response, and forgets those that it has ended. The cart of a customer needs no token.
 * @param session the token that the request had
 */
function holdTokens({ tokens, transport }: Shop, { method, path, session }: SentRequest, data: unknown): void {
  const request = `${method} ${path}`;
  const { token } = (data ?? {}) as { readonly token?: string | null };
  if (GIVES_SESSION.has(request)) tokens.set('session', token);
  if (ENDS_SESSION.has(request)) tokens.set('session', undefined);
  // A login takes over the cart, or cannot use its token.
  if (ENDS_CART.has(request)) tokens.set('cart', undefined);
  if (request === 'POST /carts' && session === undefined && transport === 'bearer') tokens.set('cart', token);
  // With cookies, the client does not know whether the cart is a customer’s: its token works for both.
  if (request === 'POST /carts' && transport === 'cookie' && token) tokens.set('cart', token);
}

const ENDS_SESSION = new Set(['DELETE /session', 'DELETE /sessions', 'DELETE /me', 'PUT /me/password']);
const GIVES_SESSION = new Set(['POST /session', 'POST /account/verify', 'POST /session/refresh']);
const ENDS_CART = new Set([
  ...ENDS_SESSION,
  ...['POST /session', 'POST /account/verify', `DELETE ${CART}`, `POST ${CART}/assign`],
]);

/** Forgets tokens that the store says no longer work. */
function forgetTokens({ tokens }: Shop, { path, session }: SentRequest, { type }: StoreProblem): void {
  const isRejected = type === 'unauthorized' && session !== undefined && tokens.get('session') === session;
  if (isRejected) tokens.set('session', undefined);
  const isOfCart = path.startsWith(CART);
  // Below a cart, only a line or coupon can be missing too.
  const isGone = type === 'cart-gone' || (type === 'not-found' && !path.slice(CART.length).includes('{'));
  if (isOfCart && (isGone || isRejected)) tokens.set('cart', undefined);
}

const ITEMS_PER_PAGE_MAX = 100;

async function* readAll(shop: Shop, path: string, { parameters, options }: Arguments): AsyncGenerator<unknown, void> {
  for (let page = 1, left = true; left; page += 1) {
    const query = { itemsPerPage: ITEMS_PER_PAGE_MAX, ...options.query, page };
    const { data, total } = await sendRequest(shop, 'GET', path, { parameters, options: { ...options, query } });
    yield* data as unknown[];
    left = (data as unknown[]).length > 0 && page * Math.min(query.itemsPerPage, ITEMS_PER_PAGE_MAX) < total!;
  }
}
