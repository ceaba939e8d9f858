/**
 * Admission: every request passes these checks, in the contract's order, before any byte of its body is read (http.md §2):
 * size of URL and headers, key, route, method, the key's permissions and rate limit, `Accept`, identifiers and parameters,
 * content type.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { printedFields } from '../../access/needed-fields.ts';
import { isInNetworks } from '../../access/networks.ts';
import { type Rights, rightsOf } from '../../access/rights.ts';
import { isProblem, type ModelField, type ModelResource, type Problem, problem } from '../../engine/index.ts';
import type { KeyUses } from '../../store/keys/key-uses.ts';
import type { ValidKey } from '../../store/keys.ts';
import type { ShopperSessions } from '../../store/shoppers/sessions.ts';
import { insufficientScope } from '../access/insufficient-scope.ts';
import { checkRecentSignIn, checkSecondFactor } from '../access/second-factor.ts';
import { FORM_TYPE } from '../resources/multipart-form.ts';
import { HTML_TYPE } from '../resources/printed.ts';
import { checkContentType, isForm } from '../resources/request-body.ts';
import { chooseType, JSON_TYPE, LD_TYPE, LINE_TYPES, MERGE_PATCH_TYPE } from '../responses/accept.ts';
import { isOfStorefront } from '../responses/headers.ts';
import { chooseLanguage, unknownLanguage } from '../responses/language.ts';
import { rateLimitGroup } from '../server/client-address.ts';
import type { HttpOptions, RequestContext } from '../server/context.ts';
import type { OfferedMethods } from '../server/offered-methods.ts';
import { allowOrigin } from '../storefront/cors.ts';
import { admitShopper } from '../storefront/customers/session.ts';
import type { Work } from './admission-control.ts';
import { authenticate, readCredential, rejectPublishable } from './authentication.ts';
import type { Limits } from './limits.ts';
import type { Counts, RequestCount, RequestCounts } from './rate-limits.ts';

/** A route's declaration to the admission. */
interface RouteConfig {
  /** Does not need a key. */
  readonly isPublic?: boolean;
  /** Needs a publishable key, which has no scopes. */
  readonly isOfShoppers?: boolean;
  /** `false`: ignores `Accept`, also for problems. */
  readonly negotiates?: false;
  /** Media types of responses; JSON by default. */
  readonly offers?: readonly string[];
  /** Read-only keys cannot access it. */
  readonly isForWriters?: boolean;
  /** A session of the admin page needs a sign-in within 15 minutes. */
  readonly needsRecentSignIn?: boolean;
  /** The scopes that every request needs. Set for all routes that are not public (`scoped-routes.ts`). */
  readonly scopes?: readonly string[];
  /** Fields that every request needs. */
  readonly fields?: readonly ModelField[];
  /** A scope that can replace the first of these, as the body decides. The handler checks it. */
  readonly namedScope?: string | undefined;
  /** Further scopes by media type of the response. */
  readonly scopesOfType?: Readonly<Record<string, readonly string[]>>;
  /** The resource that a request writes. */
  readonly resource?: ModelResource;
  readonly takesBody?: boolean;
  /** The body may be omitted, because no field is required. */
  readonly needsNoBody?: boolean;
  /** A POST that changes nothing, so that its response can be rejected like that of a GET. */
  readonly onlyReads?: boolean;
  /** Responds even if the memory for unread responses is full. */
  readonly ignoresBacklog?: boolean;
  /** The kind of work; `read` by default. */
  readonly work?: Work;
  /** From this length, the body of a write may contain images and counts as an upload. */
  readonly uploadFrom?: number;
  /** The body is JSON Lines, which the handler reads as a stream. */
  readonly takesLines?: boolean;
  /** Where the body may be a form: the name of the part that is the file, and the largest file and form; 0: no limit. */
  readonly form?: { readonly filePart: string; readonly fileBytesMax: number; readonly bytesMax: number };
  /** Reads the path's identifiers and the query; refuses those in a wrong form. */
  readonly readAddress?: (request: FastifyRequest, lenient: boolean) => Problem | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext;
    /** The media type of the response. */
    responseType: string;
  }
  interface FastifyContextConfig extends RouteConfig {}
}

const WRITING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const LENIENT = /(?:^|[,;\s])handling\s*=\s*"?lenient"?\s*(?:$|[,;])/i;

/** State of admission besides its options. */
export interface AdmissionContext extends RequestCounts {
  readonly offered: OfferedMethods;
  readonly keyUses: KeyUses;
  readonly shopperSessions: ShopperSessions;
}

/** @returns undefined if the request is admitted; `request.requestContext` is then set, unless the route is public */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  admission: AdmissionContext,
): Promise<Problem | undefined> {
  const malformed = checkForm(request, options.limits) ?? request.hostProblem;
  if (malformed) return malformed;
  const { config } = request.routeOptions;
  const isShopper = isOfStorefront(request);
  const lenient = !isShopper && isLenient(request, options);
  if (config.isPublic) return checkAddress(request, config, lenient);
  const path = request.url.split('?', 1)[0]!;
  const misused = rejectPublicPath(request, path, admission.offered);
  if (misused) return misused;
  // Requests without a key do not query the database.
  const credential = readCredential(request, isShopper ? {} : options);
  if (isProblem(credential)) return credential;
  const state = await options.cacheValidator.check();
  const key = await authenticate(credential, options, state);
  const isKey = 'key' in credential;
  if (isProblem(key)) return (isKey && (await checkFailedKeys(request, admission.failedKeys))) || key;
  const wrongKind = checkKeyKind(request, key, isShopper);
  if (wrongKind) return wrongKind;
  const foreign = rejectNetwork(request, key);
  if (foreign) return (await checkFailedKeys(request, admission.failedKeys)) ?? foreign;
  if (key.isStored) admission.keyUses.record(key.name);
  const rights = rightsOf(options.service.model, key);
  request.requestContext = createContext(request, { state, key, rights, isOfSession: !isKey, lenient });
  if (isShopper) return admitToStorefront(request, reply, path, admission);
  const refused = checkRoute(request, path, admission.offered) ?? checkPermissions(request, options);
  if (refused) return refused;
  // Without a rate limit, which is the default, this avoids a promise.
  if (admission.requests.isOff) return checkAddress(request, config, lenient);
  return (await checkRate(reply, key, admission.requests)) ?? checkAddress(request, config, lenient);
}

/** Publishable keys have no permissions. */
async function admitToStorefront(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  admission: AdmissionContext,
): Promise<Problem | undefined> {
  return (
    allowOrigin(request, reply, request.requestContext.key) ??
    checkRoute(request, path, admission.offered) ??
    (await checkShopRates(request, request.requestContext.key, admission)) ??
    (await admitShopper(request, admission.shopperSessions)) ??
    checkAddress(request, request.routeOptions.config, false)
  );
}

function isLenient({ headers }: FastifyRequest, { compatibility }: HttpOptions): boolean {
  return compatibility === '5.5' || LENIENT.test(String(headers.prefer ?? ''));
}

function createContext(
  { headers }: FastifyRequest,
  known: Pick<RequestContext, 'state' | 'key' | 'rights' | 'isOfSession' | 'lenient'>,
): RequestContext {
  const { state, key, rights, lenient } = known;
  const seesAll = rights.has('languages:write');
  const { language, isStandIn } = chooseLanguage(headers['accept-language'], state, seesAll);
  return {
    ...known,
    keyName: key.name,
    language,
    defaultLanguage: state.defaultLanguage,
    languages: seesAll ? state.everyLanguage : state.languages,
    unknownLanguage: isStandIn && !lenient ? unknownLanguage(state, seesAll) : undefined,
  };
}

/**
 * Limits wrong keys from one address. Valid keys are not affected, so that clients behind the same proxy as an attacker are not
 * locked out.
 */
export async function checkFailedKeys({ ip }: FastifyRequest, rate: Counts): Promise<Problem | undefined> {
  if (rate.isOff) return undefined;
  const { isExceeded, headers } = await rate.count(rateLimitGroup(ip));
  if (!isExceeded) return undefined;
  const detail = 'Too many wrong keys were sent from this address within a minute. Check the key.';
  return problem('too-many-requests', detail, { ...headers, connection: 'close' });
}

function checkRoute(request: FastifyRequest, path: string, offered: OfferedMethods): Problem | undefined {
  const isUnknown = request.is404 || offered.isAnother(path, request.routeOptions.url);
  return isUnknown ? noRoute(request, path, offered) : undefined;
}

function checkPermissions(request: FastifyRequest, options: HttpOptions): Problem | undefined {
  const { key, rights } = request.requestContext;
  const { config } = request.routeOptions;
  return (
    checkSecondFactor(request, key, options) ??
    checkKind(request, key) ??
    checkScopes(config, key, rights) ??
    checkRecentSignIn(config, key, options.service.clock.now())
  );
}

/** Shoppers need a publishable key, all others a secret one. A secret key that shoppers have is logged. */
function checkKeyKind({ log }: FastifyRequest, key: ValidKey, isShopper: boolean): Problem | undefined {
  if (!isShopper) return rejectPublishable(key);
  if (key.kind === 'publishable') return undefined;
  log.warn(`The secret key “${key.name}” was sent to a path for shoppers. If it is in a page or an app, revoke it.`);
  return problem(
    'wrong-key-kind',
    `The key “${key.name}” is not publishable. Paths below /storefront need such a key.`,
  );
}

/** Every response to a rate-limited key contains the remaining requests. */
async function checkRate(reply: FastifyReply, { name, user }: ValidKey, rate: Counts): Promise<Problem | undefined> {
  // Names of users are not unique.
  const { isExceeded, headers } = await rate.count(user ? `user ${user.id}` : name);
  if (isExceeded) return problem('too-many-requests', `Rate limit exceeded for key “${name}”.`, headers);
  reply.headers(headers);
  return undefined;
}

/**
 * Limits shoppers by address and by key (storefront.md §10). Only rejections have the headers of the limit, because shared caches
 * store the other responses.
 */
async function checkShopRates(
  { ip, method }: FastifyRequest,
  { name }: ValidKey,
  admission: RequestCounts,
): Promise<Problem | undefined> {
  const counts: RequestCount[] = [
    { rate: WRITING.has(method) ? 'shopWrites' : 'shopReads', who: rateLimitGroup(ip) },
    { rate: 'shopKeys', who: name },
  ];
  const limited = counts.filter(({ rate }) => !admission[rate].isOff);
  if (limited.length === 0) return undefined;
  const counted = await admission.countEach(limited);
  const { isExceeded, headers } = counted.at(-1)!;
  if (!isExceeded) return undefined;
  const by = limited[counted.length - 1]!.rate === 'shopKeys' ? 'with this key' : 'from this address';
  return problem('too-many-requests', `Too many requests ${by} within a minute. Retry later.`, headers);
}

/** Checks the URL and headers by themselves: sizes, Host, version of HTTP. */
export function checkForm(
  { raw }: FastifyRequest,
  { addressBytesMax, headerBytesMax, headersMax }: Limits,
): Problem | undefined {
  if (raw.url!.length > addressBytesMax)
    return problem('uri-too-long', `The URL is longer than ${addressBytesMax} bytes.`);
  const { rawHeaders } = raw;
  let bytes = 0;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    bytes += name.length + rawHeaders[index + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > headerBytesMax || rawHeaders.length / 2 > headersMax)
    return problem(
      'headers-too-large',
      `The request has more than ${headersMax} headers, or they are larger than ${headerBytesMax} bytes.`,
    );
  // RFC 9112 §3.2: exactly one Host, except in HTTP/1.0.
  const isHostRight = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
  if (!isHostRight || raw.httpVersionMajor !== 1)
    return problem('malformed-request', 'The request must have exactly one Host header and an HTTP version.', {
      connection: 'close',
    });
  return undefined;
}

/** Rejects methods that a public path does not have, which need no key either (http.md §4). */
function rejectPublicPath(request: FastifyRequest, path: string, offered: OfferedMethods): Problem | undefined {
  return request.is404 && offered.at(path)?.isPublic ? noRoute(request, path, offered) : undefined;
}

function noRoute({ method }: FastifyRequest, path: string, offered: OfferedMethods): Problem {
  const allow = offered.at(path)?.allow;
  if (allow === undefined) return problem('not-found', `Unknown path ${JSON.stringify(path)}. See /api for all paths.`);
  return problem('method-not-allowed', `${method} is not supported on this path. Use ${allow}.`, { allow });
}

function checkKind(request: FastifyRequest, key: ValidKey): Problem | undefined {
  if (key.kind === 'read-only' && WRITING.has(request.method))
    return problem('read-only-key', `The key “${key.name}” is read-only. ${request.method} needs a read/write key.`);
  if (key.kind === 'read-only' && request.routeOptions.config.isForWriters)
    return problem(
      'read-only-key',
      `The key “${key.name}” is read-only and cannot access this endpoint. Use a read/write key.`,
    );
  return undefined;
}

/** Rejects a key from an address outside its networks. */
export function rejectNetwork({ ip }: FastifyRequest, { name, networks }: ValidKey): Problem | undefined {
  if (networks === undefined || isInNetworks(ip, networks)) return undefined;
  return problem('network-not-allowed', `The key “${name}” is not accepted from ${ip}.`);
}

function checkScopes(
  { scopes, fields = [], namedScope }: RouteConfig,
  { kind }: ValidKey,
  rights: Rights,
): Problem | undefined {
  // The kinds without scopes of their own were checked before.
  if (kind !== 'scoped') return undefined;
  const masked = rights.hidden?.masksOf(fields) ?? [];
  if (masked.length > 0) return insufficientScope([...rights.missing(scopes!), ...masked]);
  const missing = rights.missing(scopes!);
  const [first] = scopes!;
  if (missing.length === 0) return undefined;
  const isLeft = namedScope !== undefined && rights.has(namedScope) && missing.length === 1 && missing[0] === first;
  return isLeft ? undefined : insufficientScope(missing);
}

function checkAddress(request: FastifyRequest, config: RouteConfig, lenient: boolean): Problem | undefined {
  if (config.negotiates === false) return config.readAddress?.(request, lenient);
  const offers = config.offers ?? [JSON_TYPE];
  const responseType = chooseType(request.headers.accept, offers);
  if (responseType === undefined)
    return problem('not-acceptable', `Accept contains none of the media types of this path: ${offers.join(', ')}.`);
  request.responseType = responseType;
  const missing = config.scopesOfType?.[responseType];
  if (missing && request.requestContext.key.kind === 'scoped') {
    const lacking = request.requestContext.rights.missing(missing);
    if (lacking.length > 0) return insufficientScope(lacking);
  }
  const refused = checkPrinted(request, config) ?? config.readAddress?.(request, lenient);
  if (refused || !config.takesBody) return refused;
  if (config.needsNoBody && hasNoBody(request.headers)) return undefined;
  return checkContentType(request.headers, bodyTypes(request.method, config)) ?? checkLength(request);
}

/** A printed page shows all fields. */
function checkPrinted(
  { responseType, requestContext, service }: FastifyRequest,
  { resource }: RouteConfig,
): Problem | undefined {
  const hidden = requestContext?.rights.hidden;
  if (responseType !== HTML_TYPE || !hidden || !resource) return undefined;
  const masked = hidden.masksOf(printedFields(service.model, resource));
  return masked.length === 0 ? undefined : insufficientScope(masked, 'The printed page');
}

/** Whether the request has no body (RFC 9112 §6.3) and no content type. */
function hasNoBody(headers: FastifyRequest['headers']): boolean {
  const length = headers['content-length'];
  const isEmpty = headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
  return isEmpty && headers['content-type'] === undefined;
}

function bodyTypes(method: string, { takesLines, form, isOfShoppers }: RouteConfig): readonly string[] {
  if (takesLines) return LINE_TYPES;
  if (isOfShoppers) return [JSON_TYPE];
  const types = method === 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE, LD_TYPE] : [JSON_TYPE, LD_TYPE];
  return form ? [...types, FORM_TYPE] : types;
}

function checkLength(request: FastifyRequest): Problem | undefined {
  const limit = bodyLimitOf(request);
  return Number(request.headers['content-length'] ?? 0) > limit ? tooLarge(limit) : undefined;
}

/** The largest body of the request's type. */
export function bodyLimitOf({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): number {
  if (!config.form || !isForm(headers['content-type'])) return bodyLimit;
  return config.form.bytesMax === 0 ? Number.MAX_SAFE_INTEGER : config.form.bytesMax;
}

export function tooLarge(limit: number): Problem {
  return problem('content-too-large', `The body is larger than ${limit} bytes, the limit of this path.`);
}
