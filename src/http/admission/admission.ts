/**
 * The door: every request passes these checks in the contract's order before a byte of its body is read (http.md §2):
 * size of address and headers, key, route, method, what the key may do, how often it asks, `Accept`, identifiers and
 * parameters, body type.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem } from '../../engine/index.ts';
import type { KeyUses } from '../../store/key-uses.ts';
import type { RightKey } from '../../store/keys.ts';
import { FORM_TYPE } from '../resources/multipart-form.ts';
import { checkContentType } from '../resources/request-body.ts';
import { chooseType, JSON_TYPE, LD_TYPE, LINE_TYPES, MERGE_PATCH_TYPE } from '../responses/accept.ts';
import { chooseLanguage, unknownLanguage } from '../responses/language.ts';
import { countedAs } from '../server/client-address.ts';
import type { HttpOptions, RequestContext } from '../server/context.ts';
import type { OfferedMethods } from '../server/offered-methods.ts';
import type { Work } from './admission-control.ts';
import { authenticate, readCredential } from './authentication.ts';
import type { Limits } from './limits.ts';
import type { Counts, RequestCounts } from './rate-limits.ts';

/** A route's declaration to the admission. */
interface RouteConfig {
  /** Needs no key. */
  readonly isPublic?: boolean;
  /** Pages of other sites may not read its answers. */
  readonly isForOwnPages?: boolean;
  /** `false`: one form for everybody, whatever `Accept` says, also when it refuses. */
  readonly negotiates?: false;
  /** Media types that the route answers in; JSON when not said. */
  readonly offers?: readonly string[];
  /** A read-only key may not even read it. */
  readonly isForWriters?: boolean;
  readonly takesBody?: boolean;
  /** The body may be left out: it would have nothing that is required. */
  readonly needsNoBody?: boolean;
  /** Its kind of the server's work; a small read when not said. */
  readonly work?: Work;
  /** From this length on the body of a write may have pictures in it, and is held as an upload. */
  readonly uploadFrom?: number;
  /** The body is lines of JSON, which the handler reads as they come. */
  readonly takesLines?: boolean;
  /** Where the body may be a form: the name of the part that is the file. */
  readonly filePart?: string;
  /** Reads the path's identifiers and the query; refuses those in a wrong form. */
  readonly readAddress?: (request: FastifyRequest) => Problem | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext;
    /** The media type of the answer. */
    answerType: string;
  }
  interface FastifyContextConfig extends RouteConfig {}
}

const WRITING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const LENIENT = /(?:^|[,;\s])handling\s*=\s*"?lenient"?\s*(?:$|[,;])/i;

/** The door goes by these beside its settings. */
export interface AdmissionContext extends RequestCounts {
  readonly offered: OfferedMethods;
  readonly keyUses: KeyUses;
}

/** @returns undefined when the request may go on; `request.requestContext` is set then, unless the route is public */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  options: HttpOptions,
  admission: AdmissionContext,
): Promise<Problem | undefined> {
  const malformed = checkForm(request, options.limits) ?? request.hostProblem;
  if (malformed) return malformed;
  const { config } = request.routeOptions;
  if (config.isPublic) return checkAddress(request, config);
  // Without a key nothing is asked of the database.
  const credential = readCredential(request, options);
  if (isProblem(credential)) return credential;
  const state = await options.cacheValidator.check();
  const key = await authenticate(credential, options, state);
  const isKey = 'key' in credential;
  if (isProblem(key)) return (isKey && (await checkFailedKeys(request, admission.failedKeys))) || key;
  const saysLenient = LENIENT.test(String(request.headers.prefer ?? ''));
  const lenient = saysLenient || options.compatibility === '5.5';
  if (key.isStored) admission.keyUses.note(key.name);
  const mayWrite = key.kind === 'read-write';
  const { language, isStandIn } = chooseLanguage(request.headers['accept-language'], state, mayWrite);
  request.requestContext = {
    state,
    key,
    isOfSession: !isKey,
    keyName: key.name,
    language,
    defaultLanguage: state.defaultLanguage,
    languages: mayWrite ? state.everyLanguage : state.languages,
    unknownLanguage: isStandIn && !lenient ? unknownLanguage(state) : undefined,
    lenient,
    saysLenient,
  };
  const path = request.url.split('?', 1)[0]!;
  if (request.is404 || admission.offered.isAnother(path, request.routeOptions.url))
    return noRoute(request, path, admission.offered);
  const refused = checkKind(request, key);
  // Without a limit, which is the default, nobody waits here.
  if (refused || admission.requests.isOff) return refused ?? checkAddress(request, config);
  return (await checkRate(reply, key, admission.requests)) ?? checkAddress(request, config);
}

/**
 * Too many wrong keys from one address. The right key passes from there all the same: whoever shares an address with the
 * one who guesses (behind one proxy, that is everybody) is not locked out by him.
 */
export async function checkFailedKeys({ ip }: FastifyRequest, rate: Counts): Promise<Problem | undefined> {
  if (rate.isOff) return undefined;
  const { isExceeded, headers } = await rate.count(countedAs(ip));
  if (!isExceeded) return undefined;
  const detail = 'Too many wrong keys came from this address within a minute, and this is one more. Check the key.';
  return problem('too-many-requests', detail, { ...headers, connection: 'close' });
}

/** Every answer of a key that is counted says how much is left. */
async function checkRate(reply: FastifyReply, { name }: RightKey, rate: Counts): Promise<Problem | undefined> {
  const { isExceeded, headers } = await rate.count(name);
  if (isExceeded) return problem('too-many-requests', `The key “${name}” has no request left in this minute.`, headers);
  reply.headers(headers);
  return undefined;
}

/** The form of the request itself: what HTTP asks of its address and headers, and how large they may be. */
function checkForm(
  { raw }: FastifyRequest,
  { addressBytesMax, headerBytesMax, headersMax }: Limits,
): Problem | undefined {
  if (raw.url!.length > addressBytesMax)
    return problem('uri-too-long', `The address is longer than ${addressBytesMax} bytes.`);
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
      `The headers are larger than ${headerBytesMax} bytes or more than ${headersMax}.`,
    );
  // RFC 9112 §3.2: exactly one, except in HTTP/1.0.
  const isHostRight = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
  if (!isHostRight || raw.httpVersionMajor !== 1)
    return problem(
      'malformed-request',
      'The request should have exactly one Host header and name its version of HTTP.',
      {
        connection: 'close',
      },
    );
  return undefined;
}

function noRoute({ method }: FastifyRequest, path: string, offered: OfferedMethods): Problem {
  const allow = offered.at(path);
  if (allow === undefined)
    return problem('not-found', `There is no path ${JSON.stringify(path)}. The paths are listed at /api.`);
  return problem('method-not-allowed', `${method} is not offered here; the path has ${allow}.`, { allow });
}

function checkKind(request: FastifyRequest, key: RightKey): Problem | undefined {
  if (key.kind === 'read-only' && WRITING.has(request.method))
    return problem('read-only-key', `The key “${key.name}” may only read; ${request.method} needs a read/write key.`);
  if (key.kind === 'read-only' && request.routeOptions.config.isForWriters)
    return problem('read-only-key', `The key “${key.name}” may only read, and not this; it needs a read/write key.`);
  return undefined;
}

function checkAddress(request: FastifyRequest, config: RouteConfig): Problem | undefined {
  if (config.negotiates === false) return config.readAddress?.(request);
  const offers = config.offers ?? [JSON_TYPE];
  const answerType = chooseType(request.headers.accept, offers);
  if (answerType === undefined)
    return problem('not-acceptable', `This path answers in ${offers.join(', ')}; Accept names none of them.`);
  request.answerType = answerType;
  const refused = config.readAddress?.(request);
  if (refused || !config.takesBody) return refused;
  if (config.needsNoBody && hasNoBody(request.headers)) return undefined;
  return checkContentType(request.headers, bodyTypes(request.method, config)) ?? checkLength(request);
}

/** Nothing follows the headers (RFC 9112 §6.3), and nothing says what it would be. */
function hasNoBody(headers: FastifyRequest['headers']): boolean {
  const length = headers['content-length'];
  const isEmpty = headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
  return isEmpty && headers['content-type'] === undefined;
}

function bodyTypes(method: string, { takesLines, filePart }: RouteConfig): readonly string[] {
  if (takesLines) return LINE_TYPES;
  const types = method === 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE, LD_TYPE] : [JSON_TYPE, LD_TYPE];
  return filePart === undefined ? types : [...types, FORM_TYPE];
}

function checkLength(request: FastifyRequest): Problem | undefined {
  const limit = request.routeOptions.bodyLimit;
  return Number(request.headers['content-length'] ?? 0) > limit ? tooLarge(limit) : undefined;
}

export function tooLarge(limit: number): Problem {
  return problem('content-too-large', `The body is larger than ${limit} bytes, the limit of this path.`);
}
