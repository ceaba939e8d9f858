/** Divides the records of a route into spans of identifiers, so that no statement reads many records. */
import type { ModelRoute } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import { boundsQuery } from '../../sql/export-query.ts';
import type { Run } from '../../sql/run.ts';
import type { Service } from '../../unit/service.ts';

/** The lowest and the highest identifier; undefined if there are no records. */
export type Bounds = readonly [Value, Value] | undefined;

export async function boundsOf({ statements }: Service, route: ModelRoute, run: Run): Promise<Bounds> {
  const [row] = await run(
    statements.get(`bounds ${route.resource.name}`, () => boundsQuery(route)),
    {},
  );
  const [lowest, highest] = row as [Value, Value];
  return lowest === null ? undefined : [lowest, highest];
}

/**
 * Splits the range of identifiers into spans. Text identifiers, which are few, form one span.
 * @param sizeOf returns the number of identifiers in the next span
 */
export function* spansOf(
  bounds: Bounds,
  sizeOf: () => number,
): Generator<{ readonly after: Value; readonly until: Value }> {
  if (!bounds) return;
  const [lowest, highest] = bounds;
  if (typeof lowest !== 'number' || typeof highest !== 'number') {
    yield { after: '', until: highest };
    return;
  }
  for (let after = lowest - 1; after < highest; ) {
    const until = Math.min(after + sizeOf(), highest);
    yield { after, until };
    after = until;
  }
}
