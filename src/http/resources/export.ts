/** Answers an export: all records of a collection, one a line, of one moment of the store (sync.md §3). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  cursorText,
  exported,
  isProblem,
  type ModelPlace,
  onlyFields,
  type Problem,
  problem,
  type TakeTurn,
} from '../../engine/index.ts';
import { readFeed } from '../../store/feed.ts';
import type { Load } from '../admission/admission-control.ts';
import { Outlet } from '../responses/backpressured-stream.ts';
import { applyPreference, contentType, sendProblem } from '../responses/response.ts';
import type { HttpOptions } from '../server/context.ts';
import { takeLong } from '../server/slow-clients.ts';
import { callerOf, targetOf } from './address.ts';
import type { Handle } from './reads.ts';

/** Handlers of exports, which are bounded together: each holds a moment of the database. */
export function exportHandlers(app: FastifyInstance, options: HttpOptions, load: Load) {
  const { exportsAtOnceMax, exportSecondsMax, exportStalledSecondsMax } = options.limits;
  const running = new Set<Outlet>();
  app.addHook('preClose', async () => {
    for (const outlet of running) outlet.destroy();
  });
  return (place: ModelPlace): Handle =>
    async (request, reply) => {
      if (running.size === exportsAtOnceMax) return sendProblem(reply, tooMany());
      const outlet = new Outlet();
      running.add(outlet);
      takeLong(request, reply, exportStalledSecondsMax);
      const timer = setTimeout(() => outlet.destroy(), exportSecondsMax * 1000);
      const end = (): void => {
        clearTimeout(timer);
        running.delete(outlet);
      };
      return answer(place, { request, reply, outlet, options, takeTurn: turnsOf(request, load) }, end);
    };
}

interface Exporting {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly outlet: Outlet;
  readonly options: HttpOptions;
  readonly takeTurn: TakeTurn;
}

/** Each statement has a turn among the lists, and an embedded database lets others in between. */
function turnsOf(request: FastifyRequest, load: Load): TakeTurn {
  const takeTurn = load.turns(request, 'list');
  return async (work) => {
    await nextTurn();
    return takeTurn(work);
  };
}

async function answer(
  place: ModelPlace,
  { request, reply, outlet, options, takeTurn }: Exporting,
  end: () => void,
): Promise<FastifyReply> {
  const { service, address } = request;
  const { intent } = address;
  const target = targetOf(request, place);
  // Before the moment: a record is never older than the cursor, and a change between the two is told again behind it.
  const feed = await readFeed(service, 'now', { resources: undefined, limit: 0 }).catch((error) => {
    end();
    throw error;
  });
  if (isProblem(feed)) {
    end();
    return sendProblem(reply, feed);
  }
  const counted = Promise.withResolvers<number | Problem>();
  const toLine = intent!.fields
    ? (record: Parameters<typeof onlyFields>[0]) => `${JSON.stringify(onlyFields(record, intent!.fields!))}\n`
    : (record: object) => `${JSON.stringify(record)}\n`;
  exported(
    service,
    callerOf(request, options),
    target,
    intent!,
    async ({ total, parts }) => {
      counted.resolve(total);
      if (request.method === 'HEAD') return;
      for await (const records of parts) {
        if (outlet.destroyed) return;
        if (records.length > 0) await outlet.give(records.map(toLine).join(''));
      }
      outlet.finish();
    },
    takeTurn,
  )
    .then(
      (outcome) => counted.resolve(outcome as Problem),
      (error) => {
        counted.reject(error);
        // An answer that has begun is cut off.
        outlet.destroy();
      },
    )
    .finally(end);
  const total = await counted.promise;
  if (isProblem(total)) return sendProblem(reply, total);
  applyPreference(request, reply);
  reply.headers({
    'x-total-count': String(total),
    'changes-cursor': cursorText(feed.next),
    'content-language': request.visit.language,
  });
  return reply.header('content-type', contentType(request)).send(request.method === 'HEAD' ? undefined : outlet);
}

function tooMany(): Problem {
  return problem('service-unavailable', 'Others export now; send the request again in a while.', {
    'retry-after': '10',
  });
}
