/** Stored values that rules may not read for a client, because their result would show them. */
import type { Problem } from '../errors.ts';
import type { ModelResource } from '../model/model.ts';
import type { RequestOptions } from '../unit/service.ts';

/** Ends a write whose rules read a value that the client cannot see. */
export class RejectedRead extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/**
 * Returns the record for rules. Reading a field that the client cannot see throws a `RejectedRead`. Up to then, the rules have
 * read only what the client can see, so the rejection does not depend on hidden values.
 */
export function guardedRecord<T extends object | undefined>(
  record: T,
  { fields }: ModelResource,
  { rejectReading }: Pick<RequestOptions, 'rejectReading'>,
): T {
  if (!record || !rejectReading) return record;
  return new Proxy(record, {
    get(target, name) {
      const field = typeof name === 'string' ? fields.get(name) : undefined;
      const rejection = field && rejectReading(field);
      if (rejection) throw new RejectedRead(rejection);
      return Reflect.get(target, name);
    },
  });
}
