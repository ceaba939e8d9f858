/**
 * Reads one page of a collection with a single statement, regardless of its length and of linked records. Also reads
 * the identifiers of whole lists for caches.
 */
import { sql } from 'kysely';
import { isProblem, type Problem } from '../../errors.ts';
import type { ShownRecord } from '../../field.ts';
import type { ModelRoute } from '../../model/model.ts';
import type { Row, Statement, Value } from '../../ports.ts';
import type { ListQuery } from '../../request/list-query.ts';
import { pageQuery, partOfListQuery, recordsQuery, wholeListQuery } from '../../sql/query.ts';
import type { Selection } from '../../sql/selection.ts';
import { evaluateFields } from '../../unit/evaluated-fields.ts';
import { committed, searching } from '../../unit/reads.ts';
import {
  languageMode,
  parentValues,
  queryContext,
  type Read,
  type RequestOptions,
  readOf,
  type Service,
  type Target,
} from '../../unit/service.ts';
import { unknownParent } from '../read.ts';

export interface Page {
  readonly records: readonly ShownRecord[];
  /** Identifiers of the records. */
  readonly ids: readonly Value[];
  /** Number of matching records. */
  readonly total: number;
}

export async function list(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: ListQuery,
): Promise<Page | Problem> {
  const { name, selection, statements } = readOf(service, target.route, languageMode(requestOptions), listQuery.fields);
  const rows = await pageRows(service, requestOptions, target, listQuery, {
    name: `page ${name}`,
    selection,
    statements,
  });
  if (isProblem(rows)) return rows;
  const records = shownRows(rows, selection).map((row) => selection.record(row, requestOptions));
  const source = { service, reads: searching(service, requestOptions), languages: requestOptions };
  await evaluateFields(source, target.route, listQuery.fields, records);
  return { records, ...identified(rows, selection) };
}

/** Reads the identifiers of a page without its records. */
export async function listIds(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: ListQuery,
): Promise<Omit<Page, 'records'> | Problem> {
  const { statements } = service.whole;
  const name = `page of ids ${target.route.path} ${languageMode(requestOptions)}`;
  const rows = await pageRows(service, requestOptions, target, listQuery, { name, selection: NO_OUTPUT, statements });
  return isProblem(rows) ? rows : identified(rows, NO_OUTPUT);
}

/**
 * Reads the identifiers of all matching records, in order, ignoring the page, with one statement.
 * @param isLong runs as a background scan that may take longer than other reads
 */
export async function listAll(
  service: Service,
  requestOptions: RequestOptions,
  { route }: Target,
  listQuery: ListQuery,
  isLong: boolean,
): Promise<readonly Value[]> {
  const statement = listStatement('whole', service, requestOptions, route, listQuery);
  const { database } = service;
  const values = valuesOf(requestOptions, listQuery);
  const [row] = await (isLong ? database.scan(statement, values) : database.query(statement, values));
  return database.dialect.decode.json(row![0] as never) as unknown as Value[];
}

/** Returns those of the given records that match, in order. */
export async function listAmong(
  service: Service,
  requestOptions: RequestOptions,
  { route }: Target,
  listQuery: ListQuery,
  ids: readonly Value[],
): Promise<readonly Value[]> {
  const values = { ...valuesOf(requestOptions, listQuery), ids: [...ids] };
  const rows = await committed(service, requestOptions).run(
    listStatement('part', service, requestOptions, route, listQuery),
    values,
  );
  return rows.map(([id]) => id as Value);
}

/** Reads those of the given records that exist, by identifier, with one statement. */
export async function readAll(
  service: Service,
  requestOptions: RequestOptions,
  { route, fields }: Target,
  ids: readonly Value[],
): Promise<ReadonlyMap<Value, ShownRecord>> {
  const mode = languageMode(requestOptions);
  const { name, selection, statements } = readOf(service, route, mode, fields);
  const statement = statements.get(`records ${name}`, () =>
    recordsQuery(route, selection, queryContext(service, mode)),
  );
  const { language, defaultLanguage } = requestOptions;
  const values = { ids: [...ids], language, default_language: defaultLanguage };
  const rows = await committed(service, requestOptions).run(statement, values);
  const id = selection.expressions.length;
  const records = rows.map((row) => selection.record(row, requestOptions));
  await evaluateFields(
    { service, reads: committed(service, requestOptions), languages: requestOptions },
    route,
    fields,
    records,
  );
  return new Map(rows.map((row, index) => [row[id] as Value, records[index]!]));
}

const LIST_QUERIES = { whole: wholeListQuery, part: partOfListQuery };

function listStatement(
  which: keyof typeof LIST_QUERIES,
  service: Service,
  requestOptions: RequestOptions,
  route: ModelRoute,
  listQuery: ListQuery,
): Statement {
  const mode = languageMode(requestOptions);
  return service.whole.statements.get(`${which} list ${route.path} ${mode} ${listQuery.shape}`, () =>
    LIST_QUERIES[which](route, listQuery, queryContext(service, mode)),
  );
}

/** Bind values of a list without its page. */
export function valuesOf({ language, defaultLanguage }: RequestOptions, { values }: ListQuery): Record<string, Value> {
  return { ...values, language, default_language: defaultLanguage };
}

/** Selects identifiers only. */
export const NO_OUTPUT: Selection = { expressions: [], joins: sql``, record: () => ({}) };

async function pageRows(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
  listQuery: ListQuery,
  { name, selection, statements }: Read,
): Promise<Row[] | Problem> {
  const { route } = target;
  const statement = statements.get(`${name} ${listQuery.shape}`, () =>
    pageQuery(route, selection, listQuery, queryContext(service, languageMode(requestOptions))),
  );
  const reads = searching(service, requestOptions);
  const inadmissible = route.declaration.admission ? await unknownParent(reads, target) : undefined;
  if (inadmissible) return inadmissible;
  const rows = await reads.run(statement, {
    ...parentValues(target),
    ...valuesOf(requestOptions, listQuery),
    limit: listQuery.itemsPerPage,
    offset: (listQuery.page - 1) * listQuery.itemsPerPage,
  });
  const unknown = totalOf(rows, selection) === 0 ? await unknownParent(reads, target) : undefined;
  return unknown ?? rows;
}

/** Each row ends with id, version and total. An empty page has one row without an id. */
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
