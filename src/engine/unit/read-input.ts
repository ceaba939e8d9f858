/** Reads a body with declared members that belong to no record, such as that of a login. */
import { type Problem, validationFailed } from '../errors.ts';
import type { Field } from '../field.ts';
import type { JsonObject } from '../fields/members.ts';
import type { Value } from '../ports.ts';
import { readActionBody } from '../request/body.ts';
import { type RequestOptions, readingOf, type Service } from './service.ts';

/** @returns the members that were sent, or all violations of the body */
export function readInput(
  service: Service,
  requestOptions: Pick<RequestOptions, 'lenient' | 'past'>,
  input: Readonly<Record<string, Field>>,
  sent: JsonObject,
): Readonly<Record<string, Value>> | Problem {
  const body = readActionBody(service.model, { input }, new Set(), sent, readingOf(service, requestOptions));
  return body.violations.list.length > 0 ? validationFailed(body.violations.list) : body.sent;
}
