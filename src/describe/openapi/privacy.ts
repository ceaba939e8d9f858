/** The operations by which a person learns what the store knows of him, and has it forgotten (profiles.md §4). */
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
import { headersNamed } from './headers.ts';
import { exampled, exampledBody, JSON_TYPE } from './linked.ts';
import { headerParameters, pathParameters } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';
import { actionSchema } from './schemas.ts';

/** Operation Objects by path; none where no record is a person. */
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
  'Every record that tells of the person, parts of records behind them, as one JSON. Nothing of it is kept.';
const ERASE =
  'Nothing of it can be brought back, by a restore neither. Lines, sums, dates, countries and the beginnings of postcodes stay; `retained` tells of what. `Idempotency-Key` has no effect here.';

function describeExport(context: DocumentContext, dataSubject: ModelResource): object {
  const [route] = dataSubject.routes;
  const record = outputExample(dataSubject, route!.outputs, context);
  const path = `/api${route!.path.replace(/\{\w+\}/, String(identifierExample(dataSubject)))}`;
  return {
    ...named(
      dataSubject,
      `export${dataSubject.name}`,
      `Export all that is known of ${withArticle(dataSubject.name)}`,
      EXPORT,
    ),
    parameters: [...pathParameters(route!, 'item'), headerParameters.acceptLanguage, headerParameters.prefer],
    responses: {
      200: answer(context, 'All that is known.', exportSchema(context), {
        records: [{ resource: snakeCase(dataSubject.name), path, record }],
      }),
      ...problemResponses(context, possibleProblems('read', 'not-found')),
    },
  };
}

function describeErase(context: DocumentContext, dataSubject: ModelResource): object {
  const [route] = dataSubject.routes;
  const schema = context.components.refer('schemas', `${dataSubject.name}EraseInput`, () => ({
    type: 'object',
    description: 'Nothing; any field is a 422.',
    properties: {},
  }));
  return {
    ...named(
      dataSubject,
      `erase${dataSubject.name}`,
      `Erase ${withArticle(dataSubject.name)}, and what orders tell of it`,
      ERASE,
    ),
    parameters: [...pathParameters(route!, 'item'), headerParameters.acceptLanguage, headerParameters.prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: exampledBody(schema, {}) } },
    responses: {
      200: answer(context, 'The records that were erased, and those that stay.', erasureSchema(context), {
        erased: [{ resource: snakeCase(dataSubject.name), count: 1, fields: null }],
        retained: [],
      }),
      ...problemResponses(context, possibleProblems('body', 'not-found', 'validation-failed')),
    },
  };
}

function describeNamed(context: DocumentContext, dataSubject: ModelResource, what: 'export' | 'erase'): object {
  const input = dataSubjectInput(context.model);
  const body = exampledBody(actionSchema(context, dataSubject, { name: 'named', input }), actionExample({ input }));
  const isExport = what === 'export';
  const summary = isExport ? 'Export all that is known of a guest' : 'Erase what orders tell of a guest';
  return {
    ...named(
      dataSubject,
      `${what}Guest`,
      summary,
      `${isExport ? EXPORT : ERASE} A guest has no profile: orders of one are left alone.`,
    ),
    parameters: [headerParameters.acceptLanguage, headerParameters.prefer],
    requestBody: { required: true, content: { [JSON_TYPE]: body } },
    responses: {
      200: isExport
        ? answer(context, 'All that is known.', exportSchema(context), { records: [] })
        : answer(context, 'The records that were erased, and those that stay.', erasureSchema(context), {
            erased: [],
            retained: [],
          }),
      ...problemResponses(context, possibleProblems('body', 'validation-failed')),
    },
  };
}

function named({ name }: ModelResource, operationId: string, summary: string, description: string): object {
  return { tags: [name], operationId, summary, description, security: [{ apiKey: [] }] };
}

function answer(context: DocumentContext, description: string, schema: Reference, example: object): object {
  const headers = headersNamed(context, ['Content-Language', 'Preference-Applied']);
  return { description, headers, content: { [JSON_TYPE]: exampled(schema, example) } };
}

const RESOURCE = { type: 'string', description: 'A resource as the change feed names it, such as `tax_class`.' };

function exportSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'PersonOutput', () => ({
    type: 'object',
    description: 'All that is known of a person.',
    properties: {
      records: {
        type: 'array',
        items: objectOf({
          resource: RESOURCE,
          path: { type: 'string', description: 'The address without the host.' },
          record: { type: 'object', description: 'The record as GET of its path shows it.' },
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
    description: 'The records of a person that were erased, and those that stay.',
    properties: {
      erased: {
        type: 'array',
        items: objectOf({
          resource: RESOURCE,
          count,
          fields: dialect.nullable({
            type: 'array',
            items: { type: 'string' },
            description: 'Their fields that tell nothing of the person any more; null where the records are gone.',
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
            description: 'The records have to be kept whole until then; null where the rest of them tells of nobody.',
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
