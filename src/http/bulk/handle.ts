/**
 * Answers a bulk: lines are written as they come, and each result goes out when it is on disk. Whoever does not read them
 * holds nothing up.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Action,
  type BulkForm,
  type BulkTask,
  type Condition,
  isProblem,
  type ModelPlace,
  type Problem,
  problem,
  writeBatch,
} from '../../engine/index.ts';
import { type JsonLine, LineReader } from '../../store/json-lines.ts';
import { JSON_TYPE } from '../accept.ts';
import { callerOf } from '../address.ts';
import { applyPreference, contentType, sendProblem } from '../answer.ts';
import { CHALLENGE, isStillRight } from '../authentication.ts';
import type { HttpOptions } from '../context.ts';
import { problemOf } from '../failures.ts';
import { UnreadableBody } from '../form.ts';
import type { Load } from '../load.ts';
import type { Handle } from '../reads.ts';
import { represent } from '../representations.ts';
import { takeLong } from '../slow-clients.ts';
import { conditionOf } from '../tags.ts';
import { answerAtOnce } from './at-once.ts';
import { type Bulk, readTask } from './bulk.ts';
import { incomingLines } from './incoming.ts';
import { type ReadLine, Results } from './results.ts';
import { Spool } from './spool.ts';

/** Lines that are written side by side in one turn: more would make others wait for longer. */
const BATCH_LINES_MAX = 32;

/** A bulk looks this often whether its key is still there. */
const PROOF_MS = 15_000;
const REVOKED = 'The API key was revoked meanwhile; send the lines with another one.';

/** Handlers of bulks, which are bounded together. */
export function bulkHandlers(app: FastifyInstance, options: HttpOptions, load: Load) {
  const { limits } = options;
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  const patience = { ...limits, stopping: stopping.signal };
  let running = 0;
  return (place: ModelPlace, action?: Action): Handle =>
    async (request, reply) => {
      if (running === limits.bulksAtOnceMax) return sendProblem(reply, tooMany());
      running += 1;
      takeLong(request, reply, limits.bulkStalledSecondsMax);
      const { mode, write, by, isAtomic, isTrial } = request.bulk;
      const form = { place, by, mode, write, action, conditionOf: conditionReader(request, place) };
      const bulk = {
        ...{
          request,
          reply,
          form,
          patience,
          caller: callerOf(request, options),
          takeTurn: load.turns(request, 'write'),
        },
        ...{ unreadBytesMax: limits.bulkUnreadBytesMax, aside: load.aside(request) },
        isStillRight: () => isStillRight(request, options),
      };
      const end = (): void => {
        running -= 1;
      };
      if (isAtomic || isTrial) return answerAtOnce(bulk).finally(end);
      return answerLines(bulk, end);
    };
}

async function answerLines(bulk: Bulk, end: () => void): Promise<FastifyReply> {
  const { request, reply, unreadBytesMax } = bulk;
  const results = new Spool(unreadBytesMax);
  const begun = Promise.withResolvers<void>();
  writeLines(bulk, results, begun.resolve)
    .then(begun.resolve, (error) => {
      // The answer has not begun, or is cut off.
      begun.reject(error);
      results.destroy();
    })
    .finally(end);
  await begun.promise;
  applyPreference(request, reply);
  reply.header('content-language', request.visit.language);
  return reply.header('content-type', contentType(request)).send(results);
}

async function writeLines(bulk: Bulk, results: Spool, begin: () => void): Promise<void> {
  const { request, patience, form } = bulk;
  const reader = new LineReader();
  const told = new Results(request, form.by);
  let provedAt = performance.now();
  for await (const lines of incomingLines(request.body as IncomingMessage, reader, patience))
    for (const batch of batchesOf(bulk, lines)) {
      if (performance.now() - provedAt >= PROOF_MS) {
        // A database that is away lets nothing be written either.
        const isRight = await bulk.isStillRight().catch(() => undefined);
        if (isRight === false) throw new UnreadableBody(problem('unauthorized', REVOKED, CHALLENGE));
        if (isRight) provedAt = performance.now();
      }
      const text = await writeTogether(bulk, told, batch);
      // The client is gone, and what was written stays.
      if (results.destroyed) return;
      await results.write(text);
      begin();
    }
  await results.write(told.summary(reader.empty));
  results.finish();
}

/** A line that is to be alone is a batch of its own. */
function* batchesOf(bulk: Bulk, lines: Iterable<JsonLine>): Generator<ReadLine[]> {
  let batch: ReadLine[] = [];
  for (const line of lines) {
    const read = readTask(bulk, line);
    const isAlone = !isProblem(read.task) && read.task.isAlone;
    if (batch.length > 0 && isAlone) {
      yield batch;
      batch = [];
    }
    batch.push(read);
    if (isAlone || batch.length === BATCH_LINES_MAX) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

async function writeTogether(bulk: Bulk, told: Results, batch: readonly ReadLine[]): Promise<string> {
  const { request, caller, takeTurn } = bulk;
  const tasks = batch.map(({ task }) => task).filter((task): task is BulkTask => !isProblem(task));
  const failed = (error: unknown): Problem => problemOf(error as Parameters<typeof problemOf>[0], request);
  const outcomes = tasks.length === 0 ? [] : await writeBatch(request.service, caller, tasks, takeTurn, failed);
  let next = 0;
  return batch.map((line) => told.tell(line, isProblem(line.task) ? line.task : outcomes[next++]!)).join('');
}

/** `if_match` of a line: a version, or the tag of plain JSON. */
function conditionReader({ service }: FastifyRequest, place: ModelPlace): BulkForm['conditionOf'] {
  const tagOf: Parameters<typeof conditionOf>[1] = (now) =>
    represent({ service, answerType: JSON_TYPE }, now, { place, parents: [] }).etag;
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
