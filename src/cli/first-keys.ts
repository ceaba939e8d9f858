/** Writes the first API keys to a file that only its owner can read, for starts without a terminal. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FirstKeys } from '../store/keys.ts';
import { imagesFolder, sqliteFile } from '../wiring/open.ts';
import type { Config } from '../wiring/settings/index.ts';
import { signInAddress } from './own-address.ts';

const FILE = 'first-keys.txt';

/** Next to the database file; with a database server next to the image folder; with both remote, in `data`. */
export function firstKeysFile(config: Config): string {
  if (config.firstKeysFile !== '') return resolve(config.firstKeysFile);
  return join(dirname(resolve(sqliteFile(config) ?? imagesFolder(config) ?? 'data/images')), FILE);
}

/**
 * Writes the keys durably and atomically, replacing an older file: one line for each key with its kind, then the
 * address that signs in to the admin page.
 * @throws {Error} with a message for the operator
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
      `The first keys cannot be written to ${path}: ${(error as Error).message}. Set FIRST_KEYS_FILE to a writable file, ` +
        'or start on a terminal, which shows the keys.',
      { cause: error },
    );
  }
}
