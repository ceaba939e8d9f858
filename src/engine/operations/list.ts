/** Reads one page of a collection: always one statement, whatever its length and whatever hangs on its records. */
import type { Problem } from '../errors.ts';
import type { ShownRecord } from '../field.ts';
import type { ListIntent } from '../request/intent.ts';
import { pageQuery } from '../sql/query.ts';
import { searching } from '../unit/reads.ts';
import {
  type Caller,
  languageMode,
  parentValues,
  queryContext,
  readOf,
  type Service,
  type Target,
} from '../unit/service.ts';
import { unknownParent } from './read.ts';

export interface Page {
  readonly records: readonly ShownRecord[];
  /** How many records the filters let through. */
  readonly total: number;
}

export async function list(
  service: Service,
  caller: Caller,
  target: Target,
  intent: ListIntent,
): Promise<Page | Problem> {
  const { place } = target;
  const mode = languageMode(caller);
  const { name, selection, statements } = readOf(service, place, mode, intent.fields);
  const statement = statements.get(`page ${name} ${intent.shape}`, () =>
    pageQuery(place, selection, intent, queryContext(service, mode)),
  );
  const reads = searching(service, caller);
  const unfit = place.declaration.admission ? await unknownParent(reads, target) : undefined;
  if (unfit) return unfit;
  const rows = await reads.run(statement, {
    ...parentValues(target),
    ...intent.values,
    limit: intent.itemsPerPage,
    offset: (intent.page - 1) * intent.itemsPerPage,
    language: caller.language,
    default_language: caller.defaultLanguage,
  });
  const id = selection.expressions.length;
  const total = Number(rows[0]![id + 2]);
  if (total === 0) {
    const unknown = await unknownParent(reads, target);
    if (unknown) return unknown;
  }
  return { records: rows.filter((row) => row[id] !== null).map((row) => selection.record(row, caller)), total };
}
