/** `/api/roles`: roles of users, for clients with the scope `roles:manage` (access.md §3). */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RoleGrant } from '../../access/combined-roles.ts';
import { ROLES_PATH } from '../../access/scopes.ts';
import { API_PATH, isProblem, type Problem } from '../../engine/index.ts';
import { type Role, readAccounts } from '../../store/users/accounts.ts';
import { createRole, deleteRole, unknownRole, updateRole } from '../../store/users/roles.ts';
import { readRole } from '../../store/users/user-input.ts';
import { roleRecord } from '../../store/users/user-records.ts';
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
  rejectFurtherRights,
  rejectLimitedKey,
  rejectRights,
  sendNothing,
  sendRecord,
  WRITES,
} from './records.ts';

const COLLECTION = `${API_PATH}${ROLES_PATH}`;
const ITEM = `${COLLECTION}/:id`;

export function registerRoleRoutes(app: FastifyInstance, options: HttpOptions): void {
  const staff = { isForWriters: true } as const;
  app.get(COLLECTION, { config: { ...READS, ...staff, readAddress: readRecordPage } }, handleList);
  app.post(COLLECTION, bodyRoute(options, { ...staff, readAddress: readCreate }), handleCreate);
  app.get(ITEM, { config: { ...READS, ...staff, readAddress: readId } }, handleRead);
  app.put(ITEM, bodyRoute(options, { ...staff, readAddress: readId }), handleUpdate('replace'));
  app.patch(ITEM, bodyRoute(options, { ...staff, readAddress: readId }), handleUpdate('patch'));
  app.delete(ITEM, { config: { ...WRITES, ...staff, readAddress: readId } }, handleDelete);
}

const handleList: Handle = async (request, reply) => {
  const { roles } = await readAccounts(request.service);
  return sendRecordPage(request, reply, roles.map(roleRecord));
};

const handleRead: Handle = async (request, reply) => {
  const id = idOf(request);
  const role = (await readAccounts(request.service)).roles.find((each) => each.id === id);
  return role ? sendRecord(request, reply, roleRecord(role)) : sendProblem(reply, unknownRole());
};

const handleCreate: Handle = async (request, reply) => {
  const { service, requestContext } = request;
  const sent = readJsonObject(request.body as Buffer | undefined);
  const input = isProblem(sent) ? sent : readRole(sent, 'create', service.model, requestContext.lenient);
  if (isProblem(input)) return sendProblem(reply, input);
  const made =
    rejectRights(request, input, 'Creating this role') ?? (await createRole(service, input, actorOf(request)));
  if (isProblem(made)) return sendProblem(reply, made);
  const location = `${service.environment.baseUrl}${COLLECTION}/${made.id}`;
  return sendRecord(request, reply, roleRecord(made), { status: 201, headers: { location } });
};

function handleUpdate(mode: 'replace' | 'patch'): Handle {
  return async (request, reply): Promise<FastifyReply> => {
    const { service, requestContext } = request;
    const sent = readJsonObject(request.body as Buffer | undefined);
    const input = isProblem(sent) ? sent : readRole(sent, mode, service.model, requestContext.lenient);
    if (isProblem(input)) return sendProblem(reply, input);
    const guard = {
      role: guardOf(request),
      rights: (before: RoleGrant, after: RoleGrant) =>
        rejectFurtherRights(request, before, after, 'Changing this role'),
    };
    const changed =
      rejectLimitedKey(request, 'Changing a role') ??
      (await updateRole(service, idOf(request), input, guard, actorOf(request)));
    return isProblem(changed) ? sendProblem(reply, changed) : sendRecord(request, reply, roleRecord(changed));
  };
}

const handleDelete: Handle = async (request, reply) => {
  const rejected = await deleteRole(request.service, idOf(request), guardOf(request), actorOf(request));
  return rejected ? sendProblem(reply, rejected) : sendNothing(request, reply);
};

/** A caller changes only roles that it could grant, before and after the change. */
function guardOf(request: FastifyRequest) {
  return (role: Role, changed: RoleGrant = role): Problem | undefined => {
    const failed = rejectCondition(request, roleRecord(role));
    if (failed || role.isPreset) return failed;
    const rejected = [role, changed].map((grant) => rejectRights(request, grant, 'Changing this role'));
    return rejected.find((each) => each !== undefined);
  };
}
