/** Starts the Chromium of this machine for tests in a browser. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const browserPath = findBrowser();

/** The reason for skipping tests in a browser; false if Chromium is installed. */
export const skipWithoutBrowser =
  browserPath === undefined && 'Chromium is not installed; install it or set CHROMIUM_PATH';

/** Disables the browser's own requests, for example update checks: tests record all requests of a page. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath!, headless: true, args: QUIET });
}

function findBrowser(): string | undefined {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)));
  return [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium', ...onPath].find(
    (path) => path !== '' && existsSync(path),
  );
}
