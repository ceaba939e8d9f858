/** Signs in as a user of the store: with a password, an invitation or a reset link (access.md §3). */
import type { FastifyRequest } from 'fastify';
import { looseMatch, type Problem, problem, Violations, validationFailed } from '../../engine/index.ts';
import { beginSignIn, cancelSignIn } from '../../store/users/failed-sign-ins.ts';
import { isLinkValid } from '../../store/users/links.ts';
import { rejectPassword } from '../../store/users/password-rules.ts';
import {
  type SignedIn,
  type SignInClient,
  type Slowly,
  signInWithLink,
  signInWithPassword,
} from '../../store/users/sign-in.ts';
import { Attempts } from '../admission/attempts.ts';
import { unauthorized } from '../admission/authentication.ts';
import type { Counts } from '../admission/rate-limits.ts';
import { rateLimitGroup } from '../server/client-address.ts';
import { tooManyFailures } from '../users/too-many-failures.ts';
import { sessionIdOf } from './cookie.ts';
import { hostOf } from './own-page.ts';
import type { SignIn } from './sign-in-body.ts';

/** Characters of a browser’s description that a session stores. */
const USER_AGENT_LENGTH_MAX = 255;

export class UserSignIn {
  /** Limits attempts in a minute, on this server. */
  readonly #attempts: Attempts;

  constructor(failedLogins: Counts) {
    this.#attempts = new Attempts(failedLogins);
  }

  async withPassword(
    request: FastifyRequest,
    sent: Extract<SignIn, { by: 'password' }>,
    slowly: Slowly,
  ): Promise<SignedIn | Problem> {
    const address = rateLimitGroup(request.ip);
    const counted = [`staff from ${address}`, `staff for ${looseMatch(sent.email)}`];
    const over = await this.#attempts.begin(counted);
    if (over) return tooManyInAMinute(over);
    let isWrong = false;
    try {
      const signedIn = await verify(request, { ...sent, address }, slowly);
      isWrong = signedIn === undefined;
      return signedIn ?? unauthorized('The e-mail address or the password is wrong, or the account is disabled.');
    } finally {
      this.#attempts.end(counted, isWrong);
    }
  }

  /** @returns undefined if the link cannot be used */
  async withLink(
    request: FastifyRequest,
    { token, password }: Extract<SignIn, { by: 'link' }>,
    slowly: Slowly,
  ): Promise<SignedIn | Problem | undefined> {
    const violations = new Violations();
    await rejectPassword(password, 'password', violations);
    if (violations.list.length > 0) return validationFailed(violations.list);
    if (!(await isLinkValid(request.service, token))) return undefined;
    return signInWithLink(request.service, { token, password }, clientOf(request), slowly);
  }
}

async function verify(
  request: FastifyRequest,
  { email, password, address }: { readonly email: string; readonly password: string; readonly address: string },
  slowly: Slowly,
): Promise<SignedIn | Problem | undefined> {
  const { service } = request;
  const attempt = await beginSignIn(service, { email, address });
  if ('waitSeconds' in attempt) return tooManyFailures(attempt.waitSeconds);
  let hasResult = false;
  try {
    const signedIn = await signInWithPassword(service, { email, password, attempt }, clientOf(request), slowly);
    hasResult = true;
    return signedIn;
  } finally {
    // An attempt that fails with an error reveals nothing, so it does not count.
    if (!hasResult) await cancelSignIn(service, attempt);
  }
}

function clientOf(request: FastifyRequest): SignInClient {
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX).toWellFormed();
  return {
    ...{ host: hostOf(request), address: request.ip, former: sessionIdOf(request) },
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}

function tooManyInAMinute(headers: Record<string, string>): Problem {
  const detail = 'Too many wrong passwords from this address or for this e-mail address within a minute. Retry later.';
  return problem('too-many-requests', detail, headers);
}
