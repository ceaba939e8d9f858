/**
 * Generates the types of the TypeScript client from the OpenAPI document: paths with their inputs and outputs, schemas and
 * problems. Deprecated names are omitted.
 */
import { CHANGES_PATH, type JsonSchema, type Model, problemTypes } from '../engine/index.ts';
import type { Parameter } from './openapi/parameter.ts';
import { inlineOpenApiDocument } from './openapi.ts';

/** Returns the source of `src/client/types.ts`. */
export function clientTypes(model: Model): string {
  // No type contains the base URL or the version.
  const { paths, components } = inlineOpenApiDocument(model, {
    baseUrl: '',
    programVersion: '',
    specVersion: '3.1.0',
  }) as Document;
  const shapes = Object.entries(components.schemas).filter(
    ([name]) => !PROBLEM_SHAPES.has(name) && !name.endsWith('.jsonld'),
  );
  const blocks = [
    HEADER,
    pathsInterface(paths),
    problemsInterface(),
    shape('Violation', components.schemas.Violation!),
    ...shapes.map(([name, schema]) => shape(name, schema)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const HEADER = `/**
 * Input and output types of the store. Generated from the resource declarations by \`npm run renew\`; do not edit.
 */`;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface DescribedOperation {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** Schemas for which the client has a class. */
const PROBLEM_SHAPES = new Set(['Problem', 'ValidationProblem', 'Violation']);

function isFile({ get }: Document['paths'][string]): boolean {
  return get?.responses[200]?.content?.['*/*'] !== undefined;
}

function pathsInterface(paths: Document['paths']): string {
  // The change feed has no pages, so the client has a separate method for it.
  // Nor does it read files.
  const others = Object.entries(paths).filter(([path, methods]) => path !== CHANGES_PATH && !isFile(methods));
  const entries = others.map(([path, methods]) => {
    const [first] = Object.values(methods);
    const parameters = first!.parameters.filter((parameter) => parameter.in === 'path');
    const operations = Object.entries(methods).flatMap(([method, operation]) => operationType(method, operation));
    return [`  '${path}': {`, `    parameters: ${inline(parameters)};`, ...operations, '  };'].join('\n');
  });
  return block('/** Every path with its parameters and the input and output of each method. */', 'Paths', entries);
}

function operationType(method: string, operation: DescribedOperation): string[] {
  const comment = `    /** ${operation.summary}. */`;
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  // A creation that supports dry runs has two: 200 for the dry run, and 201.
  const [output, trial] = successes.reverse().map(([, { content }]) => schemaIn(content));
  // The client reads a list page by page. A list without pages is the output of one `get`.
  if (method === 'get' && output?.type === 'array' && operation.parameters.some(({ name }) => name === 'page')) {
    const item = typeOf(output.items as JsonSchema, 'output');
    return [
      comment,
      '    list: {',
      `      item: ${item};`,
      `      order: ${ordersOf(operation.parameters)};`,
      ...filterMember(operation.parameters),
      '    };',
    ];
  }
  const lines = operation.requestBody?.content['application/x-ndjson']?.schema;
  if (lines) return [comment, `    bulk: { line: ${typeOf(lines.items as JsonSchema, 'input')} };`];
  const input = schemaIn(operation.requestBody?.content);
  const inputMember = input === undefined ? '' : `input: ${typeOf(input, 'input')}; `;
  const trialMember = trial === undefined ? '' : `; dryRun: ${typeOf(trial, 'output')}`;
  const shown = output === undefined ? 'undefined' : typeOf(output, 'output');
  // A page that is part of an object is read by one `get` with all its parameters.
  const isPaged = operation.parameters.some(({ name }) => name === 'page');
  const filter = method === 'get' ? filterMember(operation.parameters, isPaged) : [];
  if (filter.length > 2) return [comment, '    get: {', `      output: ${shown};`, ...filter, '    };'];
  return [comment, `    ${method}: { ${inputMember}output: ${shown}${trialMember} };`];
}

function schemaIn(content: Content | undefined): JsonSchema | undefined {
  return content?.['application/json']?.schema;
}

function ordersOf(parameters: readonly Parameter[]): string {
  const names = parameters.flatMap(({ name, deprecated }) => {
    const sorted = /^order\[(.+)\]$/.exec(name)?.[1];
    return sorted === undefined || deprecated ? [] : [`'${sorted}'`];
  });
  return names.length === 0 ? 'never' : names.join(' | ');
}

const PAGE_PARAMETERS = new Set(['page', 'itemsPerPage', 'cursor', 'fields']);

/** @param withPages includes the parameters of pages, fields and orders */
function filterMember(parameters: readonly Parameter[], withPages = false): string[] {
  return ['      filter: {', ...filtersOf(parameters, withPages).map((line) => `        ${line}`), '      };'];
}

/** Generates one property for all forms of a filter: a value, a list of values or an object with operators. */
function filtersOf(parameters: readonly Parameter[], withPages: boolean): string[] {
  const queries = parameters.filter(
    ({ name, in: where, deprecated }) =>
      where === 'query' && !deprecated && (withPages || (!PAGE_PARAMETERS.has(name) && !name.startsWith('order['))),
  );
  const byField = Map.groupBy(queries, ({ name }) => name.replace(/\[\w*\]$/, ''));
  return [...byField].map(([field, forms]) => {
    // Its names contain identifiers.
    const keyed = forms.find(({ schema, style }) => schema.additionalProperties && style === 'form');
    if (keyed)
      return `/** ${keyed.description} */\n        readonly [name: \`${field}.\${number}\`]: number | readonly number[] | { readonly exists: boolean };`;
    const values: string[] = [];
    const bounds: string[] = [];
    for (const { name, schema, explode } of forms) {
      const operator = /\[(\w*)\]$/.exec(name)?.[1];
      if (explode === false) values.push('string');
      else if (!operator) values.push(typeOf(schema, 'input'));
      else if (operator === 'between') bounds.push(`between?: readonly [from: number, to: number]`);
      else bounds.push(`${operator}?: ${typeOf(schema, 'input')}`);
    }
    if (bounds.length > 0) values.push(`{ ${bounds.map((bound) => `readonly ${bound}`).join('; ')} }`);
    const comment = forms[0]!.description;
    return `/** ${comment} */\n        readonly ${propertyName(field)}?: ${values.join(' | ')};`;
  });
}

function problemsInterface(): string {
  const entries = Object.entries(problemTypes).map(
    ([type, { status, title }]) => `  /** ${title}. */\n  '${type}': ${status};`,
  );
  return block('/** Every problem type of the store with its HTTP status. */', 'Problems', entries);
}

function shape(name: string, schema: JsonSchema): string {
  const direction = /Output|^Violation$/.test(name) ? 'output' : 'input';
  if (schema.properties === undefined)
    return `${commented(schema.description as string | undefined, '')}export type ${name} = ${typeOf(schema, direction)};`;
  return block(commented(schema.description as string | undefined, ''), name, propertiesOf(schema, direction, '  '));
}

type Direction = 'input' | 'output';

/** Input members are readonly, so that callers can pass frozen objects. Output members are mutable. */
function propertiesOf(schema: JsonSchema, direction: Direction, indent: string): string[] {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, property]) => {
    const comment = commented(property.description as string | undefined, indent);
    const modifier = direction === 'input' ? 'readonly ' : '';
    const mark = required.has(name) ? '' : '?';
    return `${comment}${indent}${modifier}${propertyName(name)}${mark}: ${typeOf(property, direction)};`;
  });
}

function typeOf(schema: JsonSchema, direction: Direction): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.enum !== undefined)
    return (schema.enum as unknown[])
      .map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
      .join(' | ');
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (options) return [...new Set(options.map((option) => typeOf(option, direction)))].join(' | ');
  if (schema.allOf) return (schema.allOf as JsonSchema[]).map((part) => typeOf(part, direction)).join(' & ');
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeOf({ ...schema, type }, direction)).join(' | ');
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return arrayOf(schema, direction);
    case 'object':
      return objectOf(schema, direction);
    default:
      return 'unknown';
  }
}

function arrayOf({ items }: JsonSchema, direction: Direction): string {
  const item = items === undefined ? 'unknown' : typeOf(items as JsonSchema, direction);
  const grouped = /[|&]/.test(item) ? `(${item})` : item;
  return `${direction === 'input' ? 'readonly ' : ''}${grouped}[]`;
}

function objectOf(schema: JsonSchema, direction: Direction): string {
  if (typeof schema.additionalProperties === 'object') {
    const values = typeOf(schema.additionalProperties as JsonSchema, direction);
    return direction === 'input' ? `Readonly<Record<string, ${values}>>` : `Record<string, ${values}>`;
  }
  if (schema.properties === undefined)
    return direction === 'input' ? 'Readonly<Record<string, unknown>>' : 'Record<string, unknown>';
  const properties = propertiesOf(schema, direction, '').map((property) => property.replaceAll('\n', ' '));
  return `{ ${properties.join(' ')} }`;
}

function inline(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return 'Record<never, never>';
  return `{ ${parameters.map(({ name, schema }) => `readonly ${propertyName(name)}: ${typeOf(schema, 'input')}`).join('; ')} }`;
}

function block(comment: string, name: string, entries: readonly string[]): string {
  return `${comment.trimEnd()}\nexport interface ${name} {\n${entries.join('\n')}\n}`.trimStart();
}

function commented(text: string | undefined, indent: string): string {
  if (!text) return '';
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', `\n${indent} * `)} */\n`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}
