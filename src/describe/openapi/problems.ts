/** Error responses of operations: one for each status, with an example of its first problem type (http.md §§2 and 3). */
import {
  type JsonSchema,
  messages,
  type Problem,
  type ProblemType,
  pascalCase,
  problem,
  problemBody,
  problemTypes,
  type ViolationCode,
  validationFailed,
} from '../../engine/index.ts';
import type { DocumentContext, Part, Reference } from './components.ts';
import { leadingResource } from './examples.ts';
import { headersNamed } from './headers.ts';
import { exampled, LD_TYPE, problemExample, problemSchemas } from './linked.ts';

const PROBLEM_TYPE = 'application/problem+json';

/**
 * Problems that an operation describes itself, each at its status. The other ones have the same reasons in all operations. They
 * are described once, as the response `default`.
 */
const OWN_PROBLEMS = [
  'conflict',
  'cursor-gone',
  'validation-failed',
  'lines-refused',
  'key-reused',
] as const satisfies ProblemType[];

export type OwnProblem = (typeof OWN_PROBLEMS)[number];

/** Only the admin page and requests with its session can get the first three. Described methods are always allowed. */
const UNDESCRIBED = [
  ...(['foreign-page', 'insecure-connection', 'sign-in-rejected'] as const),
  'method-not-allowed',
] as const satisfies ProblemType[];

/** Returns the error responses of an operation by status, and the errors of all operations as `default`. */
export function problemResponses(context: DocumentContext, ...own: readonly OwnProblem[]): Record<string, Reference> {
  return byStatus(context, own, commonProblems(), response);
}

/** Returns the same for operations whose errors are never JSON-LD. @param common problems of all operations */
export function jsonProblemResponses(
  context: DocumentContext,
  own: readonly ProblemType[],
  common: readonly ProblemType[],
): Record<string, Reference> {
  return byStatus(context, own, common, jsonResponse);
}

type Describe = (context: DocumentContext, types: readonly ProblemType[]) => Part;

function byStatus(
  context: DocumentContext,
  own: readonly ProblemType[],
  common: readonly ProblemType[],
  describe: Describe,
): Record<string, Reference> {
  const responseOf = (name: string, alike: readonly ProblemType[]): Reference =>
    context.components.refer('responses', name, () => describe(context, alike));
  const byStatus = Map.groupBy(sorted(own), (type) => problemTypes[type].status);
  const responses = [...byStatus].map(([status, alike]) => [
    String(status),
    responseOf(alike.map(pascalCase).join('Or'), alike),
  ]);
  return { ...Object.fromEntries(responses), default: responseOf('Error', common) };
}

/** Sorts problem types by status. */
function sorted<Type extends ProblemType>(types: readonly Type[]): Type[] {
  return (Object.keys(problemTypes) as Type[]).filter((type) => types.includes(type));
}

function commonProblems(): ProblemType[] {
  const others: readonly ProblemType[] = [...OWN_PROBLEMS, ...UNDESCRIBED];
  const common = (Object.keys(problemTypes) as ProblemType[]).filter((type) => !others.includes(type));
  // The example is the first one, which every client gets to see.
  return ['unauthorized', ...common.filter((type) => type !== 'unauthorized')];
}

/** Returns the URL of the page about a problem type. */
export function problemPage(baseUrl: string, type: ProblemType | ''): string {
  return `${baseUrl}/api/_reference/problems${type === '' ? '' : `/${type}`}`;
}

function response(context: DocumentContext, types: readonly ProblemType[]): Part {
  // The example is unnamed: a named one would have to correspond to a request example of the same name.
  const body = problemBody(exampleOf(context, types[0]!), problemPage(context.baseUrl, ''), INSTANCE);
  const kinds = [...new Set(types.map((type) => type === 'validation-failed'))];
  const schemas = kinds.map((isOfBody) => (isOfBody ? validationSchema(context) : problemSchema(context)));
  const linked = kinds.map((isOfBody, index) => problemSchemas(context, schemas[index]!, isOfBody));
  return {
    ...withoutContent(context, types),
    content: {
      [PROBLEM_TYPE]: exampled(anyOf(schemas), body),
      [LD_TYPE]: exampled(anyOf(linked), problemExample(body)),
    },
  };
}

function jsonResponse(context: DocumentContext, types: readonly ProblemType[]): Part {
  const kinds = [...new Set(types.map((type) => type === 'validation-failed'))];
  const schemas = kinds.map((isOfBody) => (isOfBody ? validationSchema(context) : plainProblemSchema(context)));
  const body = problemBody(exampleOf(context, types[0]!), problemPage(context.baseUrl, ''), INSTANCE);
  return { ...withoutContent(context, types), content: { [PROBLEM_TYPE]: exampled(anyOf(schemas), body) } };
}

function withoutContent(context: DocumentContext, types: readonly ProblemType[]): Part {
  const names = types.flatMap((type) => PROBLEM_HEADERS[type] ?? []);
  return { description: types.map(explanation).join('\n\n'), headers: headersNamed(context, names) };
}

function explanation(type: ProblemType): string {
  const { status, title, explanation: text } = problemTypes[type];
  return `**${status} ${title}.** ${text}`;
}

function anyOf(schemas: readonly Reference[]): JsonSchema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

const INSTANCE = 'urn:uuid:3398ee8d-ba6c-47e7-868c-df63ccb9c220';

const PROBLEM_HEADERS: Readonly<Partial<Record<ProblemType, Parameters<typeof headersNamed>[1]>>> = {
  unauthorized: ['WWW-Authenticate'],
  // Sent while the first request with the same Idempotency-Key is running.
  conflict: ['Retry-After'],
  'precondition-failed': ['ETag'],
  'too-many-requests': ['Retry-After'],
  'service-unavailable': ['Retry-After'],
};

function exampleOf({ model }: DocumentContext, type: ProblemType): Problem {
  if (type !== 'validation-failed') return problem(type, problemTypes[type].explanation);
  const fields = [...leadingResource(model).fields.values()].filter(({ field }) => field.required);
  return validationFailed(fields.map(({ name }) => ({ propertyPath: name, message: messages.blank, code: 'blank' })));
}

const PROBLEM_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  type: { type: 'string', format: 'uri', description: 'URL of a page about this type of problem.' },
  title: { type: 'string', description: 'Short name of the type of problem.' },
  status: { type: 'integer', description: 'HTTP status.' },
  detail: { type: 'string', description: 'What went wrong in this request, and what to do.' },
  instance: { type: 'string', format: 'uri', description: 'Request id, which is also in the store’s log.' },
};

/** Members of a problem with the rights of a key. */
const SCOPE_PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  missing_scopes: {
    type: 'array',
    items: { type: 'string' },
    description: 'Scopes that the key lacks. Only of the type `insufficient-scope`.',
  },
  masked_fields: {
    type: 'array',
    items: { type: 'string' },
    description: 'Fields that the key cannot see. Only of the type `insufficient-scope`.',
  },
};

function problemSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Problem', () => ({
    type: 'object',
    description: 'A problem as defined by RFC 9457.',
    properties: { ...PROBLEM_PROPERTIES, ...SCOPE_PROPERTIES },
    required: Object.keys(PROBLEM_PROPERTIES),
  }));
}

/** The schema of a problem of a key without scopes. */
function plainProblemSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Problem', () => ({
    type: 'object',
    description: 'A problem as defined by RFC 9457.',
    properties: PROBLEM_PROPERTIES,
    required: Object.keys(PROBLEM_PROPERTIES),
  }));
}

/** The schema of a problem inside another response. It includes violations, if there are any. */
export function ownProblemSchema(context: DocumentContext): JsonSchema {
  return {
    type: 'object',
    description: 'A problem as defined by RFC 9457.',
    properties: { ...PROBLEM_PROPERTIES, violations: { type: 'array', items: violationSchema(context) } },
    required: Object.keys(PROBLEM_PROPERTIES),
  };
}

function violationSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Violation', () => ({
    type: 'object',
    description: 'An invalid field.',
    properties: {
      propertyPath: { type: 'string', description: 'Path of the field, such as `items[2].amount`.' },
      message: { type: 'string', description: 'Human-readable message.' },
      code: { type: 'string', enum: Object.keys(VIOLATION_CODES), description: codeList() },
    },
    required: ['propertyPath', 'message', 'code'],
  }));
}

function validationSchema(context: DocumentContext): Reference {
  return context.components.refer('schemas', 'ValidationProblem', () => ({
    type: 'object',
    description: 'A problem with all invalid fields of a body.',
    properties: {
      ...PROBLEM_PROPERTIES,
      violations: { type: 'array', items: violationSchema(context), description: 'Each violated rule.' },
      violations_omitted: { type: 'integer', description: 'Number of violations that are not listed.' },
    },
    required: [...Object.keys(PROBLEM_PROPERTIES), 'violations'],
  }));
}

const VIOLATION_CODES: Readonly<Record<ViolationCode, string>> = {
  blank: 'empty or only white space',
  required: 'missing',
  null: 'null is not allowed',
  too_short: 'too short',
  too_long: 'too long, or too many elements',
  type: 'wrong JSON type',
  range: 'too small or too large',
  decimals: 'too many decimals',
  choice: 'not one of the allowed values',
  format: 'wrong format',
  not_unique: 'already in use',
  unknown_link: 'refers to a record that does not exist',
  unknown_field: 'unknown field',
  read_only: 'differs from a value that only the store can set',
  contradiction: 'contradicts another field that means the same',
  conflict: 'conflicts with another field or with the state of the store',
  file: 'invalid file',
  download: 'download failed',
};

function codeList(): string {
  return Object.entries(VIOLATION_CODES)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n');
}
