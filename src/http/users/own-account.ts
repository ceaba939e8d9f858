/** The user whose session sends a request. */
import type { FastifyRequest } from 'fastify';
import { type Problem, problem } from '../../engine/index.ts';
import type { ValidKey } from '../../store/keys.ts';

export function ownUser({ requestContext: { key } }: FastifyRequest): NonNullable<ValidKey['user']> | Problem {
  return key.user ?? problem('not-found', 'A key has no account. Sign in as a user at /admin.');
}
