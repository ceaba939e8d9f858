/** The scopes that operations need, and the operation that lists them (access.md §1). */
import { allScopes, conditionalScopes, requiredScopes } from '../access/scopes.ts';
import { type Model, SCOPES_PATH } from '../engine/index.ts';
import type { DocumentContext } from './openapi/components.ts';
import { notModified } from './openapi/headers.ts';
import { KEYS_TAG } from './openapi/keys.ts';
import type { Paths } from './openapi/operations.ts';
import { headerParameters } from './openapi/parameters.ts';
import { problemResponses } from './openapi/problems.ts';

const REQUIRED = 'x-required-scopes';

/** A scope as `GET /scopes` returns it. */
export interface ScopeRecord {
  readonly scope: string;
  readonly description: string;
  /** Ids of the operations of which all or some requests need it. */
  readonly operations: readonly string[];
}

/** Adds to each operation the scopes that all of its requests need. */
export function addRequiredScopes(model: Model, paths: Paths): void {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      Object.assign(operation as object, { [REQUIRED]: requiredScopes(model, method.toUpperCase(), path) });
}

/** @param paths of the document, with the scopes of each operation */
export function scopeRecords(model: Model, paths: Paths): ScopeRecord[] {
  const operations = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId, [REQUIRED]: required } = operation as { operationId: string; [REQUIRED]: string[] };
      for (const scope of [...required, ...conditionalScopes(model, method.toUpperCase(), path)])
        operations.set(scope, [...(operations.get(scope) ?? []), operationId]);
    }
  return [...allScopes(model)].map(([scope, description]) => ({
    ...{ scope, description },
    operations: operations.get(scope) ?? [],
  }));
}

const EXAMPLE = {
  scopes: [
    {
      scope: 'profiles:check_password',
      description: 'Check the password of a profile.',
      operations: ['checkPasswordOfProfile'],
    },
  ],
  masks: [
    {
      ...{ field: 'Product.price', covers: ['Product.price_history', 'Variant.price'], personal: false },
      families: ['products'],
    },
  ],
};

export function scopesPaths(context: DocumentContext): Paths {
  const text = { type: 'string' };
  const scope = {
    type: 'object',
    properties: {
      scope: { ...text, description: 'The scope: family and operation.' },
      description: text,
      operations: { type: 'array', items: text, description: 'Ids of the operations that need it.' },
    },
    required: ['scope', 'description', 'operations'],
  };
  const mask = {
    type: 'object',
    properties: {
      field: { ...text, description: 'The field, such as `Product.cost_price`.' },
      covers: { type: 'array', items: text, description: 'Fields that are derived from it and hidden too.' },
      personal: { type: 'boolean', description: 'Whether the field may contain personal data.' },
      families: {
        type: 'array',
        items: text,
        description: 'Families of the field. A key sees the field only with `read` of all of them.',
      },
    },
    required: ['field', 'covers', 'personal', 'families'],
  };
  const schema = context.components.refer('schemas', 'Scopes', () => ({
    type: 'object',
    description: 'What a key of the kind `scoped` can be restricted to.',
    properties: {
      scopes: { type: 'array', items: scope, description: 'All scopes, without those with a wildcard.' },
      masks: { type: 'array', items: mask, description: 'All fields that can be hidden from a key.' },
    },
    required: ['scopes', 'masks'],
  }));
  return {
    [SCOPES_PATH]: {
      get: {
        tags: [KEYS_TAG.name],
        operationId: 'readScopes',
        summary: 'Read the scopes of keys',
        description: 'Any key may read it. `*` stands for any family or any operation, as in `*:read`.',
        parameters: [headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer],
        responses: {
          200: { description: 'All scopes.', content: { 'application/json': { schema, example: EXAMPLE } } },
          304: notModified(context),
          ...problemResponses(context),
        },
      },
    },
  };
}
