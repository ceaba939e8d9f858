/**
 * Opens the admin page in Chromium, signed in, and fails tests on console errors, requests to other hosts and leaked keys. Provides
 * screenshots and axe-core checks.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Locator, Page, Request, Response } from 'playwright-core';
import { launchBrowser, skipWithoutBrowser as skip } from '../../test/support/browser.ts';
import {
  type onEachDatabase,
  onOneDatabase,
  READ_WRITE_KEY,
  type Settings,
  type Store,
} from '../../test/support/store.ts';

export { skipWithoutBrowser as skip } from '../../test/support/browser.ts';

export const WIDTHS = [1400, 800, 390] as const;
export const SCHEMES = ['light', 'dark'] as const;

/** Read on demand: tests outside of `clients/` use this file without axe-core. */
const axe = (): string => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface OpenOptions {
  readonly width?: number;
  readonly scheme?: (typeof SCHEMES)[number];
  readonly locale?: string;
  /** The read/write key if left out; null for not signed in. */
  readonly key?: string | null;
}

/** An open page and the requests it has sent. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** All requests except GET. */
  readonly writes: { method: string; path: string; ifMatch: string | undefined; body: unknown }[];
  go(hash: string): Promise<void>;
  close(): Promise<void>;
}

export interface AdminPage {
  readonly store: Store;
  open(options?: OpenOptions): Promise<Opened>;
  /** Opens a screen, runs a function and closes the page. Fails if the page logged an error or contacted another host. */
  on(hash: string, act: (opened: Opened) => Promise<void>, options?: OpenOptions): Promise<void>;
  /** Takes a screenshot if `ADMIN_SCREENSHOTS` names a folder. */
  screenshot(page: Page, name: string): Promise<void>;
}

const SCREENSHOTS = process.env.ADMIN_SCREENSHOTS;
/** Prefix of the folder for the screenshot of a failed test. */
const FAILED = join(tmpdir(), 'purveyor-admin-');

/** Declares tests of the page with a store on SQLite: the page only sees responses, and the tests of `api/` compare the databases. */
export function onAdminPage(
  name: string,
  settings: Settings,
  declare: (admin: AdminPage) => void,
  onDatabases: typeof onEachDatabase = onOneDatabase,
): void {
  onDatabases(name, settings, (store) => {
    let browser: Browser;

    before(async () => {
      if (!skip) browser = await launchBrowser();
    });

    after(() => browser?.close());

    const admin: AdminPage = {
      store,
      open: (options) => open(browser, store, options),
      async on(hash, act, options) {
        const opened = await open(browser, store, options);
        try {
          await opened.go(hash);
          await act(opened);
        } catch (error) {
          await takeScreenshot(opened.page, SCREENSHOTS ?? (await mkdtemp(FAILED)), 'failed').catch(() => undefined);
          throw error;
        } finally {
          await opened.close();
        }
      },
      async screenshot(page, name) {
        if (SCREENSHOTS !== undefined) await takeScreenshot(page, SCREENSHOTS, `${store.database}-${name}`);
      },
    };
    declare(admin);
  });
}

async function takeScreenshot(page: Page, folder: string, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

async function open(browser: Browser, store: Store, options: OpenOptions = {}): Promise<Opened> {
  const { width = 1400, scheme = 'light', locale = 'en-GB', key = READ_WRITE_KEY } = options;
  const context = await browser.newContext({
    ...{ viewport: { width, height: width < 500 ? 844 : 900 }, colorScheme: scheme, locale },
    reducedMotion: 'reduce',
  });
  if (key !== null) {
    const signedIn = await context.request.post(`${store.address}/admin/session`, {
      ...{ data: { key }, headers: { origin: store.address } },
    });
    assert.equal(signedIn.status(), 200, await signedIn.text());
  }
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems: string[] = [];
  const writes: Opened['writes'] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // Chromium also logs rejected requests, which tests provoke.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) problems.push(message.text());
  });
  const pending = new Set<Request>();
  PENDING.set(page, pending);
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('request', (request) => {
    pending.add(request);
    const url = new URL(request.url());
    const isOwn = [store.address, store.address.replace('127.0.0.1', 'localhost')].includes(url.origin);
    if (/^https?:$/.test(url.protocol) && !isOwn) problems.push(`request to ${url.origin}`);
    if (request.headers()['x-auth-token'] !== undefined) problems.push(`a key was sent to ${url.pathname}`);
    if (request.method() === 'GET') return;
    const text = request.postData();
    writes.push({
      method: request.method(),
      path: decodeURI(url.pathname),
      ifMatch: request.headers()['if-match'],
      body: text === null ? undefined : bodyOf(text, request.headers()['content-type']),
    });
  });
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  );
  return {
    ...{ page, context, writes },
    async go(hash) {
      await page.goto(`${store.address}/admin#${hash}`);
      await settled(page);
    },
    async close() {
      await context.close();
      assert.deepEqual(problems, []);
    },
  };
}

/** Parses a body of JSON or JSON Lines. */
function bodyOf(text: string, type = ''): unknown {
  if (!/ndjson/.test(type)) return JSON.parse(text);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** The pending requests of each page. */
const PENDING = new WeakMap<Page, ReadonlySet<Request>>();

const SETTLE_MS_MAX = 30_000;

/** Waits until the screen is loaded and no request is pending. */
export async function settled(page: Page): Promise<void> {
  // A screen has no title until its chunk is loaded.
  const title = page.locator('h1').filter({ hasText: /\S/ }).first();
  await title.waitFor();
  // `networkidle` fires once per document, maybe for an earlier screen.
  await page.waitForLoadState('networkidle');
  await answered(page);
  await title.waitFor();
  await page.locator('.MuiSkeleton-root, .RaLoading-main, [role=progressbar]').first().waitFor({ state: 'detached' });
}

/** Waits until no request is pending. A response may lead to another request. */
async function answered(page: Page): Promise<void> {
  const until = performance.now() + SETTLE_MS_MAX;
  for (let calm = 0; calm < 2; calm = PENDING.get(page)!.size === 0 ? calm + 1 : 0) {
    assert.ok(performance.now() < until, 'the page does not come to rest');
    await page.evaluate('new Promise((idle) => requestIdleCallback(() => idle(), { timeout: 1000 }))');
  }
}

/** Waits for animations to end. During one, texts are cut off, and contrasts are lower. */
export async function animated(page: Page): Promise<void> {
  await page.evaluate(
    `Promise.allSettled(document.getAnimations().filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime)).map(({ finished }) => finished))`,
  );
}

/** Waits for animations to end. @returns a line for each violation that axe-core finds */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await animated(page);
  // Evaluating the script takes as long as some checks.
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(axe());
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, failureSummary }) => [id, target.join(' '), html.slice(0, 160), failureSummary].join(' | '))))`,
  )) as string[];
  return found;
}

/** @returns by how many pixels the page is wider than the window */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth') as Promise<number>;
}

/** Runs an action that changes a record, and waits for the response, and until the page has read what it shows next. */
export async function changing(page: Page, act: () => Promise<unknown>): Promise<void> {
  const written = (response: Response): boolean => ['PATCH', 'POST', 'PUT'].includes(response.request().method());
  await Promise.all([page.waitForResponse(written), act()]);
  await answered(page);
}

/** Runs an action that changes a record, and waits for its message. That of an earlier action may still be visible. */
export async function saved(page: Page, act: () => Promise<unknown>): Promise<void> {
  await changing(page, act);
  await page.getByText('Saved.', { exact: true }).first().waitFor();
}

/** Waits until the element has the focus. `page.waitForFunction` calls `eval`, which the policy of the page reports. */
export async function focused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** Waits until the field has this value. */
export async function changedTo(field: Locator, value: string): Promise<void> {
  const until = performance.now() + SETTLE_MS_MAX;
  while ((await field.inputValue()) !== value) {
    assert.ok(performance.now() < until, `the field still has the value ${await field.inputValue()}`);
    await sleep(50);
  }
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator, pressesMax = 120): Promise<void> {
  for (let presses = 0; presses < pressesMax; presses += 1) {
    if (await target.evaluate((element) => element.contains(element.ownerDocument.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${target} cannot be reached with Tab`);
}

/** Waits until a tooltip with this text describes the element. Others can be visible: where the pointer is, or fading out. */
export async function described(target: Locator, text: string): Promise<void> {
  const id = await target.and(target.page().locator('[aria-describedby]')).getAttribute('aria-describedby');
  await target.page().locator(`[id="${id}"]`).getByText(text).waitFor();
}

/** A PNG of one pixel, in base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
export const OTHER_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
