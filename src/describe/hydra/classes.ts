/**
 * Classes of the Hydra documentation. Each resource has a class with all fields of all its routes. A top-level collection
 * with fewer fields also has a class of its own.
 */
import {
  type Field,
  type JsonSchema,
  lowerFirst,
  type Model,
  type ModelField,
  type ModelListField,
  type ModelResource,
  type ModelRoute,
  type Operation,
  pascalCase,
  plural,
  withArticle,
  words,
  writtenTexts,
} from '../../engine/index.ts';
import { routeSuffix } from '../openapi/schemas.ts';
import { facetedClass, quoteClass, translationClass, viewClass } from './records.ts';

export interface Property {
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly isReadable: boolean;
  readonly isWriteable: boolean;
}

export interface ClassDescription {
  readonly name: string;
  /** The class of the resource, if this is the class of one of its collections. */
  readonly of: string | undefined;
  readonly description: string;
  readonly properties: readonly Property[];
  /** Operations on one record. */
  readonly operations: ReadonlySet<Operation>;
}

/** A collection at the top level, without parent records. */
interface TopCollection {
  /** Name in the entrypoint. */
  readonly key: string;
  readonly route: ModelRoute;
  readonly className: string;
}

export function topCollections(model: Model): TopCollection[] {
  return described(model).flatMap((resource) => {
    const routes = resource.routes.filter((route) => route.parents.length === 0 && route.operations.has('list'));
    return routes.map((route, index) => ({
      key: lowerFirst(index === 0 ? resource.name : pascalCase(route.collectionPath)),
      route,
      className: classOf(route).name,
    }));
  });
}

/** Returns all classes that occur in responses. */
export function classes(model: Model): ClassDescription[] {
  const resources = new Set(described(model));
  // The set grows during the iteration, because embedded records can embed others.
  for (const resource of resources) for (const target of shownInside(model, resource)) resources.add(target);
  const ofRoutes = topCollections(model).map(({ route }) => classOf(route));
  const views = [...resources].flatMap((resource) => resource.views.flatMap((view) => viewDescription(resource, view)));
  const quotes = [...resources].flatMap(quoteDescription);
  const searches = [...resources].flatMap(({ routes }) => routes.flatMap(searchDescription));
  const texts = described(model).flatMap(translationDescription);
  const all = [...[...resources].map(classOfResource), ...ofRoutes, ...views, ...quotes, ...searches, ...texts];
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

/** Returns the class with all fields of a resource. */
export function classOfResource(resource: ModelResource): ClassDescription {
  return describeClass(resource, resource.name, resource.routes);
}

/** Returns the name of the resource that a field's schema embeds, if any. */
export function resourceIn({ output, items }: JsonSchema): string | undefined {
  if (typeof output === 'string') return output;
  return items === undefined ? undefined : resourceIn(items as JsonSchema);
}

/** Returns the documented resources: those with a group or a tag. */
function described({ resources }: Model): ModelResource[] {
  return [...resources.values()].filter(
    ({ declaration }) => declaration.group !== undefined || declaration.tag !== undefined,
  );
}

function shownInside({ resources }: Model, resource: ModelResource): ModelResource[] {
  const names = classOfResource(resource).properties.flatMap(({ schema }) => resourceIn(schema) ?? []);
  return names.map((name) => resources.get(name)!);
}

function classOf(route: ModelRoute): ClassDescription {
  const { resource } = route;
  const whole = classOfResource(resource);
  const own = describeClass(resource, `${resource.name}${routeSuffix(route)}`, [route]);
  return isSame(own, whole) || own.name === whole.name ? whole : own;
}

function isSame(one: ClassDescription, other: ClassDescription): boolean {
  const signature = ({ properties, operations }: ClassDescription): string =>
    JSON.stringify([properties.map(({ schema: _, ...property }) => property), [...operations].sort()]);
  return signature(one) === signature(other);
}

function describeClass(resource: ModelResource, name: string, routes: readonly ModelRoute[]): ClassDescription {
  const { fields, declaration } = resource;
  const at = (
    field: ModelField,
    operations: readonly Operation[],
    which: 'outputs' | 'onRequest' | 'inserts' | 'updates',
  ): boolean =>
    routes.some((route) => operations.some((each) => route.operations.has(each)) && [...route[which]].includes(field));
  const isShownAt = (field: ModelField): boolean =>
    at(field, ['read', 'list', 'create'], 'outputs') || at(field, ['read', 'list'], 'onRequest');
  // A resource without routes exists only inside other records.
  const isInside = routes.length === 0;
  const properties = [...fields.values()].map((field): Property => {
    const isReadable = isInside ? resource.outputs.includes(field) : isShownAt(field);
    const isMade = isInside ? field.field.groups.includes('insert') : at(field, ['create'], 'inserts');
    return {
      name: field.name,
      description: field.field.description,
      schema: isReadable ? field.field.outputSchema : field.field.inputSchema,
      isRequired: isMade && field.field.required,
      isReadable,
      isWriteable: isMade || at(field, ['replace', 'patch'], 'updates'),
    };
  });
  return {
    name,
    of: name === resource.name ? undefined : resource.name,
    description: declaration.description,
    properties: [
      ...properties.filter(({ isReadable, isWriteable }) => isReadable || isWriteable),
      ...(routes.some(({ listField }) => listField) ? [listProperty(resource.listField!)] : []),
    ],
    operations: new Set(routes.flatMap((route) => itemOperations(route))),
  };
}

function listProperty({ field: { name, field } }: ModelListField): Property {
  return {
    name,
    description: field.description,
    schema: field.outputSchema,
    isRequired: false,
    isReadable: true,
    isWriteable: false,
  };
}

/** POST is an item operation only for single records, which are created at their own path. */
function itemOperations({ operations, item }: ModelRoute): Operation[] {
  return [...operations].filter((operation) => operation !== 'list' && (operation !== 'create' || item === undefined));
}

/** Returns the class of a resource's texts in one language; empty if it has no translatable texts. */
function translationDescription(resource: ModelResource): ClassDescription[] {
  const routes = resource.routes.filter(({ texts }) => texts.length > 0);
  const written = new Set(routes.flatMap(writtenTexts));
  const texts = resource.translations.filter((field) => routes.some((route) => route.texts.includes(field)));
  if (texts.length === 0) return [];
  const properties = texts.map((field) => ({
    name: field.name,
    description: field.field.description,
    schema: field.field.outputSchema,
    isRequired: written.has(field) && field.field.required,
    isReadable: true,
    isWriteable: written.has(field),
  }));
  const operations = new Set<Operation>(written.size > 0 ? ['read', 'replace', 'remove'] : ['read']);
  const description = `The texts of ${withArticle(resource.name)} in one language.`;
  return [{ name: translationClass(resource), of: undefined, description, properties, operations }];
}

/** Returns the class of a view; empty if the view shows a field, which has its own class. */
function viewDescription(resource: ModelResource, view: ModelResource['views'][number]): ClassDescription[] {
  return 'shows' in view ? [] : [classOfOutput(viewClass(resource, view), view.summary, view.output)];
}

/** Returns the class of a resource's quotes, if it has them. */
function quoteDescription(resource: ModelResource): ClassDescription[] {
  const { quote } = resource.declaration;
  return quote ? [classOfOutput(quoteClass(resource), quote.summary, quote.output)] : [];
}

/** Returns the class of a search with facets; empty if the route has none. */
function searchDescription({ resource, faceted, collectionPath }: ModelRoute): ClassDescription[] {
  if (!faceted) return [];
  const records = plural(words(resource.name));
  const property = (name: string, description: string, schema: JsonSchema): Property => ({
    ...{ name, description, schema, isRequired: false },
    ...{ isReadable: true, isWriteable: false },
  });
  const properties = [
    property(collectionPath.slice(1), `A page of ${records}.`, { type: 'array', items: { output: resource.name } }),
    property('facets', `Numbers of ${records} by the values of fields.`, { type: 'object' }),
    property('highlights', `Found words of each of the ${records}.`, { type: 'object' }),
    property('search', 'How the search was read.', { type: 'object' }),
  ];
  const description = `A page of ${records} with facets.`;
  return [
    { name: facetedClass(resource), of: undefined, description, properties, operations: new Set<Operation>(['read']) },
  ];
}

function classOfOutput(name: string, summary: string, output: Readonly<Record<string, Field>>): ClassDescription {
  const properties = Object.entries(output).map(([member, { description, outputSchema }]) => ({
    name: member,
    description,
    schema: outputSchema,
    isRequired: false,
    isReadable: true,
    isWriteable: false,
  }));
  const operations = new Set<Operation>(['read']);
  return { name, of: undefined, description: `${summary}.`, properties, operations };
}
