/** react-admin's auth provider: an API key or a sign-in link starts a session; the page stores neither (http.md, `/admin/session`). */
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

/** Signs in with the `#token=…` of a sign-in link. The token works once, so it is removed from the address first. */
export async function signInWithLinkToken(): Promise<void> {
  const token = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  await start(requestSession('POST', { token: decodeURIComponent(token) })).catch((error: unknown) => {
    linkProblem = error;
  });
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
  async login({ key }: { key: string }) {
    await start(requestSession('POST', { key: key.trim() }));
    linkProblem = undefined;
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
