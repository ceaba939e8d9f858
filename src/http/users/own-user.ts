/** `/api/users/me`: the account of the user whose session sends the request (access.md §3). A key has none. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { USERS_PATH } from '../../access/scopes.ts';
import {
  API_PATH,
  isProblem,
  type JsonObject,
  messages,
  type Problem,
  problem,
  rejectUnknownField,
  Violations,
  validationFailed,
  withoutSynonyms,
} from '../../engine/index.ts';
import { readAccounts, type User } from '../../store/users/accounts.ts';
import { rejectPassword } from '../../store/users/password-rules.ts';
import { changePassword } from '../../store/users/sign-in.ts';
import { readOwnChange } from '../../store/users/user-input.ts';
import { userRecord } from '../../store/users/user-records.ts';
import { updateUser } from '../../store/users/users.ts';
import { sessionIdOf } from '../admin/cookie.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import type { SecretChecks } from './checked-secret.ts';
import { ownUser } from './own-account.ts';
import { registerPasskeyRoutes } from './passkeys.ts';
import { bodyRoute, READS, readNoParameters, rejectCondition, sendNothing, sendRecord } from './records.ts';
import { registerSecondFactorRoutes } from './second-factor.ts';
import { registerSessionsOf } from './sessions.ts';
import { registerViewsOf } from './views.ts';

const PATH = `${API_PATH}${USERS_PATH}/me`;

interface SecretHandling {
  readonly control: AdmissionControl;
  readonly checks: SecretChecks;
}

export function registerOwnUserRoutes(app: FastifyInstance, options: HttpOptions, handling: SecretHandling): void {
  const readAddress = readNoParameters;
  app.get(PATH, { config: { ...READS, readAddress } }, handleRead);
  app.patch(PATH, bodyRoute(options, { readAddress }), handleUpdate);
  app.put(`${PATH}/password`, bodyRoute(options, { readAddress }), handlePassword(handling));
  const ownId = (request: FastifyRequest): number | Problem => {
    const own = ownUser(request);
    return isProblem(own) ? own : own.id;
  };
  registerSessionsOf(app, PATH, { readAddress }, async (request) => ownId(request));
  registerViewsOf(app, options, PATH, ownId);
  registerSecondFactorRoutes(app, options, PATH, handling.checks);
  registerPasskeyRoutes(app, options, PATH);
}

function recordOf(user: User, { service, requestContext: { rights } }: FastifyRequest) {
  return { ...userRecord(user, service), scopes: [...rights.scopes], masks: [...rights.masks] };
}

const handleRead: Handle = async (request, reply) => {
  const own = ownUser(request);
  if (isProblem(own)) return sendProblem(reply, own);
  const user = (await readAccounts(request.service)).users.find(({ id }) => id === own.id);
  return user ? sendRecord(request, reply, recordOf(user, request)) : sendProblem(reply, accountGone());
};

const handleUpdate: Handle = async (request, reply) => {
  const own = ownUser(request);
  if (isProblem(own)) return sendProblem(reply, own);
  const sent = readJsonObject(request.body as Buffer | undefined);
  const input = isProblem(sent) ? sent : readOwnChange(sent, request.service.model, request.requestContext.lenient);
  if (isProblem(input)) return sendProblem(reply, input);
  const changed = await updateUser(
    request.service,
    own.id,
    input,
    (user) => user && rejectCondition(request, recordOf(user, request)),
    actorOf(request),
  );
  return isProblem(changed) ? sendProblem(reply, changed) : sendRecord(request, reply, recordOf(changed, request));
};

/** Wrong current passwords count like failed sign-ins. */
function handlePassword({ control, checks }: SecretHandling): Handle {
  return async (request, reply): Promise<FastifyReply> => {
    const { service } = request;
    const own = ownUser(request);
    if (isProblem(own)) return sendProblem(reply, own);
    const sent = readJsonObject(request.body as Buffer | undefined);
    const passwords = isProblem(sent) ? sent : await readPasswords(sent, request.requestContext.lenient);
    if (isProblem(passwords)) return sendProblem(reply, passwords);
    const client = { slowly: control.releaseSlotDuring(request), by: actorOf(request) };
    const changed = await checks.run(
      request,
      own.email,
      async () => (await changePassword(service, own.id, passwords, sessionIdOf(request)!, client)) || undefined,
    );
    if (isProblem(changed)) return sendProblem(reply, changed);
    return changed ? sendNothing(request, reply) : sendProblem(reply, wrongCurrent());
  };
}

async function readPasswords(
  sent: JsonObject,
  lenient: boolean,
): Promise<{ readonly current: string; readonly password: string } | Problem> {
  const violations = new Violations();
  const { current, password, ...others } = sent;
  for (const name of lenient ? [] : Object.keys(others))
    rejectUnknownField('', name, withoutSynonyms(['current', 'password']), violations);
  for (const [name, value] of Object.entries({ current, password }))
    if (value === undefined) violations.add(name, 'required', messages.blank);
    else if (typeof value !== 'string') violations.add(name, 'type', messages.type('string'));
  if (typeof password === 'string') await rejectPassword(password, 'password', violations);
  if (violations.list.length > 0) return validationFailed(violations.list);
  return { current: current as string, password: password as string };
}

function wrongCurrent(): Problem {
  const violations = new Violations();
  violations.add('current', 'conflict', 'This is not the current password.');
  return validationFailed(violations.list);
}

function accountGone(): Problem {
  return problem('not-found', 'The account was deleted.');
}
