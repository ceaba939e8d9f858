/**
 * Builds the page into `dist/`, which is committed and served by the store at `/admin`. The same sources and lock file give the
 * same bytes, so that a check can build again and compare (`compare.ts`).
 */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** For `npm run dev`: a running store, and one of its keys, which the proxy adds. */
const { STORE = 'http://127.0.0.1:8080', KEY = '' } = process.env;

export default defineConfig({
  base: '/admin/',
  plugins: [react()],
  resolve: { alias: { 'purveyor/client': fileURLToPath(new URL('../src/client/index.ts', import.meta.url)) } },
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
