/** Operations of customers’ sessions: login, logout and new tokens (storefront.md §3). */
import type { JsonSchema } from '../../engine/index.ts';
import { BODY_PROBLEMS, body, CART, EXAMPLE_LOGIN, EXAMPLE_PASSWORD, LOGIN, TRANSPORT } from './bodies.ts';
import type { ShopOperation, ShopTag } from './operation.ts';
import { LANGUAGE_PARAMETERS, ownResponse } from './reads.ts';

const TAG: ShopTag = {
  name: 'Session',
  description: 'Login and logout. All paths of the customer need a session.',
  group: 'Customers',
};

const TIME: JsonSchema = { type: 'string', format: 'date-time' };

/** The customer of a session. */
export const CUSTOMER: JsonSchema = {
  component: 'Customer',
  type: 'object',
  description: 'What customers see of their profile.',
  properties: {
    login: { type: 'string', description: 'E-mail address.' },
    language: { type: 'string', description: 'Language of mails to the customer; empty if it was not set.' },
    membership: {
      type: 'object',
      nullable: true,
      properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
      required: ['id', 'name'],
      description: 'Membership of the customer. It determines prices and visible products with `for=me`.',
    },
    email_verified_at: {
      ...TIME,
      nullable: true,
      description: 'When the customer proved to own the e-mail address.',
    },
  },
  required: ['login', 'language', 'membership', 'email_verified_at'],
};

export const EXAMPLE_CUSTOMER = { login: EXAMPLE_LOGIN, language: 'en', membership: null, email_verified_at: null };

const EXPIRES: JsonSchema = { ...TIME, description: 'When the session expires unless it is used again.' };
const TOKEN: JsonSchema = { type: 'string', nullable: true, description: 'Token of the session; null with `cookie`.' };

const EXAMPLE_TOKEN = {
  token: 'pv_cs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleX',
  expires_at: '2026-12-28T12:00:00+00:00',
};

/** The response of a request that begins a session. */
export function sessionBegun(customer: object): ShopOperation['responses'] {
  const schema: JsonSchema = {
    component: 'NewSession',
    type: 'object',
    description: 'A new session.',
    properties: {
      token: TOKEN,
      expires_at: EXPIRES,
      profile: CUSTOMER,
      cart: {
        type: 'object',
        nullable: true,
        description:
          'The open cart of the customer. Null if there is none, or if the cart that was sent cannot be used.',
      },
    },
    required: ['token', 'expires_at', 'profile', 'cart'],
  };
  const example = { ...EXAMPLE_TOKEN, profile: customer, cart: null };
  return ownResponse('The new session.', { schema, example }, ['Set-Cookie']);
}

/** The response of a request that ends its own session. */
export const SESSION_ENDED = {
  204: { component: 'SessionEnded', description: 'Done. The session has ended.', headers: ['Set-Cookie'] },
} as const satisfies ShopOperation['responses'];

export const SESSION_OPERATIONS: readonly ShopOperation[] = [
  {
    ...{ method: 'post', path: '/session', operationId: 'logIn', tag: TAG, security: 'key' },
    summary: 'Log in',
    description:
      'A wrong login, a wrong password and a disabled customer get the same 422. After too many of these, requests get a 429.',
    parameters: LANGUAGE_PARAMETERS,
    body: body(
      {
        login: LOGIN,
        password: { type: 'string', maxLength: 128, description: 'Password of the customer.' },
        transport: TRANSPORT,
        cart: CART,
      },
      { login: EXAMPLE_LOGIN, password: EXAMPLE_PASSWORD },
    ),
    responses: sessionBegun(EXAMPLE_CUSTOMER),
    problems: BODY_PROBLEMS,
  },
  {
    ...{ method: 'get', path: '/session', operationId: 'readSession', tag: TAG, security: 'session' },
    summary: 'Read the session',
    description: 'When it ends, and its customer. Each request extends the session.',
    parameters: LANGUAGE_PARAMETERS,
    responses: ownResponse('The session.', {
      schema: {
        component: 'Session',
        type: 'object',
        description: 'The session of the request.',
        properties: { expires_at: EXPIRES, profile: CUSTOMER },
        required: ['expires_at', 'profile'],
      },
      example: { expires_at: EXAMPLE_TOKEN.expires_at, profile: EXAMPLE_CUSTOMER },
    }),
  },
  {
    ...{ method: 'delete', path: '/session', operationId: 'logOut', tag: TAG, security: 'session' },
    summary: 'Log out',
    description: 'Ends the session. With a cookie, the response deletes it.',
    responses: SESSION_ENDED,
  },
  {
    ...{ method: 'post', path: '/session/refresh', operationId: 'refreshSession', tag: TAG, security: 'session' },
    summary: 'Replace the token of the session',
    description: 'The previous token works for 60 seconds more. Later use ends the session.',
    responses: ownResponse(
      'The new token.',
      {
        schema: {
          component: 'NewToken',
          type: 'object',
          description: 'A new token of the session.',
          properties: { token: TOKEN, expires_at: EXPIRES },
          required: ['token', 'expires_at'],
        },
        example: EXAMPLE_TOKEN,
      },
      ['Set-Cookie'],
    ),
  },
  {
    ...{ method: 'delete', path: '/sessions', operationId: 'logOutEverywhere', tag: TAG, security: 'session' },
    summary: 'Log out everywhere',
    description: 'Ends all sessions of the customer, also this one.',
    responses: SESSION_ENDED,
  },
];
