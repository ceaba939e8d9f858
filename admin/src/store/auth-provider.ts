/** Signing in and out: a key or the link of the first start becomes a session; the page keeps neither (http.md, `/admin/session`). */
import { StoreProblem } from 'purveyor/client';
import type { AuthProvider } from 'react-admin';
import { askSession, openStore, type Session } from './client.ts';
import { beginChanges } from './recent-changes.ts';

let session: Session | undefined;

async function open(asked: Promise<Session | undefined>): Promise<Session> {
  const answered = (await asked)!;
  await Promise.all([openStore(), beginChanges()]);
  session = answered;
  return answered;
}

/** A sign-in link ends in `#token=…`. It holds once, so it leaves the address at once. */
export async function takeToken(): Promise<void> {
  const token = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  // A link that is used up leads to the page that asks for a key.
  await open(askSession('POST', { token: decodeURIComponent(token) })).catch(() => undefined);
}

export const authProvider: AuthProvider = {
  async login({ key }: { key: string }) {
    await open(askSession('POST', { key: key.trim() }));
  },
  async logout() {
    session = undefined;
    await askSession('DELETE').catch(() => undefined);
  },
  async checkAuth() {
    session ??= await open(askSession('GET'));
  },
  async checkError(error: unknown) {
    if (!(error instanceof StoreProblem) || error.status !== 401) return;
    session = undefined;
    throw error;
  },
  async getIdentity() {
    const { key } = session ?? (await open(askSession('GET')));
    return { id: key.name, fullName: key.name };
  },
  async getPermissions() {
    return session?.key.kind ?? (await open(askSession('GET'))).key.kind;
  },
};
