/**
 * Compiles a declared route: its parents, filters and orders, and its fields in input and output. `parentsOf` resolves
 * references to other routes once all routes exist.
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
  type ModelOrder,
  type ModelParent,
  type ModelResource,
  type ModelRoute,
} from './model.ts';

/** Returns a function that rejects the route's declaration. @see contradict */
function rejectorOf(resource: ModelResource, { path }: Route): (fault: string, remedy: string) => never {
  return (fault, remedy) => contradict(resource.name, `path ${path} ${fault}`, remedy);
}

function checkDeclaredRoute(resource: ModelResource, route: Route): void {
  const wrong = rejectorOf(resource, route);
  const segments = route.path.split('/').slice(1);
  const last = parameterOf(segments.at(-1) ?? '');
  if (!route.path.startsWith('/') || (route.single ? last !== undefined : segments.length < 2 || last === undefined))
    wrong('does not end with the record’s parameter', 'write it like /things/{id}, or declare the route single');
  const parameters = segments.map(parameterOf).join();
  for (const alias of route.aliases ?? [])
    if (alias.split('/').slice(1).map(parameterOf).join() !== parameters)
      wrong(`has other parameters than its alias ${alias}`, 'use the same parameters in the same order');
  for (const operation of ['replace', 'patch', 'remove'] as const)
    if (route.operations.includes(operation) && !route.operations.includes('read'))
      wrong(`offers ${operation} without read`, `add read to its operations, or remove ${operation}`);
  if (route.single && route.operations.includes('list')) wrong('is single, so it cannot offer list', 'remove list');
}

export function createRoute(resource: ModelResource, route: Route): ModelRoute {
  checkDeclaredRoute(resource, route);
  const { declaration } = resource;
  const wrong = rejectorOf(resource, route);
  const named = (name: string, remedy: string): ModelField =>
    resource.fields.get(name) ?? wrong(`names ${name}, which is not a field`, remedy);
  for (const name of route.without ?? []) named(name, 'leave out declared fields');
  const fields = new Map([...resource.fields].filter(([name]) => !route.without?.includes(name)));
  const inGroup = (group: Group): ModelField[] =>
    [...fields.values()].filter(({ field }) => field.groups.includes(group));
  const shownFilters = (route.filters ?? declaration.filters ?? []).filter(
    (filter) => fields.has(fieldName(filter)) || !resource.fields.has(fieldName(filter)),
  );
  const readable = inGroup(route.groups?.read ?? 'read').filter(isShowable);
  const outputs = readable.filter(({ field }) => !field.onRequest);
  const updates = new Set(inGroup(route.groups?.update ?? 'update'));
  return {
    resource,
    path: route.path,
    collectionPath: collectionOf(route.path, route),
    aliases: (route.aliases ?? []).map((path) => ({ path, collectionPath: collectionOf(path, route) })),
    parameter: parameterOf(route.path.split('/').at(-1)!),
    item: route.single
      ? undefined
      : named(route.item ?? resource.identifierField, 'name the link that the parameter means'),
    // Set once all routes exist.
    parents: [],
    fixed: new Map(
      Object.entries(route.fixed ?? {}).map(([name, value]) => [named(name, 'fix declared fields'), value]),
    ),
    fields,
    outputs,
    onRequest: readable.filter(({ field }) => field.onRequest),
    importable: new Set(inGroup('all')),
    inserts: new Set(inGroup(route.groups?.insert ?? 'insert')),
    updates,
    texts: textsOf(route, [...fields.values()], outputs, updates),
    declaration: route,
    unknownParent: route.unknownParent ?? 'invalid-argument',
    operations: new Set(route.operations),
    ...createFilters(resource, shownFilters, fields),
    orders: createOrders(resource, route.orders ?? declaration.orders ?? [], fields),
    faceted: facetedOf(resource, route, named),
    listField: route.parents ? undefined : resource.listField,
  };
}

function facetedOf(
  { declaration }: ModelResource,
  route: Route,
  named: (name: string, remedy: string) => ModelField,
): ModelRoute['faceted'] {
  const { facets, routes } = declaration;
  if (!facets || route !== routes[0]) return undefined;
  const fields = facets.by.map((name): [string, ModelField] => [name, named(name, 'count by declared fields')]);
  return { path: `${collectionOf(route.path, route)}/${facets.path}`, facets: new Map(fields) };
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

/** The output fields whose values only a real creation assigns: a dry run shows null instead. */
export function unassignedFields({ outputs }: ModelRoute): ModelField[] {
  return outputs.filter(({ isIdentifier, field }) => isIdentifier || field.numbered);
}

/** The path of a bulk write, or of a bulk run of an action. */
export function bulkPath({ collectionPath }: Pick<ModelRoute, 'collectionPath'>, action?: Action): string {
  return [collectionPath, ...(action ? [`/${action.name}`] : []), '/bulk'].join('');
}

/** The bulk operations of a route: undefined for the write of records, and the actions that support bulk. */
export function bulksAt(route: ModelRoute): (Action | undefined)[] {
  const { bulk, routes, actions } = route.resource;
  if (bulk?.collected) return route.path === bulk.collected.path ? [undefined] : [];
  if (!bulk || !route.operations.has('create')) return [];
  // Actions exist only on the resource's first route.
  return [undefined, ...(route === routes[0] ? actions.filter((action) => action.bulk) : [])];
}

/** The fields that can identify the records of a bulk. The first is the default. */
export function bulkKeys({ resource: { bulk, identifierField } }: ModelRoute): string[] {
  const { by, createsOnly } = bulk!;
  return createsOnly || by.isIdentifier ? [by.name] : [by.name, identifierField];
}

/** The modes of a bulk: which records it creates or updates. The first is the default. */
export function bulkModes({ resource: { bulk } }: ModelRoute): ('upsert' | 'create' | 'update')[] {
  const { by, createsOnly } = bulk!;
  if (createsOnly) return ['upsert', 'create'];
  return by.isIdentifier ? ['upsert', 'update'] : ['upsert', 'create', 'update'];
}

/** The route whose inputs the lines of a bulk have. The route of a collected bulk has no creation of its own. */
export function bulkWriteRoute(route: ModelRoute): ModelRoute {
  const { bulk, routes } = route.resource;
  return bulk!.collected ? routes.find(({ operations }) => operations.has('create'))! : route;
}

/** The path of a record's texts in all languages. */
export function translationsPath({ path }: Pick<ModelRoute, 'path'>): string {
  return `${path}/translations`;
}

/** The path of a record's texts in one language. */
export function translationPath(route: Pick<ModelRoute, 'path'>): string {
  return `${translationsPath(route)}/{${LANGUAGE_PARAMETER}}`;
}

export const LANGUAGE_PARAMETER = 'code';

/** The texts that can be written by language at a route; empty if it offers no updates. */
export function writtenTexts({ texts, operations, updates }: ModelRoute): ModelField[] {
  const isWritten = operations.has('replace') || operations.has('patch');
  return isWritten ? texts.filter((field) => updates.has(field)) : [];
}

/** Resolves each parameter before the record's own: the link that it sets, and the route of the parent record. */
export function parentsOf(route: ModelRoute, routes: readonly ModelRoute[]): ModelParent[] {
  const { resource, declaration } = route;
  const segments = route.path.split('/').slice(1, declaration.single ? undefined : -1);
  const parents: ModelParent[] = [];
  for (const [index, segment] of segments.entries()) {
    const parameter = parameterOf(segment);
    if (parameter === undefined) continue;
    const prefix = formOf(`/${segments.slice(0, index + 1).join('/')}`);
    const at = routes.find((other) => !other.declaration.single && formOf(other.path) === prefix);
    parents.push(createParent(route, parameter, at));
  }
  for (const parameter of Object.keys(declaration.parents ?? {}))
    if (!parents.some((parent) => parent.parameter === parameter))
      rejectorOf(resource, declaration)(`has no {${parameter}}`, 'remove it from parents, or add it to the path');
  return parents;
}

function createParent(route: ModelRoute, parameter: string, at: ModelRoute | undefined): ModelParent {
  const { resource, declaration } = route;
  const wrong = rejectorOf(resource, declaration);
  const name = declaration.parents?.[parameter];
  const field = name === undefined ? undefined : resource.fields.get(name);
  if (name !== undefined && field?.storage.in !== 'link' && field?.storage.in !== 'linked')
    wrong(`maps {${parameter}} to ${name}, which is not a link`, 'name the link field in parents');
  if (field?.storage.in === 'linked' && [...route.operations].some((operation) => operation !== 'list'))
    wrong(
      `maps {${parameter}} through ${field.target!.name}, so it can only offer list`,
      'remove the other operations',
    );
  const target = (field && linkedResource(field)) ?? at?.resource;
  if (!target) return wrong(`has {${parameter}}, which sets no link`, 'name the link field in parents');
  return { parameter, target, field, at: declaration.admission ? undefined : at };
}

/** A path with anonymous parameters. */
export function formOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

export function sortable(resource: ModelResource, name: string, where: string): ModelField {
  const field = resource.fields.get(name);
  if (!field) return contradict(resource.name, `${where} ${name} is not a field`, 'sort by a declared field');
  const isReference = field.storage.in === 'link' && !field.storage.embedded;
  if (field.storage.in !== 'column' && field.storage.in !== 'translation' && !isReference)
    contradict(
      resource.name,
      `${where} ${name} is of the kind ${field.field.kind}, which cannot be sorted by`,
      'sort by a field with one value',
    );
  const isText = field.storage.in === 'translation' || (field.storage.in === 'column' && field.storage.type === 'text');
  if (isText && field.field.selective && !field.field.searchable && !field.isIdentifier)
    contradict(
      resource.name,
      `${where} ${name} is a text without a search key to sort by`,
      'declare the field searchable',
    );
  return field;
}

/** Whether the field can appear in output. */
export function isShowable({ storage }: ModelField): boolean {
  return storage.in !== 'nothing' && storage.in !== 'linked' && storage.in !== 'texts';
}

const collectionOf = (path: string, { single }: Route): string =>
  single ? path : path.slice(0, path.lastIndexOf('/'));
const parameterOf = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];
const fieldName = (filter: Filter): string => (typeof filter === 'string' ? filter : filter.field);

function createFilters(
  resource: ModelResource,
  declared: readonly Filter[],
  shown: ReadonlyMap<string, ModelField>,
): Pick<ModelRoute, 'filters' | 'keyedFilters'> {
  const filters = new Map<string, ModelFilter>();
  const keyedFilters = new Map<string, ModelFilter>();
  for (const filter of [...identifierIn(resource, shown), ...declared]) {
    const options: Exclude<Filter, string> = typeof filter === 'string' ? { field: filter } : filter;
    const { field: name, partial = false, values, aliases = [], elseNone } = options;
    const field = resource.fields.get(name);
    if (!field) return contradict(resource.name, `filter ${name} is not a field`, 'filter by a declared field');
    const kind = checkFilter(field, partial);
    const isLink = !field.isIdentifier && linksRecords(field);
    const made = {
      name,
      field,
      kind,
      isLink,
      linkedField: undefined,
      partial,
      values,
      elseNone: elseNone && elseNoneOf(resource, name, elseNone),
    };
    if (isKeyed(field)) {
      keyedFilters.set(name, made);
      continue;
    }
    for (const known of [name, ...aliases]) filters.set(known, made);
    if (isLink) for (const each of linkedFilters(field)) filters.set(each.name, each);
  }
  return { filters, keyedFilters };
}

function isKeyed({ storage }: ModelField): boolean {
  return storage.in === 'linked' && storage.keyed !== undefined;
}

/** @returns the kind of the filter's values @throws {ContradictoryDeclaration} if the field cannot be filtered by */
function checkFilter({ resource, name, field, storage, target }: ModelField, partial: boolean): FilterKind {
  const wrong = (fault: string, remedy: string): never => contradict(resource.name, `filter ${name} ${fault}`, remedy);
  if (!field.filter || storage.in === 'nothing')
    return wrong(`is of the kind ${field.kind}, which cannot be filtered by`, 'remove it from the filters');
  if (partial && !field.searchable) wrong('is partial, but the text has no search key', 'declare the field searchable');
  if (field.filter === 'name' && !target?.naming)
    wrong(`finds ${target?.name} by name, but it has no unique name`, 'give it one, or show ids');
  return field.filter;
}

function linksRecords({ storage, field }: ModelField): boolean {
  return storage.in === 'link' || storage.in === 'links' || (storage.in === 'linked' && field.filter === 'identifier');
}

/** Additional filters of a link by one field of the linked record: its identifier (`tags.id`) or its name. */
function linkedFilters(field: ModelField): ModelFilter[] {
  const { fields, identifierField, naming } = linkedResource(field);
  const named = fields.get('name');
  const isNamed = named && named !== naming && named.storage.in === 'translation' && named.field.searchable;
  const kinds: [ModelField, FilterKind][] = [
    [fields.get(identifierField)!, 'identifier'],
    ...(naming ? [[naming, 'name'] as [ModelField, FilterKind]] : []),
    ...(isNamed ? [[named, 'sharedName'] as [ModelField, FilterKind]] : []),
  ];
  return kinds.map(([linkedField, kind]) => ({
    name: `${field.name}.${linkedField.name}`,
    field,
    kind,
    isLink: false,
    linkedField,
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
    (each) => fields.get(each) ?? contradict(name, `filter ${filter}: ${each} is not a field`, 'name declared fields'),
  );
  return { every, unless: named };
}

/** Every collection that shows the identifier can be filtered and sorted by it, also under the name `id`. */
function identifierIn(
  { identifierField, fields }: ModelResource,
  shown: ReadonlyMap<string, ModelField>,
): { field: string; aliases: string[] }[] {
  return shown.has(identifierField) ? [{ field: identifierField, aliases: fields.has('id') ? [] : ['id'] }] : [];
}

const nameOf = ({ field }: ModelOrder): string => field.name;

function createOrders(
  resource: ModelResource,
  declared: NonNullable<Route['orders']>,
  shown: ReadonlyMap<string, ModelField>,
): Map<string, ModelField> {
  const orders = new Map<string, ModelField>();
  for (const order of [...identifierIn(resource, shown), ...resource.defaultOrder.map(nameOf), ...declared]) {
    const { field: name, aliases } = typeof order === 'string' ? { field: order, aliases: [] } : order;
    const field = sortable(resource, name, 'order');
    for (const known of [name, ...aliases]) orders.set(known, field);
  }
  return orders;
}
