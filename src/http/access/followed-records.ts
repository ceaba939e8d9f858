/** Records below one that follows events of others, such as the deliveries of a webhook (access.md §2). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { eventsOf } from '../../access/followed-events.ts';
import { routeAt } from '../../access/scopes.ts';
import { committed, type Model, type ModelResource } from '../../engine/index.ts';
import { ownRequestOptions } from '../../store/own-requests.ts';
import { sendProblem } from '../responses/response.ts';
import { insufficientScope } from './insufficient-scope.ts';

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Returns the check of requests for records below one that follows events; undefined for other paths. */
export function followedCheck(model: Model, path: string): Check | undefined {
  const owner = routeAt(model, path)?.resource.owner?.target;
  if (!owner?.declaration.follows) return undefined;
  return async (request, reply) => {
    const { hidden } = request.requestContext.rights;
    const events = hidden && (await readEvents(request, owner));
    const missing = (events && hidden.missingToFollow(events)) ?? [];
    return missing.length === 0 ? undefined : sendProblem(reply, insufficientScope(missing));
  };
}

/** @returns undefined if the record does not exist, which the handler reports */
async function readEvents(
  { service, address }: FastifyRequest,
  owner: ModelResource,
): Promise<readonly string[] | undefined> {
  const reads = committed(service, ownRequestOptions(''));
  const [record] = await reads.list(owner.name, { [owner.identifierField]: address.parents[0]! });
  return record && eventsOf(owner, record);
}
