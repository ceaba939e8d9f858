/**
 * Opens the page: loads its language, signs in with the sign-in link, if there is one, and sends the first requests of the start page.
 * The scripts of React, which are larger, load in the meantime.
 */
import { QueryClient } from '@tanstack/react-query';
import { accountLanguage, needsSecondFactor, resumeSession, signInWithLinkToken } from './api/auth-provider.ts';
import { readOidcResult } from './api/oidc.ts';
import { readHome } from './home/queries.ts';
import { chosenLocale, loadMessages, saveLocale } from './i18n/messages.ts';
import { reloadAfterUpdate } from './utils/reload-after-update.ts';

/** The store's client retries requests itself. */
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

async function open(): Promise<void> {
  if (readOidcResult()) await chooseAccountLanguage();
  const locale = chosenLocale();
  document.documentElement.lang = locale;
  const [messages] = await Promise.all([loadMessages(locale), signIn()]);
  const { start } = await import('./start.tsx');
  start(locale, messages, queryClient);
}

/** Like a sign-in on the page itself. */
async function chooseAccountLanguage(): Promise<void> {
  if (!(await resumeSession())) return;
  const language = await accountLanguage().catch(() => undefined);
  if (language !== undefined) saveLocale(language);
}

async function signIn(): Promise<void> {
  await signInWithLinkToken();
  const isSignedIn = await resumeSession();
  if (isSignedIn && !needsSecondFactor() && ['', '#/'].includes(location.hash)) readHome(queryClient);
}

reloadAfterUpdate();
void open();
