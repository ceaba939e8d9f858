/**
 * Handles bulks: writes lines as they arrive, and sends each result after its commit. A client that does not read the results
 * delays no other request.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Action,
  type BulkForm,
  batchesOf,
  type Condition,
  committed,
  type ModelRoute,
  type Problem,
  problem,
  unknownParent,
  writeLines,
} from '../../engine/index.ts';
import { type JsonLine, LineReader } from '../../store/json-lines.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { isStillValid, unauthorized } from '../admission/authentication.ts';
import { requestOptionsOf } from '../resources/address.ts';
import { UnreadableBody } from '../resources/multipart-form.ts';
import type { Handle } from '../resources/reads.ts';
import { JSON_TYPE } from '../responses/accept.ts';
import { conditionOf } from '../responses/entity-tags.ts';
import { represent } from '../responses/representations.ts';
import { applyPreference, contentType, sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { problemOf } from '../server/failures.ts';
import { allowLongRequest } from '../server/slow-clients.ts';
import { respondAtOnce } from './at-once.ts';
import { type Bulk, REVOKED, readTask } from './bulk.ts';
import { incomingLines } from './incoming.ts';
import { type ReadLine, Results } from './results.ts';
import { Spool } from './spool.ts';

/** Interval of checks whether the key is still valid. */
const KEY_CHECK_MS = 15_000;

/** Returns handlers of bulks. Their number is limited in total. */
export function bulkHandlers(app: FastifyInstance, options: HttpOptions, admissionControl: AdmissionControl) {
  const { limits } = options;
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const bodyLimits = { ...limits, stopping: stopping.signal };
  let running = 0;
  return (route: ModelRoute, action?: Action): Handle =>
    async (request, reply) => {
      if (running === limits.bulksAtOnceMax) return sendProblem(reply, tooMany());
      running += 1;
      const timeLimit = { stalledSecondsMax: limits.bulkStalledSecondsMax, countsSending: true };
      const sent = allowLongRequest(request, reply, timeLimit);
      // The last line is written before the client has received the results.
      const end = (): void =>
        void sent.then(() => {
          running -= 1;
        });
      const { parents } = request.address;
      const requestOptions = { ...requestOptionsOf(request, options), past: request.bulk.isPast };
      // Each line checks its parent again in its transaction.
      const unknown = await unknownParent(committed(request.service, requestOptions), { route, parents }).catch(
        (error) => {
          end();
          throw error;
        },
      );
      if (unknown) end();
      if (unknown) return sendProblem(reply, unknown);
      const { mode, write, by, isAtomic, isTrial } = request.bulk;
      const form = { route, parents, by, mode, write, action, conditionOf: conditionReader(request, route) };
      const bulk = {
        ...{
          request,
          reply,
          form,
          bodyLimits,
          requestOptions,
          withSlot: admissionControl.slotsFor(request, 'write'),
        },
        ...{
          unreadBytesMax: limits.bulkUnreadBytesMax,
          releaseSlotDuring: admissionControl.releaseSlotDuring(request),
        },
        isStillValid: () => isStillValid(request, options),
      };
      if (isAtomic || isTrial) return respondAtOnce(bulk).finally(end);
      return respondWithLines(bulk, end);
    };
}

async function respondWithLines(bulk: Bulk, end: () => void): Promise<FastifyReply> {
  const { request, reply, unreadBytesMax } = bulk;
  const results = new Spool(unreadBytesMax);
  const started = Promise.withResolvers<void>();
  writeAll(bulk, results, started.resolve)
    .then(started.resolve, (error) => {
      // Rejects if the response has not started; otherwise aborts it.
      started.reject(error);
      results.destroy();
    })
    .finally(end);
  await started.promise;
  applyPreference(request, reply);
  reply.header('content-language', request.requestContext.language);
  return reply.header('content-type', contentType(request)).send(results);
}

async function writeAll(bulk: Bulk, results: Spool, begin: () => void): Promise<void> {
  const { request, bodyLimits, form } = bulk;
  const failed = (error: unknown): Problem => problemOf(error as Parameters<typeof problemOf>[0], request);
  const reader = new LineReader();
  const formatter = new Results(request, form.by);
  let validatedAt = performance.now();
  for await (const lines of incomingLines(request.body as IncomingMessage, reader, bodyLimits))
    for (const batch of batchesOf(request.service, tasksOf(bulk, lines))) {
      if (performance.now() - validatedAt >= KEY_CHECK_MS) {
        // If the database is unavailable, writing fails too.
        const isValid = await bulk.isStillValid().catch(() => undefined);
        if (isValid === false) throw new UnreadableBody(unauthorized(REVOKED));
        if (isValid) validatedAt = performance.now();
      }
      const outcomes = await writeLines(request.service, bulk.requestOptions, batch, bulk.withSlot, failed);
      const text = batch.map((line, index) => formatter.formatLine(line, outcomes[index]!)).join('');
      // The client has disconnected. Written lines stay.
      if (results.destroyed) return;
      await results.write(text);
      begin();
    }
  await results.write(formatter.summary(reader.empty));
  results.finish();
}

function* tasksOf(bulk: Bulk, lines: Iterable<JsonLine>): Generator<ReadLine> {
  for (const line of lines) yield readTask(bulk, line);
}

/** Reads `if_match` of a line: a version, or the entity tag of plain JSON. */
function conditionReader(
  { service, requestContext, address: { parents } }: FastifyRequest,
  route: ModelRoute,
): BulkForm['conditionOf'] {
  const tagOf: Parameters<typeof conditionOf>[1] = (now) =>
    represent({ service, requestContext, responseType: JSON_TYPE }, now, { route, parents }).etag;
  return (ifMatch): Condition =>
    typeof ifMatch === 'string'
      ? conditionOf({ ifMatch }, tagOf)!
      : ({ version }) =>
          version === ifMatch
            ? undefined
            : problem('precondition-failed', `The record now has version ${version}. Read it again.`);
}

function tooMany(): Problem {
  return problem('service-unavailable', 'Too many bulks are running. Retry in 5 seconds.', { 'retry-after': '5' });
}
