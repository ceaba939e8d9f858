/** Schemas and examples of users and their sessions (access.md §3). */
import type { JsonSchema } from '../../../engine/index.ts';
import type { DocumentContext, Reference } from '../components.ts';
import type { Content } from './common.ts';

const EMAIL: JsonSchema = {
  ...{ type: 'string', minLength: 5, maxLength: 128, pattern: '^[^\\s@]+@[^\\s@]+$' },
  description: 'E-mail address with which the user signs in, unique regardless of case.',
};
const NAME: JsonSchema = { type: 'string', minLength: 1, maxLength: 255, description: 'Name of the person.' };
const LANGUAGE: JsonSchema = {
  ...{ type: 'string', enum: ['', 'en', 'de', 'fr', 'es'] },
  description: 'Language of the admin page; empty for that of the browser.',
};
const ROLE_IDS: JsonSchema = {
  ...{ type: 'array', items: { type: 'integer', format: 'int64' }, minItems: 1, maxItems: 20 },
  description: 'Ids of the roles. The user may do what one of them allows.',
};
const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } };

const USER = {
  ...{ id: 1, email: 'ada@example.com', name: 'Ada', status: 'invited', language: '', role_ids: [3], factors: [] },
  ...{ last_sign_in_at: null, created_at: '2026-01-01T00:00:00+00:00' },
};

function userProperties({ dialect }: DocumentContext): Record<string, JsonSchema> {
  return {
    id: { type: 'integer', format: 'int64' },
    ...{ email: EMAIL, name: NAME },
    status: {
      ...{ type: 'string', enum: ['invited', 'active', 'disabled'] },
      description: '`invited`: has not signed in yet. `disabled`: cannot sign in.',
    },
    ...{ language: LANGUAGE, role_ids: ROLE_IDS },
    factors: {
      ...{ type: 'array', items: { type: 'string', enum: ['totp', 'passkey'] } },
      description: 'Second factors of the sign-in. `totp`: codes of an authenticator app.',
    },
    last_sign_in_at: dialect.nullable({
      type: 'string',
      format: 'date-time',
      description: 'Null before the first one.',
    }),
    created_at: { type: 'string', format: 'date-time' },
  };
}

export function userContent(context: DocumentContext): Content {
  const schema = context.components.refer('schemas', 'User', () => {
    const properties = userProperties(context);
    return { type: 'object', description: 'A staff account.', properties, required: Object.keys(properties) };
  });
  return { schema, example: USER };
}

export function ownUserContent(context: DocumentContext): Content {
  const schema = context.components.refer('schemas', 'OwnUser', () => {
    const properties = {
      ...userProperties(context),
      scopes: { ...TEXTS, description: 'What the user may do, in code point order.' },
      masks: { ...TEXTS, description: 'Fields that the user cannot see, in code point order.' },
    };
    return { type: 'object', description: 'The account of the caller.', properties, required: Object.keys(properties) };
  });
  return { schema, example: { ...USER, status: 'active', scopes: ['tags:read'], masks: [] } };
}

export function newUserContent({ components }: DocumentContext): Content {
  const schema: Reference = components.refer('schemas', 'UserCreate', () => ({
    ...{ type: 'object', description: 'A staff account to create.', required: ['email', 'name', 'role_ids'] },
    properties: { email: EMAIL, name: NAME, language: LANGUAGE, role_ids: ROLE_IDS },
  }));
  return { schema, example: { email: 'ada@example.com', name: 'Ada', role_ids: [3] } };
}

export function userChangeContent({ components }: DocumentContext): Content {
  const status = {
    ...{ type: 'string', enum: ['active', 'disabled'] },
    description: 'Whether the user can sign in. `active` makes a user who has never signed in `invited`.',
  };
  const schema = components.refer('schemas', 'UserPatch', () => ({
    ...{ type: 'object', description: 'Fields of a staff account to change.' },
    properties: { email: EMAIL, name: NAME, status, language: LANGUAGE, role_ids: ROLE_IDS },
  }));
  return { schema, example: { name: 'Ada' } };
}

export function ownChangeContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'OwnUserPatch', () => ({
    ...{ type: 'object', description: 'Fields of the own account to change.' },
    properties: { name: NAME, language: LANGUAGE },
  }));
  return { schema, example: { language: 'de' } };
}

export function linkContent({ components }: DocumentContext): Content {
  const properties = { url: { type: 'string', format: 'uri' }, expires_at: { type: 'string', format: 'date-time' } };
  const schema = components.refer('schemas', 'UserLink', () => ({
    ...{ type: 'object', description: 'An address at which a user sets a password, once.' },
    ...{ properties, required: Object.keys(properties) },
  }));
  const url = 'https://shop.example/admin#token=3vYb1cQeT0mXkq8pYt5s0m2u9o1dN7aHf6lLrWcJzKU';
  return { schema, example: { url, expires_at: '2026-01-04T00:00:00+00:00' } };
}

/** What a new link can be requested with. */
export function linkInputContent(): Content {
  const description = 'Whether another such link is also sent to the user by mail. 503 if the store sends no mails.';
  return {
    schema: { type: 'object', properties: { mail: { type: 'boolean', default: false, description } } },
    example: {},
  };
}

export function passwordContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'UserPassword', () => ({
    ...{ type: 'object', description: 'A new password.', required: ['current', 'password'] },
    properties: {
      current: { type: 'string', description: 'The current password.' },
      password: {
        type: 'string',
        minLength: 12,
        maxLength: 128,
        description: 'The new one. Common ones are rejected.',
      },
    },
  }));
  return { schema, example: { current: 'correct horse battery', password: 'a longer sentence for tomorrow' } };
}

export function totpContent({ components }: DocumentContext): Content {
  const properties = {
    secret: { type: 'string', description: 'The secret in base32, to type into an authenticator app.' },
    uri: { type: 'string', format: 'uri', description: 'The same as an `otpauth:` address, for a QR code.' },
  };
  const schema = components.refer('schemas', 'TotpSecret', () => ({
    ...{ type: 'object', description: 'A secret that is not enabled yet.' },
    ...{ properties, required: Object.keys(properties) },
  }));
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const query = `issuer=shop.example&secret=${secret}&algorithm=SHA1&digits=6&period=30`;
  return { schema, example: { secret, uri: `otpauth://totp/shop.example:ada%40example.com?${query}` } };
}

export function codeContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'TotpCode', () => ({
    ...{ type: 'object', description: 'A code of the authenticator app.', required: ['code'] },
    properties: { code: { type: 'string', description: 'The current code: 6 digits.' } },
  }));
  return { schema, example: { code: '287082' } };
}

export function recoveryCodesContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'RecoveryCodes', () => ({
    ...{ type: 'object', description: 'Recovery codes, which are not shown again.', required: ['codes'] },
    properties: {
      codes: { ...TEXTS, description: 'Ten codes. Each can be used once instead of a code of the app.' },
    },
  }));
  return { schema, example: { codes: ['mzxw-6ytb-oi2t-cobq', 'gezd-gnbv-gy3t-qojq'] } };
}

export function remainingCodesContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'RemainingRecoveryCodes', () => ({
    ...{ type: 'object', description: 'How many recovery codes are left.', required: ['remaining'] },
    properties: { remaining: { type: 'integer', minimum: 0, maximum: 10 } },
  }));
  return { schema, example: { remaining: 9 } };
}

export const SESSION_EXAMPLE = {
  ...{ id: '5d0b7a3c9e8f4a1d2b6c7e8f9a0b1c2d', created_at: '2026-01-01T00:00:00+00:00' },
  ...{ last_used_at: '2026-01-01T00:00:00+00:00', address: '192.0.2.1', user_agent: 'Firefox', current: true },
};

export function sessionSchema({ components, dialect }: DocumentContext): Reference {
  return components.refer('schemas', 'UserSession', () => {
    const time = { type: 'string', format: 'date-time' };
    const properties = {
      ...{ id: { type: 'string' }, created_at: time, last_used_at: time },
      address: dialect.nullable({ type: 'string', description: 'IP address of the sign-in.' }),
      user_agent: dialect.nullable({ type: 'string', description: 'The browser, as it describes itself.' }),
      current: { type: 'boolean', description: 'Whether it is the session of this request.' },
    };
    return { type: 'object', description: 'A session of a user.', properties, required: Object.keys(properties) };
  });
}

const VIEW = { name: 'Unpaid', screen: 'orders', query: '{"filter":{"payment_status":"Q"}}' };

const VIEW_FIELDS: Record<string, JsonSchema> = {
  name: { type: 'string', minLength: 1, maxLength: 255, description: 'Unique among the views of the screen.' },
  screen: { type: 'string', minLength: 1, maxLength: 64, description: 'List that the view belongs to.' },
  query: { type: 'string', maxLength: 4096, description: 'Filters and order, in the form of the admin page.' },
};

export function viewContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'SavedView', () => {
    const properties = { id: { type: 'integer', format: 'int64' } as const, ...VIEW_FIELDS };
    return { type: 'object', description: 'A saved view of a list.', properties, required: Object.keys(properties) };
  });
  return { schema, example: { id: 1, ...VIEW } };
}

export function newViewContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'SavedViewCreate', () => ({
    ...{ type: 'object', description: 'A view to save.', required: Object.keys(VIEW_FIELDS), properties: VIEW_FIELDS },
  }));
  return { schema, example: VIEW };
}

export function viewChangeContent({ components }: DocumentContext): Content {
  const schema = components.refer('schemas', 'SavedViewPatch', () => ({
    ...{ type: 'object', description: 'Fields of a saved view to change.', properties: VIEW_FIELDS },
  }));
  return { schema, example: { name: 'To collect' } };
}
