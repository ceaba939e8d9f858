/** The start of the page: its language, the sign-in link if there is one, then the screens. */
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { browserLocale, createI18nProvider, LOCALES } from './i18n/index.ts';
import { takeToken } from './store/auth-provider.ts';

/** The nonce without which the browser takes no style of this page. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content;
const styles = createCache({ key: 'css', ...(nonce ? { nonce } : {}), prepend: true });

/** Holds the screen for which the page began anew, which it does once. */
const RENEWED = 'renewed-for';

/** react-admin keeps the chosen language here. */
function chosenLocale(): string {
  try {
    const kept = JSON.parse(localStorage.getItem('RaStore.locale') ?? 'null');
    return LOCALES.some(({ locale }) => locale === kept) ? kept : browserLocale();
  } catch {
    return browserLocale();
  }
}

async function start(): Promise<void> {
  const locale = chosenLocale();
  document.documentElement.lang = locale;
  const [i18nProvider] = await Promise.all([createI18nProvider(locale), takeToken()]);
  createRoot(document.getElementById('root')!).render(
    <CacheProvider value={styles}>
      <App i18nProvider={i18nProvider} />
    </CacheProvider>,
  );
}

// A store that was renewed meanwhile has other files: the page that asks for old ones begins anew.
addEventListener('vite:preloadError', () => {
  if (sessionStorage.getItem(RENEWED) === location.hash) return;
  sessionStorage.setItem(RENEWED, location.hash);
  location.reload();
});

void start();
