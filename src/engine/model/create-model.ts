/**
 * Compiles and checks the declarations at start, so that requests only read the model. A declaration that contradicts
 * itself or another prevents the start; the error names resource, field and remedy.
 */

import type { Field, Storage } from '../field.ts';
import type { ListField } from '../list-field.ts';
import type { Bulk, Identifier, Resource, Search } from '../resource.ts';
import { contradict } from './contradiction.ts';
import {
  type Model,
  type ModelBulk,
  type ModelField,
  type ModelListField,
  type ModelResource,
  type ModelRoute,
  type ModelSearch,
  snakeCase,
} from './model.ts';
import { checkPaths, checkResource } from './model-checks.ts';
import { createRoute, isShowable, parentsOf, sortable } from './routes.ts';
import { createSecretCheck } from './secret-check.ts';
import { fileColumnOf } from './tables.ts';

/** @throws {ContradictoryDeclaration} */
export function createModel(declarations: readonly Resource[]): Model {
  const resources = new Map<string, ModelResource>();
  for (const declaration of declarations) {
    if (resources.has(declaration.name))
      contradict(declaration.name, 'is declared twice', 'give one of the two another name');
    resources.set(declaration.name, createResource(declaration));
  }
  for (const resource of resources.values()) connect(resource, resources);
  for (const resource of resources.values()) tieTogether(resource, resources);
  for (const resource of resources.values()) resolveRoutes(resource, resources);
  const routes = [...resources.values()].flatMap((resource) => resource.routes);
  for (const route of routes) (route as Mutable<ModelRoute>).parents = parentsOf(route, routes);
  for (const resource of resources.values()) checkResource(resource, resources);
  checkPaths(routes);
  const fields = [...resources.values()].flatMap((resource) => [...resource.fields.values()]);
  const sharedUnique = new Map<string, ModelField[]>();
  for (const field of fields) {
    const name = field.field.unique;
    if (typeof name === 'string') sharedUnique.set(name, [...(sharedUnique.get(name) ?? []), field]);
  }
  const files = fields.flatMap((field) => {
    const column = fileColumnOf(field);
    return column === undefined ? [] : [{ resource: field.resource, column }];
  });
  const namespaces = Map.groupBy(
    fields.filter(({ field }) => field.namespace !== undefined),
    ({ field }) => field.namespace!,
  );
  return Object.freeze({ resources, routes, sharedUnique, namespaces, files });
}

const INTEGER_IDENTIFIER: Identifier = { kind: 'integer' };
const KNOWN_GROUPS = new Set(['all', 'read', 'insert', 'update']);

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function createResource(declaration: Resource): ModelResource {
  const identifier = declaration.identifier ?? INTEGER_IDENTIFIER;
  const identifierField = identifier.kind === 'manual' ? identifier.field : 'id';
  const declared = Object.entries(declaration.fields);
  checkIdentifier(declaration, identifier);
  const resource: Mutable<ModelResource> = {
    name: declaration.name,
    declaration,
    table: snakeCase(declaration.name),
    identifier,
    identifierField,
    identifierType: identifier.kind === 'integer' ? 'integer' : 'text',
    fields: new Map(),
    outputs: [],
    onRequest: [],
    translations: [],
    naming: undefined,
    label: undefined,
    owner: undefined,
    changesOwner: false,
    shownBy: undefined,
    changedAs: undefined,
    isPublishedByOwner: false,
    isUnpublished: declaration.unpublished ?? false,
    changesUnpublished: false,
    linkedFrom: [],
    tree: undefined,
    uniqueTogether: [],
    foundTogether: [],
    search: undefined,
    defaultOrder: [],
    bulk: undefined,
    secretCheck: undefined,
    routes: [],
    actions: declaration.actions ?? [],
    views: declaration.views ?? [],
    listField: undefined,
  };
  const all: [string, Field][] =
    identifier.kind === 'manual' ? declared : [['id', identifierFieldOf(identifier.kind)], ...declared];
  resource.fields = new Map(
    all.map(([name, field]) => [name, createField(resource, name, field, name === identifierField)]),
  );
  const fields = [...resource.fields.values()];
  const readable = fields.filter((field) => field.field.groups.includes('read') && isShowable(field));
  resource.outputs = readable.filter(({ field }) => !field.onRequest);
  resource.onRequest = readable.filter(({ field }) => field.onRequest);
  resource.changesUnpublished = resource.isUnpublished || resource.outputs.some(({ field }) => field.unpublished);
  resource.translations = fields.filter((field) => field.storage.in === 'translation');
  resource.naming = declaration.naming === undefined ? translatedName(fields) : namedBy(resource, declaration.naming);
  resource.owner = fields.find((field) => field.field.owns);
  resource.changesOwner = resource.owner?.field.isIndependent !== true && !resource.isUnpublished;
  resource.tree = fields.find((field) => field.field.tree);
  resource.bulk = declaration.bulk && createBulk(resource, declaration.bulk);
  resource.label = declaration.label === undefined ? undefined : labeledBy(resource, declaration.label);
  return resource;
}

function checkIdentifier({ name, fields }: Resource, identifier: ModelResource['identifier']): void {
  if (identifier.kind !== 'manual' && 'id' in fields)
    contradict(name, 'field id is created by the engine', 'remove it, or declare a manual identifier');
  if (identifier.kind === 'manual' && !(identifier.field in fields))
    contradict(name, `the identifier ${identifier.field} is not a field`, `declare the field ${identifier.field}`);
}

function createBulk(resource: ModelResource, { by, createsOnly = false, collected }: Bulk): ModelBulk {
  const field = resource.fields.get(by);
  const isUnique = field?.storage.in === 'column' && (field.field.unique !== false || field.isIdentifier);
  const isKey = isUnique || field === resource.naming || (collected !== undefined && by in collected.key);
  if (field && isKey) return { by: field, createsOnly, collected };
  return contradict(resource.name, `bulk field ${by} is not a unique text`, 'name a unique text');
}

function createListField(resource: ModelResource, declaration: ListField): ModelListField {
  const { name } = declaration;
  const field = createField(resource, name, { ...declaration.field, storage: { in: 'nothing' } }, false);
  const kind = field.field.filter;
  if (resource.fields.has(name))
    contradict(resource.name, `the list field ${name} has the name of a field`, 'rename one of the two');
  if (resource.identifierType !== 'integer' || (kind !== 'float' && kind !== 'integer'))
    return contradict(
      resource.name,
      `the list field ${name} is no number, or the identifier no integer`,
      'declare a decimal or an integer, in a resource with integer identifiers',
    );
  const plain = { isLink: false, linkedField: undefined, partial: false, values: undefined, elseNone: undefined };
  return { declaration, field, filter: { name, field, kind, ...plain } };
}

function translatedName(fields: readonly ModelField[]): ModelField | undefined {
  return fields.find(
    ({ name, storage, field }) => name === 'name' && storage.in === 'translation' && field.unique === true,
  );
}

function namedBy(resource: ModelResource, name: string): ModelField {
  const field = resource.fields.get(name);
  if (field?.storage.in === 'column' && field.field.unique === true) return field;
  return contradict(resource.name, `naming field ${name} is not a unique text`, 'declare the field unique');
}

function labeledBy(resource: ModelResource, name: string): ModelField {
  const field = resource.fields.get(name);
  if (!resource.owner) contradict(resource.name, `has the label ${name}, but no owner`, 'declare naming instead');
  if (resource.naming)
    contradict(resource.name, `has both the label ${name} and the naming field ${resource.naming.name}`, 'drop label');
  if (field?.storage.in === 'translation') return field;
  return contradict(resource.name, `label ${name} is not a translated text`, 'name a translated text');
}

function identifierFieldOf(kind: 'integer' | 'uuid'): Field {
  const schema = kind === 'integer' ? { type: 'integer' } : { type: 'string', format: 'uuid' };
  return {
    kind: 'identifier',
    storage: { in: 'column', type: kind === 'integer' ? 'integer' : 'text' },
    groups: ['all', 'read'],
    required: false,
    nullable: false,
    default: null,
    preservedOnReplace: true,
    unique: false,
    searchable: false,
    selective: true,
    filter: 'identifier',
    inputSchema: schema,
    outputSchema: schema,
    read: () => undefined,
  };
}

function createField(resource: ModelResource, name: string, field: Field, isIdentifier: boolean): Mutable<ModelField> {
  for (const group of field.groups)
    if (!KNOWN_GROUPS.has(group))
      contradict(resource.name, `field ${name} has the unknown group ${group}`, 'use all, read, insert or update');
  const { storage } = field;
  return {
    name,
    resource,
    field,
    storage,
    column:
      storage.in === 'link'
        ? `${snakeCase(name).replace(/_id$/, '')}_id`
        : storage.in === 'column'
          ? (storage.name ?? snakeCase(name))
          : name,
    isIdentifier,
    target: undefined,
  };
}

/** Second pass: resolves references to other resources. */
function connect(resource: Mutable<ModelResource>, resources: ReadonlyMap<string, ModelResource>): void {
  for (const field of resource.fields.values()) {
    const name = targetName(field.storage);
    if (name === undefined) continue;
    const target = resources.get(name);
    if (!target)
      contradict(
        resource.name,
        `field ${field.name} links to ${name}, which is not declared`,
        `add ${name} to the list of resources`,
      );
    (field as Mutable<ModelField>).target = target;
  }
}

/** Third pass: relations that depend on other resources' fields. */
function tieTogether(resource: Mutable<ModelResource>, resources: ReadonlyMap<string, ModelResource>): void {
  const { owner, declaration } = resource;
  const all = [...resources.values()].flatMap(({ fields }) => [...fields.values()]);
  const links = ({ storage, target }: ModelField): boolean =>
    target === resource && (storage.in === 'link' || storage.in === 'links');
  resource.linkedFrom = all.filter(links);
  const shows = ({ storage, target }: ModelField): boolean =>
    target === resource && (storage.in === 'parts' || storage.in === 'part');
  resource.shownBy = [...(owner?.target?.fields.values() ?? [])].find(shows);
  const { joins } = declaration;
  resource.changedAs = resource.shownBy?.name ?? (typeof joins === 'string' ? joins : undefined);
  resource.isPublishedByOwner = owner !== undefined && (resource.shownBy !== undefined || joins !== undefined);
}

function resolveRoutes(resource: Mutable<ModelResource>, resources: ReadonlyMap<string, ModelResource>): void {
  const { declaration } = resource;
  const named = (name: string): ModelField =>
    resource.fields.get(name) ??
    contradict(resource.name, `unique or found together: ${name} is not a field`, 'name declared fields');
  resource.uniqueTogether = (declaration.uniqueTogether ?? []).map(named);
  resource.foundTogether = (declaration.foundTogether ?? []).map((names) => names.map(named));
  resource.defaultOrder = (declaration.defaultOrder ?? []).map((order) => ({
    field: sortable(resource, typeof order === 'string' ? order : order.field, 'default order'),
    descending: typeof order !== 'string',
  }));
  resource.search = declaration.search && createSearch(resource, declaration.search, resources);
  resource.listField = declaration.listField && createListField(resource, declaration.listField);
  resource.routes = declaration.routes.map((route) => createRoute(resource, route));
  resource.secretCheck = declaration.secretCheck && createSecretCheck(resource, declaration.secretCheck);
}

function createSearch(
  resource: ModelResource,
  { in: texts, ranks = [], newest }: Search,
  resources: ReadonlyMap<string, ModelResource>,
): ModelSearch {
  const named = (of: ModelResource | undefined, name: string): ModelField => {
    const field = of?.fields.get(name);
    const isPart = of === resource || of?.owner?.target === resource;
    if (field?.field.searchable && isPart) return field;
    return contradict(
      resource.name,
      `search in ${name}, which is not a searchable text of it or its parts`,
      'declare the text searchable',
    );
  };
  return {
    in: texts.map((at) => (typeof at === 'string' ? named(resource, at) : named(resources.get(at.parts), at.field))),
    ranks: ranks.map(({ field, has }) => ({ field: named(resource, field), has })),
    orders: (newest === undefined ? [] : [newest, resource.identifierField]).map((name) => ({
      field: sortable(resource, name, 'search'),
      descending: true,
    })),
  };
}

function targetName(storage: Storage): string | undefined {
  if (storage.in === 'link' || storage.in === 'links') return storage.to;
  if (storage.in === 'linked') return storage.through;
  return 'of' in storage && typeof storage.of === 'string' ? storage.of : undefined;
}
