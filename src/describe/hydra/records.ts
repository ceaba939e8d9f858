/**
 * Records as JSON-LD: `@context`, `@id` and `@type` before the fields, and before those of the records inside. A record
 * that can be read at no address that is known has no `@id`.
 */
import {
  addressOf,
  type Known,
  type ModelField,
  type ModelResource,
  type ModelRoute,
  pascalCase,
  recordAddress,
  type ShownRecord,
  translationsPath,
  type Value,
  type View,
} from '../../engine/index.ts';
import { contextPath } from './vocabulary.ts';

/** Where a record was found. */
export interface Location {
  readonly route: ModelRoute;
  readonly parents: readonly Value[];
  /** The value of the record's own parameter, where the address has one. */
  readonly id?: Value;
}

/** One record as an answer of its own. */
export function itemOf(location: Location, record: ShownRecord): ShownRecord {
  return { '@context': contextPath(location.route.resource.name), ...memberOf(location, record) };
}

/** One record of a collection, which has the context. */
export function memberOf({ route, parents, id }: Location, record: ShownRecord): ShownRecord {
  const { resource, item, outputs } = route;
  const known: Known = (field) => {
    if (route.fixed.has(field)) return route.fixed.get(field);
    const index = route.parents.findIndex((parent) => parent.field === field);
    return index === -1 ? valueIn(record, field) : parents[index];
  };
  const own = item && (record[item.name] ?? id);
  const here = route.operations.has('read') ? recordAddress(route, parents, own) : undefined;
  const address = addressOf(resource, known) ?? here;
  return withKeywords(address, resource, outputs, record, known);
}

/** The record that one field of another shows, as an answer of its own. */
export function shownOf(location: Location, field: string, record: ShownRecord): ShownRecord {
  const target = location.route.resource.fields.get(field)!.target!;
  return { '@context': contextPath(target.name), ...embedded(target, record, (known) => valueIn(record, known)) };
}

/** A view of a record, with its counts. */
export function viewOf({ route, parents, id }: Location, view: View, record: ShownRecord): ShownRecord {
  const name = viewClass(route.resource, view);
  const address = `${recordAddress(route, parents, id)}/${view.name}`;
  return { '@context': contextPath(name), '@id': address, '@type': name, ...record };
}

/** A record's own texts: those of one language, or of each by its code, for which JSON-LD has no class. */
export function textsOf(
  { route, parents, id }: Location,
  language: string | undefined,
  record: ShownRecord,
): ShownRecord {
  const name = translationClass(route.resource);
  const address = recordAddress({ path: translationsPath(route) }, parents, route.item && id);
  const context = { '@context': contextPath(name) };
  if (language !== undefined) return { ...context, '@id': `${address}/${language}`, '@type': name, ...record };
  const each = Object.entries(record).map(([code, texts]): [string, Value] => [
    code,
    { '@id': `${address}/${code}`, '@type': name, ...(texts as ShownRecord) },
  ]);
  return { ...context, '@id': address, '@type': 'hydra:Resource', ...Object.fromEntries(each) };
}

/** The class of a record's texts in one language. */
export function translationClass({ name }: ModelResource): string {
  return `${name}Translation`;
}

/** The class of what a view counts. */
export function viewClass({ name }: ModelResource, view: View): string {
  return `${name}${pascalCase(view.name)}`;
}

/** Whether a field shows records, not what they are known by. */
function showsRecords({ storage }: ModelField): boolean {
  switch (storage.in) {
    case 'link':
    case 'links':
      return storage.embedded;
    case 'parts':
    case 'part':
    case 'path':
      return true;
    case 'column':
    case 'translation':
    case 'count':
    case 'sum':
    case 'linked':
    case 'nothing':
      return false;
  }
}

function withKeywords(
  address: string | undefined,
  resource: ModelResource,
  outputs: readonly ModelField[],
  record: ShownRecord,
  known: Known,
): ShownRecord {
  const keywords: ShownRecord = address === undefined ? {} : { '@id': address };
  keywords['@type'] = resource.name;
  const shown: ShownRecord = { ...keywords, ...record };
  for (const field of fieldsWithRecords(outputs)) {
    const value = record[field.name];
    if (value === undefined || value === null) continue;
    const target = field.target!;
    // A part knows what it is a part of from where it is shown.
    const owner = field.storage.in === 'parts' || field.storage.in === 'part' ? target.owner : undefined;
    const inside = (one: Value): Value => {
      const part = one as ShownRecord;
      return embedded(target, part, (wanted) =>
        wanted === owner ? known(identifierOf(resource)) : valueIn(part, wanted),
      );
    };
    shown[field.name] = Array.isArray(value) ? value.map(inside) : inside(value);
  }
  return shown;
}

function embedded(target: ModelResource, record: ShownRecord, known: Known): ShownRecord {
  return withKeywords(addressOf(target, known), target, target.outputs, record, known);
}

function identifierOf({ fields, identifierField }: ModelResource): ModelField {
  return fields.get(identifierField)!;
}

/** The value in a record's own output; of a link that shows the whole record it is the identifier. */
function valueIn(record: ShownRecord, field: ModelField): Value | undefined {
  const value = record[field.name];
  if (value === null || value === undefined || !showsRecords(field)) return value;
  return (value as ShownRecord)[field.target!.identifierField];
}

/** Found once for each list of outputs: it is asked for every record of every answer. */
const withRecords = new WeakMap<readonly ModelField[], readonly ModelField[]>();

function fieldsWithRecords(outputs: readonly ModelField[]): readonly ModelField[] {
  const known = withRecords.get(outputs);
  if (known) return known;
  const found = outputs.filter(showsRecords);
  withRecords.set(outputs, found);
  return found;
}
