/** Operations below `/storefront` that cause mails, and that have a token from one (storefront.md §3). */
import type { JsonSchema } from '../../engine/index.ts';
import type { ShopOperation, ShopTag } from './operation.ts';

const ACCOUNT: ShopTag = {
  name: 'Account',
  description:
    'Registration, forgotten passwords and changes of the login. The store mails the tokens to the customer.',
  group: 'Customers',
};

const ORDER_LINKS: ShopTag = {
  name: 'Order links',
  description: 'Links to one order, for customers without a session.',
  group: 'Customers',
};

const LOGIN: JsonSchema = { type: 'string', maxLength: 128, description: 'E-mail address.' };
const PASSWORD: JsonSchema = { type: 'string', minLength: 8, maxLength: 128, description: 'New password.' };
const TOKEN: JsonSchema = { type: 'string', maxLength: 100, description: 'The token in the link of the mail.' };
const LANGUAGE: JsonSchema = { type: 'string', description: 'Language of mails to the customer.' };

const EXAMPLE_TOKEN = 'pv_ot_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleX';

function body(properties: Readonly<Record<string, JsonSchema>>, example: Readonly<Record<string, string>>) {
  const required = Object.keys(properties).filter((name) => name !== 'language' && name !== 'transport');
  return { schema: { type: 'object', properties, required }, example };
}

const TIME: JsonSchema = { type: 'string', format: 'date-time' };

const SESSION: JsonSchema = {
  type: 'object',
  properties: {
    token: { type: 'string', nullable: true, description: 'Token of the session; null with `cookie`.' },
    expires_at: { ...TIME, description: 'When the session expires unless it is used again.' },
    profile: { type: 'object', description: 'The customer, as in `/me`.' },
    cart: { type: 'object', nullable: true, description: 'Always null.' },
  },
  required: ['token', 'expires_at', 'profile', 'cart'],
};

const EXAMPLE_SESSION = {
  token: 'pv_cs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleX',
  expires_at: '2026-12-28T12:00:00+00:00',
  profile: {
    login: 'ada@example.com',
    language: 'en',
    membership: null,
    email_verified_at: '2026-11-28T12:00:00+00:00',
  },
  cart: null,
};

const ORDER: JsonSchema = {
  type: 'object',
  description: 'An order, as in `/me/orders`. Its addresses have no `street` and no `phone`.',
  properties: {
    order_number: { type: 'string', description: 'Number of the order.' },
    create_date: { ...TIME, description: 'When the order was placed.' },
    items: { type: 'array', items: { type: 'object' }, description: 'Lines of the order.' },
  },
  required: ['order_number', 'create_date', 'items'],
};

const EXAMPLE_ORDER = { order_number: '100042', create_date: '2026-11-28T12:00:00+00:00', items: [] };

const ACCEPTED = {
  202: {
    component: 'MailRequested',
    description: 'Accepted. The response does not reveal whether a mail is sent.',
    content: { schema: { type: 'object', properties: {} }, example: {} },
  },
} as const;

const NO_CONTENT = { 204: { description: 'Done. All sessions of the customer have ended.' } } as const;

const MAIL_PROBLEMS = [
  'mail-not-configured',
  'validation-failed',
  'unsupported-media-type',
  'content-too-large',
] as const;
const TOKEN_PROBLEMS = ['token-invalid', 'validation-failed', 'unsupported-media-type', 'content-too-large'] as const;

export const MAILED_OPERATIONS: readonly ShopOperation[] = [
  {
    ...{ method: 'post', path: '/account', operationId: 'register', tag: ACCOUNT, security: 'key' },
    summary: 'Register a customer',
    description:
      'Mails a token. `/account/verify` creates the account with it. If the login exists, its owner is mailed that there is an account.',
    body: body(
      { login: LOGIN, password: PASSWORD, language: LANGUAGE },
      { login: 'ada@example.com', password: 'correct horse battery', language: 'en' },
    ),
    responses: ACCEPTED,
    problems: MAIL_PROBLEMS,
  },
  {
    ...{ method: 'post', path: '/account/verify', operationId: 'verifyAccount', tag: ACCOUNT, security: 'key' },
    summary: 'Create an account or change a login with a token',
    description:
      'Takes a token of `/account` or `/me/login`, and begins a session. The token can be used once, within 24 hours. 410 if the login belongs to another account by now.',
    body: body(
      {
        token: TOKEN,
        transport: {
          type: 'string',
          enum: ['bearer', 'cookie'],
          description: '`bearer` (default) returns the token of the session, `cookie` sets a cookie.',
        },
      },
      { token: EXAMPLE_TOKEN },
    ),
    responses: { 200: { description: 'A new session.', content: { schema: SESSION, example: EXAMPLE_SESSION } } },
    problems: TOKEN_PROBLEMS,
  },
  {
    ...{ method: 'post', path: '/password/reset', operationId: 'resetPassword', tag: ACCOUNT, security: 'key' },
    summary: 'Request a new password',
    description:
      'Mails a token for `PUT /password` if there is a customer with this login. The token expires after one hour.',
    body: body({ login: LOGIN }, { login: 'ada@example.com' }),
    responses: ACCEPTED,
    problems: MAIL_PROBLEMS,
  },
  {
    ...{ method: 'put', path: '/password', operationId: 'setPassword', tag: ACCOUNT, security: 'key' },
    summary: 'Set a new password with a token',
    description: 'Ends all sessions of the customer. The token works once; a 422 does not use it.',
    body: body({ token: TOKEN, password: PASSWORD }, { token: EXAMPLE_TOKEN, password: 'correct horse battery' }),
    responses: NO_CONTENT,
    problems: TOKEN_PROBLEMS,
  },
  {
    ...{ method: 'post', path: '/order_links', operationId: 'requestOrderLink', tag: ORDER_LINKS, security: 'key' },
    summary: 'Request a link to an order',
    description: 'Mails a link if an order has this number and this e-mail address. The link expires after 7 days.',
    body: body(
      { order_number: { type: 'string', maxLength: 64, description: 'Number of the order.' }, email: LOGIN },
      { order_number: '100042', email: 'ada@example.com' },
    ),
    responses: ACCEPTED,
    problems: MAIL_PROBLEMS,
  },
  {
    ...{
      method: 'get',
      path: '/order_links/{token}',
      operationId: 'readLinkedOrder',
      tag: ORDER_LINKS,
      security: 'key',
    },
    summary: 'Read an order with the token of a link',
    description: '404 if the token was altered or has expired, or if the e-mail address of the order has changed.',
    parameters: [
      {
        ...{ name: 'token', in: 'path', required: true, description: 'The token in the link of the mail.' },
        ...{ schema: { type: 'string' }, example: `pv_ol_${'EXAMPLE'.repeat(8)}` },
      },
    ],
    responses: { 200: { description: 'The order.', content: { schema: ORDER, example: EXAMPLE_ORDER } } },
  },
];
