/**
 * Authentication by the API key in `X-Auth-Token`, or by a session of the admin page. Keys are compared as SHA-256 digests in
 * constant time (http.md §§4 and 20). Neither keys nor session ids are logged or stored in plain text.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isInNetworks } from '../../access/networks.ts';
import { grantedMasks, grantedScopes } from '../../access/rights.ts';
import { isProblem, type Problem, problem } from '../../engine/index.ts';
import { digestOf, type KnownKey, type ValidKey } from '../../store/keys.ts';
import type { StoredKey, StoreState } from '../../store/state.ts';
import { type SessionUser, userHash } from '../../store/users/session-user.ts';
import { sessionIdOf } from '../admin/cookie.ts';
import { foreignHost, hostOf, isWrite, rejectForeign } from '../admin/own-page.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';

const CHALLENGE = { 'www-authenticate': 'ApiKey realm="store", header="X-Auth-Token"' };

/** `host`: the session must have begun on this host. */
type Credential = { readonly key: string } | { readonly session: string; readonly host?: string | undefined };

/** Reads the key in the header or, without that header, the session in the cookie. */
export function readCredential(request: FastifyRequest, { admin }: Pick<HttpOptions, 'admin'>): Credential | Problem {
  const header = request.headers['x-auth-token'];
  const session = header === undefined && admin ? sessionIdOf(request) : undefined;
  if (session === undefined) {
    const key = readKey(header);
    return isProblem(key) ? key : { key };
  }
  // With BASE_URL, its origin was checked instead.
  const host = isWrite(request) && admin!.origin === undefined ? hostOf(request) : undefined;
  return rejectForeign(request, admin!) ?? { session, host };
}

/** Returns the key of the credential. @param state of the store at a time after the request arrived */
export async function authenticate(
  credential: Credential,
  { keys, service, admin }: Pick<HttpOptions, 'keys' | 'service' | 'admin'>,
  state: Pick<StoreState, 'keys'>,
): Promise<ValidKey | Problem> {
  const now = service.clock.now();
  if ('key' in credential) return findKey(digestOf(credential.key), keys, state.keys, now);
  const session = await admin!.sessions.find(credential.session);
  if (!session) return sessionEnded();
  if (credential.host !== undefined && credential.host !== session.host) return foreignHost(session.host);
  const { confirmedAt } = session;
  if (session.user && isMethodDisabled(session.user, admin!)) return sessionEnded();
  if (session.user) return { ...keyOfUser(session.user, session.endsAt), confirmedAt };
  const key = findKey(Buffer.from(session.keyHash, 'hex'), keys, state.keys, now);
  if (isProblem(key)) return sessionEnded();
  return { ...key, endsAt: Math.min(key.endsAt, session.endsAt), keyEndsAt: key.endsAt, confirmedAt };
}

/** Sessions end when their way to sign in is no longer configured. */
function isMethodDisabled({ byProvider }: SessionUser, { oidc }: AdminOptions): boolean {
  return byProvider ? !oidc : oidc?.isOnly === true;
}

/** A session of a user is like one of a scoped key with the user's scopes and masks. */
export function keyOfUser({ scopes, masks, ...user }: SessionUser, endsAt: number): ValidKey {
  const rights = { kind: 'scoped', scopes, masks, hash: userHash(user.id), isStored: false } as const;
  return { ...rights, name: user.name, user, endsAt, keyEndsAt: NEVER };
}

/**
 * Returns the problem for a publishable key, which only the paths below `/storefront` accept. Anyone may have the key, so its
 * name is not shown.
 */
export function rejectPublishable({ kind }: ValidKey): Problem | undefined {
  if (kind !== 'publishable') return undefined;
  return problem('wrong-key-kind', 'This key is publishable and works only below /storefront. Send another key.');
}

export function sessionEnded(): Problem {
  return unauthorized('The session has ended. Sign in again at /admin.');
}

/**
 * Finds the key with this digest. It compares every key, even after a match, so that the time reveals nothing.
 * @param now in seconds since 1970
 */
export function findKey(
  digest: Buffer,
  configured: readonly KnownKey[],
  stored: readonly StoredKey[],
  now: number,
  where = ' in X-Auth-Token',
): ValidKey | Problem {
  if (configured.length === 0 && stored.length === 0)
    return unauthorized('The store has no API keys. Create one with “purveyor keys create”.');
  const isSent = (hash: string): boolean => timingSafeEqual(Buffer.from(hash, 'hex'), digest);
  let match: Omit<ValidKey, 'hash'> | undefined;
  for (const key of configured)
    if (timingSafeEqual(key.digest, digest)) match = { ...named(key), isStored: false, endsAt: NEVER };
  for (const key of stored) {
    const ends = key.expires ?? NEVER;
    if (isSent(key.hash)) match = { ...named(key), isStored: true, endsAt: ends };
    if (key.oldHash !== null && isSent(key.oldHash))
      match = { ...named(key), isStored: true, endsAt: Math.min(ends, key.oldExpires ?? 0) };
  }
  if (match && match.endsAt <= now) return unauthorized(`The key “${match.name}” has expired. Use its replacement.`);
  return match ? { ...match, hash: digest.toString('hex') } : unauthorized(`The key${where} is not valid.`);
}

const NEVER = Number.POSITIVE_INFINITY;

function named(key: KnownKey | StoredKey): Pick<ValidKey, 'name' | 'kind' | keyof OfStoredKey> {
  const { name, kind } = key;
  if (!('scopes' in key)) return { name, kind };
  const { id, created, scopes, masks, networks, origins } = key;
  return { id, name, kind, created, scopes, masks, networks, origins };
}

type OfStoredKey = Pick<ValidKey, 'id' | 'created' | 'scopes' | 'masks' | 'networks' | 'origins'>;

/** Whether the key or session of a long request is still valid, with the same rights, and accepted from the client’s address. */
export async function isStillValid(request: FastifyRequest, options: HttpOptions): Promise<boolean> {
  const credential = readCredential(request, options);
  if (isProblem(credential)) return false;
  const key = await authenticate(credential, options, await options.cacheValidator.check());
  return !isProblem(key) && isAlike(key, request.requestContext.key) && isInNetworks(request.ip, key.networks ?? []);
}

/** Another key can have the same text after the first one was deleted. */
function isAlike(one: ValidKey, other: ValidKey): boolean {
  const parts = (key: ValidKey): string =>
    JSON.stringify([key.kind, grantedScopes(key), grantedMasks(key), key.networks ?? []]);
  return parts(one) === parts(other);
}

/** Returns the key or the session id that identifies the client. */
export function credentialText(request: FastifyRequest): string | undefined {
  const key = readKey(request.headers['x-auth-token']);
  return isProblem(key) ? sessionIdOf(request) : key;
}

function readKey(header: string | string[] | undefined): string | Problem {
  if (typeof header === 'string' && header !== '') return header;
  return unauthorized('The header X-Auth-Token is missing. Send an API key of the store in it.');
}

export function unauthorized(detail: string): Problem {
  return problem('unauthorized', detail, CHALLENGE);
}
