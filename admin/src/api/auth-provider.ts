/** react-admin's auth provider: an API key or a sign-in link starts a session; the page stores neither (http.md, `/admin/session`). */
import { StoreProblem } from 'purveyor/client';
import type { AuthProvider } from 'react-admin';
import { loadStore, requestSession, type Session } from './client.ts';
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
  // If the link has been used already, react-admin shows the login page.
  await start(requestSession('POST', { token: decodeURIComponent(token) })).catch(() => undefined);
}

export const authProvider: AuthProvider = {
  async login({ key }: { key: string }) {
    await start(requestSession('POST', { key: key.trim() }));
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
    const { key } = session ?? (await start(requestSession('GET')));
    return { id: key.name, fullName: key.name };
  },
  async getPermissions() {
    return session?.key.kind ?? (await start(requestSession('GET'))).key.kind;
  },
};
