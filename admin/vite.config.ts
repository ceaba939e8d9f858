/**
 * Builds the page into `dist/`, which is committed and served by the store at `/admin`. Builds are reproducible: `compare.ts` checks
 * that `dist/` matches the sources.
 */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guidePlugin } from './guide-plugin.ts';
import { preloadPlugin } from './preload-plugin.ts';
import { transliterationPlugin } from './transliteration-plugin.ts';

/** For `npm run dev`: the proxy sends requests to this store with this API key. */
const { STORE = 'http://127.0.0.1:8080', KEY = '' } = process.env;

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

export default defineConfig({
  base: '/admin/',
  plugins: [react(), guidePlugin(), transliterationPlugin(), preloadPlugin()],
  resolve: {
    alias: {
      'purveyor/client': source('client/index.ts'),
      'purveyor/currencies': source('pricing/currencies.ts'),
      'purveyor/import': source('transfer/import/in-page.ts'),
      // The browser build, which does not need Buffer.
      'csv-parse/sync': 'csv-parse/browser/esm/sync',
      // The same function with a table that is loaded as data.
      'any-ascii': fileURLToPath(new URL('src/transfer/any-ascii.ts', import.meta.url)),
    },
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: process.env.OUT ?? 'dist',
    emptyOutDir: true,
    // The content security policy does not allow data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        // Few scripts for what every visit needs, instead of one for each combination of screens that share it.
        codeSplitting: {
          groups: [
            { name: 'main', test: /\/admin\/src\/main\.ts$/, priority: 2 },
            { name: 'start', test: /\/admin\/src\/start\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/images'].map((path) => [path, { target: STORE, headers: KEY === '' ? {} : { 'X-Auth-Token': KEY } }]),
    ),
  },
});
