/** A bulk in progress, and its lines as tasks. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type BulkForm,
  isProblem,
  type Problem,
  type RequestOptions,
  readBulkTask,
  type WithSlot,
} from '../../engine/index.ts';
import type { JsonLine } from '../../store/json-lines.ts';
import { rejectLine } from '../access/scoped-writes.ts';
import type { BodyLimits } from './incoming.ts';
import type { ReadLine } from './results.ts';

export interface Bulk {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly form: BulkForm;
  readonly requestOptions: RequestOptions;
  readonly withSlot: WithSlot;
  readonly bodyLimits: BodyLimits;
  readonly unreadBytesMax: number;
  /** Whether the request's key is still valid. */
  readonly isStillValid: () => Promise<boolean>;
  readonly releaseSlotDuring: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The detail of the 401 of a bulk whose key became invalid. */
export const REVOKED =
  'The API key is no longer valid, or its rights changed. Send the unwritten lines with a valid key.';

export function readTask({ request, requestOptions, form }: Bulk, line: JsonLine): ReadLine {
  const { sent } = line;
  const forbidden = isProblem(sent) ? sent : rejectLine(request, form, sent);
  if (forbidden || isProblem(sent)) return { ...line, task: forbidden as Problem };
  return { ...line, task: readBulkTask(request.service, requestOptions, form, sent) };
}
