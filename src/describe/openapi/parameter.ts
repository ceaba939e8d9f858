/** One parameter of an operation, as OpenAPI writes it. */
import type { JsonSchema } from '../../engine/index.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: true;
  readonly deprecated?: true;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly [keyword: string]: unknown;
}

export function query(name: string, description: string, schema: JsonSchema, example: unknown): Parameter {
  return { name, in: 'query', description, schema, examples: unsent(example) };
}

export function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, examples: unsent(example) };
}

/** `x-disabled`: the reference page shows the value, and sends it once a person asks for that. */
export function unsent(value: unknown): object {
  return { default: { value, 'x-disabled': true } };
}
