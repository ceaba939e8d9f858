/** The operations on roles of users (access.md §3). */
import { ROLES_PATH } from '../../../access/scopes.ts';
import type { JsonSchema, Tag } from '../../../engine/index.ts';
import type { DocumentContext, Reference } from '../components.ts';
import {
  CHANGE_HEADERS,
  type Content,
  idParameter,
  listOperation,
  POST_HEADERS,
  readOperation,
  writeOperation,
} from './common.ts';

export const ROLES_TAG: Tag = {
  name: 'Role',
  description: 'Roles of staff accounts, each with scopes. They need the scope `roles:manage`.',
};

const tag = ROLES_TAG.name;
const parameters = [idParameter('role')];
const INPUT_EXAMPLE = {
  ...{ name: 'Warehouse', scopes: ['orders:read', 'products:read', 'products:write'] },
  masks: ['Product.cost_price'],
};
const EXAMPLE = { id: 101, ...INPUT_EXAMPLE, preset: false };

export function rolesPaths(context: DocumentContext): Record<string, Record<string, object>> {
  const result: Content = { schema: roleSchema(context), example: EXAMPLE };
  const body: Content = { schema: inputSchema(context, 'RoleWrite', ['name', 'scopes']), example: INPUT_EXAMPLE };
  const patch: Content = { schema: inputSchema(context, 'RolePatch', []), example: { name: 'Warehouse' } };
  const description = 'Preset roles cannot be changed (409). A caller can only grant scopes that it has.';
  const change = { result, problems: ['conflict', 'validation-failed'] } as const;
  return {
    [ROLES_PATH]: {
      get: listOperation(
        context,
        { tag, operationId: 'listRoles', summary: 'List roles', description: 'Preset roles come first.' },
        result,
      ),
      post: writeOperation(
        context,
        {
          ...{ tag, operationId: 'createRole', summary: 'Create a role', parameters: POST_HEADERS },
          description: 'A caller can only grant scopes that it has.',
        },
        { body, result, status: 201, problems: ['validation-failed'] },
      ),
    },
    [`${ROLES_PATH}/{id}`]: {
      get: readOperation(
        context,
        { tag, operationId: 'readRole', summary: 'Read a role', description: 'The role with its scopes.', parameters },
        result,
      ),
      put: writeOperation(
        context,
        {
          ...{ tag, operationId: 'replaceRole', summary: 'Replace a role', description },
          parameters: [...parameters, ...CHANGE_HEADERS],
        },
        { ...change, body },
      ),
      patch: writeOperation(
        context,
        {
          ...{ tag, operationId: 'updateRole', summary: 'Update a role', description },
          parameters: [...parameters, ...CHANGE_HEADERS],
        },
        { ...change, body: patch, isPatch: true },
      ),
      delete: writeOperation(
        context,
        {
          ...{ tag, operationId: 'deleteRole', summary: 'Delete a role' },
          description: 'Preset roles and roles that a user has cannot be deleted (409).',
          parameters: [...parameters, ...CHANGE_HEADERS],
        },
        { problems: ['conflict'] },
      ),
    },
  };
}

const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: 255, description: 'Unique name of the role.' };
const SCOPES: JsonSchema = {
  ...{ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 },
  description: 'What users with the role may do, such as `products:read` or `*:read`.',
};
const MASKS: JsonSchema = {
  ...{ type: 'array', items: { type: 'string' }, maxItems: 100 },
  description: 'Fields that the role hides, such as `Product.cost_price`. `GET /scopes` lists all.',
};

function roleSchema({ components }: DocumentContext): Reference {
  return components.refer('schemas', 'Role', () => {
    const properties = {
      ...{ id: { type: 'integer', format: 'int64' }, name: NAME, scopes: SCOPES, masks: MASKS },
      preset: { type: 'boolean', description: 'Whether the role is part of every store and cannot be changed.' },
    };
    return { type: 'object', description: 'A role of users.', properties, required: Object.keys(properties) };
  });
}

function inputSchema({ components }: DocumentContext, name: string, required: readonly string[]): Reference {
  return components.refer('schemas', name, () => ({
    ...{ type: 'object', description: 'A role to write.', properties: { name: NAME, scopes: SCOPES, masks: MASKS } },
    ...(required.length > 0 ? { required } : {}),
  }));
}
