/** The typed client of the store that serves this page. The session cookie authenticates it instead of an API key. */
import { type Client, type ClientOptions, createClient, type LanguageOutput, StoreProblem } from 'purveyor/client';
import { type Access, grants, type Session } from './access.ts';
import { confirming } from './confirmation.ts';

/** The address of the store. */
export const { origin } = globalThis.location;

/**
 * Reads and writes texts in the store's default language, whatever the browser's is. Replaced by `loadStore`, which knows that
 * language.
 */
export let store = confirming(createClient({ baseUrl: origin }));

/** All languages of the store, the default one first; empty before `loadStore`. */
export let languages: readonly LanguageOutput[] = [];

/** Loads what the page needs before its first screen. Requires a session, which may do this. */
export async function loadStore(access: Access): Promise<void> {
  languages = grants(access, 'languages:read') ? await readLanguages() : [await readDefaultLanguage()];
  store = createStoreClient({});
}

async function readLanguages(): Promise<LanguageOutput[]> {
  const all: LanguageOutput[] = [];
  for await (const language of store.list('/languages')) all.push(language);
  return all.sort((a, b) => Number(b.is_default) - Number(a.is_default));
}

/** Every session may read the store, whose response names the default language if the request chooses none. */
async function readDefaultLanguage(): Promise<LanguageOutput> {
  const path = '/api/store';
  const response = await fetch(path, { headers: { Accept: 'application/json', 'Accept-Language': '*' } });
  const code = response.headers.get('content-language');
  if (!response.ok || code === null)
    throw problemOf('GET', path, response.status, await response.json().catch(() => undefined));
  return { code, name: code, enabled: true, is_default: true };
}

/** Creates a client like `store` with its own retry limits. */
export function createStoreClient(limits: Omit<ClientOptions, 'baseUrl'>): Client {
  const language = defaultLanguage();
  return confirming(createClient({ baseUrl: origin, ...(language === undefined ? {} : { language }), ...limits }));
}

export function defaultLanguage(): string | undefined {
  return languages.find(({ is_default }) => is_default)?.code;
}

/** Sends `POST`, `GET` or `DELETE /admin/session`. @throws {StoreProblem} if the store rejects the request */
export async function requestSession<Response = Session>(
  method: 'GET' | 'POST' | 'DELETE',
  body?: object,
  path = '/admin/session',
): Promise<Response | undefined> {
  const request: RequestInit = { method, headers: { Accept: 'application/json' } };
  if (body) {
    request.body = JSON.stringify(body);
    request.headers = { ...request.headers, 'Content-Type': 'application/json' };
  }
  const response = await fetch(path, request);
  const text = await response.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  hasPasswordReset = parsed?.password_reset ?? hasPasswordReset;
  if (response.ok) return parsed;
  methods = parsed?.sign_in ?? methods;
  storeName = parsed?.store_name ?? storeName;
  throw problemOf(method, path, response.status, parsed);
}

let methods: readonly string[] | undefined;

/** Returns the ways to sign in that the store has reported with its last response without a session (http.md §20). */
export const signInMethods = (): readonly string[] | undefined => methods;

let storeName = 'Purveyor';

/** The name of the store, as it has reported with the ways to sign in. */
export const nameOfStore = (): string => storeName;

let hasPasswordReset = false;

/** Whether the store mails invitations and links for new passwords, as it has reported with the session or its absence. */
export const offersPasswordReset = (): boolean => hasPasswordReset;

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
