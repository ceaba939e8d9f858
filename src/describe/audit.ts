/** The operations on the audit (access.md §4). */
import { AUDIT_PATH, RECORD_AUDIT, RECORD_RESTORE } from '../access/scopes.ts';
import {
  type JsonSchema,
  type ModelRoute,
  publishedRoutes,
  restorableRoutes,
  type Tag,
  words,
} from '../engine/index.ts';
import type { DocumentContext, Reference } from './openapi/components.ts';
import { exampledBody } from './openapi/linked.ts';
import { type Paths, recordResponse } from './openapi/operations.ts';
import type { Parameter } from './openapi/parameter.ts';
import { headerParameters, pathParameters } from './openapi/parameters.ts';
import { problemResponses } from './openapi/problems.ts';
import { routeSuffix } from './openapi/schemas.ts';
import {
  type Content,
  idParameter,
  listOperation,
  POST_HEADERS,
  readOperation,
  writeOperation,
} from './openapi/users/common.ts';
import { recordNoun } from './route-nouns.ts';

export const AUDIT_TAG: Tag = {
  name: 'Audit',
  description:
    'Who did what: an entry for each change of a record, sign-in and export. It needs the scope `audit:read`.',
};

const tag = AUDIT_TAG.name;

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const EXAMPLE = {
  ...{ id: 1, date: '2026-01-01T00:00:00+00:00', actor: { type: 'user', id: 1, name: 'Ada' } },
  ...{ address: '192.0.2.1', request_id: '0b7e4f0e-5d1c-4a53-9f1e-2a5a3c9f3d55', action: 'updated' },
  ...{ resource: 'Product', record_id: 1, path: '/api/products/1', version: 2 },
  changes: { price: { before: 10, after: 12 } },
  ...{ changes_hash: HASH, hash: HASH },
};

/** Actions of entries about one record of the model. */
const RECORD_ACTIONS = ['created', 'updated', 'deleted', 'restored'];

const ACTIONS = [
  ...RECORD_ACTIONS,
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'export',
  'privacy_export',
  'privacy_erase',
];

export function auditPaths(context: DocumentContext): Paths {
  const entry = { schema: entrySchema(context), example: EXAMPLE };
  const headSchema = context.components.refer('schemas', 'AuditHead', () => ({
    ...{ type: 'object', description: 'Id and hash of the newest entry.', required: ['id', 'hash'] },
    properties: {
      id: context.dialect.nullable({ type: 'integer', format: 'int64', description: 'Null before the first entry.' }),
      hash: context.dialect.nullable({ type: 'string', description: 'Null before the first entry.' }),
    },
  }));
  return {
    [AUDIT_PATH]: {
      get: listOperation(
        context,
        {
          ...{ tag, operationId: 'listAuditEntries', summary: 'List audit entries', parameters: filters() },
          description: 'The newest entry comes first. Entries and fields that the key cannot see are absent.',
        },
        entry,
      ),
    },
    [`${AUDIT_PATH}/head`]: {
      get: readOperation(
        context,
        {
          ...{ tag, operationId: 'readAuditHead', summary: 'Read the head of the audit' },
          description:
            'The id and hash of the newest entry. With a copy of them, `purveyor check --audit-head` proves later that no entry up to this one was changed.',
        },
        { schema: headSchema, example: { id: 1, hash: HASH } },
      ),
    },
    [`${AUDIT_PATH}/{id}${RECORD_RESTORE}`]: {
      post: writeOperation(
        context,
        {
          ...{ tag, operationId: 'restoreDeletedRecord', summary: 'Create a deleted record again' },
          description:
            'Creates the record of an entry `deleted` again, with a new id. It also needs the scopes of a POST to its collection. Other entries are a 409.',
          parameters: [idParameter('entry'), headerParameters.idempotencyKey, ...POST_HEADERS],
        },
        {
          ...{ body: { schema: { type: 'object' }, example: {} }, isOptional: true },
          ...{ result: { schema: restoredSchema(context), example: RESTORED }, status: 201 },
          problems: ['conflict', 'validation-failed', 'key-reused'],
        },
      ),
    },
    [`${AUDIT_PATH}/{id}`]: {
      get: readOperation(
        context,
        {
          ...{ tag, operationId: 'readAuditEntry', summary: 'Read an audit entry', description: 'One entry.' },
          parameters: [idParameter('entry')],
        },
        entry,
      ),
    },
  };
}

/** The audit of each record that has entries of its own. */
export function recordAuditPaths(context: DocumentContext): Paths {
  const entry = { schema: entrySchema(context), example: EXAMPLE };
  const resources = [...context.model.resources.values()].filter(({ declaration: { group, tag } }) => group ?? tag);
  const routes = resources.flatMap((resource) => publishedRoutes(resource));
  return Object.fromEntries(
    routes.map((route) => [`${route.path}${RECORD_AUDIT}`, describeRecord(context, route, entry)]),
  );
}

function describeRecord(context: DocumentContext, route: ModelRoute, entry: Content): Paths[string] {
  const { name, declaration } = route.resource;
  const own = filters(RECORD_ACTIONS).filter((parameter) => !OF_RECORD.has(parameter.name));
  return {
    get: listOperation(
      context,
      {
        ...{ tag: declaration.tag ?? name, operationId: `list${name}Audit${routeSuffix(route)}` },
        ...{
          summary: `List the audit entries of ${recordNoun(route)}`,
          parameters: [...pathParameters(route, 'item'), ...own],
        },
        description: 'Like `/audit`, for one record, which may be deleted.',
      },
      entry,
    ),
  };
}

/** The restoration of each record that can be changed. */
export function restorePaths(context: DocumentContext): Paths {
  const resources = [...context.model.resources.values()].filter(({ declaration: { group, tag } }) => group ?? tag);
  const routes = resources.flatMap((resource) => restorableRoutes(resource));
  return Object.fromEntries(routes.map((route) => [`${route.path}${RECORD_RESTORE}`, describeRestore(context, route)]));
}

function describeRestore(context: DocumentContext, route: ModelRoute): Paths[string] {
  const { name, declaration } = route.resource;
  const schema = context.components.refer('schemas', 'RestoredVersion', () => ({
    type: 'object',
    description: 'An earlier version of a record.',
    properties: { version: { type: 'integer', minimum: 1, description: 'A `version` in the audit of the record.' } },
    required: ['version'],
  }));
  const { acceptLanguage, idempotencyKey, ifMatch, prefer, unlessMatch } = headerParameters;
  const preserved = [...route.updates].flatMap((each) => (each.field.preservedOnRestore ? `\`${each.name}\`` : []));
  const post = {
    tags: [declaration.tag ?? name],
    operationId: `restore${name}${routeSuffix(route)}`,
    summary: `Restore an earlier version of ${recordNoun(route)}`,
    description: `Writes the fields that an update can write, in all languages, as they were in that version. Other fields and parts remain as they are${preserved.length === 0 ? '' : `, and so ${preserved.length === 1 ? 'does' : 'do'} ${preserved.join(' and ')}`}. A version whose personal data was erased is a 410.`,
    parameters: [...pathParameters(route, 'item'), ...[idempotencyKey, ifMatch, unlessMatch, acceptLanguage, prefer]],
    requestBody: { required: true, content: { 'application/json': exampledBody(schema, { version: 1 }) } },
    responses: {
      200: recordResponse(context, route, `The ${words(name)}`),
      ...problemResponses(context, 'conflict', 'validation-failed', 'key-reused'),
    },
  };
  return { post };
}

const RESTORED = { id: 2, name: 'New', not_restored: ['create_date', 'images[12]'] };

function restoredSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'RestoredRecord', () => ({
    type: 'object',
    description: 'The new record as a GET returns it, and what it no longer has.',
    properties: {
      not_restored: {
        type: 'array',
        items: { type: 'string' },
        description: 'Fields and parts as `changes` names them, such as `tags` and `images[12]`.',
      },
    },
    required: ['not_restored'],
    additionalProperties: true,
  }));
}

/** Filters that the path of a record replaces. */
const OF_RECORD = new Set(['path', 'resource', 'record_id']);

function filters(actions = ACTIONS): Parameter[] {
  const text = (name: string, description: string, example: string, values?: readonly string[]): Parameter => ({
    ...{ name, in: 'query', description, example },
    schema: { type: 'string', ...(values ? { enum: [...values] } : {}) },
  });
  const dates = ['after', 'strictly_after', 'before', 'strictly_before'];
  return [
    text('path', 'Entries of the record with this path.', '/api/products/1'),
    text('resource', 'Entries of this resource.', 'Product'),
    text('record_id', 'Entries of records with this id.', '1'),
    text('action', 'Entries with this action.', 'updated', actions),
    text('actor.type', 'Entries of actors of this type.', 'user'),
    text('actor.id', 'Entries of actors with this id.', '1'),
    text('address', 'Entries of clients with this IP address.', '192.0.2.1'),
    text('request_id', 'Entries of the request with this id.', EXAMPLE.request_id),
    ...dates.map((operator) => text(`date[${operator}]`, 'Entries in this period.', '2026-01-01T00:00:00+00:00')),
  ];
}

function entrySchema({ components, dialect }: DocumentContext): Reference {
  return components.refer('schemas', 'AuditEntry', () => {
    const id: JsonSchema = { description: 'A number or a text.' };
    const text: JsonSchema = { type: 'string' };
    const actor = {
      type: { ...text, description: 'Such as `user`, `key`, `import` or `job`.' },
      id: { ...id, description: 'Id of the user or key; name of the command or job.' },
      name: dialect.nullable({ ...text, description: 'Current name; null if the actor no longer exists.' }),
    };
    const properties = {
      id: { type: 'integer', format: 'int64', description: 'Position of the entry, without gaps.' },
      date: { type: 'string', format: 'date-time', description: 'Time of the action, in UTC.' },
      actor: {
        type: 'object',
        description: 'Who or what acted.',
        properties: actor,
        required: Object.keys(actor),
      },
      address: dialect.nullable({ ...text, description: 'IP address of the client.' }),
      request_id: dialect.nullable({
        ...text,
        description: '`X-Request-Id` of the response; null for the program itself.',
      }),
      action: { type: 'string', enum: ACTIONS },
      resource: dialect.nullable({ ...text, description: 'Resource of the record.' }),
      record_id: { ...id, description: 'Id of the record.' },
      path: dialect.nullable({ ...text, description: 'Address of the record, without the host.' }),
      version: dialect.nullable({ type: 'integer', description: 'Version of the record after the change.' }),
      changes: {
        ...{ type: 'object', additionalProperties: true },
        description: 'The value of each changed field before and after the change.',
      },
      changes_hash: { ...text, description: 'SHA-256 of a secret salt and `changes`.' },
      hash: { ...text, description: 'SHA-256 of the entry and of the hash of the entry before it.' },
    };
    return {
      type: 'object',
      description: 'An entry of the audit: a change of a record, a sign-in or an export.',
      properties,
      required: Object.keys(properties),
    };
  });
}
