/** The operation of a search with facets (finding.md §2). */
import {
  FACET_RANGES_MAX,
  FACET_VALUES_MAX,
  FACETS_LIMIT_PARAMETER,
  FACETS_MAX,
  FACETS_PARAMETER,
  type JsonSchema,
  type ModelRoute,
  plural,
  type ShownRecord,
  words,
} from '../engine/index.ts';
import { facetedClass, facetedOf, memberOf } from './hydra/records.ts';
import type { DocumentContext, Reference } from './openapi/components.ts';
import { outputExample } from './openapi/examples.ts';
import { notModified } from './openapi/headers.ts';
import { exampleLocation, recordContent } from './openapi/linked.ts';
import { type Parameter, query } from './openapi/parameter.ts';
import { headerParameters, listParameters } from './openapi/parameters.ts';
import { problemResponses } from './openapi/problems.ts';
import { routeOutputSchema } from './openapi/schemas.ts';

export function facetedOperation(context: DocumentContext, route: ModelRoute, tag: string): object {
  const { resource, outputs, collectionPath } = route;
  const records = words(plural(resource.name));
  const { acceptLanguage, ifNoneMatch, preferOfCursors: prefer } = headerParameters;
  const member = collectionPath.slice(1);
  const record = outputExample(resource, outputs, context, route.parents);
  const example = facetedExample(member, record);
  const schema = facetedSchema(context, member, routeOutputSchema(context, route), `${facetedClass(resource)}Output`);
  return {
    tags: [tag],
    operationId: `search${plural(resource.name)}`,
    summary: `Search ${records} and count them by facets`,
    description: `Returns the page of \`${collectionPath}\` with the same parameters, and the numbers of ${records} by the values of fields. A facet ignores the filters on its own field.`,
    parameters: [...listParameters(context, route), ...facetParameters(route), acceptLanguage, ifNoneMatch, prefer],
    responses: {
      200: {
        description: `A page of ${records}, and the facets.`,
        content: recordContent(context, schema, example, (found) =>
          facetedOf(route, {
            ...found,
            [member]: [memberOf(exampleLocation(route), record as ShownRecord)],
          }),
        ),
      },
      304: notModified(context, true),
      ...problemResponses(context),
    },
  };
}

/** The response without facets and search, with one record. */
export function facetedExample(member: string, record: object) {
  return { [member]: [record], facets: {}, highlights: {}, search: null };
}

export function facetParameters({ faceted, keyedFilters }: ModelRoute): Parameter[] {
  const names = [...faceted!.facets].map(([name, { storage }]) => {
    if (storage.in === 'column') return `\`${name}\` (with ranges such as \`${name}:0..25|25..50|50..\`)`;
    return keyedFilters.has(name) ? `\`${name}.ID\`` : `\`${name}\``;
  });
  const [first] = faceted!.facets.keys();
  return [
    {
      ...query(
        FACETS_PARAMETER,
        `Facets to count, separated by commas, at most ${FACETS_MAX}: ${names.join(', ')}. A range includes its lower end only.`,
        { type: 'string', minLength: 1 },
        first,
      ),
    },
    query(
      FACETS_LIMIT_PARAMETER,
      'Maximum number of values of a facet. Selected values are always included.',
      { type: 'integer', minimum: 1, maximum: FACET_VALUES_MAX, default: FACET_VALUES_MAX },
      FACET_VALUES_MAX,
    ),
  ];
}

const COUNT = { type: 'integer', format: 'int64', description: 'Number of records.' };

/**
 * The component of the response.
 * @param member name of the member with the records
 */
export function facetedSchema(
  context: DocumentContext,
  member: string,
  records: JsonSchema,
  component: string,
): Reference {
  const { components } = context;
  const text = (description: string): JsonSchema => ({ type: 'string', description });
  const bound = (description: string): JsonSchema => context.dialect.nullable({ type: 'number', description });
  const values = components.refer('schemas', 'FacetOutput', () => ({
    type: 'object',
    description:
      'Numbers of records by the value of a field: `values` and `more` of linked records, else `ranges`, `min` and `max`.',
    properties: {
      values: {
        type: 'array',
        description: 'The most frequent values, then the other selected ones.',
        items: {
          type: 'object',
          properties: {
            id: { type: 'integer', format: 'int64', description: 'Id of the linked record.' },
            name: text('Its name in the language of the request.'),
            count: COUNT,
            selected: { type: 'boolean', description: 'Whether a filter names it.' },
          },
          required: ['id', 'name', 'count', 'selected'],
        },
      },
      more: { type: 'boolean', description: 'Whether values are missing.' },
      min: bound('The smallest value.'),
      max: bound('The largest value.'),
      ranges: {
        type: 'array',
        description: `At most ${FACET_RANGES_MAX} ranges, as requested.`,
        items: {
          type: 'object',
          properties: { from: bound('Inclusive.'), to: bound('Exclusive.'), count: COUNT },
          required: ['from', 'to', 'count'],
        },
      },
    },
  }));
  return components.refer('schemas', component, () => ({
    type: 'object',
    description: 'A page of a list with facets.',
    properties: {
      [member]: { type: 'array', description: 'The page.', items: records },
      facets: { type: 'object', description: 'By name.', additionalProperties: values },
      highlights: { type: 'object', description: 'Empty: not implemented yet.', additionalProperties: true },
      search: context.dialect.nullable({
        type: 'object',
        description: 'Null without `search`.',
        properties: {
          corrected: {
            type: 'object',
            description: 'Empty: not implemented yet.',
            additionalProperties: text('The word that was searched for.'),
          },
        },
        required: ['corrected'],
      }),
    },
    required: [member, 'facets', 'highlights', 'search'],
  }));
}
