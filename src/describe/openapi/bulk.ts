/** The operations that write many records with one request: a line of the body for each, and a line of the answer. */
import {
  type Action,
  bulkPath,
  bulksAt,
  type JsonSchema,
  type ModelResource,
  type ModelRoute,
  type ProblemType,
  pascalCase,
  plural,
  sentences,
  words,
} from '../../engine/index.ts';
import type { Reference, Writing } from './components.ts';
import { headersNamed } from './headers.ts';
import { type Parameter, query } from './parameter.ts';
import { headerParameters, pathParameters } from './parameters.ts';
import { ownProblemSchema, possibleProblems, problemResponses } from './problems.ts';
import { actionSchema, inputSchema, routeSuffix } from './schemas.ts';

/** One JSON value a line, by both of its names. */
const LINE_TYPES = ['application/x-ndjson', 'application/jsonl'];

/** Operation Objects by path; none where nothing is written in bulk. */
export function bulkOperations(writing: Writing, route: ModelRoute, tag: string): Record<string, object> {
  const operations = bulksAt(route).map((action) => [
    bulkPath(route, action),
    describeBulk(writing, route, tag, action),
  ]);
  return Object.fromEntries(operations);
}

function describeBulk(writing: Writing, route: ModelRoute, tag: string, action?: Action): object {
  const { resource } = route;
  const noun = words(plural(resource.name));
  return {
    tags: [tag],
    operationId: `bulk${plural(resource.name)}${action ? pascalCase(action.name) : ''}${routeSuffix(route)}`,
    summary: action ? `${action.summary}, for many at once` : `Write many ${noun}`,
    description: sentences(
      'A line of the body for each record, and a line of the answer for each line, in their order; a summary is the last.',
      'An answer without it was cut off: send the lines again, and those that are done say so.',
    ),
    security: [{ apiKey: [] }],
    parameters: [
      ...pathParameters(route, 'collection'),
      ...parametersOf(route, action),
      headerParameters.idempotencyKey,
      headerParameters.acceptLanguage,
      headerParameters.prefer,
    ],
    requestBody: {
      required: true,
      content: linesOf(action ? actedLine(writing, resource, action) : lineSchema(writing, route)),
    },
    responses: {
      200: {
        description: 'The result of each line, and the summary.',
        headers: headersNamed(writing, ['Content-Language', 'Idempotency-Replayed', 'Preference-Applied']),
        content: linesOf({ anyOf: [resultSchema(writing), summarySchema(writing)] }),
      },
      ...problemResponses(writing, problemsOf(route)),
    },
  };
}

/** A JSON value of this form on each line. */
export function linesOf(schema: JsonSchema): Record<string, { readonly schema: JsonSchema }> {
  return Object.fromEntries(LINE_TYPES.map((type) => [type, { schema }]));
}

function problemsOf({ parents, unknownParent }: ModelRoute): ProblemType[] {
  const ofParents = parents.length > 0 ? unknownParent : undefined;
  return possibleProblems('body', ...OF_BULKS, ...(ofParents ? [ofParents] : []));
}

const OF_BULKS: readonly ProblemType[] = ['conflict', 'answer-erased', 'lines-refused', 'key-reused'];

function parametersOf({ resource, operations }: ModelRoute, action: Action | undefined): Parameter[] {
  const { by, createsOnly } = resource.bulk!;
  const keys = createsOnly ? [by.name] : [by.name, resource.identifierField];
  const choice = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values, default: values[0] });
  const writes = operations.has('replace') ? ['patch', 'put'] : ['patch'];
  const modes = createsOnly ? ['upsert', 'create'] : ['upsert', 'create', 'update'];
  return [
    query('key', 'The field that names records.', choice(keys), by.name),
    ...(action ? [] : [query('mode', 'Whether records are made, changed, or both.', choice(modes), modes[0])]),
    ...(action || createsOnly
      ? []
      : [query('write', 'How a record that is there is changed.', choice(writes), writes[0])]),
    ...(createsOnly && !action
      ? [
          query(
            'past',
            'Records were made elsewhere: they are taken down with their dates and states, and set nothing off.',
            { type: 'boolean', default: false },
            true,
          ),
        ]
      : []),
    query('atomic', 'All lines or none: at most 10,000.', { type: 'boolean', default: false }, true),
    query('dry_run', 'Nothing is kept; the results are as they would be.', { type: 'boolean', default: false }, true),
  ];
}

function lineSchema(writing: Writing, route: ModelRoute): JsonSchema {
  const { resource } = route;
  const created = inputSchema(writing, route, 'create', 'plain');
  const inputs = resource.bulk!.createsOnly ? [created] : [created, inputSchema(writing, route, 'patch', 'plain')];
  return {
    description: `One ${words(resource.name)}: its input with its key in it, or an object that says what becomes of it.`,
    anyOf: [...inputs, apartSchema(inputs)],
  };
}

function apartSchema(inputs: readonly JsonSchema[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      op: { type: 'string', enum: ['upsert', 'delete'] },
      key: { anyOf: TEXT_OR_NUMBER, description: 'Left out, it is in the body.' },
      if_match: { anyOf: TEXT_OR_NUMBER, description: 'The version that the record must have, or its ETag.' },
      body: inputs.length === 1 ? inputs[0]! : { anyOf: inputs },
    },
    required: ['op'],
  };
}

const TEXT_OR_NUMBER: readonly JsonSchema[] = [{ type: 'string' }, { type: 'integer' }];

/** A line that runs an action, or sets a field in its place. */
function actedLine(writing: Writing, resource: ModelResource, action: Action): JsonSchema {
  const { by } = resource.bulk!;
  const instead = action.bulk!.instead.map((name) => [
    name,
    resource.fields.get(name)!.field.inputSchema as JsonSchema,
  ]);
  return {
    description: `One ${words(resource.name)}, named by \`${by.name}\`.`,
    anyOf: [
      { allOf: [keySchema(by.name), actionSchema(writing, resource, action)] },
      { allOf: [keySchema(by.name), { type: 'object', properties: Object.fromEntries(instead) }] },
    ],
  };
}

function keySchema(name: string): JsonSchema {
  return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
}

function resultSchema(writing: Writing): Reference {
  const { nullable } = writing.dialect;
  const maybe = nullable({ anyOf: TEXT_OR_NUMBER });
  return writing.components.refer('schemas', 'BulkResultOutput', () => ({
    type: 'object',
    description: 'The outcome of one line.',
    properties: {
      line: { type: 'integer', description: 'From 1; empty lines count.' },
      key: { ...maybe, description: 'As the line names its record.' },
      status: { type: 'integer', description: 'The status that a single write would have.' },
      result: { type: 'string', enum: ['created', 'updated', 'unchanged', 'deleted', 'failed'] },
      id: maybe,
      version: nullable({ type: 'integer' }),
      passed_over: {
        type: 'array',
        items: { type: 'string' },
        description: 'Fields of the line that count only for a new record, where it is none.',
      },
      problem: ownProblemSchema(writing),
    },
    required: ['line', 'key', 'status', 'result', 'id', 'version'],
  }));
}

function summarySchema(writing: Writing): Reference {
  const counted = ['lines', 'empty', 'created', 'updated', 'unchanged', 'deleted', 'failed'];
  return writing.components.refer('schemas', 'BulkSummaryOutput', () => ({
    type: 'object',
    description: 'The last line of an answer that is whole.',
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
