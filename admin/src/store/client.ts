/** The store as this page asks it: the typed client, with the session's cookie in place of a key. */
import { type Client, type ClientOptions, createClient, type LanguageOutput, StoreProblem } from 'purveyor/client';

const { origin } = globalThis.location;

/** Texts are read and written in the store's default language, whatever the browser's is: `useTexts` shows the others. */
export let store = createClient({ baseUrl: origin });

/** Where this store is. */
export { origin };

/** All languages of the store, the default one first; empty before `openStore`. */
export let languages: readonly LanguageOutput[] = [];

/** Asks what the page needs before its first screen. Called once a session is there. */
export async function openStore(): Promise<void> {
  const found: LanguageOutput[] = [];
  for await (const one of store.list('/languages')) found.push(one);
  languages = found.sort((a, b) => Number(b.is_default) - Number(a.is_default));
  store = storeWith({});
}

/** The same store, for work that waits longer for it. */
export function storeWith(patience: Omit<ClientOptions, 'baseUrl'>): Client {
  const code = defaultLanguage();
  return createClient({ baseUrl: origin, ...(code === undefined ? {} : { language: code }), ...patience });
}

export function defaultLanguage(): string | undefined {
  return languages.find(({ is_default }) => is_default)?.code;
}

export interface Session {
  readonly expires_at: string;
  readonly key: { readonly name: string; readonly kind: 'read-write' | 'read-only' };
}

/** `POST`, `GET` or `DELETE /admin/session`. @throws {StoreProblem} when the store refuses */
export async function askSession(method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Session | undefined> {
  const request: RequestInit = { method, headers: { Accept: 'application/json' } };
  if (body) {
    request.body = JSON.stringify(body);
    request.headers = { ...request.headers, 'Content-Type': 'application/json' };
  }
  const response = await fetch('/admin/session', request);
  const text = await response.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return parsed;
  throw new StoreProblem({
    method,
    path: '/admin/session',
    status: response.status,
    body: parsed,
    etag: undefined,
    retryAfterSeconds: undefined,
    wasPerhapsDone: false,
  });
}
