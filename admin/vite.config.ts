/**
 * Builds the page into `dist/`, which is committed and served by the store at `/admin`. The same sources and lock file give the
 * same bytes, so that a check can build again and compare (`compare.ts`).
 */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** For `npm run dev`: a running store, and one of its keys, which the proxy adds. */
const { STORE = 'http://127.0.0.1:8080', KEY = '' } = process.env;

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

export default defineConfig({
  base: '/admin/',
  plugins: [react()],
  resolve: {
    alias: {
      'purveyor/client': source('client/index.ts'),
      'purveyor/import': source('transfer/import/in-page.ts'),
      // The parser's own build for browsers.
      'csv-parse/sync': 'csv-parse/browser/esm/sync',
    },
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: process.env.OUT ?? 'dist',
    emptyOutDir: true,
    // Inlined files would need data: in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/images'].map((path) => [path, { target: STORE, headers: KEY === '' ? {} : { 'X-Auth-Token': KEY } }]),
    ),
  },
});
