/** `/api/users/me/views`: filters and orders of lists that the signed-in user has saved (access.md §3). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isProblem, type Problem } from '../../engine/index.ts';
import { readNewView, readViewChange } from '../../store/users/user-input.ts';
import { viewRecord } from '../../store/users/user-records.ts';
import { createView, deleteView, unknownView, updateView, type View, viewsOf } from '../../store/users/views.ts';
import type { Handle } from '../resources/reads.ts';
import { readJsonObject } from '../resources/request-body.ts';
import { sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import {
  bodyRoute,
  idOf,
  READS,
  readCreate,
  readId,
  readNoParameters,
  rejectCondition,
  sendNothing,
  sendRecord,
  sendView,
  WRITES,
} from './records.ts';

/** Finds the id of the user whose session sends the request. */
type UserOf = (request: FastifyRequest) => number | Problem;

/** @param path of the user */
export function registerViewsOf(app: FastifyInstance, options: HttpOptions, path: string, userOf: UserOf): void {
  const all = `${path}/views`;
  const one = `${all}/:id`;
  app.get(all, { config: { ...READS, readAddress: readNoParameters } }, handleList(userOf));
  app.post(all, bodyRoute(options, { readAddress: readCreate }), handleCreate(userOf));
  app.get(one, { config: { ...READS, readAddress: readId } }, handleRead(userOf));
  app.patch(one, bodyRoute(options, { readAddress: readId }), handleUpdate(userOf));
  app.delete(one, { config: { ...WRITES, readAddress: readId } }, handleDelete(userOf));
}

/** A user has few views, so the list has no pages. */
function handleList(userOf: UserOf): Handle {
  return async (request, reply) => {
    const user = userOf(request);
    if (isProblem(user)) return sendProblem(reply, user);
    return sendView(request, reply, (await viewsOf(request.service, user)).map(viewRecord));
  };
}

function handleRead(userOf: UserOf): Handle {
  return async (request, reply) => {
    const user = userOf(request);
    if (isProblem(user)) return sendProblem(reply, user);
    const view = (await viewsOf(request.service, user)).find(({ id }) => id === idOf(request));
    return view ? sendRecord(request, reply, viewRecord(view)) : sendProblem(reply, unknownView());
  };
}

function handleCreate(userOf: UserOf): Handle {
  return async (request, reply) => {
    const user = userOf(request);
    if (isProblem(user)) return sendProblem(reply, user);
    const sent = readJsonObject(request.body as Buffer | undefined);
    const input = isProblem(sent) ? sent : readNewView(sent, request.requestContext.lenient);
    const made = isProblem(input) ? input : await createView(request.service, user, input);
    if (isProblem(made)) return sendProblem(reply, made);
    const location = `${request.service.environment.baseUrl}${request.routeOptions.url}/${made.id}`;
    return sendRecord(request, reply, viewRecord(made), { status: 201, headers: { location } });
  };
}

function handleUpdate(userOf: UserOf): Handle {
  return async (request, reply) => {
    const user = userOf(request);
    if (isProblem(user)) return sendProblem(reply, user);
    const sent = readJsonObject(request.body as Buffer | undefined);
    const input = isProblem(sent) ? sent : readViewChange(sent, request.requestContext.lenient);
    if (isProblem(input)) return sendProblem(reply, input);
    const changed = await updateView(request.service, user, idOf(request), input, guardOf(request));
    return isProblem(changed) ? sendProblem(reply, changed) : sendRecord(request, reply, viewRecord(changed));
  };
}

function handleDelete(userOf: UserOf): Handle {
  return async (request, reply) => {
    const user = userOf(request);
    if (isProblem(user)) return sendProblem(reply, user);
    const rejected = await deleteView(request.service, user, idOf(request), guardOf(request));
    return rejected ? sendProblem(reply, rejected) : sendNothing(request, reply);
  };
}

function guardOf(request: FastifyRequest) {
  return (view: View): Problem | undefined => rejectCondition(request, viewRecord(view));
}
