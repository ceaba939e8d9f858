/** Failed sign-ins that cannot be guesses of a password: they count like a wrong key (access.md §6). */
import type { FastifyRequest } from 'fastify';
import type { Problem } from '../../engine/index.ts';
import { recordFailedSignIn } from '../../store/audit/failed-sign-in-entries.ts';
import { checkFailedKeys } from '../admission/admission.ts';
import type { Counts } from '../admission/rate-limits.ts';
import { unknownClient } from '../server/actor.ts';

/** The account that a failed sign-in is about. */
interface FailedAccount {
  readonly kind: 'User' | 'Key';
  /** null: the account does not exist, or is not known. */
  readonly id: number | string | null;
}

/** Counts a failed sign-in, and records it unless there were too many. @param wrong its problem */
export async function rejectWrong(
  request: FastifyRequest,
  failedKeys: Counts,
  wrong: Problem,
  { kind, id }: FailedAccount,
): Promise<Problem> {
  const over = await checkFailedKeys(request, failedKeys);
  if (over) return over;
  await recordFailedSignIn(request.service, unknownClient(request), kind, id);
  return wrong;
}
