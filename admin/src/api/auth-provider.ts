/** react-admin's auth provider: an API key or a sign-in link starts a session; the page stores neither (http.md, `/admin/session`). */
import { StoreProblem } from 'purveyor/client';
import type { AuthProvider } from 'react-admin';
import { accessOf, type Session } from './access.ts';
import { loadStore, requestSession } from './client.ts';
import { startRecentChanges } from './recent-changes.ts';

let session: Session | undefined;

async function start(request: Promise<Session | undefined>): Promise<Session> {
  const started = (await request)!;
  await Promise.all([loadStore(), startRecentChanges()]);
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
    session ??= await start(requestSession('GET'));
  },
  async checkError(error: unknown) {
    if (!(error instanceof StoreProblem) || error.status !== 401) return;
    session = undefined;
    throw error;
  },
  async getIdentity() {
    const { key, user } = session ?? (await start(requestSession('GET')));
    const name = user?.name ?? key?.name ?? '';
    return { id: name, fullName: name };
  },
  async getPermissions() {
    return accessOf(session ?? (await start(requestSession('GET'))));
  },
};
