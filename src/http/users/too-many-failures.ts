/** The problem of a client or an e-mail address with too many failed sign-ins (access.md §6). */
import { type Problem, problem } from '../../engine/index.ts';

export function tooManyFailures(waitSeconds: number): Problem {
  const detail = 'Too many sign-ins have failed from this address or for this e-mail address. Retry later.';
  return problem('too-many-requests', detail, { 'retry-after': String(waitSeconds) });
}
