/** The second factor of one’s own account: `/users/me/totp` and `/users/me/recovery_codes` (access.md §3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblem,
  type JsonObject,
  messages,
  type Problem,
  rejectUnknownField,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import type { ValidKey } from '../../store/keys.ts';
import { countRecoveryCodes } from '../../store/users/recovery-codes.ts';
import { disableTotp, enableTotp, renewRecoveryCodes, setUpTotp } from '../../store/users/second-factor.ts';
import { totpUri } from '../../store/users/totp.ts';
import { sessionIdOf } from '../admin/cookie.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import type { SecretChecks } from './checked-secret.ts';
import { ownUser } from './own-account.ts';
import { bodyRoute, READS, readNoParameters, sendNothing, sendOnce, sendView, WRITES } from './records.ts';

/** @param path of the own account */
export function registerSecondFactorRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  path: string,
  checks: SecretChecks,
): void {
  const read = { config: { ...READS, readAddress: readNoParameters } };
  const change = { readAddress: readNoParameters, needsRecentSignIn: true } as const;
  const action = bodyRoute(options, { ...change, needsNoBody: true });
  app.post(`${path}/totp`, action, handled(setUp));
  app.put(`${path}/totp`, bodyRoute(options, change), handled(enable(checks)));
  app.delete(`${path}/totp`, { config: { ...WRITES, ...change } }, handled(disable));
  app.get(`${path}/recovery_codes`, read, handled(countCodes));
  app.post(`${path}/recovery_codes`, action, handled(renewCodes));
}

type Own = NonNullable<ValidKey['user']>;

type OwnHandle = (request: FastifyRequest, reply: FastifyReply, own: Own) => Promise<FastifyReply | Problem>;

/** Rejects keys, which have no account, and sends problems. */
function handled(handle: OwnHandle): Handle {
  return async (request, reply) => {
    const own = ownUser(request);
    const sent = isProblem(own) ? own : await handle(request, reply, own);
    return isProblem(sent) ? sendProblem(reply, sent) : sent;
  };
}

const setUp: OwnHandle = async (request, reply, { id, email }) => {
  const { service } = request;
  const input = readInput(request, []);
  const secret = isProblem(input) ? input : await setUpTotp(service, id, actorOf(request));
  if (isProblem(secret)) return secret;
  const uri = await totpUri(secret, { issuer: new URL(service.environment.baseUrl).hostname, label: email });
  return sendOnce(request, reply, { secret, uri });
};

/** Wrong codes count like failed sign-ins. */
function enable(checks: SecretChecks): OwnHandle {
  return async (request, reply, { id, email }) => {
    const input = readInput(request, ['code']);
    if (isProblem(input)) return input;
    const sent = { code: input.code!, session: sessionIdOf(request)! };
    const codes = await checks.run(request, email, () => enableTotp(request.service, id, sent, actorOf(request)));
    if (isProblem(codes)) return codes;
    return codes ? sendOnce(request, reply, { codes: [...codes] }) : wrongCode();
  };
}

const disable: OwnHandle = async (request, reply, { id }) =>
  (await disableTotp(request.service, id, actorOf(request))) ?? sendNothing(request, reply);

const countCodes: OwnHandle = async (request, reply, { id }) =>
  sendView(request, reply, { remaining: await countRecoveryCodes(request.service, id) });

const renewCodes: OwnHandle = async (request, reply, { id }) => {
  const input = readInput(request, []);
  const codes = isProblem(input) ? input : await renewRecoveryCodes(request.service, id, actorOf(request));
  return isProblem(codes) ? codes : sendOnce(request, reply, { codes: [...codes] });
};

/** @param members required texts */
function readInput(
  { body, requestContext: { lenient } }: FastifyRequest,
  members: readonly string[],
): Readonly<Record<string, string>> | Problem {
  const sent: JsonObject | Problem = body === undefined ? {} : readJsonObject(body as Buffer);
  if (isProblem(sent)) return sent;
  const violations = new Violations();
  for (const name of lenient ? [] : Object.keys(sent))
    if (!members.includes(name)) rejectUnknownField('', name, withoutSynonyms(members), violations);
  for (const name of members) {
    if (sent[name] === undefined) violations.add(name, 'required', messages.blank);
    else if (typeof sent[name] !== 'string') violations.add(name, 'type', messages.type('string'));
  }
  return violations.list.length > 0 ? validationFailed(violations.list) : (sent as Record<string, string>);
}

function wrongCode(): Problem {
  const violations = new Violations();
  violations.add(
    'code',
    'conflict',
    'This is not the current code of the authenticator app. Check the clock of both devices.',
  );
  return validationFailed(violations.list);
}
