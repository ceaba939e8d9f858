/** The operations on passkeys of the own account (access.md §3). */
import { USERS_PATH } from '../../../access/scopes.ts';
import type { JsonSchema } from '../../../engine/index.ts';
import type { DocumentContext, Reference } from '../components.ts';
import {
  CHANGE_HEADERS,
  type Content,
  type Described,
  idParameter,
  POST_HEADERS,
  readOperation,
  writeOperation,
} from './common.ts';

const OWN = 'Only for sessions of users; a key gets a 404. 404 if the store has no passkeys.';

/** @param tag of the operations on users */
export function passkeyPaths(context: DocumentContext, tag: string): Record<string, Record<string, object>> {
  const passkey = passkeyContent(context);
  const of = (operationId: string, summary: string, description: string): Described => ({
    ...{ tag, operationId, summary, description: `${description} ${OWN}` },
  });
  const id = idParameter('passkey');
  return {
    [`${USERS_PATH}/me/passkeys`]: {
      get: readOperation(context, of('readPasskeys', 'List your passkeys', 'At most 10.'), {
        ...{ schema: { type: 'array', items: passkey.schema as JsonSchema }, example: [passkey.example] },
      }),
      post: writeOperation(
        context,
        {
          ...of(
            'createPasskey',
            'Add a passkey',
            'A wrong passkey, or one for other options, is a 422. If you had no second factor, it ends your other sessions.',
          ),
          parameters: POST_HEADERS,
        },
        {
          ...{ body: newPasskeyContent(context), result: passkey, status: 201 },
          problems: ['conflict', 'validation-failed'],
        },
      ),
    },
    [`${USERS_PATH}/me/passkeys/options`]: {
      post: writeOperation(
        context,
        {
          ...of(
            'createPasskeyOptions',
            'Create the options for a passkey',
            'For `navigator.credentials.create` of a browser, within 5 minutes. 409 if you have 10 passkeys.',
          ),
          parameters: POST_HEADERS,
        },
        {
          ...{ body: { schema: { type: 'object' }, example: {} }, isOptional: true, result: optionsContent(context) },
          problems: ['conflict', 'validation-failed'],
        },
      ),
    },
    [`${USERS_PATH}/me/passkeys/{id}`]: {
      get: readOperation(
        context,
        { ...of('readPasskey', 'Read a passkey', 'One passkey.'), parameters: [id] },
        passkey,
      ),
      delete: writeOperation(
        context,
        {
          ...of('deletePasskey', 'Delete a passkey', 'It can no longer be used to sign in.'),
          parameters: [id, ...CHANGE_HEADERS],
        },
        {},
      ),
    },
  };
}

const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: 255, description: 'What you call it.' };

function passkeyContent({ components, dialect }: DocumentContext): Content {
  const schema = components.refer('schemas', 'Passkey', () => {
    const properties = {
      id: { type: 'integer', format: 'int64' },
      name: NAME,
      created_at: { type: 'string', format: 'date-time' },
      last_used_at: dialect.nullable({
        type: 'string',
        format: 'date-time',
        description: 'Null before the first use.',
      }),
    };
    return { type: 'object', description: 'A passkey of a user.', properties, required: Object.keys(properties) };
  });
  return {
    schema,
    example: { id: 1, name: 'Laptop', created_at: '2026-01-01T00:00:00+00:00', last_used_at: null },
  };
}

const BYTES: JsonSchema = { type: 'string', description: 'Bytes in base64url.' };
const ANY: JsonSchema = { type: 'object', additionalProperties: true };

function newPasskeyContent({ components }: DocumentContext): Content {
  const schema: Reference = components.refer('schemas', 'PasskeyCreate', () => ({
    ...{ type: 'object', description: 'A passkey to add.', required: ['name', 'passkey'] },
    properties: {
      name: NAME,
      passkey: { ...ANY, description: 'What `navigator.credentials.create` returns, as JSON (`toJSON()`).' },
    },
  }));
  const response = { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' };
  const passkey = { id: 'AAECAw', rawId: 'AAECAw', type: 'public-key', response, clientExtensionResults: {} };
  return { schema, example: { name: 'Laptop', passkey } };
}

function optionsContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'PasskeyOptions', () => ({
    ...{
      type: 'object',
      description: 'Options of WebAuthn, as JSON (`PublicKeyCredential.parseCreationOptionsFromJSON`).',
    },
    properties: {
      challenge: BYTES,
      rp: { ...ANY, description: 'The host of the store.' },
      user: { ...ANY, description: 'The user of the passkey.' },
      pubKeyCredParams: { type: 'array', items: ANY, description: 'Algorithms.' },
      excludeCredentials: { type: 'array', items: ANY, description: 'Passkeys that the user has.' },
      authenticatorSelection: { ...ANY, description: 'What the authenticator must be able to do.' },
    },
    required: ['challenge', 'rp', 'user', 'pubKeyCredParams'],
    additionalProperties: true,
  }));
  const rp = { id: 'shop.example', name: 'shop.example' };
  const user = { id: 'AAECAw', name: 'ada@example.com', displayName: 'Ada' };
  const challenge = '3vYb1cQeT0mXkq8pYt5s0m2u9o1dN7aHf6lLrWcJzKU';
  const pubKeyCredParams = [{ alg: -7, type: 'public-key' }];
  return { schema, example: { challenge, rp, user, pubKeyCredParams, timeout: 300_000, attestation: 'none' } };
}
