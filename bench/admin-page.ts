/**
 * `npm run bench:admin-page -- --rounds 9`: the time from opening the admin page in Chromium until its start page is usable,
 * compared with an empty page of react-admin. Each round opens both with an empty browser cache. Asserts no times.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';
import { KEY } from './constants.ts';
import { describeMachine } from './machine.ts';
import { seedStore } from './seed.ts';
import { startServer } from './servers.ts';
import { compareUsable } from './usable-after.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const ADMIN = fileURLToPath(new URL('../admin/', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'purveyor-empty-admin-'));
execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'empty', '--outDir', folder], {
  ...{ cwd: ADMIN, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
});
const files = await serveFolder(folder);
await seedStore(console.log);
const store = await startServer('purveyor', { BASE_URL: '' }, ([program, ...rest]) => [program!, rest]);
const browser = await launchBrowser();
try {
  console.log(`${describeMachine()}; medians of ${options.rounds} rounds, lowest and highest.\n`);
  await compareUsable(browser, Number(options.rounds), [
    {
      title: 'empty page of react-admin',
      url: `http://127.0.0.1:${(files.address() as AddressInfo).port}/index.html`,
      usable: (page) => page.locator('tbody td').first().waitFor(),
    },
    { title: 'admin page, start page', url: `${store.address}/admin`, usable: startPage, prepare: signIn },
  ]);
} finally {
  await browser.close();
  await store.stop();
  files.close();
  await rm(folder, { recursive: true });
}

async function startPage(page: Page): Promise<void> {
  await page.locator('h1').filter({ hasText: /\S/ }).first().waitFor();
  await page.locator('.MuiSkeleton-root, [role=progressbar]').first().waitFor({ state: 'detached' });
}

async function signIn(context: BrowserContext): Promise<void> {
  const response = await context.request.post(`${store.address}/admin/session`, {
    ...{ data: { key: KEY }, headers: { origin: store.address } },
  });
  if (!response.ok()) throw new Error(`Signing in failed: ${response.status()} ${await response.text()}`);
}

/** Serves the files of a folder, compressed like those of the admin page. */
async function serveFolder(root: string): Promise<Server> {
  const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
  const server = createServer(({ url = '' }, response) => {
    const file = join(root, new URL(url, 'http://127.0.0.1').pathname);
    const type = types[extname(file)];
    if (!type) return void response.writeHead(404).end();
    response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Type', type).end(gzipSync(readFileSync(file)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}
