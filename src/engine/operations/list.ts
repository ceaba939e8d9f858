/** Reads one page of a collection: always one statement, whatever its length and whatever hangs on its records. */
import type { Problem } from '../errors.ts';
import type { ListIntent } from '../intent.ts';
import { pageQuery } from '../query.ts';
import type { ShownRecord } from '../resource.ts';
import { languageMode, parentValues, queryContext, type Request, readOf, type Service } from '../service.ts';
import { unknownParent } from './read.ts';
import type { Run } from './stored.ts';

export interface Page {
  readonly records: readonly ShownRecord[];
  /** How many records the filters let through. */
  readonly total: number;
}

export async function list(service: Service, request: Request, intent: ListIntent): Promise<Page | Problem> {
  const { place } = request;
  const mode = languageMode(request);
  const { name, selection, statements } = readOf(service, place, mode, intent.fields);
  const statement = statements.get(`page ${name} ${intent.shape}`, () =>
    pageQuery(place, selection, intent, queryContext(service, mode)),
  );
  const run: Run = (one, values) => service.database.search(one, values);
  const unfit = place.declaration.admits ? await unknownParent(service, request, run) : undefined;
  if (unfit) return unfit;
  const rows = await run(statement, {
    ...parentValues(request),
    ...intent.values,
    limit: intent.itemsPerPage,
    offset: (intent.page - 1) * intent.itemsPerPage,
    language: request.language,
    default_language: request.defaultLanguage,
  });
  const id = selection.expressions.length;
  const total = Number(rows[0]![id + 2]);
  if (total === 0) {
    const unknown = await unknownParent(service, request, run);
    if (unknown) return unknown;
  }
  return { records: rows.filter((row) => row[id] !== null).map((row) => selection.record(row, request)), total };
}
