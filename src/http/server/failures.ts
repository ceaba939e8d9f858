/** The problem that a request is answered with when its work failed with an error. */
import type { FastifyError, FastifyRequest } from 'fastify';
import {
  DatabaseUnavailable,
  ImageDecoderUnavailable,
  ImagesUnavailable,
  Overloaded,
  type Problem,
  problem,
  SearchGivenUp,
} from '../../engine/index.ts';
import { tooLarge } from '../admission/admission.ts';
import { UnreadableBody } from '../resources/multipart-form.ts';

export function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof SearchGivenUp)
    return problem(
      'service-unavailable',
      'The answer took too long to find and was given up; ask for less, or again when there is less to do.',
      { 'retry-after': '10' },
    );
  if (error instanceof ImageDecoderUnavailable)
    return problem(
      'service-unavailable',
      'The store takes no pictures: its picture decoder is missing. Tell the store’s operator; /readyz says how to install it.',
      { 'retry-after': '60' },
    );
  const [, what] = UNAVAILABLE.find(([kind]) => error instanceof kind) ?? [];
  if (what !== undefined) {
    request.log.warn({ err: error }, 'not available');
    return problem('service-unavailable', `${what} now; send the request again in a second.`, { 'retry-after': '1' });
  }
  if (error instanceof UnreadableBody) return error.problem;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit);
  if (request.raw.destroyed && !request.raw.complete)
    return problem('malformed-request', 'The body did not arrive whole.');
  request.log.error({ err: error }, 'internal error');
  return problem(
    'internal-error',
    'Something went wrong here. Tell the store’s operator the request id in “instance”.',
  );
}

const UNAVAILABLE = [
  [DatabaseUnavailable, 'The database cannot answer'],
  [ImagesUnavailable, 'The image files cannot be read or written'],
  [Overloaded, 'The server has too much to do'],
] as const;
