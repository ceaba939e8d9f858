/** Divides the records of a route into spans of identifiers, so that no statement reads many records. */
import type { ModelRoute } from '../../model/model.ts';
import type { Value } from '../../ports.ts';
import type { ListQuery } from '../../request/list-query.ts';
import { boundsQuery, spanQuery } from '../../sql/export-query.ts';
import type { Run } from '../../sql/run.ts';
import {
  languageMode,
  parentValues,
  queryContext,
  type RequestOptions,
  type Service,
  type Target,
} from '../../unit/service.ts';
import { NO_OUTPUT, valuesOf } from './list.ts';

/** Identifiers per statement of lists whose list field is computed. The values of so many are computed between two pauses. */
export const VALUED_SPAN = 1000;

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

/** Reads the identifiers of all records of a list in ascending order, in chunks that may be empty. */
export async function* idsBySpan(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: ListQuery,
  { bounds, run }: { readonly bounds: Bounds; readonly run: Run },
): AsyncGenerator<Value[]> {
  const { route } = target;
  const mode = languageMode(requestOptions);
  const statement = service.whole.statements.get(`ids of span ${route.path} ${mode} ${listQuery.shape}`, () =>
    spanQuery(route, NO_OUTPUT, listQuery, queryContext(service, mode)),
  );
  const values = { ...parentValues(target), ...valuesOf(requestOptions, listQuery) };
  for (const span of spansOf(bounds, () => VALUED_SPAN))
    yield (await run(statement, { ...values, ...span })).map(([id]) => id as Value);
}
