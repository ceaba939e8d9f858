/** `/api/users`: staff accounts, for clients with the scope `users:manage` (access.md §3). */

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
import { type Accounts, grantOf, readAccounts, type User } from '../../store/users/accounts.ts';
import { type UserGuard, unknownUser } from '../../store/users/guarded-user.ts';
import { createLink, type LinkKind } from '../../store/users/links.ts';
import { readNewUser, readUserChange } from '../../store/users/user-input.ts';
import { shown, userRecord } from '../../store/users/user-records.ts';
import { createUser, deleteUser, type UserInput, updateUser } from '../../store/users/users.ts';
import { readRecordPage, sendRecordPage } from '../endpoints/record-pages.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import {
  bodyRoute,
  idOf,
  READS,
  readCreate,
  readId,
  rejectCondition,
  rejectLimitedKey,
  rejectRights,
  sendNothing,
  sendOnce,
  sendRecord,
  WRITES,
} from './records.ts';
import { registerSessionsOf } from './sessions.ts';

const COLLECTION = `${API_PATH}${USERS_PATH}`;
const ITEM = `${COLLECTION}/:id`;

export function registerUserRoutes(app: FastifyInstance, options: HttpOptions): void {
  const staff = { isForWriters: true } as const;
  const write = { config: { ...WRITES, ...staff, readAddress: readId } } as const;
  app.get(COLLECTION, { config: { ...READS, ...staff, readAddress: readRecordPage } }, handleList);
  app.post(COLLECTION, bodyRoute(options, { ...staff, readAddress: readCreate }), handleCreate);
  app.get(ITEM, { config: { ...READS, ...staff, readAddress: readId } }, handleRead);
  app.patch(ITEM, bodyRoute(options, { ...staff, readAddress: readId }), handleUpdate);
  app.delete(ITEM, write, handleDelete);
  const action = bodyRoute(options, { ...staff, needsNoBody: true, readAddress: readId });
  app.post(`${ITEM}/invite`, action, handleLink('invite', options));
  app.post(`${ITEM}/reset_link`, action, handleLink('reset_link', options));
  registerSessionsOf(app, ITEM, { ...staff, readAddress: readId }, async (request, isWrite) => {
    const accounts = await readAccounts(request.service);
    const user = find(request, accounts);
    if (!user) return unknownUser();
    const grant = grantOf(user.roleIds, accounts.roles, request.service.model);
    return (isWrite && rejectRights(request, grant, 'Ending sessions of this user')) || user.id;
  });
}

function find(request: FastifyRequest, { users }: Accounts): User | undefined {
  const id = idOf(request);
  return users.find((user) => user.id === id);
}

const handleList: Handle = async (request, reply) => {
  const { service } = request;
  const { users } = await readAccounts(service);
  return sendRecordPage(
    request,
    reply,
    users.map((user) => userRecord(user, service)),
  );
};

const handleRead: Handle = async (request, reply) => {
  const user = find(request, await readAccounts(request.service));
  return user ? sendRecord(request, reply, userRecord(user, request.service)) : sendProblem(reply, unknownUser());
};

const handleCreate: Handle = async (request, reply) => {
  const { service, requestContext } = request;
  const sent = readJsonObject(request.body as Buffer | undefined);
  const input = isProblem(sent) ? sent : readNewUser(sent, service.model, requestContext.lenient);
  if (isProblem(input)) return sendProblem(reply, input);
  const made =
    rejectLimitedKey(request, 'Creating a user') ??
    (await createUser(service, input, guardOf(request), actorOf(request)));
  if (isProblem(made)) return sendProblem(reply, made);
  const location = `${service.environment.baseUrl}${COLLECTION}/${made.id}`;
  return sendRecord(request, reply, userRecord(made, service), { status: 201, headers: { location } });
};

const handleUpdate: Handle = async (request, reply) => {
  const { service, requestContext } = request;
  const sent = readJsonObject(request.body as Buffer | undefined);
  const input = isProblem(sent) ? sent : readUserChange(sent, service.model, requestContext.lenient);
  if (isProblem(input)) return sendProblem(reply, input);
  const changed =
    (givesRights(input) && rejectLimitedKey(request, 'Giving a user rights')) ||
    (await updateUser(service, idOf(request), input, guardOf(request), actorOf(request)));
  return isProblem(changed) ? sendProblem(reply, changed) : sendRecord(request, reply, userRecord(changed, service));
};

const handleDelete: Handle = async (request, reply) => {
  const rejected = await deleteUser(request.service, idOf(request), guardOf(request), actorOf(request));
  return rejected ? sendProblem(reply, rejected) : sendNothing(request, reply);
};

function handleLink(kind: LinkKind, { mail }: HttpOptions): Handle {
  return async (request, reply): Promise<FastifyReply> => {
    const { service } = request;
    const sent = request.body === undefined ? {} : readJsonObject(request.body as Buffer | undefined);
    const input = isProblem(sent) ? sent : readLinkInput(sent, request);
    if (isProblem(input)) return sendProblem(reply, input);
    const isMailed = input.mail === true;
    if (isMailed && !mail) return sendProblem(reply, mailNotConfigured());
    const rejected = rejectLimitedKey(request, 'Creating a link for a user');
    if (rejected) return sendProblem(reply, rejected);
    const creation = { guard: guardOf(request), by: actorOf(request), isMailed };
    const link = await createLink(service, idOf(request), kind, creation);
    if (isProblem(link)) return sendProblem(reply, link);
    const url = `${service.environment.baseUrl}/admin#token=${link.token}`;
    return sendOnce(request, reply, { url, expires_at: shown(link.expires, service) });
  };
}

/** Whether someone may have rights after the change that they did not have. */
function givesRights({ email, roleIds, status }: Partial<UserInput>): boolean {
  return email !== undefined || roleIds !== undefined || status === 'active';
}

function readLinkInput({ mail, ...others }: JsonObject, { requestContext }: FastifyRequest): JsonObject | Problem {
  const violations = new Violations();
  if (!requestContext.lenient)
    for (const name of Object.keys(others)) rejectUnknownField('', name, withoutSynonyms(['mail']), violations);
  if (mail !== undefined && typeof mail !== 'boolean') violations.add('mail', 'type', messages.type('boolean'));
  return violations.list.length > 0 ? validationFailed(violations.list) : { mail: mail ?? false };
}

function mailNotConfigured(): Problem {
  return problem('mail-not-configured', 'This store sends no mails. Leave out “mail”, and send the link yourself.');
}

/** A caller changes only users whose rights it has, and gives no others. */
function guardOf(request: FastifyRequest): UserGuard {
  return (user, grant) =>
    (user && rejectCondition(request, userRecord(user, request.service))) ??
    rejectRights(request, grant, user ? 'Changing this user' : 'Giving these roles');
}
