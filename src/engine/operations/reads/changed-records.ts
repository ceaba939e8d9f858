/** Reads the current output of records from journal entries, by their paths, with one statement per route. */
import { sql } from 'kysely';
import type { ShownRecord } from '../../field.ts';
import type { ModelResource, ModelRoute } from '../../model/model.ts';
import { API_PATH } from '../../own-address.ts';
import { BindParam, type Value } from '../../ports.ts';
import { committed } from '../../unit/reads.ts';
import { languageMode, type RequestOptions, readOf, type Service } from '../../unit/service.ts';

interface ChangedRecord {
  readonly resource: string;
  readonly id: Value;
  readonly path: string;
}

/** @returns the records that exist, by path */
export async function readChangedRecords(
  service: Service,
  requestOptions: RequestOptions,
  changed: readonly ChangedRecord[],
): Promise<ReadonlyMap<string, ShownRecord>> {
  const routes = new Map<ModelRoute, Map<Value, string>>();
  for (const { resource, id, path } of changed) {
    const route = routeAt(service.model.resources.get(resource), path);
    if (route) routes.set(route, (routes.get(route) ?? new Map()).set(id, path));
  }
  const shown = new Map<string, ShownRecord>();
  for (const [route, paths] of routes)
    for (const [id, record] of await readAt(service, requestOptions, route, [...paths.keys()]))
      shown.set(paths.get(id)!, record);
  return shown;
}

/** The route of a path. */
function routeAt(resource: ModelResource | undefined, path: string): ModelRoute | undefined {
  const segments = path.slice(API_PATH.length).split('/');
  return resource?.routes.find(({ path: form, operations }) => {
    const own = form.split('/');
    const isAlike = (segment: string, index: number): boolean => segment.startsWith('{') || segment === segments[index];
    return operations.has('read') && own.length === segments.length && own.every(isAlike);
  });
}

async function readAt(
  service: Service,
  requestOptions: RequestOptions,
  route: ModelRoute,
  ids: readonly Value[],
): Promise<[id: Value, record: ShownRecord][]> {
  const { table, identifierField, identifierType } = route.resource;
  const { name, selection, statements } = readOf(service, route, languageMode(requestOptions), undefined);
  const statement = statements.get(`changed ${name}`, (dialect) => {
    const id = sql.id('a', identifierField);
    const listed = dialect.listed(new BindParam('ids', identifierType, true));
    return sql`select ${sql.join([...selection.expressions, id])} from ${sql.table(table)} as ${sql.id('a')} ${selection.joins}
      where ${id} in (select value from ${listed})`;
  });
  const { language, defaultLanguage } = requestOptions;
  const values = { ids: [...ids], language, default_language: defaultLanguage };
  const rows = await committed(service, requestOptions).run(statement, values);
  return rows.map((row) => [row[selection.expressions.length] as Value, selection.record(row, requestOptions)]);
}
