/** OpenAPI Parameter Objects. */
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
  return { name, in: 'query', description, schema, examples: disabledExample(example) };
}

export function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, examples: disabledExample(example) };
}

/** `x-disabled`: the reference page shows the value, but sends it only if the user enables the parameter. */
export function disabledExample(value: unknown): object {
  return { default: { value, 'x-disabled': true } };
}
