/** The part of the page that needs React. */
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import type { QueryClient } from '@tanstack/react-query';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { TranslationMessages } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { LOCALES, loadMessages } from './i18n/messages.ts';

/** The content security policy allows only styles with this nonce. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content;
const styles = createCache({ key: 'css', ...(nonce ? { nonce } : {}), prepend: true });

/** @param messages of this locale */
export function start(locale: string, messages: TranslationMessages, queryClient: QueryClient): void {
  const i18nProvider = polyglotI18nProvider(
    (code) => (code === locale ? messages : loadMessages(code)),
    locale,
    [...LOCALES],
    { allowMissing: true },
  );
  createRoot(document.getElementById('root')!).render(
    <CacheProvider value={styles}>
      <App i18nProvider={i18nProvider} queryClient={queryClient} />
    </CacheProvider>,
  );
}
