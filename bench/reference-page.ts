/**
 * `npm run bench:reference-page -- --rounds 9`: the time from opening the reference in Chromium until the list of operations
 * is visible, and until the interactive reference shows its first operation, compared with the same page and a document of one
 * operation. Each round opens all with an empty browser cache. Asserts no times.
 */
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.ts';
import { describeMachine } from './machine.ts';
import { seedStore } from './seed.ts';
import { startServer } from './servers.ts';
import { compareUsable } from './usable-after.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });

await seedStore(console.log);
const store = await startServer('purveyor', { BASE_URL: '' }, ([program, ...rest]) => [program!, rest]);
const browser = await launchBrowser();
try {
  const url = `${store.address}/api`;
  console.log(`${describeMachine()}; medians of ${options.rounds} rounds, lowest and highest.\n`);
  await compareUsable(browser, Number(options.rounds), [
    { title: 'one operation, interactive', url, usable: interactive, prepare: serveOneOperation },
    { title: 'all operations, list', url, usable: firstPaint },
    { title: 'all operations, interactive', url, usable: interactive },
  ]);
} finally {
  await browser.close();
  await store.stop();
}

async function interactive(page: Page): Promise<void> {
  await page.locator('[data-sidebar-id*="/GET/"]').first().waitFor();
}

/** The list of operations is part of the HTML, so the first paint shows it. */
async function firstPaint(page: Page): Promise<number> {
  await interactive(page);
  return (await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)) as number;
}

/** Replaces the document of the page by one whose only operation is the list of products. */
async function serveOneOperation(context: BrowserContext): Promise<void> {
  const whole = await (await context.request.get(`${store.address}/api/openapi.json?group=Catalog`)).json();
  const operation = whole.paths['/products'].get;
  const json = {
    ...{ openapi: whole.openapi, info: { ...whole.info, description: '' }, servers: whole.servers },
    components: { parameters: {}, responses: {} },
    tags: [{ name: operation.tags[0] }],
    paths: {
      '/products': { get: { ...operation, parameters: [], responses: { 200: { description: 'The products.' } } } },
    },
  };
  await context.route('**/api/openapi.json', (route) => route.fulfill({ json }));
}
