/**
 * `/admin/session`: signs in to the admin page with a key, a one-time token, or as a user; returns and confirms the session, signs
 * out (http.md §20).
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { grantedMasks, grantedScopes } from '../../access/rights.ts';
import { formatTimestamp, isProblem, Problem, problem, rejectParameters } from '../../engine/index.ts';
import { digestOf, type ValidKey } from '../../store/keys.ts';
import { beginSession, confirmSession, endSession } from '../../store/sessions.ts';
import { findToken, spendToken } from '../../store/sign-in-tokens.ts';
import type { HalfSignedIn, SignedIn } from '../../store/users/sign-in.ts';
import { checkFailedKeys, rejectNetwork } from '../admission/admission.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import {
  authenticate,
  findKey,
  keyOfUser,
  rejectPublishable,
  sessionEnded,
  unauthorized,
} from '../admission/authentication.ts';
import type { Counts, RequestCounts } from '../admission/rate-limits.ts';
import { queryOf } from '../resources/address.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';
import type { SecretChecks } from '../users/checked-secret.ts';
import { cookieWith, cookieWithout, sessionIdOf } from './cookie.ts';
import { offersReset } from './forgot.ts';
import { hostOf, rejectForeign } from './own-page.ts';
import { confirmWith, handleConfirmOptions, handleSignInOptions, signInWith } from './passkeys.ts';
import { rejectWrong } from './rejected-sign-in.ts';
import { readConfirmation, readSignIn, type SignIn } from './sign-in-body.ts';
import { UserSignIn } from './user-sign-in.ts';

export const SESSION_PATH = '/admin/session';

/** The largest answers of passkeys have about 4 KB. */
const BODY_BYTES_MAX = 8192;

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Counters of admission, checks of secrets, and slots of admission. */
export interface SignInLimits {
  readonly counts: Pick<RequestCounts, 'failedKeys'>;
  readonly checks: SecretChecks;
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
  const users = new UserSignIn(limits.checks);
  app.get(SESSION_PATH, { config }, handleRead(options, admin, limits.counts.failedKeys));
  app.post(
    SESSION_PATH,
    { bodyLimit: BODY_BYTES_MAX, config: { ...config, work: 'write', takesBody: true } },
    handleSignIn(options, admin, limits, users),
  );
  app.post(
    `${SESSION_PATH}/confirm`,
    { bodyLimit: BODY_BYTES_MAX, config: { ...config, work: 'write', takesBody: true } },
    handleConfirm(options, admin, limits, users),
  );
  app.delete(SESSION_PATH, { config: { ...config, work: 'write' } }, handleSignOut(options, admin));
  const action = {
    bodyLimit: BODY_BYTES_MAX,
    config: { ...config, work: 'write', takesBody: true, needsNoBody: true },
  } as const;
  app.post(
    `${SESSION_PATH}/passkey`,
    action,
    handleSignInOptions(options, (request) => rejectTicket(request, limits.counts.failedKeys)),
  );
  const own = (request: FastifyRequest) => confirmable(request, options, admin, limits.counts.failedKeys);
  app.post(`${SESSION_PATH}/confirm/passkey`, action, handleConfirmOptions(options, own));
}

function handleRead(options: HttpOptions, admin: AdminOptions, failedKeys: Counts): Handle {
  return async (request, reply) => {
    const session = sessionIdOf(request);
    if (session === undefined) return sendProblem(reply, withMethods(sessionEnded(), admin, options));
    const key = await authenticate({ session }, options, await options.cacheValidator.check());
    if (isProblem(key)) return sendProblem(reply, withMethods(key, admin, options));
    const rejected = rejectNetwork(request, key);
    if (rejected) return sendProblem(reply, (await checkFailedKeys(request, failedKeys)) ?? rejected);
    return sendSession(request, reply, key, offersReset(options, admin));
  };
}

/** Adds to a 401 how people can sign in, whether they can get a new password by mail, and the name of the store. */
function withMethods({ problem: type, detail, headers }: Problem, admin: AdminOptions, options: HttpOptions): Problem {
  const { oidc, storeName = '' } = admin;
  const { passkeys } = options;
  const ofUsers = [...(oidc?.isOnly ? [] : ['password']), ...(passkeys ? ['passkey'] : []), ...(oidc ? ['oidc'] : [])];
  return new Problem(type, detail, {
    headers,
    more: {
      ...{ sign_in: ['key', ...ofUsers], password_reset: offersReset(options, admin) },
      store_name: storeName === '' ? null : storeName,
    },
  });
}

function handleSignIn(options: HttpOptions, admin: AdminOptions, limits: SignInLimits, users: UserSignIn): Handle {
  return async (request, reply) => {
    const sent = readJsonObject(request.body as Buffer | undefined);
    const given = isProblem(sent) ? sent : readSignIn(sent, options.passkeys !== undefined);
    if (isProblem(given)) return sendProblem(reply, given);
    const isOfKey = given.by === 'key' || given.by === 'token';
    if (!isOfKey && admin.oidc?.isOnly) return sendProblem(reply, onlyAtProvider());
    const begun =
      given.by === 'key' || given.by === 'token'
        ? await signInWithKey(request, given, options, limits.counts.failedKeys)
        : await signInAsUser(request, given, users, limits, options);
    if (isProblem(begun)) return sendProblem(reply, begun);
    if ('ticket' in begun) return sendTicket(request, reply, begun);
    reply.header('set-cookie', cookieWith(request, begun.id));
    return sendSession(request, reply, begun.valid, offersReset(options, admin));
  };
}

function onlyAtProvider(): Problem {
  const detail =
    'Users of this store sign in at its identity provider. Open /admin/oidc in a browser, or sign in with a key.';
  return problem('sign-in-rejected', detail);
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
  const valid = await keyFor(given, options);
  const reject = (rejected: Problem, id: string | null) =>
    rejectWrong(request, failedKeys, rejected, { kind: 'Key', id });
  if (isProblem(valid)) return reject(valid, null);
  const by = actorOf(request, valid);
  const foreign = rejectNetwork(request, valid);
  if (foreign) return reject(foreign, by.id);
  // A request from another network does not spend the token. Another request may have spent it since it was found.
  if (given.by === 'token' && !(await spendToken(options.service, given.token, by)))
    return reject(invalidLink(), by.id);
  const { id, endsAt } = await beginSession(
    options.service,
    { keyHash: valid.hash, host: hostOf(request) },
    sessionIdOf(request),
    by,
  );
  return { id, valid: { ...valid, endsAt: Math.min(valid.endsAt, endsAt) } };
}

async function signInAsUser(
  request: FastifyRequest,
  given: Exclude<SignIn, GivenKey>,
  users: UserSignIn,
  { counts, control }: SignInLimits,
  { passkeys }: HttpOptions,
): Promise<Begun | HalfSignedIn | Problem> {
  const slowly = control.releaseSlotDuring(request);
  const attempt = (): Promise<SignedIn | HalfSignedIn | Problem | undefined> => {
    if (given.by === 'password') return users.withPassword(request, given, slowly);
    if (given.by === 'link') return users.withLink(request, given, slowly);
    if (given.by === 'code') return users.withCode(request, given);
    return signInWith(request, given, passkeys!, counts.failedKeys);
  };
  const rejected = given.by === 'link' ? rejectLink : rejectTicket;
  const signedIn = (await attempt()) ?? (await rejected(request, counts.failedKeys));
  if (isProblem(signedIn) || 'ticket' in signedIn) return signedIn;
  return { id: signedIn.id, valid: keyOfUser(signedIn.user, signedIn.endsAt) };
}

/** A wrong link counts like a wrong key. */
async function rejectLink(request: FastifyRequest, failedKeys: Counts): Promise<Problem> {
  const wrong = unauthorized('This link is invalid, expired or already used. Ask for another one.');
  return rejectWrong(request, failedKeys, wrong, { kind: 'User', id: null });
}

/** An unknown or used ticket counts like a wrong key. */
async function rejectTicket(request: FastifyRequest, failedKeys: Counts): Promise<Problem> {
  const wrong = unauthorized('This sign-in has expired, or had too many wrong codes. Begin again with the password.');
  return rejectWrong(request, failedKeys, wrong, { kind: 'User', id: null });
}

/** Renews the sign-in of a session, without a new session. */
function handleConfirm(options: HttpOptions, admin: AdminOptions, limits: SignInLimits, users: UserSignIn): Handle {
  return async (request, reply) => {
    const { failedKeys } = limits.counts;
    const { passkeys } = options;
    const valid = await confirmable(request, options, admin, failedKeys);
    if (isProblem(valid)) return sendProblem(reply, valid);
    const sent = readJsonObject(request.body as Buffer | undefined);
    const given = isProblem(sent) ? sent : readConfirmation(sent, valid.user, passkeys !== undefined);
    if (isProblem(given)) return sendProblem(reply, given);
    const rejected =
      given.by === 'key'
        ? await confirmWithKey(request, given.key, valid, options, failedKeys)
        : given.by === 'passkey'
          ? await confirmWith(request, given.passkey, valid.user!, passkeys!, failedKeys)
          : await users.confirm(request, valid, given, limits.control.releaseSlotDuring(request));
    return rejected ? sendProblem(reply, rejected) : sendSession(request, reply, valid, offersReset(options, admin));
  };
}

/** Finds the session that a request confirms. */
async function confirmable(
  request: FastifyRequest,
  options: HttpOptions,
  admin: AdminOptions,
  failedKeys: Counts,
): Promise<ValidKey | Problem> {
  const valid = await ownSession(request, options, admin);
  const foreign = isProblem(valid) ? undefined : rejectNetwork(request, valid);
  if (foreign) return (await checkFailedKeys(request, failedKeys)) ?? foreign;
  return !isProblem(valid) && valid.user?.byProvider ? confirmedAtProvider() : valid;
}

function confirmedAtProvider(): Problem {
  return problem(
    'conflict',
    'This session is confirmed at the identity provider. Open /admin/oidc/confirm in a browser.',
  );
}

async function confirmWithKey(
  request: FastifyRequest,
  key: string,
  valid: ValidKey,
  { service }: HttpOptions,
  failedKeys: Counts,
): Promise<Problem | undefined> {
  if (!timingSafeEqual(digestOf(key), Buffer.from(valid.hash, 'hex')))
    return rejectWrong(
      request,
      failedKeys,
      unauthorized('This is not the key of the session. Send the key that you signed in with.'),
      { kind: 'Key', id: actorOf(request, valid).id },
    );
  const session = sessionIdOf(request)!;
  const isLeft = await service.database.transaction((transaction) => confirmSession(service, transaction, session));
  return isLeft ? undefined : sessionEnded();
}

/** Finds the session of a write. */
export async function ownSession(
  request: FastifyRequest,
  options: HttpOptions,
  { origin }: AdminOptions,
): Promise<ValidKey | Problem> {
  const session = sessionIdOf(request);
  if (session === undefined) return sessionEnded();
  const host = origin === undefined ? hostOf(request) : undefined;
  return authenticate({ session, host }, options, await options.cacheValidator.check());
}

/** Responds with 204 even without a session, or if it has ended. */
function handleSignOut(options: HttpOptions, admin: AdminOptions): Handle {
  return async (request, reply) => {
    const session = sessionIdOf(request);
    if (session !== undefined) {
      const key = await ownSession(request, options, admin);
      if (isProblem(key) && key.problem === 'foreign-page') return sendProblem(reply, key);
      await endSession(request.service, session, isProblem(key) ? undefined : actorOf(request, key));
    }
    return reply
      .code(204)
      .headers({ ...PRIVATE, 'set-cookie': cookieWithout(request) })
      .send();
  };
}

const PRIVATE = { 'cache-control': 'no-store' };
const JSON_UTF8 = 'application/json; charset=utf-8';

/** @param mailsLinks whether the store mails links for passwords */
function sendSession(
  { service }: FastifyRequest,
  reply: FastifyReply,
  valid: ValidKey,
  mailsLinks: boolean,
): FastifyReply {
  const { name, kind, user, endsAt } = valid;
  const body = JSON.stringify({
    expires_at: formatTimestamp(endsAt, service.environment.timeZone),
    key: user ? null : { name, kind },
    user: user ? { id: user.id, name: user.name, email: user.email, oidc: user.byProvider } : null,
    scopes: grantedScopes(valid),
    masks: grantedMasks(valid),
    password_reset: mailsLinks,
  });
  return reply.headers({ ...PRIVATE, 'content-type': JSON_UTF8 }).send(body);
}

/** The password was right; the session begins with a code. */
function sendTicket({ service }: FastifyRequest, reply: FastifyReply, half: HalfSignedIn): FastifyReply {
  const { ticket, factors, expires } = half;
  const body = JSON.stringify({ ticket, factors, expires_at: formatTimestamp(expires, service.environment.timeZone) });
  return reply
    .code(202)
    .headers({ ...PRIVATE, 'content-type': JSON_UTF8 })
    .send(body);
}

type GivenKey = Extract<SignIn, { by: 'key' | 'token' }>;

async function keyFor(given: GivenKey, { cacheValidator, keys, service }: HttpOptions): Promise<ValidKey | Problem> {
  const now = service.clock.now();
  if (given.by === 'key') {
    const key = findKey(digestOf(given.key), keys, (await cacheValidator.check()).keys, now, '');
    return isProblem(key) ? key : (rejectPublishable(key) ?? key);
  }
  const hash = await findToken(service, given.token);
  const key =
    hash === undefined ? undefined : findKey(Buffer.from(hash, 'hex'), keys, (await cacheValidator.check()).keys, now);
  return key === undefined || isProblem(key) || rejectPublishable(key) ? invalidLink() : key;
}

function invalidLink(): Problem {
  return unauthorized(
    'This sign-in link is invalid, expired or already used. Create another with “purveyor admin link”, or sign in with a key.',
  );
}
