/**
 * react-admin's auth provider: an API key, a password or a link starts a session; the page stores none of them (http.md §20).
 */
import { StoreProblem } from 'purveyor/client';
import type { AuthProvider } from 'react-admin';
import { type Access, accessOf, type Session } from './access.ts';
import { loadStore, requestSession, store } from './client.ts';
import { startRecentChanges } from './recent-changes.ts';

let session: Session | undefined;

let isFactorMissing = false;

async function start(request: Promise<Session | undefined>): Promise<Session> {
  const started = (await request)!;
  void startRecentChanges();
  isFactorMissing = false;
  await loadStore(accessOf(started)).catch((error: unknown) => {
    isFactorMissing = error instanceof StoreProblem && error.type === 'second-factor-required';
    if (!isFactorMissing) throw error;
  });
  session = started;
  return started;
}

/** Whether the user has to set up two-step sign-in before anything else. */
export const needsSecondFactor = (): boolean => isFactorMissing;

/** Whether a member of staff is signed in, rather than a key. */
export const isUserSession = (): boolean => session?.user != null;

/** Whether the user signed in at an identity provider. */
export const isProviderSession = (): boolean => session?.user?.oidc === true;

/** A sign-in that needs a code. */
export interface Ticket {
  readonly ticket: string;
  readonly factors: readonly string[];
  readonly expires_at: string;
}

/** Thrown by a sign-in with the right password if the user has a second factor. */
export class CodeNeeded extends Error {
  readonly ticket: Ticket;

  constructor(ticket: Ticket) {
    super('A code is needed.');
    this.ticket = ticket;
  }
}

async function signIn(credentials: Credentials): Promise<Session> {
  const response = (await requestSession<Session | Ticket>('POST', signInBody(credentials)))!;
  if ('ticket' in response) throw new CodeNeeded(response);
  return response;
}

/** Tokens of `purveyor admin link` have this prefix. Others are of invitations and reset links, which need a new password. */
const SIGN_IN_PREFIX = 'pv_si_';

/** A shorter token belongs to a link that was not copied as a whole. */
const TOKEN = /^(?:pv_si_)?[\w-]{43}$/;

/** Reads the `#token=…` of a link, and signs in with it. A token works once, so it is removed from the address first. */
export async function signInWithLinkToken(): Promise<void> {
  const token = /^#token=([^&]*)/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  if (!TOKEN.test(token)) {
    isIncomplete = true;
    return;
  }
  if (!token.startsWith(SIGN_IN_PREFIX)) {
    passwordToken = token;
    return;
  }
  await start(requestSession('POST', { token })).catch((error: unknown) => {
    linkProblem = error;
  });
}

let passwordToken: string | undefined;

/** Returns the token of an invitation or a reset link that this page was opened with. */
export const passwordLinkToken = (): string | undefined => passwordToken;

/**
 * What a person signs in with. `secret` is a password if there is an e-mail address or the token of a link, else an API key. A ticket
 * with a code or a passkey is the second step. A passkey alone is a sign-in too.
 */
export type Credentials =
  | { readonly secret: string; readonly email?: string; readonly token?: string }
  | { readonly ticket: string; readonly code: string }
  | { readonly passkey: object; readonly ticket?: string };

function signInBody(credentials: Credentials) {
  if ('ticket' in credentials || 'passkey' in credentials) return credentials;
  const { secret, email, token } = credentials;
  if (token !== undefined) return { token, password: secret };
  return email === undefined ? { key: secret.trim() } : { email, password: secret };
}

let isIncomplete = false;

/** Whether the link of this page's address is incomplete. */
export const isSignInLinkIncomplete = (): boolean => isIncomplete;

let linkProblem: unknown;

/** Returns why the sign-in link of this page's address was rejected, for the login page; undefined if there was none. */
export const signInLinkProblem = (): unknown => linkProblem;

let resumed: Promise<Session> | undefined;

/** Requests the session before the page asks for it. @returns whether there is one */
export async function resumeSession(): Promise<boolean> {
  resumed = session ? undefined : start(requestSession('GET'));
  // The page shows the failure when it asks for the session.
  await resumed?.catch(() => undefined);
  return session !== undefined;
}

/** Reads the session again after its user was changed, who may have another name or other rights now. */
export async function reloadSession(): Promise<void> {
  session = await requestSession('GET');
}

/** Returns what the session may do; undefined before it is known. */
export const sessionAccess = (): Access | undefined => session && accessOf(session);

/** Returns the language that the account of the user has; undefined for keys and accounts without one. */
export async function accountLanguage(): Promise<string | undefined> {
  if (!session?.user) return undefined;
  return (await store.get('/users/me')).data.language || undefined;
}

/** Requests the session only once for all parts of the page that ask for it at the same time. */
async function currentSession(): Promise<Session> {
  if (session) return session;
  resumed ??= start(requestSession('GET'));
  try {
    return await resumed;
  } finally {
    resumed = undefined;
  }
}

export const authProvider: AuthProvider = {
  async login(credentials: Credentials) {
    await start(signIn(credentials));
    linkProblem = undefined;
    isIncomplete = false;
    passwordToken = undefined;
  },
  async logout() {
    session = undefined;
    await requestSession('DELETE').catch(() => undefined);
  },
  async checkAuth() {
    await currentSession();
  },
  async checkError(error: unknown) {
    if (!(error instanceof StoreProblem) || error.status !== 401) return;
    session = undefined;
    throw error;
  },
  async getIdentity() {
    const { key, user } = await currentSession();
    const name = user?.name ?? key?.name ?? '';
    return { id: name, fullName: name, userId: user?.id };
  },
  async getPermissions() {
    return accessOf(await currentSession());
  },
};
