/** Lists files in folders. */
import { readdir } from 'node:fs/promises';
import { OWNER_FILE } from '../../src/adapters/images-disk/index.ts';

/** The names of all files below a folder; empty if the folder does not exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

/** The names of the files in a store's image folder, including incomplete ones. */
export async function imageFilesIn(folder: string): Promise<string[]> {
  return (await filesBelow(folder)).filter((name) => name !== OWNER_FILE);
}
