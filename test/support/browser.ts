/** The Chromium of this machine, for tests of what a person sees. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const browserPath = findBrowser();

/** Why tests in a browser are skipped, where they are. */
export const skipWithoutBrowser =
  browserPath === undefined && 'no Chromium here: install it, or name it in CHROMIUM_PATH';

/** The browser itself must not look for updates while a page's requests are watched. */
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
