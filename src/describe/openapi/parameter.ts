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
  return { name, in: 'query', description, schema, example };
}

export function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, example };
}
