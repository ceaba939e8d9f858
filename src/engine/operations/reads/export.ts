/** Exports all matching records of a route from one snapshot of the store, ordered by identifier. */
import { isProblem, type Problem } from '../../errors.ts';
import type { ShownRecord } from '../../field.ts';
import type { ListFieldValues } from '../../list-field.ts';
import type { Row, StoreSnapshot, Value } from '../../ports.ts';
import type { ListQuery } from '../../request/list-query.ts';
import { spanCountQuery, spanQuery } from '../../sql/export-query.ts';
import { evaluateFields } from '../../unit/evaluated-fields.ts';
import { Reads } from '../../unit/reads.ts';
import {
  languageMode,
  parentValues,
  queryContext,
  type RequestOptions,
  readOf,
  type Service,
  serviceIn,
  type Target,
} from '../../unit/service.ts';
import type { WithSlot } from '../bulk.ts';
import { unknownParent } from '../read.ts';
import { valuesOf } from './list.ts';
import { listFieldValues, meets, readListFieldBasis, withListField } from './list-field.ts';
import { FIRST_PART_SIZE, nextPartSize } from './part-size.ts';
import { type Bounds, boundsOf, idsBySpan, spansOf } from './spans.ts';

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
    const slotted: StoreSnapshot['run'] = (...statement) => withSlot(() => run(...statement));
    const values = await valuesIn(serviceIn(service, slotted), requestOptions, listQuery);
    if (values && isProblem(values)) return values;
    const source = { service, requestOptions, target, listQuery, values, run: slotted };
    const bounds = await boundsOf(service, target.route, run);
    return work({ total: await count(source, bounds), parts: parts(source, bounds) });
  });
}

interface Source {
  readonly service: Service;
  readonly requestOptions: RequestOptions;
  readonly target: Target;
  readonly listQuery: ListQuery;
  /** Set if the export shows or filters by the list field. */
  readonly values: ListFieldValues | undefined;
  readonly run: StoreSnapshot['run'];
}

async function valuesIn(
  service: Service,
  requestOptions: RequestOptions,
  { listField: use }: ListQuery,
): Promise<ListFieldValues | Problem | undefined> {
  if (!use) return undefined;
  const basis = await readListFieldBasis(service, requestOptions, use.listField);
  return listFieldValues(service, requestOptions, use, basis);
}

async function count(source: Source, bounds: Bounds): Promise<number> {
  const { service, requestOptions, target, listQuery, run } = source;
  if (listQuery.listField?.membersKey !== undefined) return countByValue(source, bounds);
  const { route } = target;
  const mode = languageMode(requestOptions);
  const statement = service.whole.statements.get(`count of span ${route.path} ${mode} ${listQuery.shape}`, () =>
    spanCountQuery(route, listQuery, queryContext(service, mode)),
  );
  let total = 0;
  for (const span of spansOf(bounds, () => COUNTED_SPAN)) {
    const [row] = await run(statement, { ...parentValues(target), ...valuesOf(requestOptions, listQuery), ...span });
    total += Number(row![0]);
  }
  return total;
}

async function countByValue(
  { service, requestOptions, target, listQuery, values, run }: Source,
  bounds: Bounds,
): Promise<number> {
  let total = 0;
  for await (const ids of idsBySpan(service, requestOptions, target, listQuery, { bounds, run })) {
    const found = await values!.of(ids);
    for (const value of found.values()) if (meets(listQuery.listField!, value)) total += 1;
  }
  return total;
}

async function* parts(
  { service, requestOptions, target, listQuery, values, run }: Source,
  bounds: Bounds,
): AsyncGenerator<readonly ShownRecord[]> {
  const { route } = target;
  const mode = languageMode(requestOptions);
  const { name, selection, statements } = readOf(service, route, mode, listQuery.fields);
  const statement = statements.get(`span ${name} ${listQuery.shape}`, () =>
    spanQuery(route, selection, listQuery, queryContext(service, mode)),
  );
  const reads = new Reads(service, run, requestOptions);
  let size = FIRST_PART_SIZE;
  for (const span of spansOf(bounds, () => size)) {
    const rows = await run(statement, { ...parentValues(target), ...valuesOf(requestOptions, listQuery), ...span });
    size = nextPartSize(size, rows.map(lengthOf));
    const records = rows.map((row) => selection.record(row, requestOptions));
    await evaluateFields({ service, reads, languages: requestOptions }, route, listQuery.fields, records);
    const { listField: use } = listQuery;
    if (!use) yield records;
    else {
      const ids = rows.map((row) => row[selection.expressions.length] as Value);
      const found = await values!.of(ids);
      yield ids.flatMap((id, index) => {
        const value = found.get(id)!;
        return meets(use, value) ? [withListField(records[index]!, use, value)] : [];
      });
    }
  }
}

function lengthOf(row: Row): number {
  let length = 0;
  for (const value of row) if (typeof value === 'string') length += value.length;
  return length;
}
