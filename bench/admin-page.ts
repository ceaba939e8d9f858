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
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';
import { KEY } from './constants.ts';
import { describeMachine } from './machine.ts';
import { medianOf } from './results.ts';
import { seedStore } from './seed.ts';
import { startServer } from './servers.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const ADMIN = fileURLToPath(new URL('../admin/', import.meta.url));

/** For each page: waits until a user can work with it. */
const USABLE = {
  empty: (page: Page) => page.locator('tbody td').first().waitFor(),
  async admin(page: Page) {
    await page.locator('h1').filter({ hasText: /\S/ }).first().waitFor();
    await page.locator('.MuiSkeleton-root, [role=progressbar]').first().waitFor({ state: 'detached' });
  },
};

const folder = await mkdtemp(join(tmpdir(), 'purveyor-empty-admin-'));
execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'empty', '--outDir', folder], {
  ...{ cwd: ADMIN, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
});
const files = await serveFolder(folder);
await seedStore(console.log);
const store = await startServer('purveyor', { BASE_URL: '' }, ([program, ...rest]) => [program!, rest]);
const browser = await launchBrowser();
try {
  const empty = `http://127.0.0.1:${(files.address() as AddressInfo).port}/index.html`;
  const times = { empty: [] as number[], admin: [] as number[] };
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    const emptyMs = await usableAfter(browser, empty, USABLE.empty);
    const adminMs = await usableAfter(browser, `${store.address}/admin`, USABLE.admin, signIn);
    if (round === 0) continue; // The browser itself starts.
    times.empty.push(emptyMs);
    times.admin.push(adminMs);
  }
  const ratios = times.admin.map((time, round) => time / times.empty[round]!);
  console.log(`${describeMachine()}; medians of ${options.rounds} rounds, lowest and highest.\n`);
  console.log('| Page | usable after, ms | ÷ empty page |\n|---|---|---|');
  console.log(`| empty page of react-admin | ${spread(times.empty, 0)} | |`);
  console.log(`| admin page, start page | ${spread(times.admin, 0)} | ${spread(ratios, 2)} |`);
} finally {
  await browser.close();
  await store.stop();
  files.close();
  await rm(folder, { recursive: true });
}

/** @returns the milliseconds from the start of the navigation until a user can work with the page, with an empty browser cache */
async function usableAfter(
  from: Browser,
  address: string,
  usable: (page: Page) => Promise<void>,
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<number> {
  const context = await from.newContext({ viewport: { width: 1400, height: 900 } });
  try {
    await prepare(context);
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'commit' });
    await usable(page);
    return (await page.evaluate('performance.now()')) as number;
  } finally {
    await context.close();
  }
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

function spread(numbers: readonly number[], decimals: number): string {
  const [median, low, high] = [medianOf(numbers), Math.min(...numbers), Math.max(...numbers)];
  return `${median.toFixed(decimals)} [${low.toFixed(decimals)}–${high.toFixed(decimals)}]`;
}
