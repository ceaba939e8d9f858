/** A copy of this program that writes no audit entries, as the reference of `bench/versions.ts`. */
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const PROGRAM = resolve(import.meta.dirname, '..');

/** What the copy replaces in `src/engine/unit/audit`: all occurrences of a text, by file. */
const REPLACED = [
  // No values are recorded.
  { file: 'record-changes.ts', text: 'if (resource.isUnpublished) return;', by: 'return;' },
  { file: 'write-changes.ts', text: 'await entriesOf(unit, changes, records)', by: '[] as NewEntry[]' },
] as const;

/**
 * Copies the program.
 * @param folder that does not exist yet
 * @throws Error if the sources have changed, so that a replaced text is missing
 */
export async function copyWithoutAudit(folder: string): Promise<void> {
  for (const name of ['src', 'bin', 'package.json', 'admin/dist'])
    await cp(join(PROGRAM, name), join(folder, name), { recursive: true });
  await symlink(join(PROGRAM, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, text, by } of REPLACED) {
    const path = join(folder, 'src/engine/unit/audit', file);
    const source = await readFile(path, 'utf8');
    if (!source.includes(text)) throw new Error(`${file} does not contain "${text}". Update bench/without-audit.ts.`);
    await writeFile(path, source.replaceAll(text, by));
  }
}
