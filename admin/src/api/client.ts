/** The typed client of the store that serves this page. The session cookie authenticates it instead of an API key. */
import { type Client, type ClientOptions, createClient, type LanguageOutput, StoreProblem } from 'purveyor/client';
import type { Session } from './access.ts';

/** The address of the store. */
export const { origin } = globalThis.location;

/**
 * Reads and writes texts in the store's default language, whatever the browser's is. Replaced by `loadStore`, which knows that
 * language.
 */
export let store = createClient({ baseUrl: origin });

/** All languages of the store, the default one first; empty before `loadStore`. */
export let languages: readonly LanguageOutput[] = [];

/** Loads what the page needs before its first screen. Requires a session. */
export async function loadStore(): Promise<void> {
  const all: LanguageOutput[] = [];
  for await (const language of store.list('/languages')) all.push(language);
  languages = all.sort((a, b) => Number(b.is_default) - Number(a.is_default));
  store = createStoreClient({});
}

/** Creates a client like `store` with its own retry limits. */
export function createStoreClient(limits: Omit<ClientOptions, 'baseUrl'>): Client {
  const language = defaultLanguage();
  return createClient({ baseUrl: origin, ...(language === undefined ? {} : { language }), ...limits });
}

export function defaultLanguage(): string | undefined {
  return languages.find(({ is_default }) => is_default)?.code;
}

/** Sends `POST`, `GET` or `DELETE /admin/session`. @throws {StoreProblem} if the store rejects the request */
export async function requestSession(method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Session | undefined> {
  const request: RequestInit = { method, headers: { Accept: 'application/json' } };
  if (body) {
    request.body = JSON.stringify(body);
    request.headers = { ...request.headers, 'Content-Type': 'application/json' };
  }
  const response = await fetch('/admin/session', request);
  const text = await response.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return parsed;
  throw problemOf(method, '/admin/session', response.status, parsed);
}

/** Describes an error response to a request that was sent without the client. */
export function problemOf(
  method: string,
  path: string,
  status: number,
  body: Readonly<Record<string, unknown>> | undefined,
): StoreProblem {
  return new StoreProblem({
    method,
    path,
    status,
    body,
    etag: undefined,
    retryAfterSeconds: undefined,
    wasPerhapsDone: false,
  });
}
