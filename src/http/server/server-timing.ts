/** `Server-Timing` for requests with `Prefer: timing`: waiting time, database time and total. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timedDatabase } from '../../metrics/timed.ts';

const TIMING = /(?:^|[,;\s])timing\s*(?:$|[,;])/i;

export function wantsTiming(prefer: unknown): boolean {
  return prefer !== undefined && TIMING.test(String(prefer));
}

interface Clock {
  /** From the start of the request until it had a slot and was admitted. */
  waitedMs: number;
  /** Sum of all operations. Some may run concurrently. */
  databaseMs: number;
}

const clocks = new WeakMap<FastifyRequest, Clock>();

/** Starts to time the work of a request. Call it after admission. */
export function timeWork(request: FastifyRequest, reply: FastifyReply): void {
  const clock = { waitedMs: reply.elapsedTime, databaseMs: 0 };
  clocks.set(request, clock);
  const database = timedDatabase(request.service.database, (_operation, milliseconds) => {
    clock.databaseMs += milliseconds;
  });
  request.service = { ...request.service, database };
}

/** Adds the header. Call it after registering all hooks that change the response. */
export function registerServerTiming(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const clock = clocks.get(request);
    if (clock) {
      const figures = { wait: clock.waitedMs, db: clock.databaseMs, total: reply.elapsedTime };
      const metrics = Object.entries(figures).map(([name, milliseconds]) => `${name};dur=${milliseconds.toFixed(2)}`);
      reply.header('server-timing', metrics.join(', '));
    }
    done(null, payload);
  });
}
