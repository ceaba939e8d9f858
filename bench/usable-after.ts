/** Measures in Chromium how long a page takes until a user can work with it. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { medianOf } from './results.ts';

export interface MeasuredPage {
  /** The name in the table of results. */
  readonly title: string;
  readonly url: string;
  /** Waits until a user can work with the page. @returns when that was, in milliseconds since the navigation, if it is not now */
  readonly usable: (page: Page) => Promise<unknown>;
  /** Prepares the browser context, for example signs in. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/**
 * Opens pages in turn, each with an empty browser cache, and prints a table: medians with lowest and highest, and the ratios of
 * each round to the first page.
 */
export async function compareUsable(browser: Browser, rounds: number, pages: readonly MeasuredPage[]): Promise<void> {
  const times: number[][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const measured: number[] = [];
    for (const page of pages) measured.push(await usableAfter(browser, page));
    // In the first round, the browser itself starts.
    if (round > 0) times.push(measured);
  }
  console.log('| Page | usable after, ms | ÷ first row |\n|---|---|---|');
  for (const [index, { title }] of pages.entries()) {
    const own = times.map((measured) => measured[index]!);
    const ratios = times.map((measured) => measured[index]! / measured[0]!);
    console.log(`| ${title} | ${spread(own, 0)} | ${index === 0 ? '' : spread(ratios, 2)} |`);
  }
}

/** @returns the milliseconds from the start of the navigation until a user can work with the page, with an empty browser cache */
async function usableAfter(browser: Browser, { url, usable, prepare }: MeasuredPage): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  try {
    await prepare?.(context);
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    const at = await usable(page);
    return typeof at === 'number' ? at : ((await page.evaluate('performance.now()')) as number);
  } finally {
    await context.close();
  }
}

function spread(numbers: readonly number[], decimals: number): string {
  const [median, low, high] = [medianOf(numbers), Math.min(...numbers), Math.max(...numbers)];
  return `${median.toFixed(decimals)} [${low.toFixed(decimals)}–${high.toFixed(decimals)}]`;
}
