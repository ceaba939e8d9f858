/** Exports all matching records of a route from one snapshot of the store, ordered by identifier. */
import type { Problem } from '../../errors.ts';
import type { ShownRecord } from '../../field.ts';
import type { ModelRoute } from '../../model/model.ts';
import type { Row, StoreSnapshot, Value } from '../../ports.ts';
import type { ListQuery } from '../../request/list-query.ts';
import { boundsQuery, spanCountQuery, spanQuery } from '../../sql/export-query.ts';
import { Reads } from '../../unit/reads.ts';
import {
  languageMode,
  parentValues,
  queryContext,
  type RequestOptions,
  readOf,
  type Service,
  type Target,
} from '../../unit/service.ts';
import type { WithSlot } from '../bulk.ts';
import { unknownParent } from '../read.ts';
import { FIRST_PART_SIZE, nextPartSize } from './part-size.ts';

/** Valid only until the work with it ends. */
export interface Export {
  /** Number of records. */
  readonly total: number;
  /** Records by identifier, in chunks that may be empty. */
  readonly parts: AsyncIterable<readonly ShownRecord[]>;
}

/** Identifiers per statement of the count. Other requests may run between two statements. */
const COUNTED_SPAN = 20_000;

export async function exportRecords<T>(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: ListQuery,
  work: (all: Export) => Promise<T>,
  /** Wraps each statement; other requests may run between two. */
  withSlot: WithSlot,
): Promise<T | Problem> {
  return service.database.snapshot(async (run) => {
    const unknown = await unknownParent(new Reads(service, run, requestOptions), target);
    if (unknown) return unknown;
    const source = {
      service,
      requestOptions,
      target,
      listQuery,
      run: ((...statement) => withSlot(() => run(...statement))) as StoreSnapshot['run'],
    };
    const bounds = await boundsOf(service, target.route, run);
    return work({ total: await count(source, bounds), parts: parts(source, bounds) });
  });
}

interface Source {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly listQuery: ListQuery;
  readonly run: StoreSnapshot['run'];
}

/** The lowest and the highest identifier; undefined if there are no records. */
type Bounds = readonly [Value, Value] | undefined;

async function boundsOf({ statements }: Service, route: ModelRoute, run: StoreSnapshot['run']): Promise<Bounds> {
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
function* spansOf(bounds: Bounds, sizeOf: () => number): Generator<{ readonly after: Value; readonly until: Value }> {
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

async function count({ service, requestOptions, target, listQuery, run }: Source, bounds: Bounds): Promise<number> {
  const { route } = target;
  const mode = languageMode(requestOptions);
  const statement = service.whole.statements.get(`count of span ${route.path} ${mode} ${listQuery.shape}`, () =>
    spanCountQuery(route, listQuery, queryContext(service, mode)),
  );
  let total = 0;
  for (const span of spansOf(bounds, () => COUNTED_SPAN)) {
    const [row] = await run(statement, { ...valuesOf(requestOptions, target, listQuery), ...span });
    total += Number(row![0]);
  }
  return total;
}

async function* parts(
  { service, requestOptions, target, listQuery, run }: Source,
  bounds: Bounds,
): AsyncGenerator<readonly ShownRecord[]> {
  const { route } = target;
  const mode = languageMode(requestOptions);
  const { name, selection, statements } = readOf(service, route, mode, listQuery.fields);
  const statement = statements.get(`span ${name} ${listQuery.shape}`, () =>
    spanQuery(route, selection, listQuery, queryContext(service, mode)),
  );
  let size = FIRST_PART_SIZE;
  for (const span of spansOf(bounds, () => size)) {
    const rows = await run(statement, { ...valuesOf(requestOptions, target, listQuery), ...span });
    size = nextPartSize(size, rows.map(lengthOf));
    yield rows.map((row) => selection.record(row, requestOptions));
  }
}

function lengthOf(row: Row): number {
  let length = 0;
  for (const value of row) if (typeof value === 'string') length += value.length;
  return length;
}

function valuesOf(
  { language, defaultLanguage }: RequestOptions,
  target: Target,
  listQuery: ListQuery,
): Record<string, Value> {
  return { ...parentValues(target), ...listQuery.values, language, default_language: defaultLanguage };
}
