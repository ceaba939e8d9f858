/** Error responses below `/storefront`, which are never JSON-LD (storefront.md §1). */
import type { ProblemType } from '../../engine/index.ts';
import type { DocumentContext, Reference } from '../openapi/components.ts';
import { jsonProblemResponses } from '../openapi/problems.ts';

/** Problems of all operations. They are described once, as the response `default`. The first one is the example. */
const COMMON = [
  ...(['unauthorized', 'malformed-request', 'invalid-argument', 'wrong-key-kind', 'network-not-allowed'] as const),
  ...(['origin-not-allowed', 'password-change-required'] as const),
  ...(['not-found', 'not-acceptable', 'request-timeout', 'uri-too-long', 'expectation-failed'] as const),
  ...(['too-many-requests', 'headers-too-large', 'internal-error', 'service-unavailable'] as const),
] as const satisfies ProblemType[];

/** Returns the error responses of an operation by status, and those of all operations as `default`. */
export function shopProblems(
  context: DocumentContext,
  own: readonly ProblemType[] = [],
): Readonly<Record<string, Reference>> {
  return jsonProblemResponses(context, own, COMMON);
}

/** The problems of these operations, for the list of all errors. */
export function problemsOf(operations: readonly { readonly problems?: readonly ProblemType[] }[]): ProblemType[] {
  return [...new Set<ProblemType>([...COMMON, ...operations.flatMap(({ problems = [] }) => problems)])];
}
