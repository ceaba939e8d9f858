/**
 * Reads one page of a collection: always one statement, whatever its length and whatever hangs on its records. Also gives
 * the identifiers of whole lists, for those who keep them.
 */
import { sql } from 'kysely';
import { isProblem, type Problem } from '../../errors.ts';
import type { ShownRecord } from '../../field.ts';
import type { ModelPlace } from '../../model/model.ts';
import type { Row, Statement, Value } from '../../ports.ts';
import type { ListIntent } from '../../request/list-query.ts';
import { pageQuery, partOfListQuery, recordsQuery, wholeListQuery } from '../../sql/query.ts';
import type { Selection } from '../../sql/selection.ts';
import { committed, searching } from '../../unit/reads.ts';
import {
  type Caller,
  languageMode,
  parentValues,
  queryContext,
  type Read,
  readOf,
  type Service,
  type Target,
} from '../../unit/service.ts';
import { unknownParent } from '../read.ts';

export interface Page {
  readonly records: readonly ShownRecord[];
  /** Their identifiers. */
  readonly ids: readonly Value[];
  /** How many records the filters let through. */
  readonly total: number;
}

export async function list(
  service: Service,
  caller: Caller,
  target: Target,
  intent: ListIntent,
): Promise<Page | Problem> {
  const { name, selection, statements } = readOf(service, target.place, languageMode(caller), intent.fields);
  const rows = await pageRows(service, caller, target, intent, { name: `page ${name}`, selection, statements });
  if (isProblem(rows)) return rows;
  const records = shownRows(rows, selection);
  return { records: records.map((row) => selection.record(row, caller)), ...identified(rows, selection) };
}

/** Which records a page shows, without reading what they show. */
export async function listIds(
  service: Service,
  caller: Caller,
  target: Target,
  intent: ListIntent,
): Promise<Omit<Page, 'records'> | Problem> {
  const { statements } = service.whole;
  const name = `page of ids ${target.place.path} ${languageMode(caller)}`;
  const rows = await pageRows(service, caller, target, intent, { name, selection: NOTHING, statements });
  return isProblem(rows) ? rows : identified(rows, NOTHING);
}

/**
 * All that the filters let through, in order, whatever the page: one statement.
 * @param isLong it may take longer than another read; nobody waits for it
 */
export async function listAll(
  service: Service,
  caller: Caller,
  { place }: Target,
  intent: ListIntent,
  isLong: boolean,
): Promise<readonly Value[]> {
  const statement = listStatement('whole', service, caller, place, intent);
  const { database } = service;
  const values = valuesOf(caller, intent);
  const [row] = await (isLong ? database.scan(statement, values) : database.query(statement, values));
  return database.dialect.decode.json(row![0] as never) as unknown as Value[];
}

/** Those of some records that the filters let through, in order. */
export async function listAmong(
  service: Service,
  caller: Caller,
  { place }: Target,
  intent: ListIntent,
  ids: readonly Value[],
): Promise<readonly Value[]> {
  const values = { ...valuesOf(caller, intent), ids: [...ids] };
  const rows = await committed(service, caller).run(listStatement('part', service, caller, place, intent), values);
  return rows.map(([id]) => id as Value);
}

/** Those of these records that there are, by their identifiers: one statement. */
export async function readAll(
  service: Service,
  caller: Caller,
  { place, fields }: Target,
  ids: readonly Value[],
): Promise<ReadonlyMap<Value, ShownRecord>> {
  const mode = languageMode(caller);
  const { name, selection, statements } = readOf(service, place, mode, fields);
  const statement = statements.get(`records ${name}`, () =>
    recordsQuery(place, selection, queryContext(service, mode)),
  );
  const { language, defaultLanguage } = caller;
  const values = { ids: [...ids], language, default_language: defaultLanguage };
  const rows = await committed(service, caller).run(statement, values);
  const id = selection.expressions.length;
  return new Map(rows.map((row) => [row[id] as Value, selection.record(row, caller)]));
}

const LIST_QUERIES = { whole: wholeListQuery, part: partOfListQuery };

function listStatement(
  which: keyof typeof LIST_QUERIES,
  service: Service,
  caller: Caller,
  place: ModelPlace,
  intent: ListIntent,
): Statement {
  const mode = languageMode(caller);
  return service.whole.statements.get(`${which} list ${place.path} ${mode} ${intent.shape}`, () =>
    LIST_QUERIES[which](place, intent, queryContext(service, mode)),
  );
}

function valuesOf({ language, defaultLanguage }: Caller, { values }: ListIntent): Record<string, Value> {
  return { ...values, language, default_language: defaultLanguage };
}

const NOTHING: Selection = { expressions: [], joins: sql``, record: () => ({}) };

async function pageRows(
  service: Service,
  caller: Caller,
  target: Target,
  intent: ListIntent,
  { name, selection, statements }: Read,
): Promise<Row[] | Problem> {
  const { place } = target;
  const statement = statements.get(`${name} ${intent.shape}`, () =>
    pageQuery(place, selection, intent, queryContext(service, languageMode(caller))),
  );
  const reads = searching(service, caller);
  const unfit = place.declaration.admission ? await unknownParent(reads, target) : undefined;
  if (unfit) return unfit;
  const rows = await reads.run(statement, {
    ...parentValues(target),
    ...valuesOf(caller, intent),
    limit: intent.itemsPerPage,
    offset: (intent.page - 1) * intent.itemsPerPage,
  });
  const unknown = totalOf(rows, selection) === 0 ? await unknownParent(reads, target) : undefined;
  return unknown ?? rows;
}

/** Behind the values of each row are its id, its version and the total; on an empty page there is a row without an id. */
function shownRows(rows: readonly Row[], { expressions }: Selection): Row[] {
  return rows.filter((row) => row[expressions.length] !== null);
}

function identified(rows: readonly Row[], selection: Selection): Omit<Page, 'records'> {
  const id = selection.expressions.length;
  return { ids: shownRows(rows, selection).map((row) => row[id] as Value), total: totalOf(rows, selection) };
}

function totalOf(rows: readonly Row[], { expressions }: Selection): number {
  return Number(rows[0]![expressions.length + 2]);
}
