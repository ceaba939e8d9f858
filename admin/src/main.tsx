/** Starts the page: loads its language and signs in with the sign-in link, if there is one. */
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createRoot } from 'react-dom/client';
import { signInWithLinkToken } from './api/auth-provider.ts';
import { App } from './app.tsx';
import { browserLocale, createI18nProvider, LOCALES } from './i18n/index.ts';
import { reloadAfterUpdate } from './utils/reload-after-update.ts';

/** The content security policy allows only styles with this nonce. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content;
const styles = createCache({ key: 'css', ...(nonce ? { nonce } : {}), prepend: true });

/** Returns the language that the user chose, which react-admin saves in local storage. */
function chosenLocale(): string {
  try {
    const saved = JSON.parse(localStorage.getItem('RaStore.locale') ?? 'null');
    return LOCALES.some(({ locale }) => locale === saved) ? saved : browserLocale();
  } catch {
    return browserLocale();
  }
}

async function start(): Promise<void> {
  const locale = chosenLocale();
  document.documentElement.lang = locale;
  const [i18nProvider] = await Promise.all([createI18nProvider(locale), signInWithLinkToken()]);
  createRoot(document.getElementById('root')!).render(
    <CacheProvider value={styles}>
      <App i18nProvider={i18nProvider} />
    </CacheProvider>,
  );
}

reloadAfterUpdate();
void start();
