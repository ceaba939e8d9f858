/**
 * `/admin/session`: signs in to the admin page with a key, a one-time token, or as a user; returns the session, signs out
 * (http.md §20).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { grantedMasks, grantedScopes } from '../../access/rights.ts';
import { formatTimestamp, isProblem, type Problem, rejectParameters } from '../../engine/index.ts';
import { digestOf, type ValidKey } from '../../store/keys.ts';
import { beginSession, endSession } from '../../store/sessions.ts';
import { findToken, spendToken } from '../../store/sign-in-tokens.ts';
import { checkFailedKeys, rejectNetwork } from '../admission/admission.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { authenticate, findKey, keyOfUser, sessionEnded, unauthorized } from '../admission/authentication.ts';
import type { Counts, RequestCounts } from '../admission/rate-limits.ts';
import { queryOf } from '../resources/address.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';
import { cookieWith, cookieWithout, sessionIdOf } from './cookie.ts';
import { hostOf, rejectForeign } from './own-page.ts';
import { readSignIn, type SignIn } from './sign-in-body.ts';
import { UserSignIn } from './user-sign-in.ts';

export const SESSION_PATH = '/admin/session';

const BODY_BYTES_MAX = 4096;

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Counters of admission, and its slots. */
export interface SignInLimits {
  readonly counts: Pick<RequestCounts, 'failedKeys' | 'failedLogins'>;
  readonly control: AdmissionControl;
}

export function registerSessionRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  admin: AdminOptions,
  limits: SignInLimits,
): void {
  const config = {
    isPublic: true,
    readAddress: (request: FastifyRequest) =>
      rejectForeign(request, admin) ?? rejectParameters(queryOf(request), false),
  } as const;
  app.get(SESSION_PATH, { config }, handleRead(options, limits.counts.failedKeys));
  app.post(
    SESSION_PATH,
    { bodyLimit: BODY_BYTES_MAX, config: { ...config, work: 'write', takesBody: true } },
    handleSignIn(options, limits),
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

function handleSignIn(options: HttpOptions, limits: SignInLimits): Handle {
  const users = new UserSignIn(limits.counts.failedLogins);
  return async (request, reply) => {
    const sent = readJsonObject(request.body as Buffer | undefined);
    const given = isProblem(sent) ? sent : readSignIn(sent);
    if (isProblem(given)) return sendProblem(reply, given);
    const begun =
      given.by === 'key' || given.by === 'token'
        ? await signInWithKey(request, given, options, limits.counts.failedKeys)
        : await signInAsUser(request, given, users, limits);
    if (isProblem(begun)) return sendProblem(reply, begun);
    reply.header('set-cookie', cookieWith(request, begun.id));
    return sendSession(request, reply, begun.valid);
  };
}

/** A session that has begun, with the secret of its cookie. */
interface Begun {
  readonly id: string;
  readonly valid: ValidKey;
}

async function signInWithKey(
  request: FastifyRequest,
  given: GivenKey,
  options: HttpOptions,
  failedKeys: Counts,
): Promise<Begun | Problem> {
  const found = await keyFor(given, options, findToken);
  const rejected = isProblem(found) ? found : rejectNetwork(request, found);
  if (rejected) return (await checkFailedKeys(request, failedKeys)) ?? rejected;
  // A request from another network does not spend the token.
  const valid = given.by === 'token' ? await keyFor(given, options, spendToken) : (found as ValidKey);
  if (isProblem(valid)) return valid;
  const { id, endsAt } = await beginSession(
    options.service,
    { keyHash: valid.hash, host: hostOf(request) },
    sessionIdOf(request),
  );
  return { id, valid: { ...valid, endsAt: Math.min(valid.endsAt, endsAt) } };
}

async function signInAsUser(
  request: FastifyRequest,
  given: Exclude<SignIn, GivenKey>,
  users: UserSignIn,
  { counts, control }: SignInLimits,
): Promise<Begun | Problem> {
  const slowly = control.releaseSlotDuring(request);
  const signedIn =
    given.by === 'password'
      ? await users.withPassword(request, given, slowly)
      : ((await users.withLink(request, given, slowly)) ?? (await rejectLink(request, counts.failedKeys)));
  if (isProblem(signedIn)) return signedIn;
  return { id: signedIn.id, valid: keyOfUser(signedIn.user, signedIn.endsAt) };
}

/** A wrong link counts like a wrong key. */
async function rejectLink(request: FastifyRequest, failedKeys: Counts): Promise<Problem> {
  const wrong = unauthorized('This link is invalid, expired or already used. Ask for another one.');
  return (await checkFailedKeys(request, failedKeys)) ?? wrong;
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
  const { name, kind, user, endsAt } = valid;
  const body = JSON.stringify({
    expires_at: formatTimestamp(endsAt, service.environment.timeZone),
    key: user ? null : { name, kind },
    user: user ? { id: user.id, name: user.name, email: user.email } : null,
    scopes: grantedScopes(valid),
    masks: grantedMasks(valid),
  });
  return reply.headers({ ...PRIVATE, 'content-type': 'application/json; charset=utf-8' }).send(body);
}

type GivenKey = Extract<SignIn, { by: 'key' | 'token' }>;

async function keyFor(
  given: GivenKey,
  { cacheValidator, keys, service }: HttpOptions,
  read: typeof findToken,
): Promise<ValidKey | Problem> {
  const now = service.clock.now();
  if (given.by === 'key') return findKey(digestOf(given.key), keys, (await cacheValidator.check()).keys, now, '');
  const hash = await read(service, given.token);
  const key =
    hash === undefined ? undefined : findKey(Buffer.from(hash, 'hex'), keys, (await cacheValidator.check()).keys, now);
  if (key === undefined || isProblem(key))
    return unauthorized(
      'This sign-in link is invalid, expired or already used. Create another with “purveyor admin link”, or sign in with a key.',
    );
  return key;
}
