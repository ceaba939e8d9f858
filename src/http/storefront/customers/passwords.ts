/** Checks of customers' passwords. Failures count as those of `check_password` do (profiles.md §3). */
import type { FastifyRequest } from 'fastify';
import {
  committed,
  type Problem,
  type Target,
  type Unit,
  type Value,
  Violations,
  validationFailed,
  withSecret,
  wrongSecret,
} from '../../../engine/index.ts';
import { customerCheck } from '../../../shop/customers/inputs.ts';
import type { AdmissionControl } from '../../admission/admission-control.ts';
import type { Attempts } from '../../admission/attempts.ts';
import { shopperOptions } from './requests.ts';
import { holdSession, sessionGone } from './session.ts';

/** A current password that was right. */
interface Confirmed {
  readonly profile: number;
  readonly login: string;
  /** Of the password. */
  readonly hash: string;
}

export class PasswordChecks {
  readonly #attempts: Attempts;
  readonly #control: AdmissionControl;

  constructor(attempts: Attempts, control: AdmissionControl) {
    this.#attempts = attempts;
    this.#control = control;
  }

  /** @param work runs in a unit that has locked the profile. Its result is that of the login */
  async logIn<T>(
    request: FastifyRequest,
    { login, password }: { readonly login: string; readonly password: string },
    work: (unit: Unit, profile: Value) => Promise<T>,
  ): Promise<T | Problem> {
    const { service } = request;
    const check = customerCheck(service.model);
    const slowly = this.#control.releaseSlotDuring(request);
    const sent = { by: login, secret: password };
    const begin = (unit: Unit, _: unknown, { id }: Target): Promise<T> => work(unit, id!);
    const attempt = () => withSecret(service, shopperOptions(request), check, sent, slowly, begin);
    return (await this.#attempts.run(request, limitedFor(login), attempt)) ?? wrongSecret(check);
  }

  /** Compares the current password of the session's customer. */
  async confirm(request: FastifyRequest, current: string): Promise<Confirmed | Problem> {
    const { service } = request;
    const { profile, session } = request.shopper!;
    const slowly = this.#control.releaseSlotDuring(request);
    const reads = committed(service, shopperOptions(request));
    // The session may have ended while the body arrived.
    if ((await reads.list('ShopperSession', { id: session }, { only: [] })).length === 0) return sessionGone();
    const [customer] = await reads.list('Profile', { id: profile }, { only: ['login', 'password'] });
    const hash = (customer?.password ?? undefined) as string | undefined;
    const login = (customer?.login ?? '') as string;
    const attempt = async (): Promise<Confirmed | undefined> => {
      const isMatch = await slowly(() => service.secrets.matches(current, hash));
      return isMatch && hash !== undefined ? { profile, login, hash } : undefined;
    };
    return (await this.#attempts.run(request, limitedFor(login), attempt)) ?? wrongCurrent();
  }

  /** Computes the hash of a new password. */
  hash(request: FastifyRequest, password: string): Promise<string> {
    return this.#control.releaseSlotDuring(request)(() => request.service.secrets.hash(password));
  }
}

/**
 * Locks the session and the profile of a customer whose current password was right.
 * @returns a problem if the session has ended or the password has changed since
 */
export async function holdConfirmed(
  unit: Unit,
  request: FastifyRequest,
  { profile, hash }: Confirmed,
): Promise<Problem | undefined> {
  const gone = await holdSession(unit, request);
  if (gone) return gone;
  const [customer] = await unit.hold('Profile', [profile]);
  return customer?.password === hash && customer.status === 'E' ? undefined : wrongCurrent();
}

function wrongCurrent(): Problem {
  const violations = new Violations();
  violations.add('current', 'conflict', 'This is not the current password.');
  return validationFailed(violations.list);
}

function limitedFor(login: string) {
  const tooMany = 'Too many wrong passwords from this address or for this login within a minute. Retry later.';
  return { named: login, tooMany };
}
