/** Maps errors of a request to problems. */
import type { FastifyError, FastifyRequest } from 'fastify';
import {
  DatabaseUnavailable,
  ImageDecoderUnavailable,
  ImagesUnavailable,
  Overloaded,
  type Problem,
  problem,
  RejectedRead,
  SearchGivenUp,
} from '../../engine/index.ts';
import { tooLarge } from '../admission/admission.ts';
import { UnreadableBody } from '../resources/multipart-form.ts';

export function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  if (error instanceof SearchGivenUp)
    return problem('service-unavailable', 'The search took too long and was canceled. Narrow it, or retry later.', {
      'retry-after': '10',
    });
  if (error instanceof ImageDecoderUnavailable)
    return problem(
      'service-unavailable',
      'The store accepts no images because its image decoder is missing. Contact the operator. /readyz says how to install it.',
      { 'retry-after': '60' },
    );
  const [, what] = UNAVAILABLE.find(([kind]) => error instanceof kind) ?? [];
  if (what !== undefined) {
    request.log.warn({ err: error }, 'database, images or capacity unavailable; rejected with 503');
    return problem('service-unavailable', `${what}. Retry in a second.`, { 'retry-after': '1' });
  }
  if (error instanceof UnreadableBody || error instanceof RejectedRead) return error.problem;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit);
  if (request.raw.destroyed && !request.raw.complete)
    return problem('malformed-request', 'The body did not arrive completely.');
  request.log.error({ err: error }, 'internal error');
  return problem(
    'internal-error',
    'An unexpected error occurred. Send the request id in “instance” to the operator of the store.',
  );
}

const UNAVAILABLE = [
  [DatabaseUnavailable, 'The database is not available'],
  [ImagesUnavailable, 'The image files are not available'],
  [Overloaded, 'The server is overloaded'],
] as const;
