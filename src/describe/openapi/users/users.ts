/** The operations on staff accounts (access.md §3). */
import { USERS_PATH } from '../../../access/scopes.ts';
import type { JsonSchema, Tag } from '../../../engine/index.ts';
import type { DocumentContext } from '../components.ts';
import type { Parameter } from '../parameter.ts';
import {
  CHANGE_HEADERS,
  type Described,
  idParameter,
  listOperation,
  POST_HEADERS,
  readOperation,
  writeOperation,
} from './common.ts';
import { passkeyPaths } from './passkeys.ts';
import {
  codeContent,
  linkContent,
  linkInputContent,
  newUserContent,
  newViewContent,
  ownChangeContent,
  ownUserContent,
  passwordContent,
  recoveryCodesContent,
  remainingCodesContent,
  SESSION_EXAMPLE,
  sessionSchema,
  totpContent,
  userChangeContent,
  userContent,
  viewChangeContent,
  viewContent,
} from './schemas.ts';

type Paths = Record<string, Record<string, object>>;

export const USERS_TAG: Tag = {
  name: 'User',
  description:
    'Staff accounts of the store. Managing them needs the scope `users:manage`. `/users/me` is the account of a signed-in user. In a session of the admin page, changes of users, roles and your second factor need a sign-in within the last 15 minutes (403 `reauthentication-required`).',
};

const tag = USERS_TAG.name;
const USER = idParameter('user');

export function usersPaths(context: DocumentContext): Paths {
  return {
    ...accountPaths(context),
    ...linkPaths(context),
    ...sessionPaths(context, `${USERS_PATH}/{id}`, [USER], 'OfUser', 'a user'),
    ...ownPaths(context),
    ...secondFactorPaths(context),
    ...passkeyPaths(context, tag),
    ...sessionPaths(context, `${USERS_PATH}/me`, [], 'OfOwnUser', 'your account'),
    ...viewPaths(context),
  };
}

function accountPaths(context: DocumentContext): Paths {
  const result = userContent(context);
  const change = { parameters: [USER, ...CHANGE_HEADERS] };
  const list = { tag, operationId: 'listUsers', summary: 'List users', description: 'All staff accounts.' };
  const create: Described = {
    ...{ tag, operationId: 'createUser', summary: 'Create a user', parameters: POST_HEADERS },
    description: 'The user cannot sign in before an invitation. A caller can only give rights that it has.',
  };
  const read = {
    tag,
    operationId: 'readUser',
    summary: 'Read a user',
    description: 'One account.',
    parameters: [USER],
  };
  const update: Described = {
    ...{ tag, operationId: 'updateUser', summary: 'Update a user', ...change },
    description: 'New roles apply to the next request. Disabling ends all sessions. One active owner remains (409).',
  };
  const remove: Described = {
    ...{ tag, operationId: 'deleteUser', summary: 'Delete a user', ...change },
    description: 'Ends all sessions. The last active owner cannot be deleted (409).',
  };
  return {
    [USERS_PATH]: {
      get: listOperation(context, list, result),
      post: writeOperation(context, create, {
        ...{ body: newUserContent(context), result, status: 201, problems: ['validation-failed'] },
      }),
    },
    [`${USERS_PATH}/{id}`]: {
      get: readOperation(context, read, result),
      patch: writeOperation(context, update, {
        ...{ body: userChangeContent(context), isPatch: true, result, problems: ['conflict', 'validation-failed'] },
      }),
      delete: writeOperation(context, remove, { problems: ['conflict'] }),
    },
  };
}

function linkPaths(context: DocumentContext): Paths {
  const parameters = [USER, ...CHANGE_HEADERS];
  const linkOf = (operationId: string, summary: string, description: string) => ({
    post: writeOperation(
      context,
      { tag, operationId, summary, description: `${description} It replaces the previous link.`, parameters },
      {
        ...{ body: linkInputContent(), isOptional: true, result: linkContent(context) },
        problems: ['conflict', 'validation-failed'],
      },
    ),
  });
  return {
    [`${USERS_PATH}/{id}/invite`]: linkOf('inviteUser', 'Create an invitation', 'Valid for 72 hours, used once.'),
    [`${USERS_PATH}/{id}/reset_link`]: linkOf('resetUser', 'Create a reset link', 'Valid for 60 minutes, used once.'),
  };
}

/** @param of ends the ids of the operations */
function sessionPaths(
  context: DocumentContext,
  path: string,
  own: readonly Parameter[],
  of: string,
  whose: string,
): Paths {
  const schema = sessionSchema(context);
  const one = [...own, idParameter('session', 'session_id', { type: 'string' })];
  const described = (verb: string, what: string, operationId: string, parameters: readonly Parameter[]): Described => ({
    ...{ tag, operationId: `${operationId}${of}`, summary: `${verb} ${what} of ${whose}`, parameters },
    description: 'Sessions of the admin page. An ended session is rejected from the next request on.',
  });
  const all = { type: 'array', items: schema as JsonSchema };
  return {
    [`${path}/sessions`]: {
      get: readOperation(context, described('List', 'the sessions', 'readSessions', own), {
        ...{ schema: all, example: [SESSION_EXAMPLE] },
      }),
      delete: writeOperation(
        context,
        described('End', 'the other sessions', 'endSessions', [...own, ...POST_HEADERS]),
        {},
      ),
    },
    [`${path}/sessions/{session_id}`]: {
      get: readOperation(context, described('Read', 'a session', 'readSession', one), {
        ...{ schema, example: SESSION_EXAMPLE },
      }),
      delete: writeOperation(context, described('End', 'a session', 'endSession', [...one, ...POST_HEADERS]), {}),
    },
  };
}

function ownPaths(context: DocumentContext): Paths {
  const description = 'Only for sessions of users; a key gets a 404.';
  const result = ownUserContent(context);
  return {
    [`${USERS_PATH}/me`]: {
      get: readOperation(
        context,
        { tag, operationId: 'readOwnUser', summary: 'Read your account', description },
        result,
      ),
      patch: writeOperation(
        context,
        {
          ...{ tag, operationId: 'updateOwnUser', summary: 'Update your account', description },
          parameters: CHANGE_HEADERS,
        },
        { body: ownChangeContent(context), isPatch: true, result, problems: ['validation-failed'] },
      ),
    },
    [`${USERS_PATH}/me/password`]: {
      put: writeOperation(
        context,
        {
          ...{ tag, operationId: 'changeOwnPassword', summary: 'Change your password', parameters: POST_HEADERS },
          description: `${description} It ends your other sessions.`,
        },
        { body: passwordContent(context), problems: ['validation-failed'] },
      ),
    },
  };
}

function viewPaths(context: DocumentContext): Paths {
  const description = 'Filters and order of a list of the admin page, saved under a name. Only you see them.';
  const result = viewContent(context);
  const body = newViewContent(context);
  const problems = ['conflict', 'validation-failed'] as const;
  const id = idParameter('view');
  const change = { description, tag, parameters: [id, ...CHANGE_HEADERS] };
  return {
    [`${USERS_PATH}/me/views`]: {
      get: readOperation(
        context,
        { tag, operationId: 'readViews', summary: 'List your saved views', description },
        { schema: { type: 'array', items: result.schema as JsonSchema }, example: [result.example] },
      ),
      post: writeOperation(
        context,
        { tag, operationId: 'createView', summary: 'Save a view', description, parameters: POST_HEADERS },
        { body, result, status: 201, problems },
      ),
    },
    [`${USERS_PATH}/me/views/{id}`]: {
      get: readOperation(
        context,
        { tag, operationId: 'readView', summary: 'Read a saved view', description, parameters: [id] },
        result,
      ),
      patch: writeOperation(
        context,
        { ...change, operationId: 'updateView', summary: 'Change a saved view' },
        { body: viewChangeContent(context), isPatch: true, result, problems: ['validation-failed'] },
      ),
      delete: writeOperation(context, { ...change, operationId: 'deleteView', summary: 'Delete a saved view' }, {}),
    },
  };
}

function secondFactorPaths(context: DocumentContext): Paths {
  const own = 'Only for sessions of users; a key gets a 404.';
  const codes = recoveryCodesContent(context);
  const empty = { body: { schema: { type: 'object' }, example: {} }, isOptional: true } as const;
  const of = (operationId: string, summary: string, description: string): Described => ({
    ...{ tag, operationId, summary, description: `${description} ${own}`, parameters: POST_HEADERS },
  });
  const count = 'The number of recovery codes that are not used yet.';
  return {
    [`${USERS_PATH}/me/totp`]: {
      post: writeOperation(
        context,
        of(
          'setUpTotp',
          'Create a secret for your authenticator app',
          'A code has to enable it. 409 if one is enabled.',
        ),
        { ...empty, result: totpContent(context), problems: ['conflict', 'validation-failed'] },
      ),
      put: writeOperation(
        context,
        of(
          'enableTotp',
          'Enable your authenticator app',
          'Later sign-ins need a code. A wrong one is a 422. It ends your other sessions.',
        ),
        { body: codeContent(context), result: codes, problems: ['conflict', 'validation-failed'] },
      ),
      delete: writeOperation(
        context,
        of(
          'disableTotp',
          'Disable your authenticator app',
          'Also deletes the recovery codes, unless you have a passkey. 404 if none is enabled.',
        ),
        {},
      ),
    },
    [`${USERS_PATH}/me/recovery_codes`]: {
      get: readOperation(
        context,
        {
          tag,
          operationId: 'countRecoveryCodes',
          summary: 'Count your recovery codes',
          description: `${count} ${own}`,
        },
        remainingCodesContent(context),
      ),
      post: writeOperation(
        context,
        of(
          'renewRecoveryCodes',
          'Replace your recovery codes',
          'Also creates the first ones if your only second factor is a passkey. 409 without a second factor.',
        ),
        { ...empty, result: codes, problems: ['conflict', 'validation-failed'] },
      ),
    },
  };
}
