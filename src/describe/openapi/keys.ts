/** The operations of the store's API keys (http.md §19). */
import { type JsonSchema, KEYS_PATH, type Tag } from '../../engine/index.ts';
import { keyCollectionOf, keyItemOf } from '../hydra/keys.ts';
import type { Reference, Writing } from './components.ts';
import { headersNamed } from './headers.ts';
import { collectionContent, exampledBody, JSON_TYPE, LD_TYPE, recordContent } from './linked.ts';
import { type Parameter, unsent } from './parameter.ts';
import { headerParameters, PAGE_PARAMETERS } from './parameters.ts';
import { possibleProblems, problemResponses } from './problems.ts';

export const KEYS_TAG: Tag = {
  name: 'Key',
  description: 'The API keys of the store: who may ask it. For read/write keys alone.',
};

/** Of the name in the example. */
const ID = '882ce965-3864-8338-95cd-a10c2a526e3e';

const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'The purpose of the key; it appears in histories.',
};
const KIND = { type: 'string', enum: ['read-write', 'read-only'] };

export function keysPaths(writing: Writing): Record<string, Record<string, object>> {
  return {
    [KEYS_PATH]: { get: describeList(writing), post: describeCreate(writing) },
    [`${KEYS_PATH}/{id}`]: { get: describeRead(writing), delete: describeRemove(writing) },
  };
}

function operation(operationId: string, summary: string, description: string, parameters: readonly Parameter[]) {
  const security = [{ apiKey: [] }];
  return { tags: [KEYS_TAG.name], operationId, summary, description, security, parameters };
}

const READ_HEADERS = [headerParameters.ifNoneMatch, headerParameters.acceptLanguage, headerParameters.prefer];
const PATH: Parameter = {
  ...{ name: 'id', in: 'path', required: true, description: 'The id of the key.', example: ID },
  schema: { type: 'string', format: 'uuid' },
};

const ORDER: Parameter = {
  ...{ name: 'order[id]', in: 'query', description: 'Sort by `id` instead.' },
  schema: { type: 'string', enum: ['asc', 'desc'] },
  examples: unsent('asc'),
};

function describeList(writing: Writing): object {
  const named = ['ETag', 'X-Total-Count', 'Link', 'Content-Language', 'Preference-Applied'] as const;
  return {
    ...operation(
      'listKeys',
      'List the API keys',
      'Those of the server’s settings first, then the store’s own by name. No key itself is ever shown again.',
      [...PAGE_PARAMETERS, ORDER, ...READ_HEADERS],
    ),
    responses: {
      200: {
        description: 'A page of keys.',
        headers: headersNamed(writing, named),
        content: collectionContent(writing, keySchema, EXAMPLE, (record) =>
          keyCollectionOf({ records: [record], total: 1, addresses: EXAMPLE_PAGE }),
        ),
      },
      304: { description: 'Nothing changed since.', headers: headersNamed(writing, named) },
      // To read keys takes a key that may write.
      ...problemResponses(writing, possibleProblems('write')),
    },
  };
}

function describeRead(writing: Writing): object {
  const named = ['ETag', 'Content-Language', 'Preference-Applied'] as const;
  return {
    ...operation('readKey', 'Read an API key', 'All but the key itself.', [PATH, ...READ_HEADERS]),
    responses: {
      200: {
        description: 'The key.',
        headers: headersNamed(writing, named),
        content: recordContent(writing, keySchema, EXAMPLE, keyItemOf),
      },
      304: { description: 'Nothing changed since.', headers: headersNamed(writing, named) },
      ...problemResponses(writing, possibleProblems('write', 'not-found')),
    },
  };
}

function describeCreate(writing: Writing): object {
  return {
    ...operation(
      'createKey',
      'Make an API key',
      'The answer has the key in `key`, this once: the store keeps only its hash. `Idempotency-Key` has no effect here; a name that is used already is a 422.',
      [headerParameters.acceptLanguage, headerParameters.prefer],
    ),
    requestBody: {
      required: true,
      content: {
        [JSON_TYPE]: exampledBody(inputSchema(writing), INPUT_EXAMPLE),
        [LD_TYPE]: exampledBody(inputSchema(writing, 'linked'), INPUT_EXAMPLE),
      },
    },
    responses: {
      201: {
        description: 'The key was made.',
        headers: headersNamed(writing, ['ETag', 'Location', 'Content-Language', 'Preference-Applied']),
        content: recordContent(writing, madeSchema, MADE_EXAMPLE, keyItemOf),
      },
      ...problemResponses(writing, possibleProblems('body', 'validation-failed')),
    },
  };
}

function describeRemove(writing: Writing): object {
  return {
    ...operation(
      'deleteKey',
      'Revoke an API key',
      'From the next request on every server of the store refuses it. The last read/write key, and one of the server’s settings, stay: 409.',
      [
        PATH,
        headerParameters.ifMatch,
        headerParameters.unlessMatch,
        headerParameters.acceptLanguage,
        headerParameters.prefer,
      ],
    ),
    responses: {
      204: { description: 'The key is revoked.', headers: headersNamed(writing, ['Preference-Applied']) },
      ...problemResponses(writing, possibleProblems('write', 'not-found', 'conflict', 'precondition-failed')),
    },
  };
}

const INPUT_EXAMPLE = { name: 'Night script', kind: 'read-only' };

const PAGE = '/api/keys?page=1';
const EXAMPLE_PAGE = { self: PAGE, first: PAGE, last: PAGE };

const EXAMPLE = {
  ...{ id: ID, name: 'Night script', kind: 'read-only', expires_at: null, last_used_at: null },
  ...{ created_at: '2026-01-01T00:00:00+00:00', source: 'store', old_expires_at: null },
};

/** With the key, in the order of the answer. */
const MADE_EXAMPLE = (({ id, name, kind, ...rest }) => ({ id, name, kind, key: 'pv_ro_…', ...rest }))(EXAMPLE);

function properties({ dialect }: Writing): Record<string, JsonSchema> {
  const timestampSchema = (description: string): JsonSchema =>
    dialect.nullable({ type: 'string', format: 'date-time', description });
  return {
    id: { type: 'string', format: 'uuid' },
    name: NAME,
    kind: { ...KIND, description: 'Whether it may write, or only read.' },
    expires_at: timestampSchema('From then on it is refused; null for never.'),
    last_used_at: dialect.nullable({
      ...{
        type: 'string',
        format: 'date',
        description: 'The day of its last use, in UTC; null where it is not known.',
      },
    }),
    created_at: timestampSchema('When it was made; null where that is not known.'),
    source: {
      ...{ type: 'string', enum: ['store', 'environment'] },
      description: '`environment`: it stands in the settings of the server, and cannot be deleted here.',
    },
    old_expires_at: timestampSchema('Until then the key that it had before it was rotated is right, too; else null.'),
  };
}

function keySchema(writing: Writing): Reference {
  return writing.components.refer('schemas', 'Key', () => {
    const all = properties(writing);
    return { type: 'object', description: 'An API key of the store.', properties: all, required: Object.keys(all) };
  });
}

function madeSchema(writing: Writing): Reference {
  return writing.components.refer('schemas', 'KeyMade', () => {
    const all = { ...properties(writing), key: { type: 'string', description: 'The key itself; shown this once.' } };
    return {
      type: 'object',
      description: 'An API key that was just made.',
      properties: all,
      required: Object.keys(all),
    };
  });
}

function inputSchema(writing: Writing, form: 'plain' | 'linked' = 'plain'): Reference {
  const { components, dialect } = writing;
  return components.refer('schemas', form === 'plain' ? 'KeyCreate' : 'KeyCreate.jsonld', () => ({
    type: 'object',
    description: 'An API key to be made.',
    properties: {
      name: NAME,
      kind: { ...KIND, description: 'Whether it may write, or only read.' },
      expires_at: dialect.nullable({
        type: 'string',
        description: 'A date or a date-time to come, from when on it is refused; null for never. Default: `null`.',
      }),
    },
    required: ['name', 'kind'],
  }));
}
