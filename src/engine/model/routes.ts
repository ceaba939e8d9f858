/**
 * Declared places → what a path offers: its parents, filters and orders, the fields that it takes and shows.
 * `parentsOf` looks up names of other resources once every place is known.
 */

import type { FilterKind, Group } from '../field.ts';
import type { Filter, Route } from '../resource.ts';
import type { Action } from '../rules.ts';
import { contradict } from './contradiction.ts';
import {
  type ElseNone,
  linkedResource,
  type ModelField,
  type ModelFilter,
  type ModelParent,
  type ModelResource,
  type ModelRoute,
} from './model.ts';

export function createRoute(resource: ModelResource, route: Route): ModelRoute {
  const { declaration } = resource;
  const wrong = (what: string, remedy: string): never =>
    contradict(resource.name, `path ${route.path}: ${what}`, remedy);
  const segments = route.path.split('/').slice(1);
  const last = parameterOf(segments.at(-1) ?? '');
  if (!route.path.startsWith('/') || (route.single ? last !== undefined : segments.length < 2 || last === undefined))
    wrong('does not end with the record’s parameter', 'write it like /things/{id}, or declare the place single');
  const parameters = segments.map(parameterOf).join();
  for (const alias of route.aliases ?? [])
    if (alias.split('/').slice(1).map(parameterOf).join() !== parameters)
      wrong(`its alias ${alias} has other parameters`, 'name the same ones at the same places');
  for (const operation of ['replace', 'patch', 'remove'] as const)
    if (route.operations.includes(operation) && !route.operations.includes('read'))
      wrong(`offers ${operation} without read`, 'add read to its operations, or take the other away');
  if (route.single && route.operations.includes('list'))
    wrong('is single, so there is nothing to list', 'take list away');
  const named = (name: string, remedy: string): ModelField =>
    resource.fields.get(name) ?? wrong(`${name} is no field`, remedy);
  for (const name of route.without ?? []) named(name, 'leave out declared fields');
  const fields = new Map([...resource.fields].filter(([name]) => !route.without?.includes(name)));
  const inGroup = (group: Group): ModelField[] =>
    [...fields.values()].filter(({ field }) => field.groups.includes(group));
  const shownFilters = (route.filters ?? declaration.filters ?? []).filter(
    (filter) => fields.has(fieldName(filter)) || !resource.fields.has(fieldName(filter)),
  );
  const readable = inGroup(route.groups?.read ?? 'read').filter(isShowable);
  const outputs = readable.filter(({ field }) => !field.asked);
  const updates = new Set(inGroup(route.groups?.update ?? 'update'));
  return {
    resource,
    path: route.path,
    collectionPath: collectionOf(route.path, route),
    aliases: (route.aliases ?? []).map((path) => ({ path, collectionPath: collectionOf(path, route) })),
    parameter: last,
    item: route.single
      ? undefined
      : named(route.item ?? resource.identifierField, 'name the link that the parameter stands for'),
    // Filled in when every place is known.
    parents: [],
    fixed: new Map(
      Object.entries(route.fixed ?? {}).map(([name, value]) => [named(name, 'fix declared fields'), value]),
    ),
    fields,
    outputs,
    asked: readable.filter(({ field }) => field.asked),
    everything: new Set(inGroup('all')),
    inserts: new Set(inGroup(route.groups?.insert ?? 'insert')),
    updates,
    texts: textsOf(route, [...fields.values()], outputs, updates),
    declaration: route,
    unknownParent: route.unknownParent ?? 'invalid-argument',
    operations: new Set(route.operations),
    filters: createFilters(resource, shownFilters, fields),
    orders: createOrders(resource, route.orders ?? declaration.orders ?? [], fields),
  };
}

function textsOf(
  { operations }: Route,
  fields: readonly ModelField[],
  outputs: readonly ModelField[],
  updates: ReadonlySet<ModelField>,
): ModelField[] {
  if (!operations.includes('read')) return [];
  return fields.filter(
    (field) => field.storage.in === 'translation' && (outputs.includes(field) || updates.has(field)),
  );
}

/** Where many records are written, or an action of many is run. */
export function bulkPath({ collectionPath }: Pick<ModelRoute, 'collectionPath'>, action?: Action): string {
  return [collectionPath, ...(action ? [`/${action.name}`] : []), '/bulk'].join('');
}

/** The operations that write many records at a place: those of the records, and those that run an action of each. */
export function bulksAt(route: ModelRoute): (Action | undefined)[] {
  const { bulk, routes, actions } = route.resource;
  if (!bulk || !route.operations.has('create')) return [];
  // Actions are run at the first place alone, one at a time too.
  return [undefined, ...(route === routes[0] ? actions.filter((action) => action.bulk) : [])];
}

/** Where a record's own texts are, by language. */
export function translationsPath({ path }: Pick<ModelRoute, 'path'>): string {
  return `${path}/translations`;
}

/** Where the texts of one language are. */
export function translationPath(route: Pick<ModelRoute, 'path'>): string {
  return `${translationsPath(route)}/{${LANGUAGE_PARAMETER}}`;
}

export const LANGUAGE_PARAMETER = 'code';

/** The texts that are written by language at a place; none where nothing is changed. */
export function writtenTexts({ texts, operations, updates }: ModelRoute): ModelField[] {
  const isWritten = operations.has('replace') || operations.has('patch');
  return isWritten ? texts.filter((field) => updates.has(field)) : [];
}

/** Each parameter before the record's own: the link that it fills in, and where its record is looked for. */
export function parentsOf(route: ModelRoute, routes: readonly ModelRoute[]): ModelParent[] {
  const { resource, declaration } = route;
  const wrong = (what: string, remedy: string): never =>
    contradict(resource.name, `path ${route.path}: ${what}`, remedy);
  const segments = route.path.split('/').slice(1, route.declaration.single ? undefined : -1);
  const parents: ModelParent[] = [];
  for (const [index, segment] of segments.entries()) {
    const parameter = parameterOf(segment);
    if (parameter === undefined) continue;
    const prefix = formOf(`/${segments.slice(0, index + 1).join('/')}`);
    const at = routes.find((other) => !other.declaration.single && formOf(other.path) === prefix);
    const name = declaration.parents?.[parameter];
    const field = name === undefined ? undefined : resource.fields.get(name);
    if (name !== undefined && field?.storage.in !== 'link' && field?.storage.in !== 'linked')
      wrong(`{${parameter}} fills in ${name}, which is no link`, 'name the link field in parents');
    if (field?.storage.in === 'linked' && [...route.operations].some((operation) => operation !== 'list'))
      wrong(`{${parameter}} leads through ${field.target!.name}, so records can only be listed`, 'take the rest away');
    const target = (field && linkedResource(field)) ?? at?.resource;
    if (!target) return wrong(`{${parameter}} fills in no link`, 'name the link field in parents');
    parents.push({ parameter, target, field, at: declaration.admission ? undefined : at });
  }
  for (const parameter of Object.keys(declaration.parents ?? {}))
    if (!parents.some((parent) => parent.parameter === parameter))
      wrong(`has no {${parameter}}`, 'remove it from parents, or add it to the path');
  return parents;
}

/** A path without the names of its parameters. */
export function formOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

export function sortable(resource: ModelResource, name: string, where: string): ModelField {
  const field = resource.fields.get(name);
  if (!field) return contradict(resource.name, `${where} ${name}: is no field`, 'sort by a declared field');
  const isReference = field.storage.in === 'link' && !field.storage.embedded;
  if (field.storage.in !== 'column' && field.storage.in !== 'translation' && !isReference)
    contradict(
      resource.name,
      `${where} ${name}: a ${field.field.kind} cannot be sorted by`,
      'sort by a field with one value',
    );
  const isText = field.storage.in === 'translation' || (field.storage.in === 'column' && field.storage.type === 'text');
  if (isText && field.field.selective && !field.field.searchable && !field.isIdentifier)
    contradict(
      resource.name,
      `${where} ${name}: the text has no search key to sort by`,
      'declare the field searchable',
    );
  return field;
}

/** Whether there is something to show. */
export function isShowable({ storage }: ModelField): boolean {
  return storage.in !== 'nothing' && storage.in !== 'linked';
}

const collectionOf = (path: string, { single }: Route): string =>
  single ? path : path.slice(0, path.lastIndexOf('/'));
const parameterOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];
const fieldName = (filter: Filter): string => (typeof filter === 'string' ? filter : filter.field);

function createFilters(
  resource: ModelResource,
  declared: readonly Filter[],
  shown: ReadonlyMap<string, ModelField>,
): Map<string, ModelFilter> {
  const filters = new Map<string, ModelFilter>();
  for (const filter of [...identifierIn(resource, shown), ...declared]) {
    const {
      field: name,
      partial = false,
      values,
      aliases = [],
      elseNone,
    } = typeof filter === 'string' ? { field: filter } : (filter as Exclude<Filter, string>);
    const field = resource.fields.get(name);
    if (!field) contradict(resource.name, `filter ${name}: is no field`, 'filter by a declared field');
    if (!field.field.filter || field.storage.in === 'nothing')
      contradict(
        resource.name,
        `filter ${name}: a ${field.field.kind} cannot be filtered by`,
        'remove it from the filters',
      );
    if (partial && !field.field.searchable)
      contradict(
        resource.name,
        `filter ${name}: is partial, but the text has no search key`,
        'declare the field searchable',
      );
    if (field.field.filter === 'name' && !field.target?.naming)
      contradict(
        resource.name,
        `filter ${name}: ${field.target?.name} has no unique translated name to find it by`,
        'give it one, or show ids',
      );
    const isLink = !field.isIdentifier && linksRecords(field);
    const made = {
      name,
      field,
      kind: field.field.filter,
      isLink,
      said: undefined,
      partial,
      values,
      elseNone: elseNone && elseNoneOf(resource, name, elseNone),
    };
    for (const known of [name, ...aliases]) filters.set(known, made);
    if (isLink) for (const each of saidFilters(field)) filters.set(each.name, each);
  }
  return filters;
}

function linksRecords({ storage, field }: ModelField): boolean {
  return storage.in === 'link' || storage.in === 'links' || (storage.in === 'linked' && field.filter === 'identifier');
}
/** The filters of a link whose parameter says which is meant: the other record's identifier, or its name. */
function saidFilters(field: ModelField): ModelFilter[] {
  const { fields, identifierField, naming } = linkedResource(field);
  const named = fields.get('name');
  const isNamed = named && named !== naming && named.storage.in === 'translation' && named.field.searchable;
  const kinds: [ModelField, FilterKind][] = [
    [fields.get(identifierField)!, 'identifier'],
    ...(naming ? [[naming, 'name'] as [ModelField, FilterKind]] : []),
    ...(isNamed ? [[named, 'sharedName'] as [ModelField, FilterKind]] : []),
  ];
  return kinds.map(([said, kind]) => ({
    name: `${field.name}.${said.name}`,
    field,
    kind,
    isLink: false,
    said,
    partial: false,
    values: undefined,
    elseNone: undefined,
  }));
}

function elseNoneOf(
  { name, fields }: ModelResource,
  filter: string,
  { every, unless = [] }: NonNullable<Exclude<Filter, string>['elseNone']>,
): ElseNone {
  const named = unless.map(
    (each) => fields.get(each) ?? contradict(name, `filter ${filter}: ${each} is no field`, 'name declared fields'),
  );
  return { every, unless: named };
}

/** Every collection is filtered and sorted by the identifier, where it shows one; `id` means it whatever its name is. */
function identifierIn(
  { identifierField, fields }: ModelResource,
  shown: ReadonlyMap<string, ModelField>,
): { field: string; aliases: string[] }[] {
  return shown.has(identifierField) ? [{ field: identifierField, aliases: fields.has('id') ? [] : ['id'] }] : [];
}

function createOrders(
  resource: ModelResource,
  declared: NonNullable<Route['orders']>,
  shown: ReadonlyMap<string, ModelField>,
): Map<string, ModelField> {
  const orders = new Map<string, ModelField>();
  for (const order of [...identifierIn(resource, shown), ...(resource.declaration.defaultOrder ?? []), ...declared]) {
    const { field: name, aliases } = typeof order === 'string' ? { field: order, aliases: [] } : order;
    const field = sortable(resource, name, 'order');
    for (const known of [name, ...aliases]) orders.set(known, field);
  }
  return orders;
}
