/**
 * The JSON-LD form beside the plain one: the media types of one answer or body, each with its schema and an example. The
 * examples are made by what makes the answers. Shapes of this form have names that end with `.jsonld`.
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

/** An answer has no named example: Specmatic refuses a name that no request example has. */
export function exampled(schema: Reference | JsonSchema, value: unknown): Media {
  return { schema, example: value };
}

/** A body has a named one: of the other kind, converters to Postman take the member `value` where the body has one. */
export function exampledBody(schema: Reference | JsonSchema, value: unknown): Media {
  return { schema, examples: { default: { value } } };
}

/** A schema of records, in the form that is written. */
type SchemaOf = (context: DocumentContext) => Reference | JsonSchema;

/** One record. @param show how the answer shows the example */
export function recordContent(
  context: DocumentContext,
  schemaOf: SchemaOf,
  example: object,
  show: (record: ShownRecord) => object,
): Content {
  const linked = {
    allOf: [keywords(context, 'Record.jsonld', ['@context', '@id', '@type']), schemaOf(inLinkedForm(context))],
  };
  return {
    [JSON_TYPE]: exampled(schemaOf(context), example),
    [LD_TYPE]: exampled(linked, show(example as ShownRecord)),
  };
}

/** An object of such by language. @param show how the answer shows the example */
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

/** The record of a place. */
export function itemContent(context: DocumentContext, route: ModelRoute, schemaOf: SchemaOf, example: object): Content {
  return recordContent(context, schemaOf, example, (record) => itemOf(exampleLocation(route), record));
}

/** A page of a collection. @param show how the answer shows the example */
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

/** A problem. */
export function problemSchemas(context: DocumentContext, schema: Reference, isOfBody: boolean): Reference {
  const name = isOfBody ? 'ConstraintViolationList' : 'Error';
  return context.components.refer('schemas', `${name}.jsonld`, () => ({
    description: 'The failure, as Hydra describes it, beside the members of RFC 9457.',
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

/** Where the example of a place's record is. */
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
    description: 'The members that JSON-LD adds to the fields of a record.',
    properties: Object.fromEntries(names.map((each) => [each, KEYWORDS[each]])),
    required: names,
  }));
}

function collectionSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Collection.jsonld', () => ({
    type: 'object',
    description: 'A page of a collection, as Hydra has it.',
    properties: {
      ...KEYWORDS,
      '@type': { type: 'string', enum: ['hydra:Collection'] },
      'hydra:totalItems': { type: 'integer', description: 'Number of all items that the filters leave.' },
      'hydra:member': { type: 'array', items: { type: 'object' }, description: 'The items of this page.' },
      'hydra:view': {
        type: 'object',
        description: 'This page and the others.',
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
        description: 'The filters and orders that the collection has.',
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

/** With one of the ways to search: an answer has them all. */
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
