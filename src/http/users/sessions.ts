/** The sessions of a user: `/users/{id}/sessions` and `/users/me/sessions` (access.md §3). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isProblem, type Problem, problem } from '../../engine/index.ts';
import { auditedTransaction } from '../../store/audit/audited-transaction.ts';
import { sessionRecord } from '../../store/users/user-records.ts';
import { endSessionOf, endSessionsOf, listedSessionId, sessionsOf } from '../../store/users/user-sessions.ts';
import { sessionIdOf } from '../admin/cookie.ts';
import type { Handle } from '../resources/reads.ts';
import { sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import { READS, sendNothing, sendView, WRITES } from './records.ts';

/** Finds the id of the user whose sessions a request reads or ends. */
type UserOf = (request: FastifyRequest, isWrite: boolean) => Promise<number | Problem>;

interface SessionsConfig {
  readonly isForWriters?: true;
  readonly readAddress: (request: FastifyRequest) => Problem | undefined;
}

/** @param path of the user */
export function registerSessionsOf(app: FastifyInstance, path: string, config: SessionsConfig, userOf: UserOf): void {
  const all = `${path}/sessions`;
  const one = `${all}/:session_id`;
  const read = { config: { ...READS, ...config } };
  const write = { config: { ...WRITES, ...config } };
  app.get(all, read, handleList(userOf));
  app.delete(all, write, handleEndAll(userOf));
  app.get(one, read, handleRead(userOf));
  app.delete(one, write, handleEnd(userOf));
}

async function recordsOf(request: FastifyRequest, userId: number) {
  const secret = ownSession(request);
  const current = secret === undefined ? undefined : listedSessionId(secret);
  const sessions = await sessionsOf(request.service, userId);
  return sessions.map((session) => sessionRecord(session, current, request.service));
}

/** The secret of the session that authenticates the request; undefined if a key does. */
function ownSession(request: FastifyRequest): string | undefined {
  return request.requestContext.isOfSession ? sessionIdOf(request) : undefined;
}

/** A user has few sessions, so the list has no pages. */
function handleList(userOf: UserOf): Handle {
  return async (request, reply) => {
    const id = await userOf(request, false);
    if (isProblem(id)) return sendProblem(reply, id);
    return sendView(request, reply, await recordsOf(request, id));
  };
}

function handleRead(userOf: UserOf): Handle {
  return async (request, reply) => {
    const id = await userOf(request, false);
    if (isProblem(id)) return sendProblem(reply, id);
    const found = (await recordsOf(request, id)).find((session) => session.id === sessionParameter(request));
    return found ? sendView(request, reply, found) : sendProblem(reply, unknownSession());
  };
}

function handleEnd(userOf: UserOf): Handle {
  return async (request, reply) => {
    const id = await userOf(request, true);
    if (isProblem(id)) return sendProblem(reply, id);
    const isEnded = await endSessionOf(request.service, id, sessionParameter(request), actorOf(request));
    return isEnded ? sendNothing(request, reply) : sendProblem(reply, unknownSession());
  };
}

/** Users do not end the session in which they are. */
function handleEndAll(userOf: UserOf): Handle {
  return async (request, reply) => {
    const { service } = request;
    const id = await userOf(request, true);
    if (isProblem(id)) return sendProblem(reply, id);
    await auditedTransaction(service, actorOf(request), (transaction) =>
      endSessionsOf(service, transaction, id, ownSession(request)),
    );
    return sendNothing(request, reply);
  };
}

function sessionParameter({ params }: FastifyRequest): string {
  return (params as { session_id: string }).session_id;
}

function unknownSession(): Problem {
  return problem('not-found', 'The user has no session with this id.');
}
