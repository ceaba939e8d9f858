/** Bulk operations: JSON Lines in, one result line out for each. */
import {
  type Action,
  bulkKeys,
  bulkModes,
  bulkPath,
  bulksAt,
  bulkWriteRoute,
  type Collected,
  type JsonSchema,
  type ModelResource,
  type ModelRoute,
  pascalCase,
  plural,
  sentences,
  words,
} from '../../engine/index.ts';
import { recordsNoun } from '../route-nouns.ts';
import type { DocumentContext, Reference } from './components.ts';
import { type Parameter, query } from './parameter.ts';
import { headerParameters, pathParameters } from './parameters.ts';
import { ownProblemSchema, problemResponses } from './problems.ts';
import { actionSchema, inputSchema, routeSuffix } from './schemas.ts';

/** The two media types of JSON Lines. */
const LINE_TYPES = ['application/x-ndjson', 'application/jsonl'] as const;

/** Returns the Operation Objects of a route's bulk operations by path. */
export function bulkOperations(context: DocumentContext, route: ModelRoute, tag: string): Record<string, object> {
  const operations = bulksAt(route).map((action) => [
    bulkPath(route, action),
    describeBulk(context, route, tag, action),
  ]);
  return Object.fromEntries(operations);
}

function describeBulk(context: DocumentContext, route: ModelRoute, tag: string, action?: Action): object {
  const { resource } = route;
  return {
    tags: [tag],
    operationId: `bulk${plural(resource.name)}${action ? pascalCase(action.name) : ''}${routeSuffix(route)}`,
    summary: action ? `${action.summary}, in bulk` : `Write many ${recordsNoun(route)}`,
    description: sentences(
      'The body has one line for each record. The response has one line for each line of the body, in the same order, and a summary as its last line.',
      'A response without a summary is incomplete. Send the lines again; completed lines are then reported as such.',
    ),
    parameters: [
      ...pathParameters(route, 'collection'),
      ...parametersOf(route, action),
      headerParameters.idempotencyKey,
      headerParameters.acceptLanguage,
      headerParameters.prefer,
    ],
    requestBody: {
      required: true,
      content: linesOf(action ? actionLineSchema(context, resource, action) : lineSchema(context, route)),
    },
    responses: {
      200: {
        description: 'The result of each line, and the summary.',
        content: linesOf({ anyOf: [resultSchema(context), summarySchema(context)] }),
      },
      ...problemResponses(context, 'conflict', 'lines-refused', 'key-reused'),
    },
  };
}

/**
 * Content of JSON Lines with this schema for each line. It is described as the array of the lines, as OpenAPI 3.2 defines for
 * sequential media types. So all media types of a collection have arrays in generated clients.
 */
function linesOf(
  items: JsonSchema,
  types: readonly string[] = LINE_TYPES,
): Record<string, { readonly schema: JsonSchema }> {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'array', items } }]));
}

/**
 * Content of a collection as JSON Lines. Only one of the two media types is described: some generators return a stream for
 * operations with `application/x-ndjson`, also if the client requests JSON.
 */
export function recordLines(items: JsonSchema): Record<string, { readonly schema: JsonSchema }> {
  return linesOf(items, ['application/jsonl']);
}

function parametersOf(route: ModelRoute, action: Action | undefined): Parameter[] {
  const { by, createsOnly } = route.resource.bulk!;
  const { operations } = bulkWriteRoute(route);
  const choice = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values, default: values[0] });
  const writes = operations.has('replace') ? ['patch', 'put'] : ['patch'];
  const modes = bulkModes(route);
  return [
    query('key', 'Field that identifies records.', choice(bulkKeys(route)), by.name),
    ...(action ? [] : [query('mode', 'Whether to create records, update them, or both.', choice(modes), modes[0])]),
    ...(action || createsOnly ? [] : [query('write', 'How to update existing records.', choice(writes), writes[0])]),
    ...(createsOnly && !action
      ? [
          query(
            'past',
            'Imports past records of another system. Dates and statuses are stored as sent, without side effects such as stock movements.',
            { type: 'boolean', default: false },
            true,
          ),
        ]
      : []),
    query(
      'atomic',
      'Write all lines or none, in one transaction of at most 10,000 lines.',
      { type: 'boolean', default: false },
      true,
    ),
    query('dry_run', 'Report the results without saving anything.', { type: 'boolean', default: false }, true),
  ];
}

function lineSchema(context: DocumentContext, route: ModelRoute): Reference {
  const { resource } = route;
  const inputs = lineInputs(context, route);
  return context.components.refer('schemas', `${resource.name}Line${routeSuffix(route)}`, () => ({
    description: `One ${words(resource.name)}: its input including the key, or an object with an operation.`,
    anyOf: [...inputs, operationLineSchema(inputs, resource.bulk!.collected ? KEYS : TEXT_OR_NUMBER)],
  }));
}

/** The inputs that a line may contain. */
function lineInputs(context: DocumentContext, route: ModelRoute): JsonSchema[] {
  const { by, createsOnly, collected } = route.resource.bulk!;
  const input = (mode: 'create' | 'patch'): JsonSchema => inputSchema(context, bulkWriteRoute(route), mode);
  if (collected) return [{ allOf: [collectedKeySchema(collected, bulkWriteRoute(route)), input('patch')] }];
  if (by.isIdentifier) return [input('patch')];
  return createsOnly ? [input('create')] : [input('create'), input('patch')];
}

/** The fields of a key that a line must have, and those that the input of a record does not have. */
function collectedKeySchema({ key }: Collected, { inserts }: ModelRoute): JsonSchema {
  const isInput = new Set([...inserts].map(({ name }) => name));
  const fields = Object.entries(key).filter(([name, { required }]) => required || !isInput.has(name));
  const required = fields.flatMap(([name, field]) => (field.required ? name : []));
  const properties = fields.map(([name, { inputSchema: schema }]) => [name, schema] as const);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function operationLineSchema(inputs: readonly JsonSchema[], keys: readonly JsonSchema[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      op: { type: 'string', enum: ['upsert', 'delete'] },
      key: { anyOf: keys, description: 'Key of the record. If omitted, the body contains it.' },
      if_match: { anyOf: TEXT_OR_NUMBER, description: 'Version or ETag that the record must have.' },
      body: inputs.length === 1 ? inputs[0]! : { anyOf: inputs },
    },
    required: ['op'],
  };
}

const TEXT_OR_NUMBER: readonly JsonSchema[] = [{ type: 'string' }, { type: 'integer' }];
/** A key of several fields is an object. */
const KEYS: readonly JsonSchema[] = [...TEXT_OR_NUMBER, { type: 'object' }];

/** Schema of a line that runs an action, or sets a field instead. */
function actionLineSchema(context: DocumentContext, resource: ModelResource, action: Action): Reference {
  const { by } = resource.bulk!;
  const instead = action.bulk!.instead.map((name) => [
    name,
    resource.fields.get(name)!.field.inputSchema as JsonSchema,
  ]);
  return context.components.refer('schemas', `${resource.name}${pascalCase(action.name)}Line`, () => ({
    description: `One ${words(resource.name)}, identified by \`${by.name}\`.`,
    anyOf: [
      { allOf: [keySchema(by.name), actionSchema(context, resource, action)] },
      { allOf: [keySchema(by.name), { type: 'object', properties: Object.fromEntries(instead) }] },
    ],
  }));
}

function keySchema(name: string): JsonSchema {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
}

function resultSchema(context: DocumentContext): Reference {
  const { nullable } = context.dialect;
  const maybe = nullable({ anyOf: TEXT_OR_NUMBER });
  return context.components.refer('schemas', 'BulkResultOutput', () => ({
    type: 'object',
    description: 'The result of one line.',
    properties: {
      line: { type: 'integer', description: 'Line number, starting at 1. Empty lines count.' },
      key: { ...nullable({ anyOf: KEYS }), description: 'Key of the record as sent in the line.' },
      status: { type: 'integer', description: 'HTTP status that a single write would have.' },
      result: { type: 'string', enum: ['created', 'updated', 'unchanged', 'deleted', 'failed'] },
      id: maybe,
      version: nullable({ type: 'integer' }),
      passed_over: {
        type: 'array',
        items: { type: 'string' },
        description: 'Fields of the line that were ignored, because they apply only to new records.',
      },
      problem: ownProblemSchema(context),
    },
    required: ['line', 'key', 'status', 'result', 'id', 'version'],
  }));
}

function summarySchema(context: DocumentContext): Reference {
  const counted = ['lines', 'empty', 'created', 'updated', 'unchanged', 'deleted', 'failed'];
  return context.components.refer('schemas', 'BulkSummaryOutput', () => ({
    type: 'object',
    description: 'The last line of a complete response.',
    properties: {
      summary: {
        type: 'object',
        properties: {
          ...Object.fromEntries(counted.map((name) => [name, { type: 'integer' }])),
          complete: { type: 'boolean', enum: [true] },
        },
        required: [...counted, 'complete'],
      },
    },
    required: ['summary'],
  }));
}
