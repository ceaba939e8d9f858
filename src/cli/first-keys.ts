/** The keys of the first start where nobody reads a screen: in a file that its owner alone may read. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FirstKeys } from '../store/keys.ts';
import type { Config } from '../wiring/config.ts';
import { imagesFolder, sqliteFile } from '../wiring/open.ts';
import { signInAddress } from './own-address.ts';

const FILE = 'first-keys.txt';

/** Beside the database; where that is a server, beside the image folder; where both are elsewhere, in `data`. */
export function firstKeysFile(config: Config): string {
  if (config.firstKeysFile !== '') return resolve(config.firstKeysFile);
  return join(dirname(resolve(sqliteFile(config) ?? imagesFolder(config) ?? 'data/images')), FILE);
}

/**
 * Writes them for good, in the place of what was under the name before: a line for each, its kind and the key; then the
 * address that signs in to the admin page.
 * @throws {Error} one sentence with the way out
 */
export function writeFirstKeys(
  path: string,
  { readWrite, readOnly, signInToken }: FirstKeys,
  admin: string | undefined,
): void {
  const lines = [`read-write ${readWrite}`, `read-only ${readOnly}`];
  if (admin !== undefined && signInToken !== undefined) lines.push(`sign-in ${signInAddress(admin, signInToken)}`);
  const draft = `${path}.draft`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeSync(file, `${lines.join('\n')}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(
      `The first keys cannot be written to ${path}: ${(error as Error).message}. Set FIRST_KEYS_FILE to a file that can, ` +
        'or start on a terminal, which shows them.',
      { cause: error },
    );
  }
}
