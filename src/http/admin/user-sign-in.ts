/** Signs in as a user of the store: with a password, a code, an invitation or a reset link (access.md §3). */
import type { FastifyRequest } from 'fastify';
import { type Problem, Violations, validationFailed } from '../../engine/index.ts';
import type { ValidKey } from '../../store/keys.ts';
import { readAccounts } from '../../store/users/accounts.ts';
import { isLinkValid } from '../../store/users/links.ts';
import { rejectPassword } from '../../store/users/password-rules.ts';
import {
  confirmWithCode,
  confirmWithPassword,
  type HalfSignedIn,
  type SignedIn,
  type SignInClient,
  type Slowly,
  signInWithCode,
  signInWithLink,
  signInWithPassword,
} from '../../store/users/sign-in.ts';
import { userOfTicket } from '../../store/users/tickets.ts';
import { unauthorized } from '../admission/authentication.ts';
import { actorOf } from '../server/actor.ts';
import type { SecretChecks } from '../users/checked-secret.ts';
import { sessionIdOf } from './cookie.ts';
import { hostOf } from './own-page.ts';
import type { Confirmation, SignIn } from './sign-in-body.ts';

/** Characters of a browser’s description that a session stores. */
const USER_AGENT_LENGTH_MAX = 255;

type Given<By extends SignIn['by']> = Extract<SignIn, { by: By }>;

export class UserSignIn {
  readonly #checks: SecretChecks;

  constructor(checks: SecretChecks) {
    this.#checks = checks;
  }

  async withPassword(
    request: FastifyRequest,
    sent: Given<'password'>,
    slowly: Slowly,
  ): Promise<SignedIn | HalfSignedIn | Problem> {
    const signedIn = await this.#checks.run(request, sent.email, (attempt) =>
      signInWithPassword(request.service, { ...sent, attempt }, clientOf(request), slowly),
    );
    return signedIn ?? unauthorized('The e-mail address or the password is wrong, or the account is not active.');
  }

  /** @returns undefined if the link cannot be used */
  async withLink(
    request: FastifyRequest,
    { token, password }: Given<'link'>,
    slowly: Slowly,
  ): Promise<SignedIn | HalfSignedIn | Problem | undefined> {
    const violations = new Violations();
    await rejectPassword(password, 'password', violations);
    if (violations.list.length > 0) return validationFailed(violations.list);
    if (!(await isLinkValid(request.service, token))) return undefined;
    return signInWithLink(request.service, { token, password }, clientOf(request), slowly);
  }

  /** @returns undefined if the ticket cannot be used */
  async withCode(request: FastifyRequest, sent: Given<'code'>): Promise<SignedIn | Problem | undefined> {
    const { service } = request;
    const id = await userOfTicket(service, sent.ticket);
    const user = (await readAccounts(service)).users.find((each) => each.id === id);
    if (!user) return undefined;
    const signedIn = await this.#checks.run(request, user.email, (attempt) =>
      signInWithCode(service, { ...sent, attempt }, clientOf(request)),
    );
    return signedIn === 'used' ? undefined : (signedIn ?? wrongCode());
  }

  /** Confirms the session of a user. @returns undefined if it is confirmed */
  async confirm(
    request: FastifyRequest,
    valid: ValidKey,
    given: Exclude<Confirmation, { by: 'key' | 'passkey' }>,
    slowly: Slowly,
  ): Promise<Problem | undefined> {
    const { service } = request;
    const { id, email } = valid.user!;
    const session = sessionIdOf(request)!;
    const confirmed = await this.#checks.run(request, email, async (attempt) => {
      const isRight =
        given.by === 'code'
          ? await confirmWithCode(service, id, { code: given.code, session }, actorOf(request, valid))
          : await confirmWithPassword(service, id, { password: given.password, session }, slowly);
      return isRight ? { attempt } : undefined;
    });
    if (confirmed) return 'problem' in confirmed ? confirmed : undefined;
    return given.by === 'code' ? wrongCode() : unauthorized('The password is wrong.');
  }
}

function wrongCode(): Problem {
  return unauthorized('The code is wrong or was already used. Enter the current code, or a recovery code.');
}

/** Describes the client of a session that begins. */
export function clientOf(request: FastifyRequest): SignInClient {
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX).toWellFormed();
  return {
    ...{ host: hostOf(request), address: request.ip, former: sessionIdOf(request), requestId: request.id },
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}
