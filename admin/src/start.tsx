/** The part of the page that needs React. */
import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import type { QueryClient } from '@tanstack/react-query';
import type { TranslationMessages } from 'react-admin';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createI18nProvider } from './i18n/provider.ts';

/** The content security policy allows only styles with this nonce. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content;
const styles = createCache({ key: 'css', ...(nonce ? { nonce } : {}), prepend: true });

/** @param messages of this locale */
export function start(locale: string, messages: TranslationMessages, queryClient: QueryClient): void {
  createRoot(document.getElementById('root')!).render(
    <CacheProvider value={styles}>
      <App i18nProvider={createI18nProvider(locale, messages)} queryClient={queryClient} />
    </CacheProvider>,
  );
}
