/** Checks of passwords and codes whose failures count by e-mail address and client address (access.md §6). */
import type { FastifyRequest } from 'fastify';
import { type Problem, problem } from '../../engine/index.ts';
import { recordFailedSignIn } from '../../store/audit/failed-sign-in-entries.ts';
import { readUserId } from '../../store/users/accounts.ts';
import { beginSignIn, cancelSignIn, type SignInAttempt } from '../../store/users/failed-sign-ins.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { Attempts } from '../admission/attempts.ts';
import type { Counts } from '../admission/rate-limits.ts';
import { unknownClient } from '../server/actor.ts';
import { rateLimitGroup } from '../server/client-address.ts';

type Check<T> = (attempt: SignInAttempt) => Promise<T | undefined>;

export class SecretChecks {
  /** Limits attempts in a minute, on this server. */
  readonly #attempts: Attempts;

  constructor(failedLogins: Counts, control: AdmissionControl) {
    this.#attempts = new Attempts(failedLogins, control, 'staff ');
  }

  /**
   * Counts failures of a minute and of an hour.
   * @param check returns undefined if the secret is wrong. A check that throws reveals nothing, so it does not count.
   * @returns the result of the check, or the problem of a client with too many failures
   */
  run<T>(request: FastifyRequest, email: string, check: Check<T>): Promise<T | Problem | undefined> {
    const limited = { named: email, tooMany: TOO_MANY_IN_A_MINUTE };
    return this.#attempts.run(request, limited, () => checkCounted(request, email, check));
  }
}

/** Counts failures of an hour. */
async function checkCounted<T>(
  request: FastifyRequest,
  email: string,
  check: Check<T>,
): Promise<T | Problem | undefined> {
  const { service, ip } = request;
  const attempt = await beginSignIn(service, { email, address: rateLimitGroup(ip) });
  if ('waitSeconds' in attempt) return tooManyFailures(attempt.waitSeconds);
  let isWrong = false;
  try {
    const result = await check(attempt);
    isWrong = result === undefined;
    if (isWrong) await recordFailedSignIn(service, unknownClient(request), 'User', await readUserId(service, email));
    return result;
  } finally {
    if (!isWrong) await cancelSignIn(service, attempt);
  }
}

function tooManyFailures(waitSeconds: number): Problem {
  const detail = 'Too many sign-ins have failed from this address or for this e-mail address. Retry later.';
  return problem('too-many-requests', detail, { 'retry-after': String(waitSeconds) });
}

const TOO_MANY_IN_A_MINUTE =
  'Too many wrong passwords or codes from this address or for this e-mail address within a minute. Retry later.';
