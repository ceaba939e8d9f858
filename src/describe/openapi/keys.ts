/** The operations on API keys (http.md §19). */
import { type JsonSchema, KEYS_PATH, type Tag } from '../../engine/index.ts';
import { keyCollectionOf, keyItemOf } from '../hydra/keys.ts';
import type { DocumentContext, Reference } from './components.ts';
import { notModified } from './headers.ts';
import { bodyContent, collectionContent, examplePage, recordContent, withoutLinks } from './linked.ts';
import type { Parameter } from './parameter.ts';
import { directionSchema, headerParameters, PAGE_PARAMETERS } from './parameters.ts';
import { problemResponses } from './problems.ts';

export const KEYS_TAG: Tag = {
  name: 'Key',
  description: 'API keys of the store, and the scopes that they can have. Managing keys needs the scope `keys:manage`.',
};

/** The identifier that belongs to the name in the example. */
const ID = '882ce965-3864-8338-95cd-a10c2a526e3e';

const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Name of the key, such as its purpose. It appears in the history of orders.',
};
const KIND = { type: 'string', enum: ['read-write', 'read-only', 'scoped', 'publishable'] };

const SCOPES = { type: 'array', items: { type: 'string' }, maxItems: 100 };
const MASKS = { type: 'array', items: { type: 'string' }, maxItems: 100 };
const NETWORKS = { type: 'array', items: { type: 'string' }, maxItems: 50 };
const ORIGINS = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 };

export function keysPaths(context: DocumentContext): Record<string, Record<string, object>> {
  return {
    [KEYS_PATH]: { get: describeList(context), post: describeCreate(context) },
    [`${KEYS_PATH}/{id}`]: { get: describeRead(context), delete: describeRemove(context) },
  };
}

function operation(operationId: string, summary: string, description: string, parameters: readonly Parameter[]) {
  return { tags: [KEYS_TAG.name], operationId, summary, description, parameters };
}

const READ_HEADERS = [headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer];
const PATH: Parameter = {
  ...{ name: 'id', in: 'path', required: true, description: 'Id of the key.', example: ID },
  schema: { type: 'string', format: 'uuid' },
};

function order(context: DocumentContext): Parameter {
  return {
    ...{ name: 'order[id]', in: 'query', description: 'Sort by `id` instead of the default order.' },
    ...{ schema: directionSchema(context), example: 'asc' },
  };
}

function describeList(context: DocumentContext): object {
  return {
    ...operation(
      'listKeys',
      'List API keys',
      'Keys from the server’s settings come first, then those of the store by name. The response contains the key itself only for publishable keys.',
      [...PAGE_PARAMETERS, order(context), ...READ_HEADERS],
    ),
    responses: {
      200: {
        description: 'A page of keys.',
        content: collectionContent(context, keySchema(context), EXAMPLE, (record) =>
          withoutLinks(keyCollectionOf(examplePage(record))),
        ),
      },
      304: notModified(context, true),
      ...problemResponses(context),
    },
  };
}

function describeRead(context: DocumentContext): object {
  return {
    ...operation(
      'readKey',
      'Read an API key',
      'The response does not contain the key itself, unless it is publishable.',
      [PATH, ...READ_HEADERS],
    ),
    responses: {
      200: {
        description: 'The key.',
        content: recordContent(context, keySchema(context), EXAMPLE, keyItemOf),
      },
      304: notModified(context),
      ...problemResponses(context),
    },
  };
}

function describeCreate(context: DocumentContext): object {
  return {
    ...operation(
      'createKey',
      'Create an API key',
      'The response contains the key in `key`. Unless it is publishable, it cannot be read again, because the store saves only its hash. `Idempotency-Key` has no effect. A name that is already in use is a 422.',
      [headerParameters.acceptLanguage, headerParameters.prefer],
    ),
    requestBody: {
      required: true,
      content: bodyContent(inputSchema(context), INPUT_EXAMPLE),
    },
    responses: {
      201: {
        description: 'The new key.',
        content: recordContent(context, madeSchema(context), MADE_EXAMPLE, keyItemOf),
      },
      ...problemResponses(context, 'validation-failed'),
    },
  };
}

function describeRemove(context: DocumentContext): object {
  return {
    ...operation(
      'deleteKey',
      'Revoke an API key',
      'All servers of the store reject the key from the next request on. The last read/write key and keys from the server’s settings cannot be revoked (409).',
      [
        PATH,
        headerParameters.ifMatch,
        headerParameters.unlessMatch,
        headerParameters.acceptLanguage,
        headerParameters.prefer,
      ],
    ),
    responses: {
      204: { description: 'The key was revoked.' },
      ...problemResponses(context, 'conflict'),
    },
  };
}

const INPUT_EXAMPLE = { name: 'Night script', kind: 'read-only' };

const EXAMPLE = {
  ...{ id: ID, name: 'Night script', kind: 'read-only', expires_at: null, last_used_at: null },
  ...{ created_at: '2026-01-01T00:00:00+00:00', source: 'store', old_expires_at: null },
  scopes: ['*:export', '*:read', 'privacy:export'],
  masks: [],
  networks: [],
  created_by: { type: 'key', id: 'c7cfcf03-5e5a-8385-9d93-e3ab5938ca55', name: 'read/write' },
};

/** The example with the key itself, in the member order of the response. */
const MADE_EXAMPLE = (({ id, name, kind, ...rest }) => ({ id, name, kind, key: 'pv_ro_…', ...rest }))(EXAMPLE);

function properties({ dialect }: DocumentContext): Record<string, JsonSchema> {
  const timestampSchema = (description: string): JsonSchema =>
    dialect.nullable({ type: 'string', format: 'date-time', description });
  return {
    id: { type: 'string', format: 'uuid' },
    name: NAME,
    kind: { ...KIND, description: 'Access of the key.' },
    expires_at: timestampSchema('Time from which the key is rejected; null if it does not expire.'),
    last_used_at: dialect.nullable({
      ...{
        type: 'string',
        format: 'date',
        description: 'Day of the last use, in UTC; null if unknown.',
      },
    }),
    created_at: timestampSchema('Time of creation; null if unknown.'),
    source: {
      ...{ type: 'string', enum: ['store', 'environment'] },
      description: '`environment`: the key is defined in the server’s settings and cannot be revoked here.',
    },
    old_expires_at: timestampSchema('Time until which the key from before its rotation remains valid; null for none.'),
    scopes: { ...SCOPES, description: 'What the key may do, in code point order.' },
    masks: { ...MASKS, description: 'Fields that the key cannot see, in code point order.' },
    networks: { ...NETWORKS, description: 'CIDR ranges from which the key is accepted; an empty list is any address.' },
    created_by: dialect.nullable({
      type: 'object',
      description: 'The key or the user that created this one; null if unknown. The name is null if it was deleted.',
      properties: {
        type: { type: 'string', enum: ['key', 'user'] },
        id: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'integer' }] },
        name: dialect.nullable({ type: 'string' }),
      },
      required: ['type', 'id', 'name'],
    }),
  };
}

/** Members of publishable keys only. */
const PUBLISHABLE = {
  origins: { ...ORIGINS, description: 'Origins of the pages that use the key; only of publishable keys.' },
  key: { type: 'string', description: 'The key itself; only of publishable keys.' },
} as const satisfies Record<string, JsonSchema>;

function keySchema(context: DocumentContext): Reference {
  return context.components.refer('schemas', 'Key', () => {
    const all = properties(context);
    const required = Object.keys(all);
    const shown = { ...all, origins: PUBLISHABLE.origins, key: PUBLISHABLE.key };
    return { type: 'object', description: 'An API key of the store.', properties: shown, required };
  });
}

function madeSchema(context: DocumentContext): Reference {
  return context.components.refer('schemas', 'KeyMade', () => {
    const all = {
      ...properties(context),
      key: { type: 'string', description: 'The key itself; only shown in this response, unless it is publishable.' },
    };
    const required = Object.keys(all);
    return {
      type: 'object',
      description: 'A new API key.',
      properties: { ...all, origins: PUBLISHABLE.origins },
      required,
    };
  });
}

function inputSchema({ components, dialect }: DocumentContext): Reference {
  return components.refer('schemas', 'KeyCreate', () => ({
    type: 'object',
    description: 'An API key to create.',
    properties: {
      name: NAME,
      kind: { ...KIND, description: 'Access of the key.' },
      expires_at: dialect.nullable({
        type: 'string',
        description:
          'Date or date-time in the future from which the key is rejected; null if it does not expire. Default: `null`.',
      }),
      key: dialect.nullable({
        ...{ type: 'string', minLength: 16, maxLength: 128, pattern: '^[!-~]+$' },
        description: 'An existing key that clients already have, not in use in this store. Default: a random key.',
      }),
      scopes: {
        ...SCOPES,
        minItems: 1,
        description:
          'What a key of the kind `scoped` may do, such as `products:read` or `*:read`; required for that kind, and only allowed for it.',
      },
      masks: {
        ...MASKS,
        description:
          'Fields that a key of the kind `scoped` cannot see, such as `Product.cost_price`; only allowed for that kind. Default: none.',
      },
      networks: { ...NETWORKS, description: 'CIDR ranges from which the key is accepted. Default: any address.' },
      origins: {
        ...ORIGINS,
        description:
          'Origins of the pages that use a key of the kind `publishable`, such as `https://shop.example.com` or `https://*.example.com`; required for that kind, and only allowed for it.',
      },
    },
    required: ['name', 'kind'],
  }));
}
