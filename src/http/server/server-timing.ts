/** `Server-Timing` for who asks with `Prefer: timing`: how long the request waited, and how long what was done for it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { timedDatabase } from '../../metrics/timed.ts';

const TIMING = /(?:^|[,;\s])timing\s*(?:$|[,;])/i;

export function wantsTiming(prefer: unknown): boolean {
  return prefer !== undefined && TIMING.test(String(prefer));
}

interface Clock {
  /** From when it was asked for to when it had its turn. */
  waitedMs: number;
  /** Of all operations together, some of which may run side by side. */
  databaseMs: number;
}

const clocks = new WeakMap<FastifyRequest, Clock>();

/** The request has its turn, and has passed the door: from here on its own work is timed. */
export function timeWork(request: FastifyRequest, reply: FastifyReply): void {
  const clock = { waitedMs: reply.elapsedTime, databaseMs: 0 };
  clocks.set(request, clock);
  const database = timedDatabase(request.service.database, (_operation, milliseconds) => {
    clock.databaseMs += milliseconds;
  });
  request.service = { ...request.service, database };
}

/** Tells what was timed until the answer goes out; call it behind all hooks that make something of the answer. */
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
