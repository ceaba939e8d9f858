/** Exports: all records of a collection as JSON Lines, from one database snapshot (sync.md §3). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redacted } from '../../access/redaction.ts';
import {
  cursorText,
  exportRecords,
  isProblem,
  type ModelRoute,
  onlyFields,
  type Problem,
  problem,
  type ShownRecord,
  type Target,
  type WithSlot,
} from '../../engine/index.ts';
import { recordExport } from '../../store/audit/recorded-exports.ts';
import { readFeed } from '../../store/feed.ts';
import type { AdmissionControl } from '../admission/admission-control.ts';
import { BackpressuredStream, joined, noBody } from '../responses/backpressured-stream.ts';
import { applyPreference, contentType, sendProblem } from '../responses/response.ts';
import { actorOf } from '../server/actor.ts';
import type { HttpOptions } from '../server/context.ts';
import { allowLongRequest } from '../server/slow-clients.ts';
import { requestOptionsOf, targetOf } from './address.ts';
import type { Handle } from './reads.ts';

/** Returns handlers of exports. Their number is limited in total, because each holds a database snapshot open. */
export function exportHandlers(app: FastifyInstance, options: HttpOptions, admissionControl: AdmissionControl) {
  const { exportsAtOnceMax, exportSecondsMax, exportStalledSecondsMax } = options.limits;
  const running = new Set<() => void>();
  app.addHook('preClose', async () => {
    for (const abort of running) abort();
  });
  return (route: ModelRoute): Handle =>
    async (request, reply) => {
      if (running.size === exportsAtOnceMax) return sendProblem(reply, tooMany());
      const stream = new BackpressuredStream();
      const abort = (): void => {
        stream.destroy();
        if (reply.raw.headersSent) reply.raw.destroy();
      };
      running.add(abort);
      const timer = setTimeout(abort, exportSecondsMax * 1000);
      const timeLimit = { stalledSecondsMax: exportStalledSecondsMax, countsSending: false };
      const sent = allowLongRequest(request, reply, timeLimit).then(() => {
        clearTimeout(timer);
        stream.destroy();
      });
      // The last records are read before the client has received them.
      const end = (): void => void sent.then(() => running.delete(abort));
      return respond(route, { request, reply, stream, options, withSlot: slotsOf(request, admissionControl) }, end);
    };
}

interface Exporting {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly stream: BackpressuredStream;
  readonly options: HttpOptions;
  readonly withSlot: WithSlot;
}

/** Runs each statement in a list slot, after other requests of the event loop. */
function slotsOf(request: FastifyRequest, admissionControl: AdmissionControl): WithSlot {
  const withSlot = admissionControl.slotsFor(request, 'list');
  return async (work) => {
    await nextTurn();
    return withSlot(work);
  };
}

async function respond(
  route: ModelRoute,
  { request, reply, stream, options, withSlot }: Exporting,
  end: () => void,
): Promise<FastifyReply> {
  const { service, address } = request;
  const { listQuery } = address;
  const target = targetOf(request, route);
  // The cursor is read before the snapshot: a change between the two is in both, so that none is missed.
  const feed = await readFeed(service, 'now', { resources: undefined, limit: 0 }).catch((error) => {
    end();
    throw error;
  });
  if (isProblem(feed)) {
    end();
    return sendProblem(reply, feed);
  }
  const counted = Promise.withResolvers<number | Problem>();
  const { hidden } = request.requestContext.rights;
  const toLine = (record: ShownRecord): string => {
    const shown = hidden ? redacted(record, route.resource, hidden) : record;
    return `${JSON.stringify(listQuery!.fields ? onlyFields(shown, listQuery!.fields) : shown)}\n`;
  };
  exportRecords(
    service,
    requestOptionsOf(request, options),
    target,
    listQuery!,
    async ({ total, parts }) => {
      counted.resolve(total);
      if (request.method === 'HEAD') return;
      for await (const records of parts)
        for (const text of joined(records.values().map(toLine))) {
          if (stream.destroyed) return;
          await stream.give(text);
        }
      stream.finish();
    },
    withSlot,
  )
    .then(
      (outcome) => counted.resolve(outcome as Problem),
      (error) => {
        counted.reject(error);
        // A response that has started is aborted.
        stream.destroy();
      },
    )
    .finally(end);
  const total = await counted.promise;
  if (isProblem(total)) return sendProblem(reply, total);
  if (request.method !== 'HEAD') await recorded(request, target, stream);
  if (stream.destroyed) {
    reply.raw.destroy();
    return reply.hijack();
  }
  applyPreference(request, reply);
  reply.headers({
    'x-total-count': String(total),
    'changes-cursor': cursorText(feed.next),
    'content-language': request.requestContext.language,
  });
  return reply.header('content-type', contentType(request)).send(request.method === 'HEAD' ? noBody() : stream);
}

/** Records the export. If that is not possible, it ends. */
async function recorded(request: FastifyRequest, target: Target, stream: BackpressuredStream): Promise<void> {
  await recordExport(request.service, target, actorOf(request)).catch((error) => {
    stream.destroy();
    throw error;
  });
}

function tooMany(): Problem {
  return problem('service-unavailable', 'Too many exports are running. Retry in 10 seconds.', {
    'retry-after': '10',
  });
}
