/**
 * Content of responses and bodies in plain JSON and in JSON-LD, each with its schema and an example. The functions that build
 * JSON-LD responses also build the examples. Names of JSON-LD schemas end with `.jsonld`. They describe the keywords that all
 * resources have in common; the other properties are those of plain JSON.
 */

import type { JsonSchema, ModelRoute, ShownRecord, Value } from '../../engine/index.ts';
import { type CollectionPage, collectionOf } from '../hydra/collections.ts';
import { hydraProblem } from '../hydra/problems.ts';
import { itemOf, type Location } from '../hydra/records.ts';
import type { DocumentContext, Reference } from './components.ts';
import { identifierExample } from './examples.ts';
import { ADDRESS, KEYWORDS } from './keywords.ts';
import { isSame } from './schemas.ts';

export const JSON_TYPE = 'application/json';
export const LD_TYPE = 'application/ld+json';

/** The content of a media type. */
interface Media {
  readonly schema: Reference | JsonSchema;
  readonly example?: unknown;
  readonly examples?: Record<string, object>;
}

export type Content = Record<string, Media>;

/** Responses have an unnamed example: Specmatic rejects a name that no request example has. */
export function exampled(schema: Reference | JsonSchema, value: unknown): Media {
  return { schema, example: value };
}

/** Bodies have a named example: with an unnamed one, Postman converters misread a body that has a member `value`. */
export function exampledBody(schema: Reference | JsonSchema, value: unknown): Media {
  return { schema, examples: { default: { value } } };
}

/**
 * Content of a body: an object in plain JSON or in JSON-LD, where the schema and the example are the same.
 *
 * @param types - media types of plain JSON
 */
export function bodyContent(
  schema: Reference | JsonSchema,
  example: object,
  types: readonly string[] = [JSON_TYPE],
): Content {
  const plain = types.map((type) => [type, exampledBody(schema, example)]);
  return { ...Object.fromEntries(plain), [LD_TYPE]: { schema } };
}

/** Content with one record. @param show - converts the example to its JSON-LD response */
export function recordContent(
  context: DocumentContext,
  schema: Reference | JsonSchema,
  example: object,
  show: (record: ShownRecord) => object,
  keywordSchema = recordKeywords(context),
): Content {
  // Clients whose type of a record is the union of all media types can read its fields.
  const linked = { allOf: [keywordSchema, schema] };
  return {
    [JSON_TYPE]: exampled(schema, example),
    [LD_TYPE]: exampled(linked, show(example as ShownRecord)),
  };
}

/** Content with an object of records by language. @param show - converts the example to its JSON-LD response */
export function translationsContent(
  context: DocumentContext,
  schema: Reference,
  example: object,
  show: (record: ShownRecord) => object,
): Content {
  // Generated types have an index signature, which must include the keywords.
  const values = { anyOf: [schema, { type: 'string' }] };
  const linked = { allOf: [recordKeywords(context), { type: 'object', additionalProperties: values }] };
  return {
    [JSON_TYPE]: exampled({ type: 'object', additionalProperties: schema }, example),
    [LD_TYPE]: exampled(linked, show(example as ShownRecord)),
  };
}

/** Content with a record of a route. */
export function itemContent(
  context: DocumentContext,
  route: ModelRoute,
  schema: Reference | JsonSchema,
  example: object,
): Content {
  return recordContent(context, schema, example, (record) => itemOf(exampleLocation(route), record));
}

/** Content with a record of a route as a dry run returns it, which has no address. */
export function trialContent(context: DocumentContext, route: ModelRoute, schema: Reference, example: object): Content {
  const location = { ...exampleLocation(route), id: null };
  const keywordSchema = keywords(context, 'DryRun.jsonld', ['@context', '@type']);
  return recordContent(context, schema, example, (record) => itemOf(location, record), keywordSchema);
}

/** Content with a page of a collection. @param show - converts the example to its JSON-LD response */
export function collectionContent(
  context: DocumentContext,
  items: Reference | JsonSchema,
  example: object,
  show: (record: ShownRecord) => object,
): Content {
  return {
    [JSON_TYPE]: exampled({ type: 'array', items }, [example]),
    [LD_TYPE]: exampled(collectionSchema(context), show(example as ShownRecord)),
  };
}

/** Content with a list without pages. @param show - converts the example to its JSON-LD response */
export function listContent(
  context: DocumentContext,
  items: Reference | JsonSchema,
  example: object,
  show: (members: readonly ShownRecord[]) => object,
): Content {
  const member = keywords(context, 'ListMember.jsonld', ['@type']);
  const linked = context.components.refer('schemas', 'List.jsonld', () => ({
    type: 'object',
    description: 'A Hydra collection without pages.',
    properties: {
      ...KEYWORDS,
      '@type': { type: 'string', enum: ['hydra:Collection'] },
      'hydra:totalItems': { type: 'integer', description: 'Number of members.' },
      'hydra:member': { type: 'array', items: member, description: 'The members of the list.' },
    },
    required: ['@context', '@id', '@type', 'hydra:totalItems', 'hydra:member'],
  }));
  return {
    [JSON_TYPE]: exampled({ type: 'array', items }, [example]),
    [LD_TYPE]: exampled(linked, show([example as ShownRecord])),
  };
}

/** The JSON-LD schema of a problem. */
export function problemSchemas(context: DocumentContext, schema: Reference, isOfBody: boolean): Reference {
  const name = isOfBody ? 'ConstraintViolationList' : 'Error';
  return context.components.refer('schemas', `${name}.jsonld`, () => ({
    description: 'A problem with the members of Hydra and of RFC 9457.',
    type: 'object',
    properties: {
      '@context': ADDRESS,
      '@type': { type: 'string', enum: [isOfBody ? name : 'hydra:Error'] },
      'hydra:title': TEXT,
      'hydra:description': TEXT,
    },
    required: ['@context', '@type', 'hydra:title', 'hydra:description'],
    allOf: [schema],
  }));
}

export const problemExample = hydraProblem;

/**
 * Returns the location of a route's example record. Routes with the same output have the same example, so that they share
 * their responses. It is that of the first of these routes.
 */
export function exampleLocation({ resource, outputs, texts }: ModelRoute): Location & { readonly id: Value } {
  const isAlike = (other: ModelRoute): boolean => isSame(other.outputs, outputs) && isSame(other.texts, texts);
  const route = resource.routes.find(isAlike)!;
  const { item } = route;
  const parents = route.parents.map(({ target }) => identifierExample(target));
  return {
    route,
    parents,
    id: item?.storage.in === 'link' ? identifierExample(item.target!) : identifierExample(resource),
  };
}

const TEXT = { type: 'string' };

function recordKeywords(context: DocumentContext): Reference {
  return keywords(context, 'Record.jsonld', ['@context', '@id', '@type']);
}

function keywords({ components }: DocumentContext, name: string, names: readonly (keyof typeof KEYWORDS)[]): Reference {
  return components.refer('schemas', name, () => ({
    type: 'object',
    description: 'The JSON-LD keywords of a record. Linked records have keywords as well.',
    properties: Object.fromEntries(names.map((each) => [each, KEYWORDS[each]])),
    required: names,
  }));
}

function collectionSchema(context: DocumentContext): Reference {
  const member = keywords(context, 'Member.jsonld', ['@id', '@type']);
  return context.components.refer('schemas', 'Collection.jsonld', () => ({
    type: 'object',
    description: 'A page of a Hydra collection.',
    properties: {
      ...KEYWORDS,
      '@type': { type: 'string', enum: ['hydra:Collection'] },
      'hydra:totalItems': { type: 'integer', description: 'Number of all items that match the filters.' },
      'hydra:member': { type: 'array', items: member, description: 'The items of this page.' },
      'hydra:view': {
        type: 'object',
        description: 'Links to this page and other pages; always present.',
        properties: {
          '@id': ADDRESS,
          '@type': { type: 'string', enum: ['hydra:PartialCollectionView'] },
          'hydra:first': { ...ADDRESS, description: 'Missing if `itemsPerPage` is 0 in lenient mode.' },
          'hydra:last': ADDRESS,
          'hydra:previous': ADDRESS,
          'hydra:next': ADDRESS,
        },
        required: ['@id', '@type'],
      },
      'hydra:search': {
        type: 'object',
        description: 'The filters and orders of the collection; always present.',
        properties: {
          '@type': { type: 'string', enum: ['hydra:IriTemplate'] },
          'hydra:template': TEXT,
          'hydra:variableRepresentation': TEXT,
          'hydra:mapping': {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                '@type': { type: 'string', enum: ['IriTemplateMapping'] },
                variable: TEXT,
                property: TEXT,
                required: { type: 'boolean' },
              },
              required: ['@type', 'variable', 'property', 'required'],
            },
          },
        },
        required: ['@type', 'hydra:template', 'hydra:variableRepresentation', 'hydra:mapping'],
      },
    },
    required: ['@context', '@id', '@type', 'hydra:totalItems', 'hydra:member'],
    // Clients whose type of a list is the union of all media types, such as openapi-fetch, can so read `data.length`.
    additionalProperties: true,
  }));
}

/** Returns the example of a collection with one record. */
export function collectionExample(described: ModelRoute, record: ShownRecord): object {
  const { route, parents } = exampleLocation(described);
  return withoutLinks(collectionOf(route, parents, examplePage(record)));
}

/** Returns the page of a collection with one record. */
export function examplePage(record: ShownRecord): CollectionPage {
  return { records: [record], total: 1, addresses: { self: '', first: '', last: '' } };
}

/** Removes the links to other pages and the templates of search parameters, which would be longer than the rest. */
export function withoutLinks(page: object): object {
  const links = ['hydra:view', 'hydra:search'];
  return Object.fromEntries(Object.entries(page).filter(([name]) => !links.includes(name)));
}
