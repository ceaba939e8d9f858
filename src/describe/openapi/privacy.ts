/** Operations that export and erase personal data (profiles.md §4). */
import {
  dataSubjectInput,
  dataSubjectsOf,
  type JsonSchema,
  type ModelResource,
  PRIVACY_PATH,
  snakeCase,
  withArticle,
} from '../../engine/index.ts';
import type { DocumentContext, Reference } from './components.ts';
import { actionExample, identifierExample, outputExample } from './examples.ts';
import { exampled, exampledBody, JSON_TYPE } from './linked.ts';
import { headerParameters, pathParameters } from './parameters.ts';
import { problemResponses } from './problems.ts';
import { actionSchema } from './schemas.ts';

/** Returns Operation Objects by path; empty if no resource is a data subject. */
export function privacyPaths(context: DocumentContext): Record<string, Record<string, object>> {
  const dataSubject = dataSubjectsOf(context.model);
  if (!dataSubject) return {};
  const [route] = dataSubject.routes;
  return {
    [`${route!.path}/export`]: { get: describeExport(context, dataSubject) },
    [`${route!.path}/erase`]: { post: describeErase(context, dataSubject) },
    [`${PRIVACY_PATH}/export`]: { post: describeNamed(context, dataSubject, 'export') },
    [`${PRIVACY_PATH}/erase`]: { post: describeNamed(context, dataSubject, 'erase') },
  };
}

const EXPORT =
  'Returns all records with personal data of the person as one JSON document, each followed by its parts. The store does not save the export.';
const ERASE =
  'Erases the personal data permanently; restoring a backup does not bring it back. Order lines, totals, dates, countries and the beginnings of postcodes are retained; `retained` lists the records. `Idempotency-Key` has no effect.';

function describeExport(context: DocumentContext, dataSubject: ModelResource): object {
  const [route] = dataSubject.routes;
  const record = outputExample(dataSubject, route!.outputs, context);
  const path = `/api${route!.path.replace(/\{\w+\}/, String(identifierExample(dataSubject)))}`;
  return {
    ...named(
      dataSubject,
      `export${dataSubject.name}`,
      `Export the personal data of ${withArticle(dataSubject.name)}`,
      EXPORT,
    ),
    parameters: [...pathParameters(route!, 'item'), headerParameters.acceptLanguage, headerParameters.prefer],
    responses: {
      200: jsonResponse('The personal data.', exportSchema(context), {
        records: [{ resource: snakeCase(dataSubject.name), path, record }],
      }),
      ...problemResponses(context),
    },
  };
}

function describeErase(context: DocumentContext, dataSubject: ModelResource): object {
  const [route] = dataSubject.routes;
  const schema = context.components.refer('schemas', `${dataSubject.name}EraseInput`, () => ({
    type: 'object',
    description: 'An empty object. Any field is a 422.',
    properties: {},
  }));
  return {
    ...named(
      dataSubject,
      `erase${dataSubject.name}`,
      `Erase ${withArticle(dataSubject.name)} and its personal data in orders`,
      ERASE,
    ),
    parameters: [...pathParameters(route!, 'item'), headerParameters.acceptLanguage, headerParameters.prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: exampledBody(schema, {}) } },
    responses: {
      200: jsonResponse('The erased and the retained records.', erasureSchema(context), {
        erased: [{ resource: snakeCase(dataSubject.name), count: 1, fields: null }],
        retained: [],
      }),
      ...problemResponses(context, 'validation-failed'),
    },
  };
}

function describeNamed(context: DocumentContext, dataSubject: ModelResource, what: 'export' | 'erase'): object {
  const input = dataSubjectInput(context.model);
  const body = exampledBody(actionSchema(context, dataSubject, { name: 'named', input }), actionExample({ input }));
  const isExport = what === 'export';
  const summary = isExport ? 'Export the personal data of a guest' : 'Erase the personal data of a guest';
  return {
    ...named(
      dataSubject,
      `${what}Guest`,
      summary,
      `${isExport ? EXPORT : ERASE} A guest has no profile; orders that belong to a profile are not included.`,
    ),
    parameters: [headerParameters.acceptLanguage, headerParameters.prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: body } },
    responses: {
      200: isExport
        ? jsonResponse('The personal data.', exportSchema(context), { records: [] })
        : jsonResponse('The erased and the retained records.', erasureSchema(context), {
            erased: [],
            retained: [],
          }),
      ...problemResponses(context, 'validation-failed'),
    },
  };
}

function named({ name }: ModelResource, operationId: string, summary: string, description: string): object {
  return { tags: [name], operationId, summary, description };
}

function jsonResponse(description: string, schema: Reference, example: object): object {
  return { description, content: { [JSON_TYPE]: exampled(schema, example) } };
}

const RESOURCE = { type: 'string', description: 'Name of the resource, such as `tax_class`.' };

function exportSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'PersonOutput', () => ({
    type: 'object',
    description: 'The personal data of a person.',
    properties: {
      records: {
        type: 'array',
        items: objectOf({
          resource: RESOURCE,
          path: { type: 'string', description: 'Path of the record.' },
          record: { type: 'object', description: 'The record as GET of its path returns it.' },
        }),
      },
    },
    required: ['records'],
  }));
}

function erasureSchema({ components, dialect }: DocumentContext): Reference {
  const count = { type: 'integer', minimum: 0 };
  return components.refer('schemas', 'ErasureOutput', () => ({
    type: 'object',
    description: 'The erased and the retained records of a person.',
    properties: {
      erased: {
        type: 'array',
        items: objectOf({
          resource: RESOURCE,
          count,
          fields: dialect.nullable({
            type: 'array',
            items: { type: 'string' },
            description: 'Erased fields of the records; null if the records were deleted.',
          }),
        }),
      },
      retained: {
        type: 'array',
        items: objectOf({
          resource: RESOURCE,
          count,
          until: dialect.nullable({
            type: 'string',
            format: 'date-time',
            description:
              'Time until which the records must be retained in full; null if they no longer contain personal data.',
          }),
        }),
      },
    },
    required: ['erased', 'retained'],
  }));
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
