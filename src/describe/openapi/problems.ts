/**
 * The answers of an operation that went wrong: one response for each status, with an example of the first problem that has it
 * (http.md §§2 and 3).
 */
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
import { headersNamed } from './headers.ts';
import { leadingResource } from './leading-resource.ts';
import { exampled, LD_TYPE, problemExample, problemSchemas } from './linked.ts';

const PROBLEM_TYPE = 'application/problem+json';

/** Which requests may be answered with it, whatever they ask for. `some` belongs to those that name it. */
const ANSWERS: Readonly<Record<ProblemType, 'all' | 'writes' | 'bodies' | 'some'>> = {
  'malformed-request': 'bodies',
  'invalid-argument': 'all',
  unauthorized: 'all',
  'read-only-key': 'writes',
  // Of requests with a session of the admin page alone; those of programs have keys.
  'foreign-page': 'some',
  'insecure-connection': 'some',
  'not-found': 'some',
  // A method that is described is offered.
  'method-not-allowed': 'some',
  'not-acceptable': 'all',
  'request-timeout': 'bodies',
  conflict: 'some',
  'cursor-gone': 'some',
  'answer-erased': 'some',
  'precondition-failed': 'some',
  'content-too-large': 'bodies',
  'uri-too-long': 'all',
  'unsupported-media-type': 'bodies',
  'expectation-failed': 'all',
  'validation-failed': 'some',
  'lines-refused': 'some',
  'key-reused': 'some',
  'too-many-requests': 'all',
  'headers-too-large': 'all',
  'internal-error': 'all',
  'service-unavailable': 'all',
};

const REACHED = {
  read: new Set(['all']),
  write: new Set(['all', 'writes']),
  body: new Set(['all', 'writes', 'bodies']),
};

/**
 * @param more those of `some` that this operation knows
 * @returns in the order of their statuses
 */
export function possibleProblems(request: keyof typeof REACHED, ...more: readonly ProblemType[]): ProblemType[] {
  const types = Object.keys(problemTypes) as ProblemType[];
  return types.filter((type) => REACHED[request].has(ANSWERS[type]) || more.includes(type));
}

/** @returns responses by status */
export function problemResponses(context: DocumentContext, types: readonly ProblemType[]): Record<string, Reference> {
  const byStatus = Map.groupBy(types, (type) => problemTypes[type].status);
  const responses = [...byStatus].map(([status, ofStatus]): [string, Reference] => [
    String(status),
    context.components.refer('responses', ofStatus.map(pascalCase).join('Or'), () => response(context, ofStatus)),
  ]);
  return Object.fromEntries(responses);
}

/** The page of a problem type. */
export function problemPage(baseUrl: string, type: ProblemType | ''): string {
  return `${baseUrl}/api/_reference/problems${type === '' ? '' : `/${type}`}`;
}

function response(context: DocumentContext, types: readonly ProblemType[]): Part {
  const names = types.flatMap((type) => PROBLEM_HEADERS[type] ?? []);
  // One example, without a name: a named one would have to be the answer to a request example of that name.
  const body = problemBody(exampleOf(context, types[0]!), problemPage(context.baseUrl, ''), INSTANCE);
  const kinds = [...new Set(types.map((type) => type === 'validation-failed'))];
  const schemas = kinds.map((isOfBody) => (isOfBody ? validationSchema(context) : problemSchema(context)));
  const linked = kinds.map((isOfBody, index) => problemSchemas(context, schemas[index]!, isOfBody));
  return {
    description: types.map((type) => `**${problemTypes[type].title}.** ${problemTypes[type].explanation}`).join('\n\n'),
    headers: headersNamed(context, names),
    content: {
      [PROBLEM_TYPE]: exampled(anyOf(schemas), body),
      [LD_TYPE]: exampled(anyOf(linked), problemExample(body)),
    },
  };
}

function anyOf(schemas: readonly Reference[]): JsonSchema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

const INSTANCE = 'urn:uuid:3398ee8d-ba6c-47e7-868c-df63ccb9c220';

const PROBLEM_HEADERS: Readonly<Partial<Record<ProblemType, readonly Parameters<typeof headersNamed>[1][number][]>>> = {
  unauthorized: ['WWW-Authenticate'],
  // While the first request with the same Idempotency-Key runs.
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
  type: { type: 'string', format: 'uri', description: 'Leads to a page about this kind of problem.' },
  title: { type: 'string', description: 'The kind of problem in a few words.' },
  status: { type: 'integer', description: 'The HTTP status.' },
  detail: { type: 'string', description: 'The failure in words, and what to do about it.' },
  instance: { type: 'string', format: 'uri', description: 'The request id; the store’s log has more under it.' },
};

function problemSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Problem', () => ({
    type: 'object',
    description: 'The failure, as RFC 9457 describes it.',
    properties: PROBLEM_PROPERTIES,
    required: Object.keys(PROBLEM_PROPERTIES),
  }));
}

/** A problem inside another answer, with the broken rules, where it is of these. */
export function ownProblemSchema(context: DocumentContext): JsonSchema {
  return {
    type: 'object',
    description: 'The failure, as RFC 9457 describes it.',
    properties: { ...PROBLEM_PROPERTIES, violations: { type: 'array', items: violationSchema(context) } },
    required: Object.keys(PROBLEM_PROPERTIES),
  };
}

function violationSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Violation', () => ({
    type: 'object',
    description: 'One broken rule, at the field that breaks it.',
    properties: {
      propertyPath: { type: 'string', description: 'The field, written like `items[2].amount`.' },
      message: { type: 'string', description: 'The failure in words, for a person.' },
      code: { type: 'string', enum: Object.keys(VIOLATION_CODES), description: codesInWords() },
    },
    required: ['propertyPath', 'message', 'code'],
  }));
}

function validationSchema(context: DocumentContext): Reference {
  return context.components.refer('schemas', 'ValidationProblem', () => ({
    type: 'object',
    description: 'Every rule that a body breaks.',
    properties: {
      ...PROBLEM_PROPERTIES,
      violations: { type: 'array', items: violationSchema(context) },
      violations_omitted: { type: 'integer', description: 'The number of violations beyond those listed.' },
    },
    required: [...Object.keys(PROBLEM_PROPERTIES), 'violations'],
  }));
}

const VIOLATION_CODES: Readonly<Record<ViolationCode, string>> = {
  blank: 'nothing but white space',
  required: 'missing',
  null: 'null where null cannot be',
  too_short: 'too short',
  too_long: 'too long, or too many',
  type: 'another JSON type',
  range: 'too small or too large',
  decimals: 'too many decimals',
  choice: 'none of the possible values',
  format: 'not of the form that it should have',
  not_unique: 'used already',
  unknown_link: 'names no record',
  unknown_field: 'no field of this body',
  read_only: 'not what only the store sets',
  contradiction: 'parts that name different records',
  conflict: 'against another field or the state of the store',
  file: 'not an acceptable file',
  download: 'could not be downloaded',
};

function codesInWords(): string {
  return Object.entries(VIOLATION_CODES)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n');
}
