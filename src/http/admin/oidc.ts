/**
 * `/admin/oidc`: signs users in at an OpenID Connect provider, and confirms their sessions there (access.md §3). A browser gets
 * failures as the fragment of `/admin`, where the page explains them in its language.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isProblem, type Problem, type ProblemType, problem } from '../../engine/index.ts';
import { recordFailedSignIn } from '../../store/audit/failed-sign-in-entries.ts';
import { hashOf } from '../../store/keys.ts';
import { userOfSession } from '../../store/sessions.ts';
import { readUserId } from '../../store/users/accounts.ts';
import { knownUserOf } from '../../store/users/identities.ts';
import {
  beginProviderSignIn,
  confirmWithIdentity,
  newSignInSecret,
  proofOf,
  signInWithIdentity,
  useProviderSignIn,
} from '../../store/users/provider-sign-in.ts';
import type { Slowly } from '../../store/users/sign-in.ts';
import { queryOf } from '../resources/address.ts';
import { unknownClient } from '../server/actor.ts';
import { rateLimitGroup } from '../server/client-address.ts';
import type { AdminOptions, HttpOptions } from '../server/context.ts';
import { sendRejection, wantsPage } from './browser-responses.ts';
import { cookieWith, sessionIdOf, signInCookieWith, signInCookieWithout, signInSecretOf } from './cookie.ts';
import type { ProvenIdentity, ProviderFailure } from './identity-provider.ts';
import { originOf, rejectForeign, rejectPlainHttp } from './own-page.ts';
import { rejectWrong } from './rejected-sign-in.ts';
import { ownSession, type SignInLimits } from './session.ts';
import { clientOf } from './user-sign-in.ts';

const OIDC_PATH = '/admin/oidc';

/** The address to register at the provider, below `BASE_URL`. */
export const OIDC_CALLBACK_PATH = `${OIDC_PATH}/callback`;

const PATHS = [OIDC_PATH, `${OIDC_PATH}/confirm`, OIDC_CALLBACK_PATH] as const;

/** The clocks of the store and the provider may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60;

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Why a sign-in failed: the name in the fragment, and the problem for programs. */
const FAILURES = {
  expired: [
    'unauthorized',
    'This sign-in has expired, was already used, or began in another browser. Begin again at /admin.',
  ],
  denied: ['sign-in-rejected', 'The identity provider has not signed you in. Begin again at /admin.'],
  invalid: ['sign-in-rejected', 'The response of the identity provider is not valid. The log has the reason.'],
  unavailable: ['sign-in-rejected', 'The identity provider does not respond. Try again later.'],
  unknown: [
    'sign-in-rejected',
    'No active user has this identity. Ask for an invitation with the e-mail address that you have at the identity provider.',
  ],
  unverified: [
    'sign-in-rejected',
    'The identity provider reports no verified e-mail address, which the first sign-in needs.',
  ],
  stale: [
    'sign-in-rejected',
    'The identity provider did not ask you to sign in again. Sign out there, then confirm again.',
  ],
  untimed: [
    'sign-in-rejected',
    'The identity provider does not report when you signed in (auth_time). Sign out of the store and in again.',
  ],
  'other-user': ['sign-in-rejected', 'This is not the user of the session. Confirm with the same account.'],
} as const satisfies Record<string, [ProblemType, string]>;

type Failure = keyof typeof FAILURES;

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface Context {
  readonly options: HttpOptions;
  readonly admin: AdminOptions;
  readonly oidc: NonNullable<AdminOptions['oidc']>;
  readonly limits: SignInLimits;
}

export function registerOidcRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  admin: AdminOptions,
  limits: SignInLimits,
): void {
  const { oidc } = admin;
  const config = { isPublic: true, negotiates: false } as const;
  if (!oidc) {
    for (const path of PATHS)
      app.get(path, { config: { ...config, work: 'none' } }, async (request, reply) =>
        sendRejection(request, reply, problem('not-found', 'This store has no sign-in with OpenID Connect.')),
      );
    return;
  }
  const context = { options, admin, oidc, limits };
  const [begin, confirm, callback] = PATHS;
  const write = { config: { ...config, work: 'write' } } as const;
  app.get(
    begin,
    write,
    handleBegin(context, async (request) => ({ session: hashedSession(request) })),
  );
  app.get(
    confirm,
    write,
    handleBegin(context, (request) => sessionToConfirm(request, context), true),
  );
  app.get(callback, write, handleCallback(context));
}

/** Why `/admin/oidc` cannot be opened. */
function rejectBegin(request: FastifyRequest, admin: AdminOptions): Problem | undefined {
  const foreign = rejectForeign(request, admin);
  if (foreign || originOf(request).origin === admin.origin) return foreign;
  return problem('foreign-page', `The provider returns to ${admin.origin}. Open the admin page there.`);
}

/** @param sessionOf finds the session that the sign-in confirms, or else replaces */
function handleBegin(
  { options: { service }, admin, oidc, limits }: Context,
  sessionOf: (request: FastifyRequest) => Promise<{ readonly session: string | undefined } | Problem>,
  isConfirmation = false,
): Handle {
  return async (request, reply) => {
    const found = rejectBegin(request, admin) ?? (await sessionOf(request));
    if (isProblem(found)) {
      const hasEnded = found.problem === 'unauthorized';
      return hasEnded ? sendFailure(request, reply, 'expired') : sendRejection(request, reply, found);
    }
    const secret = newSignInSecret();
    const slowly = limits.control.releaseSlotDuring(request);
    const address = await slowly(() => oidc.provider.begin(proofOf(secret), isConfirmation));
    if (typeof address !== 'string') {
      logFailure(request, address);
      return sendFailure(request, reply, address.failure);
    }
    const client = rateLimitGroup(request.ip);
    await beginProviderSignIn(service, secret, { ...found, isConfirmation, client });
    return reply.headers({ ...HEADERS, 'set-cookie': signInCookieWith(request, secret) }).redirect(address, 303);
  };
}

function hashedSession(request: FastifyRequest): string | undefined {
  const session = sessionIdOf(request);
  return session === undefined ? undefined : hashOf(session);
}

async function sessionToConfirm(
  request: FastifyRequest,
  { options, admin }: Context,
): Promise<{ readonly session: string | undefined } | Problem> {
  const valid = await ownSession(request, options, admin);
  if (isProblem(valid)) return valid;
  if (valid.user?.byProvider) return { session: hashedSession(request) };
  return problem('conflict', 'This session did not begin at the identity provider. Confirm it on the admin page.');
}

/** The provider has returned the browser. */
function handleCallback(context: Context): Handle {
  const { options, admin, oidc, limits } = context;
  return async (request, reply) => {
    const insecure = rejectPlainHttp(request, admin);
    if (insecure) return sendRejection(request, reply, insecure);
    const secret = signInSecretOf(request);
    const query = queryOf(request);
    const proof = secret === undefined ? undefined : proofOf(secret);
    // Another page could send the browser here, which must not use the sign-in up.
    const isOwn = proof !== undefined && new URLSearchParams(query).get('state') === proof.state;
    const begun = isOwn ? await useProviderSignIn(options.service, secret!) : undefined;
    if (!begun) return rejectExpired(request, reply, limits);
    reply.header('set-cookie', signInCookieWithout(request));
    const slowly = limits.control.releaseSlotDuring(request);
    const identity = await slowly(() => oidc.provider.finish(query, proof!));
    const confirmed = begun.isConfirmation ? begun.session : undefined;
    if ('failure' in identity) return sendProviderFailure(request, reply, identity, confirmed);
    return confirmed === undefined
      ? signIn(request, reply, identity, { ...begun, slowly })
      : confirm(request, reply, identity, { ...begun, session: confirmed });
  };
}

/** An unknown or used sign-in counts like a wrong key. */
async function rejectExpired(
  request: FastifyRequest,
  reply: FastifyReply,
  { counts }: SignInLimits,
): Promise<FastifyReply> {
  const expired = problem(...FAILURES.expired);
  const rejected = await rejectWrong(request, counts.failedKeys, expired, { kind: 'User', id: null });
  return rejected === expired ? sendFailure(request, reply, 'expired') : sendRejection(request, reply, rejected);
}

async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: ProvenIdentity,
  { session, slowly }: { readonly session: string | undefined; readonly slowly: Slowly },
): Promise<FastifyReply> {
  const { service } = request;
  const { issuer, subject, ageSeconds = 0 } = identity;
  const known = await knownUserOf(service, identity);
  const found = known === undefined ? await slowly(() => identity.readEmail()) : undefined;
  if (found && 'failure' in found) return sendProviderFailure(request, reply, found);
  const email = found?.isVerified ? found.email : undefined;
  const confirmedAt = service.clock.now() - ageSeconds;
  const client = { ...clientOf(request), confirmedAt };
  const signedIn = await signInWithIdentity(service, { issuer, subject, email }, client, session);
  if (!signedIn) {
    const userId = known ?? (email === undefined ? null : await readUserId(service, email));
    const isUnverified = known === undefined && email === undefined;
    return rejectSignIn(request, reply, isUnverified ? 'unverified' : 'unknown', userId);
  }
  // Fastify sends one header for each value.
  reply.header('set-cookie', cookieWith(request, signedIn.id));
  return sendBack(request, reply, 'oidc=signed-in');
}

async function confirm(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: ProvenIdentity,
  { session, begunAt }: { readonly session: string; readonly begunAt: number },
): Promise<FastifyReply> {
  const { service } = request;
  const failure = rejectAge(identity, service.clock.now() - begunAt);
  if (failure === undefined && (await confirmWithIdentity(service, identity, session)))
    return sendBack(request, reply, 'oidc=confirmed');
  return rejectSignIn(request, reply, failure ?? 'other-user', await userOfSession(service, session));
}

/** @param begunSeconds since the confirmation has begun */
function rejectAge({ ageSeconds }: ProvenIdentity, begunSeconds: number): Failure | undefined {
  // A person can remove `max_age` from the address of the request.
  if (ageSeconds === undefined) return 'untimed';
  return ageSeconds > begunSeconds + CLOCK_TOLERANCE_SECONDS ? 'stale' : undefined;
}

/** @param session hash of the session that the sign-in confirms */
async function sendProviderFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  rejected: ProviderFailure,
  session?: string,
): Promise<FastifyReply> {
  logFailure(request, rejected);
  const { failure } = rejected;
  // A provider that does not respond has not rejected anyone.
  if (failure === 'unavailable') return sendFailure(request, reply, failure);
  const userId = session === undefined ? null : await userOfSession(request.service, session);
  return rejectSignIn(request, reply, failure, userId);
}

function logFailure(request: FastifyRequest, { failure, reason }: ProviderFailure): void {
  request.log.warn({ failure, reason }, 'sign-in at the identity provider failed');
}

/** Records a failed sign-in. @param userId of the account; null if it does not exist, or is not known */
async function rejectSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
  userId: number | null,
): Promise<FastifyReply> {
  await recordFailedSignIn(request.service, unknownClient(request), 'User', userId);
  return sendFailure(request, reply, failure);
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  if (wantsPage(request)) return sendBack(request, reply, `oidc=${failure}`);
  const [type, detail] = FAILURES[failure];
  return sendRejection(request, reply, problem(type, detail));
}

/** Redirects to the admin page, and never to an address from a request. */
function sendBack({ service }: FastifyRequest, reply: FastifyReply, fragment: string): FastifyReply {
  return reply.headers(HEADERS).redirect(`${service.environment.baseUrl}/admin#${fragment}`, 303);
}
