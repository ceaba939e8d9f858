/** The current output of records that the journal told, each as its own path shows it: one statement for each place. */
import { sql } from 'kysely';
import type { ShownRecord } from '../../field.ts';
import type { ModelPlace, ModelResource } from '../../model/model.ts';
import { API_PATH } from '../../own-address.ts';
import { Slot, type Value } from '../../ports.ts';
import { committed } from '../../unit/reads.ts';
import { type Caller, languageMode, readOf, type Service } from '../../unit/service.ts';

interface Told {
  readonly resource: string;
  readonly id: Value;
  readonly path: string;
}

/** @returns those of the records that there are, by their paths */
export async function readTold(
  service: Service,
  caller: Caller,
  told: readonly Told[],
): Promise<ReadonlyMap<string, ShownRecord>> {
  const places = new Map<ModelPlace, Map<Value, string>>();
  for (const { resource, id, path } of told) {
    const place = placeAt(service.model.resources.get(resource), path);
    if (place) places.set(place, (places.get(place) ?? new Map()).set(id, path));
  }
  const shown = new Map<string, ShownRecord>();
  for (const [place, paths] of places)
    for (const [id, record] of await readAt(service, caller, place, [...paths.keys()]))
      shown.set(paths.get(id)!, record);
  return shown;
}

/** The place that a path is of. */
function placeAt(resource: ModelResource | undefined, path: string): ModelPlace | undefined {
  const segments = path.slice(API_PATH.length).split('/');
  return resource?.places.find(({ path: form, operations }) => {
    const own = form.split('/');
    const isAlike = (segment: string, index: number): boolean => segment.startsWith('{') || segment === segments[index];
    return operations.has('read') && own.length === segments.length && own.every(isAlike);
  });
}

async function readAt(
  service: Service,
  caller: Caller,
  place: ModelPlace,
  ids: readonly Value[],
): Promise<[id: Value, record: ShownRecord][]> {
  const { table, identifierField, identifierType } = place.resource;
  const { name, selection, statements } = readOf(service, place, languageMode(caller), undefined);
  const statement = statements.get(`told ${name}`, (dialect) => {
    const id = sql.id('a', identifierField);
    const listed = dialect.listed(new Slot('ids', identifierType, true));
    return sql`select ${sql.join([...selection.expressions, id])} from ${sql.table(table)} as ${sql.id('a')} ${selection.joins}
      where ${id} in (select value from ${listed})`;
  });
  const { language, defaultLanguage } = caller;
  const values = { ids: [...ids], language, default_language: defaultLanguage };
  const rows = await committed(service, caller).run(statement, values);
  return rows.map((row) => [row[selection.expressions.length] as Value, selection.record(row, caller)]);
}
