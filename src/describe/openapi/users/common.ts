/** Parts that the operations on users and roles have in common (access.md §3). */
import type { JsonSchema } from '../../../engine/index.ts';
import type { DocumentContext, Part, Reference } from '../components.ts';
import { headersNamed, notModified } from '../headers.ts';
import { exampledBody } from '../linked.ts';
import type { Parameter } from '../parameter.ts';
import { directionSchema, headerParameters, PAGE_PARAMETERS } from '../parameters.ts';
import { type OwnProblem, problemResponses } from '../problems.ts';

type Text = string;

/** An operation without a successful response. */
export interface Described {
  readonly tag: Text;
  readonly operationId: Text;
  readonly summary: Text;
  readonly description: Text;
  readonly parameters?: readonly Parameter[];
}

/** A schema with an example. */
export interface Content {
  readonly schema: JsonSchema | Reference;
  readonly example: unknown;
}

const READ_HEADERS = [headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer];
export const POST_HEADERS = [headerParameters.acceptLanguage, headerParameters.prefer];
export const CHANGE_HEADERS = [headerParameters.ifMatch, headerParameters.unlessMatch, ...POST_HEADERS];

function head({ tag, operationId, summary, description, parameters = [] }: Described): Part {
  return { tags: [tag], operationId, summary, description, parameters };
}

export function idParameter(
  of: string,
  name = 'id',
  schema: JsonSchema = { type: 'integer', format: 'int64' },
): Parameter {
  const example = schema.type === 'integer' ? 1 : '5d0b7a3c9e8f4a1d2b6c7e8f9a0b1c2d';
  return { name, in: 'path', required: true, description: `Id of the ${of}.`, example, schema };
}

function json({ schema, example }: Content): Part {
  return { 'application/json': { schema, example } };
}

function bodyOf({ schema, example }: Content, isPatch: boolean): Part {
  const media = exampledBody(schema, example);
  return { ...(isPatch ? { 'application/merge-patch+json': media } : {}), 'application/json': media };
}

/** A list with pages. */
export function listOperation(context: DocumentContext, described: Described, { schema, example }: Content): Part {
  const order: Parameter = {
    ...{ name: 'order[id]', in: 'query', description: 'Sort by `id`.' },
    ...{ schema: directionSchema(context), example: 'asc' },
  };
  return {
    ...head({
      ...described,
      parameters: [...(described.parameters ?? []), ...PAGE_PARAMETERS, order, ...READ_HEADERS],
    }),
    responses: {
      200: {
        description: 'A page of records.',
        headers: headersNamed(context, ['ETag', 'Link', 'X-Total-Count']),
        content: json({ schema: { type: 'array', items: schema as JsonSchema }, example: [example] }),
      },
      304: notModified(context, true),
      ...problemResponses(context),
    },
  };
}

export function readOperation(context: DocumentContext, described: Described, content: Content): Part {
  return {
    ...head({ ...described, parameters: [...(described.parameters ?? []), ...READ_HEADERS] }),
    responses: {
      200: { description: described.summary, headers: headersNamed(context, ['ETag']), content: json(content) },
      304: notModified(context),
      ...problemResponses(context),
    },
  };
}

interface Written {
  readonly body?: Content;
  /** Whether the body may also be a merge patch. */
  readonly isPatch?: boolean;
  /** Whether the body may be omitted. */
  readonly isOptional?: boolean;
  /** Of the successful response; without it, the response is a 204. */
  readonly result?: Content;
  readonly status?: 200 | 201;
  readonly problems?: readonly OwnProblem[];
}

export function writeOperation(
  context: DocumentContext,
  described: Described,
  { body, isOptional = false, isPatch = false, result, status = 200, problems = [] }: Written,
): Part {
  const headers = status === 201 ? { headers: headersNamed(context, ['ETag', 'Location']) } : {};
  const success = result
    ? { [status]: { description: described.summary, ...headers, content: json(result) } }
    : { 204: { description: 'Done.' } };
  return {
    ...head(described),
    ...(body ? { requestBody: { required: !isOptional, content: bodyOf(body, isPatch) } } : {}),
    responses: { ...success, ...problemResponses(context, ...problems) },
  };
}
