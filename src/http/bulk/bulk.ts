/** One bulk while it is answered, and its lines as tasks. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BulkForm, isProblem, type RequestOptions, readBulkTask, type WithSlot } from '../../engine/index.ts';
import type { JsonLine } from '../../store/json-lines.ts';
import type { Patience } from './incoming.ts';
import type { ReadLine } from './results.ts';

/** All that a bulk needs beside its lines. */
export interface Bulk {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly form: BulkForm;
  readonly requestOptions: RequestOptions;
  readonly withSlot: WithSlot;
  readonly patience: Patience;
  readonly unreadBytesMax: number;
  /** Whether the key of the request still holds. */
  readonly isStillRight: () => Promise<boolean>;
  readonly releaseSlotDuring: <T>(work: () => Promise<T>) => Promise<T>;
}

export function readTask({ request, requestOptions, form }: Bulk, line: JsonLine): ReadLine {
  const { sent } = line;
  return { ...line, task: isProblem(sent) ? sent : readBulkTask(request.service, requestOptions, form, sent) };
}
