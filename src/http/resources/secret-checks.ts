/** Routes that compare a secret with that of a record (profiles.md §3). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plainActionBody } from '../../describe/hydra.ts';
import {
  checkSecret,
  isProblem,
  type ModelSecretCheck,
  type Problem,
  readSecretSent,
  rejectParameters,
  wrongSecret,
} from '../../engine/index.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import type { Attempts } from '../admission/attempts.ts';
import { DATA_TYPES } from '../responses/accept.ts';
import { represent } from '../responses/representations.ts';
import { renderRecord, sendProblem, sendRendered } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { queryOf, rejectConditions, requestOptionsOf } from './address.ts';
import type { Handle } from './reads.ts';
import { isLinkedData, readJsonObject } from './request-body.ts';

export function registerSecretCheckRoutes(
  app: FastifyInstance,
  options: HttpOptions,
  admissionControl: AdmissionControl,
  attempts: Attempts,
): void {
  const { jsonBodyBytesMax, service } = options;
  const bodyLimit = jsonBodyBytesMax === 0 ? Number.MAX_SAFE_INTEGER : jsonBodyBytesMax;
  for (const { secretCheck } of service.model.resources.values()) {
    if (!secretCheck) continue;
    const [route] = secretCheck.by.resource.routes;
    const readAddress = (request: FastifyRequest): Problem | undefined => {
      request.address = { parents: [] };
      return rejectParameters(queryOf(request), request.requestContext.lenient) ?? rejectConditions(request, route!);
    };
    app.post(
      `/api${secretCheck.path}`,
      { bodyLimit, config: { offers: DATA_TYPES, work: 'write', takesBody: true, readAddress } },
      handleCheck(secretCheck, options, admissionControl, attempts),
    );
  }
}

/** `Idempotency-Key` has no effect: comparing twice is harmless, and the request must not be stored. */
function handleCheck(
  check: ModelSecretCheck,
  options: HttpOptions,
  admissionControl: AdmissionControl,
  attempts: Attempts,
): Handle {
  return async (request, reply): Promise<FastifyReply> => {
    const { service, requestContext, headers } = request;
    const requestOptions = requestOptionsOf(request, options);
    const read = readJsonObject(request.body as Buffer | undefined);
    if (isProblem(read)) return sendProblem(reply, read);
    const isLinked = isLinkedData(headers['content-type'], request.responseType);
    const plain = isLinked ? plainActionBody(service.model, check, read) : read;
    const sent = readSecretSent(service, requestOptions, check, plain);
    if (isProblem(sent)) return sendProblem(reply, sent);
    const slowly = admissionControl.releaseSlotDuring(request);
    const limited = {
      named: sent.by,
      tooMany: `Too many wrong attempts from this address or for this ${check.by.name} within a minute. Retry later.`,
    };
    const attempt = () => checkSecret(service, requestOptions, check, sent, slowly);
    const found = (await attempts.run(request, limited, attempt)) ?? wrongSecret(check);
    if (isProblem(found)) return sendProblem(reply, found);
    const { route } = found.target;
    return sendRendered(
      request,
      reply,
      renderRecord(represent(request, found, found.target), route, requestContext.language),
    );
  };
}
