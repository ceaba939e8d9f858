/** Measures in Chromium how long a page takes until a user can work with it. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { medianOf } from './results.ts';

export interface MeasuredPage {
  /** The name in the table of results. */
  readonly title: string;
  readonly url: string;
  /** Waits until a user can work with the page. */
  readonly usable: (page: Page) => Promise<void>;
  /** Prepares the browser context, for example signs in. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/**
 * Opens a reference page and a page in turn, each with an empty browser cache, and prints a table: medians with lowest and
 * highest, and the ratio of each round.
 */
export async function compareUsable(
  browser: Browser,
  rounds: number,
  reference: MeasuredPage,
  measured: MeasuredPage,
): Promise<void> {
  const times: [number, number][] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair: [number, number] = [await usableAfter(browser, reference), await usableAfter(browser, measured)];
    // In the first round, the browser itself starts.
    if (round > 0) times.push(pair);
  }
  const row = (title: string, column: 0 | 1): string =>
    `| ${title} | ${spread(
      times.map((pair) => pair[column]),
      0,
    )} |`;
  console.log('| Page | usable after, ms | ratio |\n|---|---|---|');
  console.log(`${row(reference.title, 0)} |`);
  console.log(
    `${row(measured.title, 1)} ${spread(
      times.map(([one, other]) => other / one),
      2,
    )} |`,
  );
}

/** @returns the milliseconds from the start of the navigation until a user can work with the page, with an empty browser cache */
async function usableAfter(browser: Browser, { url, usable, prepare }: MeasuredPage): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  try {
    await prepare?.(context);
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    await usable(page);
    return (await page.evaluate('performance.now()')) as number;
  } finally {
    await context.close();
  }
}

function spread(numbers: readonly number[], decimals: number): string {
  const [median, low, high] = [medianOf(numbers), Math.min(...numbers), Math.max(...numbers)];
  return `${median.toFixed(decimals)} [${low.toFixed(decimals)}–${high.toFixed(decimals)}]`;
}
