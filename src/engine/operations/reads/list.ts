/**
 * Reads one page of a collection with a single statement, regardless of its length and of linked records. Also reads
 * the identifiers of whole lists for caches.
 */
import { sql } from 'kysely';
import { isProblem, type Problem } from '../../errors.ts';
import type { ShownRecord } from '../../field.ts';
import type { ModelRoute } from '../../model/model.ts';
import type { Row, Statement, Value } from '../../ports.ts';
import { hasPositions, isSortedById } from '../../request/list-position.ts';
import type { ListPosition, ListQuery } from '../../request/list-query.ts';
import { positionShape, positionTypes, positionValues, readPosition } from '../../sql/position.ts';
import { pageQuery, partOfListQuery, positionsQuery, recordsQuery, wholeListQuery } from '../../sql/query.ts';
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
  /** Number of matching records. If it may be estimated, every number above `ESTIMATED_COUNT_MAX` means the same. */
  readonly total: number;
  /** Whether records follow the page. */
  readonly hasNext: boolean;
  /** The position of the last record, if records follow and the list has positions. */
  readonly end?: ListPosition | undefined;
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
  const records = shownRows(rows, selection, listQuery).map((row) => selection.record(row, requestOptions));
  const source = { service, reads: searching(service, requestOptions), languages: requestOptions };
  await evaluateFields(source, target.route, listQuery.fields, records);
  return { records, ...identified(service, target.route, listQuery, rows, selection) };
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
  return isProblem(rows) ? rows : identified(service, target.route, listQuery, rows, NO_OUTPUT);
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

/** Returns the positions of those of the given records that match, by identifier. The list must have positions. */
export async function listPositions(
  service: Service,
  requestOptions: RequestOptions,
  { route }: Target,
  listQuery: ListQuery,
  ids: readonly Value[],
): Promise<ReadonlyMap<Value, ListPosition>> {
  if (isSortedById(route, listQuery)) return new Map(ids.map((id) => [id, [id]]));
  const values = { ...valuesOf(requestOptions, listQuery), ids: [...ids] };
  const statement = listStatement('positions', service, requestOptions, route, listQuery);
  const rows = await committed(service, requestOptions).run(statement, values);
  const positions = rows.map((row) => readPosition(positionTypes(route, listQuery), row, service.database.dialect));
  return new Map(positions.map((position) => [position.at(-1)!, position]));
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

const LIST_QUERIES = { whole: wholeListQuery, part: partOfListQuery, positions: positionsQuery };

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
  const { after, isEstimated, itemsPerPage } = listQuery;
  const form = `${after ? positionShape(after) : ''} ${isEstimated === true}`;
  const statement = statements.get(`${name} ${listQuery.shape} ${form}`, () =>
    pageQuery(route, selection, listQuery, queryContext(service, languageMode(requestOptions))),
  );
  const reads = searching(service, requestOptions);
  const inadmissible = route.declaration.admission ? await unknownParent(reads, target) : undefined;
  if (inadmissible) return inadmissible;
  const rows = await reads.run(statement, {
    ...parentValues(target),
    ...valuesOf(requestOptions, listQuery),
    ...(after ? positionValues(after) : {}),
    limit: looksAhead(listQuery) ? itemsPerPage + 1 : itemsPerPage,
    offset: after ? 0 : (listQuery.page - 1) * itemsPerPage,
  });
  const unknown = totalOf(rows, selection) === 0 ? await unknownParent(reads, target) : undefined;
  return unknown ?? rows;
}

/** Whether the total does not show if records follow the page, so that one more record has to be read. */
function looksAhead({ after, isEstimated }: ListQuery): boolean {
  return after !== undefined || isEstimated === true;
}

/** A row has id, version and total after the values of the record. An empty page has one row without an id. */
function shownRows(rows: readonly Row[], { expressions }: Selection, { itemsPerPage }: ListQuery): Row[] {
  return rows.filter((row) => row[expressions.length] !== null).slice(0, itemsPerPage);
}

function identified(
  service: Service,
  route: ModelRoute,
  listQuery: ListQuery,
  rows: readonly Row[],
  selection: Selection,
): Omit<Page, 'records'> {
  const index = selection.expressions.length;
  const shown = shownRows(rows, selection, listQuery);
  const total = totalOf(rows, selection);
  const { page, itemsPerPage } = listQuery;
  const hasNext = looksAhead(listQuery) ? rows.length > itemsPerPage : page * itemsPerPage < total;
  const last = hasNext && hasPositions(route, listQuery) ? shown.at(-1) : undefined;
  const values = last && [...last.slice(index + 3), last[index]];
  const end = values && readPosition(positionTypes(route, listQuery), values, service.database.dialect);
  return { ids: shown.map((row) => row[index] as Value), total, hasNext, end };
}

function totalOf(rows: readonly Row[], { expressions }: Selection): number {
  return Number(rows[0]![expressions.length + 2]);
}
