/**
 * Records as JSON-LD, with `@context`, `@id` and `@type`. Embedded records have `@id` and `@type` too. A record without a
 * known path has no `@id`.
 */
import {
  API_PATH,
  addressOf,
  collectionAddress,
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

/** Route and path parameters of a record. */
export interface Location {
  readonly route: ModelRoute;
  readonly parents: readonly Value[];
  /** Value of the record's own path parameter, if the route has one. */
  readonly id?: Value;
}

/** Returns a record as a response. */
export function itemOf(location: Location, record: ShownRecord): ShownRecord {
  return { '@context': contextPath(location.route.resource.name), ...memberOf(location, record) };
}

/** Returns a record as a member of a collection, without a context. The record of a dry run has no `@id`. */
export function memberOf({ route, parents, id }: Location, record: ShownRecord): ShownRecord {
  const { resource, item, outputs } = route;
  const known: Known = (field) => {
    if (route.fixed.has(field)) return route.fixed.get(field);
    const index = route.parents.findIndex((parent) => parent.field === field);
    return index === -1 ? valueIn(record, field) : parents[index];
  };
  const own = item && (record[item.name] ?? id);
  const isIdentified = !item || (own !== undefined && own !== null);
  const routePath = route.operations.has('read') && isIdentified ? recordAddress(route, parents, own) : undefined;
  const address = addressOf(resource, known) ?? routePath;
  return withKeywords(address, resource, outputs, record, known);
}

/** Returns the record that a field of another record shows, as a response. */
export function shownOf(location: Location, field: string, record: ShownRecord): ShownRecord {
  const target = location.route.resource.fields.get(field)!.target!;
  return { '@context': contextPath(target.name), ...embedded(target, record, (known) => valueIn(record, known)) };
}

/** Returns a view of a record as a response. */
export function viewOf({ route, parents, id }: Location, view: View, record: ShownRecord): ShownRecord {
  const name = viewClass(route.resource, view);
  const address = `${recordAddress(route, parents, id)}/${view.name}`;
  if ('output' in view && view.isList) {
    const members = record as unknown as ShownRecord[];
    return {
      ...{ '@context': contextPath(name), '@id': address, '@type': 'hydra:Collection' },
      'hydra:totalItems': members.length,
      'hydra:member': members.map((member) => ({ '@type': name, ...member })),
    };
  }
  return { '@context': contextPath(name), '@id': address, '@type': name, ...record };
}

/** Returns a quote as a response. */
export function quoteOf(route: ModelRoute, record: ShownRecord): ShownRecord {
  const name = quoteClass(route.resource);
  return { '@context': contextPath(name), '@id': `${collectionAddress(route, [])}/quote`, '@type': name, ...record };
}

/** Returns a search with facets as a response. Its records are members without a context. */
export function facetedOf(route: ModelRoute, found: object): object {
  const name = facetedClass(route.resource);
  return { '@context': contextPath(name), '@id': `${API_PATH}${route.faceted!.path}`, '@type': name, ...found };
}

/** Returns the translations of a record as a response: one language, or an object by language if it is undefined. */
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

/** Name of the class of a record's texts in one language. */
export function translationClass({ name }: ModelResource): string {
  return `${name}Translation`;
}

/** Name of the class of a view. */
export function viewClass({ name }: ModelResource, view: View): string {
  return `${name}${pascalCase(view.name)}`;
}

/** Name of the class of a quote. */
export function quoteClass({ name }: ModelResource): string {
  return `${name}Quote`;
}

/** Name of the class of a search with facets. */
export function facetedClass({ name }: ModelResource): string {
  return `${name}Search`;
}

/** Whether a field shows records rather than identifiers. */
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
    case 'summary':
    case 'linkedText':
    case 'linkedValues':
    case 'inheritedTotal':
    case 'environment':
    case 'evaluated':
    case 'count':
    case 'average':
    case 'sum':
    case 'linked':
    case 'texts':
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
    // A part does not show its owner, which is the record that contains it.
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

/** Returns a value of a record's output; for an embedded record, its identifier. */
function valueIn(record: ShownRecord, field: ModelField): Value | undefined {
  const value = record[field.name];
  if (value === null || value === undefined || !showsRecords(field)) return value;
  return (value as ShownRecord)[field.target!.identifierField];
}

/** Cached, because every record of every response needs it. */
const cachedFields = new WeakMap<readonly ModelField[], readonly ModelField[]>();

function fieldsWithRecords(outputs: readonly ModelField[]): readonly ModelField[] {
  const cached = cachedFields.get(outputs);
  if (cached) return cached;
  const fields = outputs.filter(showsRecords);
  cachedFields.set(outputs, fields);
  return fields;
}
