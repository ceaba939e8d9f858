/** Files in folders. */
import { readdir } from 'node:fs/promises';
import { OWNER_FILE } from '../../src/adapters/images-disk/index.ts';

/** Names of the files below a folder, none where there is no folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

/** Names of the files that a store keeps in its image folder, half-written ones too. */
export async function imageFilesIn(folder: string): Promise<string[]> {
  return (await filesBelow(folder)).filter((name) => name !== OWNER_FILE);
}
