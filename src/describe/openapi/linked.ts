/**
 * Content of responses and bodies in plain JSON and in JSON-LD, each with its schema and an example. The functions that build
 * JSON-LD responses also build the examples. Names of JSON-LD schemas end with `.jsonld`.
 */

import type { JsonSchema, ModelRoute, ShownRecord, Value } from '../../engine/index.ts';
import type { CollectionPage } from '../hydra/collections.ts';
import { collectionOf } from '../hydra/collections.ts';
import { hydraProblem } from '../hydra/problems.ts';
import { itemOf, type Location } from '../hydra/records.ts';
import type { DocumentContext, Reference } from './components.ts';
import { identifierExample } from './examples.ts';
import { ADDRESS, KEYWORDS } from './keywords.ts';

export const JSON_TYPE = 'application/json';
export const LD_TYPE = 'application/ld+json';

/** The content of a media type. */
export interface Media {
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

/** Creates a schema in the form of the context. */
type SchemaOf = (context: DocumentContext) => Reference | JsonSchema;

/** Content with one record. @param show - converts the example to its JSON-LD response */
export function recordContent(
  context: DocumentContext,
  schemaOf: SchemaOf,
  example: object,
  show: (record: ShownRecord) => object,
  keywordSchema = keywords(context, 'Record.jsonld', ['@context', '@id', '@type']),
): Content {
  const linked = { allOf: [keywordSchema, schemaOf(inLinkedForm(context))] };
  return {
    [JSON_TYPE]: exampled(schemaOf(context), example),
    [LD_TYPE]: exampled(linked, show(example as ShownRecord)),
  };
}

/** Content with an object of records by language. @param show - converts the example to its JSON-LD response */
export function translationsContent(
  context: DocumentContext,
  schemaOf: SchemaOf,
  example: object,
  show: (record: ShownRecord) => object,
): Content {
  const linked = {
    type: 'object',
    properties: KEYWORDS,
    required: Object.keys(KEYWORDS),
    additionalProperties: schemaOf(inLinkedForm(context)),
  };
  return {
    [JSON_TYPE]: exampled({ type: 'object', additionalProperties: schemaOf(context) }, example),
    [LD_TYPE]: exampled(linked, show(example as ShownRecord)),
  };
}

/** Content with a record of a route. */
export function itemContent(context: DocumentContext, route: ModelRoute, schemaOf: SchemaOf, example: object): Content {
  return recordContent(context, schemaOf, example, (record) => itemOf(exampleLocation(route), record));
}

/** Content with a record of a route as a dry run returns it, which has no address. */
export function trialContent(
  context: DocumentContext,
  route: ModelRoute,
  schemaOf: SchemaOf,
  example: object,
): Content {
  const location = { ...exampleLocation(route), id: null };
  const keywordSchema = keywords(context, 'DryRun.jsonld', ['@context', '@type']);
  return recordContent(context, schemaOf, example, (record) => itemOf(location, record), keywordSchema);
}

/** Content with a page of a collection. @param show - converts the example to its JSON-LD response */
export function collectionContent(
  context: DocumentContext,
  schemaOf: SchemaOf,
  example: object,
  show: (record: ShownRecord) => object,
): Content {
  const member = { allOf: [keywords(context, 'Member.jsonld', ['@id', '@type']), schemaOf(inLinkedForm(context))] };
  const linked = {
    allOf: [
      collectionSchema(context),
      { type: 'object', properties: { 'hydra:member': { type: 'array', items: member } } },
    ],
  };
  return {
    [JSON_TYPE]: exampled({ type: 'array', items: schemaOf(context) }, [example]),
    [LD_TYPE]: exampled(linked, show(example as ShownRecord)),
  };
}

function inLinkedForm(context: DocumentContext): DocumentContext {
  return { ...context, isLinked: true };
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

/** Returns the location of a route's example record. */
export function exampleLocation(route: ModelRoute): Location & { readonly id: Value } {
  const { item, resource } = route;
  const parents = route.parents.map(({ target }) => identifierExample(target));
  return {
    route,
    parents,
    id: item?.storage.in === 'link' ? identifierExample(item.target!) : identifierExample(resource),
  };
}

const TEXT = { type: 'string' };

function keywords({ components }: DocumentContext, name: string, names: readonly (keyof typeof KEYWORDS)[]): Reference {
  return components.refer('schemas', name, () => ({
    type: 'object',
    description: 'The JSON-LD keywords of a record.',
    properties: Object.fromEntries(names.map((each) => [each, KEYWORDS[each]])),
    required: names,
  }));
}

function collectionSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Collection.jsonld', () => ({
    type: 'object',
    description: 'A page of a Hydra collection.',
    properties: {
      ...KEYWORDS,
      '@type': { type: 'string', enum: ['hydra:Collection'] },
      'hydra:totalItems': { type: 'integer', description: 'Number of all items that match the filters.' },
      'hydra:member': { type: 'array', items: { type: 'object' }, description: 'The items of this page.' },
      'hydra:view': {
        type: 'object',
        description: 'Links to this page and other pages.',
        properties: {
          '@id': ADDRESS,
          '@type': { type: 'string', enum: ['hydra:PartialCollectionView'] },
          'hydra:first': ADDRESS,
          'hydra:last': ADDRESS,
          'hydra:previous': ADDRESS,
          'hydra:next': ADDRESS,
        },
        required: ['@id', '@type', 'hydra:first', 'hydra:last'],
      },
      'hydra:search': {
        type: 'object',
        description: 'The filters and orders of the collection.',
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
    required: ['@context', '@id', '@type', 'hydra:totalItems', 'hydra:member', 'hydra:view', 'hydra:search'],
  }));
}

/** Returns the example of a collection with only one search parameter. Real responses list all of them. */
export function collectionExample(route: ModelRoute, record: ShownRecord): object {
  const { parents } = exampleLocation(route);
  const page = (self: string): CollectionPage => ({
    records: [record],
    total: 1,
    addresses: { self, first: self, last: self },
  });
  const { '@id': address } = collectionOf(route, parents, page(''));
  const { 'hydra:search': search, ...rest } = collectionOf(route, parents, page(`${address}?page=1`));
  const mapping = search['hydra:mapping'].slice(0, 1);
  const variables = mapping.map(({ variable }) => variable).join(',');
  return {
    ...rest,
    'hydra:search': { ...search, 'hydra:template': `${address}{?${variables}}`, 'hydra:mapping': mapping },
  };
}
