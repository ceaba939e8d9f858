/**
 * The key in `X-Auth-Token` says who asks. Keys are compared as SHA-256 digests in constant time (http.md §4). A key is
 * never logged and never kept as it is.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem } from '../engine/index.ts';
import { digestOf, type KnownKey, type RightKey } from '../store/keys.ts';
import type { StoredKey } from '../store/state.ts';
import type { HttpOptions } from './context.ts';

export const CHALLENGE = { 'www-authenticate': 'ApiKey realm="store", header="X-Auth-Token"' };

/**
 * The key that the request carries, or the problem that refuses it. Every known key is compared, whether an earlier one
 * matched or not.
 * @param now in seconds since 1970
 */
export function authenticate(
  sent: string,
  configured: readonly KnownKey[],
  stored: readonly StoredKey[],
  now: number,
): RightKey | Problem {
  if (configured.length === 0 && stored.length === 0)
    return unauthorized('No API key is set up, so no request runs. Make one with “purveyor keys create”.');
  const digest = digestOf(sent);
  const isSent = (hash: string): boolean => timingSafeEqual(Buffer.from(hash, 'hex'), digest);
  let match: RightKey | undefined;
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
  return match ?? unauthorized('The key in X-Auth-Token is none of the store’s keys.');
}

const NEVER = Number.POSITIVE_INFINITY;

function named({ name, kind }: KnownKey | StoredKey): Pick<RightKey, 'name' | 'kind'> {
  return { name, kind };
}

/** Whether the key of a request that goes on for long is still one of the store's. */
export async function isStillRight(
  { headers }: FastifyRequest,
  { freshness, keys, service }: Pick<HttpOptions, 'freshness' | 'keys' | 'service'>,
): Promise<boolean> {
  const sent = readKey(headers['x-auth-token']);
  if (isProblem(sent)) return false;
  const { keys: stored } = await freshness.look();
  return !isProblem(authenticate(sent, keys, stored, service.clock.now()));
}

/** The key in the header, or the problem that there is none. */
export function readKey(header: string | string[] | undefined): string | Problem {
  if (typeof header === 'string' && header !== '') return header;
  return unauthorized('The header X-Auth-Token is missing. Send one of the store’s API keys in it.');
}

function unauthorized(detail: string): Problem {
  return problem('unauthorized', detail, CHALLENGE);
}
