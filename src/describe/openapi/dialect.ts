/** Differences between the supported OpenAPI versions: nullable schemas and examples. The rest of the document is the same. */
import type { JsonSchema } from '../../engine/index.ts';

export type SpecVersion = '3.1.0' | '3.0.3';

export interface Dialect {
  readonly version: SpecVersion;
  /** Extends a schema by null. */
  nullable(schema: JsonSchema): JsonSchema;
  withExample(schema: JsonSchema, example: unknown): JsonSchema;
}

export const dialects: Readonly<Record<SpecVersion, Dialect>> = {
  '3.1.0': {
    version: '3.1.0',
    nullable(schema) {
      if (typeof schema.type === 'string') return withNullInEnum({ ...schema, type: [schema.type, 'null'] });
      const { anyOf = [{ $ref: schema.$ref }], $ref: _, ...rest } = schema;
      return { anyOf: [...(anyOf as JsonSchema[]), { type: 'null' }], ...rest };
    },
    withExample: (schema, example) => ({ ...schema, examples: [example] }),
  },
  '3.0.3': {
    version: '3.0.3',
    // "nullable" only has an effect together with "type" (OpenAPI 3.0.3, Schema Object).
    nullable(schema) {
      if (typeof schema.type === 'string') return withNullInEnum({ ...schema, nullable: true });
      const { anyOf, $ref, ...rest } = schema;
      if (anyOf === undefined) return { anyOf: [{ $ref }, NULL_OBJECT], ...rest };
      const [first, ...others] = anyOf as JsonSchema[];
      return { anyOf: [{ ...first, nullable: true }, ...others], ...rest };
    },
    withExample: (schema, example) => ({ ...schema, example }),
  },
};

/** Matches only null. `nullable` next to an `allOf` of a non-null schema would not accept null. */
const NULL_OBJECT: JsonSchema = { type: 'object', nullable: true, enum: [null] };

function withNullInEnum(schema: JsonSchema): JsonSchema {
  return schema.enum ? { ...schema, enum: [...(schema.enum as unknown[]), null] } : schema;
}
