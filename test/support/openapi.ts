/** Reads an OpenAPI document: its operations, its references, and validation against its schemas. */
import { createRequire } from 'node:module';
import type { SpecVersion } from '../../src/describe/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test asserts what is inside
export type Json = any;

export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
}

/** Returns the operations with their parameters, bodies and responses in full. */
export function operationsOf(document: Json): DescribedOperation[] {
  return Object.entries<Json>(expanded(document).paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Returns a document whose operations contain the parameters, bodies and responses that they refer to, and those of their path. */
export function expanded(document: Json): Json {
  const paths = Object.entries<Json>(document.paths).map(([path, { parameters: common = [], ...methods }]) => [
    path,
    mapValues(methods, ({ parameters = [], requestBody, responses, ...rest }) => ({
      ...rest,
      parameters: [...common, ...parameters].map((parameter) => resolved(document, parameter)),
      ...(requestBody && { requestBody: resolved(document, requestBody) }),
      responses: mapValues(responses, (response) => resolved(document, response)),
    })),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function mapValues(entries: Json, map: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries<Json>(entries).map(([name, value]) => [name, map(value)]));
}

/** Returns the response of an operation with a status, or the one for all other statuses. */
export function responseOf({ responses }: Json, status: number): Json {
  return responses[status] ?? responses.default;
}

/** Resolves a `$ref`; returns any other value unchanged. */
export function resolved(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce((part: Json, key: string) => part?.[key], document);
  if (found === undefined) throw new Error(`${value.$ref} does not exist`);
  return found;
}

/** @returns a function that returns the error of a value, or undefined if the value is valid */
export function schemaChecker(document: Json): (schema: Json, value: unknown) => string | undefined {
  const ajv = createAjv(document.openapi);
  // References are relative to the document, which is added once for all schemas.
  ajv.addSchema({ components: document.components }, 'document');
  const compiled = new Map<string, Json>();
  return (schema, value) => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"$ref":"#/', '"$ref":"document#/')));
    compiled.set(key, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}

// Ajv and its formats are CommonJS modules.
const require = createRequire(import.meta.url);

function createAjv(version: SpecVersion): Json {
  const Ajv = version === '3.1.0' ? require('ajv/dist/2020') : require('ajv');
  // Each schema validates few values, so optimizing the compiled code would cost more time than it saves.
  const ajv = new Ajv.default({ strict: false, allErrors: true, code: { optimize: false } });
  require('ajv-formats').default(ajv);
  return ajv;
}
