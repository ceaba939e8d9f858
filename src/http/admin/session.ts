/**
 * `/admin/session`: signs in to the admin page with a key or a one-time token, returns the session, signs out
 * (http.md §20).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { grantedScopes } from '../../access/rights.ts';
import {
  formatTimestamp,
  isProblem,
  type JsonObject,
  messages,
  type Problem,
  rejectParameters,
  rejectUnknownField,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import { digestOf, type ValidKey } from '../../store/keys.ts';
import { beginSession, endSession } from '../../store/sessions.ts';
import { findToken, spendToken } from '../../store/sign-in-tokens.ts';
import { checkFailedKeys, rejectNetwork } from '../admission/admission.ts';
import { authenticate, findKey, sessionEnded, unauthorized } from '../admission/authentication.ts';
import type { Counts } from '../admission/rate-limits.ts';
import { queryOf } from '../resources/address.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';
import { cookieWith, cookieWithout, sessionIdOf } from './cookie.ts';
import { hostOf, rejectForeign } from './own-page.ts';

export const SESSION_PATH = '/admin/session';

const BODY_BYTES_MAX = 4096;

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** @param failedKeys counts wrong keys, like admission */
export function registerSessionRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  admin: AdminOptions,
  failedKeys: Counts,
): void {
  const config = {
    isPublic: true,
    readAddress: (request: FastifyRequest) =>
      rejectForeign(request, admin) ?? rejectParameters(queryOf(request), false),
  } as const;
  app.get(SESSION_PATH, { config }, handleRead(options, failedKeys));
  app.post(
    SESSION_PATH,
    { bodyLimit: BODY_BYTES_MAX, config: { ...config, work: 'write', takesBody: true } },
    handleSignIn(options, failedKeys),
  );
  app.delete(SESSION_PATH, { config: { ...config, work: 'write' } }, handleSignOut(options, admin));
}

function handleRead(options: HttpOptions, failedKeys: Counts): Handle {
  return async (request, reply) => {
    const session = sessionIdOf(request);
    if (session === undefined) return sendProblem(reply, sessionEnded());
    const key = await authenticate({ session }, options, await options.cacheValidator.check());
    if (isProblem(key)) return sendProblem(reply, key);
    const rejected = rejectNetwork(request, key);
    if (rejected) return sendProblem(reply, (await checkFailedKeys(request, failedKeys)) ?? rejected);
    return sendSession(request, reply, key);
  };
}

function handleSignIn(options: HttpOptions, failedKeys: Counts): Handle {
  return async (request, reply) => {
    const sent = readJsonObject(request.body as Buffer | undefined);
    const given = isProblem(sent) ? sent : readGiven(sent);
    if (isProblem(given)) return sendProblem(reply, given);
    const found = await keyFor(given, options, findToken);
    const rejected = isProblem(found) ? found : rejectNetwork(request, found);
    if (rejected) return sendProblem(reply, (await checkFailedKeys(request, failedKeys)) ?? rejected);
    // A request from another network does not spend the token.
    const valid = 'token' in given ? await keyFor(given, options, spendToken) : (found as ValidKey);
    if (isProblem(valid)) return sendProblem(reply, valid);
    const { id, endsAt } = await beginSession(
      options.service,
      { keyHash: valid.hash, host: hostOf(request) },
      sessionIdOf(request),
    );
    reply.header('set-cookie', cookieWith(request, id));
    return sendSession(request, reply, { ...valid, endsAt: Math.min(valid.endsAt, endsAt) });
  };
}

/** Responds with 204 even without a session, or if it has ended. */
function handleSignOut(options: HttpOptions, { origin }: AdminOptions): Handle {
  return async (request, reply) => {
    const session = sessionIdOf(request);
    if (session !== undefined) {
      const host = origin === undefined ? hostOf(request) : undefined;
      const key = await authenticate({ session, host }, options, await options.cacheValidator.check());
      if (isProblem(key) && key.problem === 'foreign-page') return sendProblem(reply, key);
      await endSession(request.service, session);
    }
    return reply
      .code(204)
      .headers({ ...PRIVATE, 'set-cookie': cookieWithout(request) })
      .send();
  };
}

const PRIVATE = { 'cache-control': 'no-store' };

function sendSession({ service }: FastifyRequest, reply: FastifyReply, valid: ValidKey): FastifyReply {
  const { name, kind, endsAt } = valid;
  const own = { expires_at: formatTimestamp(endsAt, service.environment.timeZone), key: { name, kind } };
  const body = kind === 'scoped' ? { ...own, scopes: grantedScopes(valid) } : own;
  return reply.headers({ ...PRIVATE, 'content-type': 'application/json; charset=utf-8' }).send(JSON.stringify(body));
}

type Given = { readonly key: string } | { readonly token: string };

async function keyFor(
  given: Given,
  { cacheValidator, keys, service }: HttpOptions,
  read: typeof findToken,
): Promise<ValidKey | Problem> {
  const now = service.clock.now();
  if ('key' in given) return findKey(digestOf(given.key), keys, (await cacheValidator.check()).keys, now, '');
  const hash = await read(service, given.token);
  const key =
    hash === undefined ? undefined : findKey(Buffer.from(hash, 'hex'), keys, (await cacheValidator.check()).keys, now);
  if (key === undefined || isProblem(key))
    return unauthorized(
      'This sign-in link is invalid, expired or already used. Create another with “purveyor admin link”, or sign in with a key.',
    );
  return key;
}

/** The body must have exactly one of the two. */
function readGiven(sent: JsonObject): Given | Problem {
  const violations = new Violations();
  const { key, token, ...others } = sent;
  for (const name of Object.keys(others)) rejectUnknownField('', name, withoutSynonyms(['key', 'token']), violations);
  for (const [name, value] of Object.entries({ key, token })) {
    if (value !== undefined && typeof value !== 'string') violations.add(name, 'type', messages.type('string'));
    if (value === '') violations.add(name, 'blank', messages.blank);
  }
  if (key === undefined && token === undefined) violations.add('key', 'required', messages.blank);
  if (key !== undefined && token !== undefined)
    violations.add('token', 'conflict', 'Send either “key” or “token”, not both.');
  if (violations.list.length > 0) return validationFailed(violations.list);
  return key === undefined ? { token: token as string } : { key: key as string };
}
