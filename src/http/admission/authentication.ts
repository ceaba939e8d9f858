/**
 * The key in `X-Auth-Token` says who asks, or the session of the admin page that a key began. Keys are compared as SHA-256
 * digests in constant time (http.md §§4 and 20). Neither is ever logged or kept as it is.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem } from '../../engine/index.ts';
import { digestOf, type KnownKey, type RightKey } from '../../store/keys.ts';
import type { StoredKey, StoreState } from '../../store/state.ts';
import { sessionIdOf } from '../admin/cookie.ts';
import { refuseForeign } from '../admin/own-page.ts';
import type { HttpOptions } from '../server/context.ts';

export const CHALLENGE = { 'www-authenticate': 'ApiKey realm="store", header="X-Auth-Token"' };

/** Whatever a request brings to say who asks. */
type Credential = { readonly key: string } | { readonly session: string };

/** The key in the header; without that header the session in the cookie; or the problem that refuses the request. */
export function readCredential(request: FastifyRequest, { admin }: Pick<HttpOptions, 'admin'>): Credential | Problem {
  const header = request.headers['x-auth-token'];
  const session = header === undefined && admin ? sessionIdOf(request) : undefined;
  if (session === undefined) {
    const key = readKey(header);
    return isProblem(key) ? key : { key };
  }
  return refuseForeign(request, admin!) ?? { session };
}

/** Whoever sends it, or the problem that refuses it. @param state at a moment after the request came */
export async function authenticate(
  credential: Credential,
  { keys, service, admin }: Pick<HttpOptions, 'keys' | 'service' | 'admin'>,
  state: Pick<StoreState, 'keys'>,
): Promise<RightKey | Problem> {
  const now = service.clock.now();
  if ('key' in credential) return findKey(digestOf(credential.key), keys, state.keys, now);
  const session = await admin!.sessions.find(credential.session);
  if (!session) return sessionEnded();
  const key = findKey(Buffer.from(session.keyHash, 'hex'), keys, state.keys, now);
  return isProblem(key) ? sessionEnded() : { ...key, endsAt: Math.min(key.endsAt, session.endsAt) };
}

export function sessionEnded(): Problem {
  return unauthorized('Nobody is signed in here any more. Sign in again at /admin.');
}

/**
 * The key with this digest, or the problem that refuses it. Every known key is compared, whether an earlier one matched or
 * not.
 * @param now in seconds since 1970
 */
export function findKey(
  digest: Buffer,
  configured: readonly KnownKey[],
  stored: readonly StoredKey[],
  now: number,
  where = ' in X-Auth-Token',
): RightKey | Problem {
  if (configured.length === 0 && stored.length === 0)
    return unauthorized('No API key is set up, so no request runs. Make one with “purveyor keys create”.');
  const isSent = (hash: string): boolean => timingSafeEqual(Buffer.from(hash, 'hex'), digest);
  let match: Omit<RightKey, 'hash'> | undefined;
  for (const key of configured)
    if (timingSafeEqual(key.digest, digest)) match = { ...named(key), isStored: false, endsAt: NEVER };
  for (const key of stored) {
    const ends = key.expires ?? NEVER;
    if (isSent(key.hash)) match = { ...named(key), isStored: true, endsAt: ends };
    if (key.oldHash !== null && isSent(key.oldHash))
      match = { ...named(key), isStored: true, endsAt: Math.min(ends, key.oldExpires ?? 0) };
  }
  if (match && match.endsAt <= now)
    return unauthorized(`This key of the name “${match.name}” has expired. Use the one that has taken its place.`);
  return match
    ? { ...match, hash: digest.toString('hex') }
    : unauthorized(`The key${where} is none of the store’s keys.`);
}

const NEVER = Number.POSITIVE_INFINITY;

function named({ name, kind }: KnownKey | StoredKey): Pick<RightKey, 'name' | 'kind'> {
  return { name, kind };
}

/** Whether the key or the session of a request that goes on for long is still right. */
export async function isStillRight(request: FastifyRequest, options: HttpOptions): Promise<boolean> {
  const credential = readCredential(request, options);
  if (isProblem(credential)) return false;
  return !isProblem(await authenticate(credential, options, await options.cacheValidator.check()));
}

/** The text by which the requests of one client are known. */
export function credentialText(request: FastifyRequest): string | undefined {
  const key = readKey(request.headers['x-auth-token']);
  return isProblem(key) ? sessionIdOf(request) : key;
}

/** The key in the header, or the problem that there is none. */
function readKey(header: string | string[] | undefined): string | Problem {
  if (typeof header === 'string' && header !== '') return header;
  return unauthorized('The header X-Auth-Token is missing. Send one of the store’s API keys in it.');
}

export function unauthorized(detail: string): Problem {
  return problem('unauthorized', detail, CHALLENGE);
}
