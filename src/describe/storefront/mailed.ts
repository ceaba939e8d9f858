/** Operations below `/storefront` that cause mails, and that have a token from one (storefront.md §3). */
import {
  BODY_PROBLEMS,
  body,
  CART,
  EXAMPLE_LOGIN,
  EXAMPLE_PASSWORD,
  LANGUAGE,
  LOGIN,
  PASSWORD,
  TOKEN,
  TRANSPORT,
} from './bodies.ts';
import type { ShopOperation, ShopTag } from './operation.ts';
import { EXAMPLE_CUSTOMER, sessionBegun } from './sessions.ts';

const ACCOUNT: ShopTag = {
  name: 'Account',
  description:
    'Registration, forgotten passwords and changes of the login. The store mails the tokens to the customer.',
  group: 'Customers',
};

const EXAMPLE_TOKEN = 'pv_ot_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleX';

/** The response to a request that causes mails. */
export const ACCEPTED = {
  202: {
    component: 'MailRequested',
    description: 'Accepted. The response does not reveal whether a mail is sent.',
    content: { schema: { type: 'object', properties: {} }, example: {} },
  },
} as const;

const NO_CONTENT = { 204: { description: 'Done. All sessions of the customer have ended.' } } as const;

/** Problems of requests that cause mails. */
export const MAIL_PROBLEMS = ['mail-not-configured', ...BODY_PROBLEMS] as const;
const TOKEN_PROBLEMS = ['token-invalid', ...BODY_PROBLEMS] as const;

export const MAILED_OPERATIONS: readonly ShopOperation[] = [
  {
    ...{ method: 'post', path: '/account', operationId: 'register', tag: ACCOUNT, security: 'key' },
    summary: 'Register a customer',
    description:
      'Mails a token. `/account/verify` creates the account with it. If the login exists, its owner is mailed that there is an account.',
    body: body(
      { login: LOGIN, password: PASSWORD, language: LANGUAGE },
      { login: EXAMPLE_LOGIN, password: EXAMPLE_PASSWORD, language: 'en' },
    ),
    responses: ACCEPTED,
    problems: MAIL_PROBLEMS,
  },
  {
    ...{ method: 'post', path: '/account/verify', operationId: 'verifyAccount', tag: ACCOUNT, security: 'key' },
    summary: 'Create an account or change a login with a token',
    description:
      'Begins a session. The token can be used once, within 24 hours. 410 if the login belongs to another account by now.',
    body: body({ token: TOKEN, transport: TRANSPORT, cart: CART }, { token: EXAMPLE_TOKEN }),
    responses: sessionBegun({ ...EXAMPLE_CUSTOMER, email_verified_at: '2026-11-28T12:00:00+00:00' }),
    problems: TOKEN_PROBLEMS,
  },
  {
    ...{ method: 'post', path: '/password/reset', operationId: 'resetPassword', tag: ACCOUNT, security: 'key' },
    summary: 'Request a new password',
    description:
      'Mails a token for `PUT /password` if there is a customer with this login. The token expires after one hour.',
    body: body({ login: LOGIN }, { login: EXAMPLE_LOGIN }),
    responses: ACCEPTED,
    problems: MAIL_PROBLEMS,
  },
  {
    ...{ method: 'put', path: '/password', operationId: 'setPassword', tag: ACCOUNT, security: 'key' },
    summary: 'Set a new password with a token',
    description: 'Ends all sessions of the customer. The token works once; a 422 does not use it.',
    body: body({ token: TOKEN, password: PASSWORD }, { token: EXAMPLE_TOKEN, password: EXAMPLE_PASSWORD }),
    responses: NO_CONTENT,
    problems: TOKEN_PROBLEMS,
  },
];
