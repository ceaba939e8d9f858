/**
 * react-admin's auth provider: an API key, a password or a link starts a session; the page stores none of them (http.md §20).
 */
import { StoreProblem } from 'purveyor/client';
import type { AuthProvider } from 'react-admin';
import { accessOf, type Session } from './access.ts';
import { loadStore, requestSession } from './client.ts';
import { startRecentChanges } from './recent-changes.ts';

let session: Session | undefined;

async function start(request: Promise<Session | undefined>): Promise<Session> {
  const started = (await request)!;
  void startRecentChanges();
  await loadStore();
  session = started;
  return started;
}

/** Tokens of `purveyor admin link` have this prefix. Others are of invitations and reset links, which need a new password. */
const SIGN_IN_PREFIX = 'pv_si_';

/** Reads the `#token=…` of a link, and signs in with it. A token works once, so it is removed from the address first. */
export async function signInWithLinkToken(): Promise<void> {
  const written = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (written === undefined) return;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  const token = decodeURIComponent(written);
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

/** What a person signs in with. `secret` is a password if there is an e-mail address or the token of a link, else an API key. */
export interface Credentials {
  readonly secret: string;
  readonly email?: string;
  readonly token?: string;
}

function signInBody({ secret, email, token }: Credentials) {
  if (token !== undefined) return { token, password: secret };
  return email === undefined ? { key: secret.trim() } : { email, password: secret };
}

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
    await start(requestSession('POST', signInBody(credentials)));
    linkProblem = undefined;
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
    return { id: name, fullName: name };
  },
  async getPermissions() {
    return accessOf(await currentSession());
  },
};
