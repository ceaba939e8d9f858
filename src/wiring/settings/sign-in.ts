/** Keys, the admin page and how its users sign in. */
import { setting } from './setting.ts';
import { anyText, isOn, isOne, issuer, key, oneOf } from './values.ts';

export const signInSettings = {
  apiKeyReadWrite: setting('API_KEY_READ_WRITE', '', 'API key with read and write access', key),
  apiKeyReadOnly: setting('API_KEY_READ_ONLY', '', 'API key with read-only access', key),
  /** Empty: next to the database file. */
  firstKeysFile: setting(
    'FIRST_KEYS_FILE',
    '',
    'file for the first API keys if standard output is not a terminal; empty: next to the database',
    anyText,
  ),
  /** Whether the server delivers the admin page and accepts its sessions. */
  hasAdmin: setting('ADMIN', 'on', 'on, or off: no admin page at /admin, and its sessions are invalid', isOn),
  adminPlainHttp: setting(
    'ADMIN_PLAIN_HTTP',
    '0',
    '1: allow the admin page over plain HTTP from other machines; others on the network path can then read keys',
    isOne,
  ),
  /** Whether users must have a second factor. */
  secondFactor: setting(
    'SECOND_FACTOR',
    'optional',
    'optional, or required: users without two-step sign-in can only use their own account',
    oneOf('optional', 'required'),
  ),
  /** Empty: no sign-in with OpenID Connect. */
  oidcIssuer: setting(
    'OIDC_ISSUER',
    '',
    'issuer of the OpenID Connect provider with which users sign in; empty: none',
    issuer,
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', '', 'client id of the store at that provider', anyText),
  oidcClientSecret: setting('OIDC_CLIENT_SECRET', '', 'client secret of the store at that provider', anyText),
  /** Whether users can only sign in with OpenID Connect. */
  oidcOnly: setting('OIDC_ONLY', '0', '1: users sign in with OpenID Connect only; keys still work', isOne),
};
