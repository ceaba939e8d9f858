/**
 * Answers a bulk: lines are written as they come, and each result goes out when it is on disk. Whoever does not read them
 * holds nothing up.
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
import { CHALLENGE, isStillRight } from '../admission/authentication.ts';
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
import { answerAtOnce } from './at-once.ts';
import { type Bulk, readTask } from './bulk.ts';
import { incomingLines } from './incoming.ts';
import { type ReadLine, Results } from './results.ts';
import { Spool } from './spool.ts';

/** A bulk looks this often whether its key is still there. */
const PROOF_MS = 15_000;
const REVOKED = 'The API key was revoked meanwhile; send the lines with another one.';

/** Handlers of bulks, which are bounded together. */
export function bulkHandlers(app: FastifyInstance, options: HttpOptions, admissionControl: AdmissionControl) {
  const { limits } = options;
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const patience = { ...limits, stopping: stopping.signal };
  let running = 0;
  return (route: ModelRoute, action?: Action): Handle =>
    async (request, reply) => {
      if (running === limits.bulksAtOnceMax) return sendProblem(reply, tooMany());
      running += 1;
      const end = (): void => {
        running -= 1;
      };
      const { parents } = request.address;
      const requestOptions = { ...requestOptionsOf(request, options), past: request.bulk.isPast };
      // Each line looks again, in its unit.
      const unknown = await unknownParent(committed(request.service, requestOptions), { route, parents }).catch(
        (error) => {
          end();
          throw error;
        },
      );
      if (unknown) end();
      if (unknown) return sendProblem(reply, unknown);
      allowLongRequest(request, reply, limits.bulkStalledSecondsMax);
      const { mode, write, by, isAtomic, isTrial } = request.bulk;
      const form = { route, parents, by, mode, write, action, conditionOf: conditionReader(request, route) };
      const bulk = {
        ...{
          request,
          reply,
          form,
          patience,
          requestOptions,
          withSlot: admissionControl.slotsFor(request, 'write'),
        },
        ...{
          unreadBytesMax: limits.bulkUnreadBytesMax,
          releaseSlotDuring: admissionControl.releaseSlotDuring(request),
        },
        isStillRight: () => isStillRight(request, options),
      };
      if (isAtomic || isTrial) return answerAtOnce(bulk).finally(end);
      return answerLines(bulk, end);
    };
}

async function answerLines(bulk: Bulk, end: () => void): Promise<FastifyReply> {
  const { request, reply, unreadBytesMax } = bulk;
  const results = new Spool(unreadBytesMax);
  const begun = Promise.withResolvers<void>();
  writeAll(bulk, results, begun.resolve)
    .then(begun.resolve, (error) => {
      // The answer has not begun, or is cut off.
      begun.reject(error);
      results.destroy();
    })
    .finally(end);
  await begun.promise;
  applyPreference(request, reply);
  reply.header('content-language', request.requestContext.language);
  return reply.header('content-type', contentType(request)).send(results);
}

async function writeAll(bulk: Bulk, results: Spool, begin: () => void): Promise<void> {
  const { request, patience, form } = bulk;
  const failed = (error: unknown): Problem => problemOf(error as Parameters<typeof problemOf>[0], request);
  const reader = new LineReader();
  const told = new Results(request, form.by);
  let provedAt = performance.now();
  for await (const lines of incomingLines(request.body as IncomingMessage, reader, patience))
    for (const batch of batchesOf(tasksOf(bulk, lines))) {
      if (performance.now() - provedAt >= PROOF_MS) {
        // A database that is away lets nothing be written either.
        const isRight = await bulk.isStillRight().catch(() => undefined);
        if (isRight === false) throw new UnreadableBody(problem('unauthorized', REVOKED, CHALLENGE));
        if (isRight) provedAt = performance.now();
      }
      const outcomes = await writeLines(request.service, bulk.requestOptions, batch, bulk.withSlot, failed);
      const text = batch.map((line, index) => told.formatLine(line, outcomes[index]!)).join('');
      // The client is gone, and what was written stays.
      if (results.destroyed) return;
      await results.write(text);
      begin();
    }
  await results.write(told.summary(reader.empty));
  results.finish();
}

function* tasksOf(bulk: Bulk, lines: Iterable<JsonLine>): Generator<ReadLine> {
  for (const line of lines) yield readTask(bulk, line);
}

/** `if_match` of a line: a version, or the tag of plain JSON. */
function conditionReader(
  { service, address: { parents } }: FastifyRequest,
  route: ModelRoute,
): BulkForm['conditionOf'] {
  const tagOf: Parameters<typeof conditionOf>[1] = (now) =>
    represent({ service, answerType: JSON_TYPE }, now, { route, parents }).etag;
  return (ifMatch): Condition =>
    typeof ifMatch === 'string'
      ? conditionOf({ ifMatch }, tagOf)!
      : ({ version }) =>
          version === ifMatch
            ? undefined
            : problem('precondition-failed', `The record has version ${version} now; read it again.`);
}

function tooMany(): Problem {
  return problem('service-unavailable', 'Too many bulks run now; send it again in a while.', { 'retry-after': '5' });
}
