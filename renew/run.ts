/**
 * `npm run renew -- NAME`: updates generated files after a change of the declarations. Writes a migration called NAME if the
 * tables differ, then the files in generated.ts, then a store of the new schema for tests of later versions. Does not rewrite
 * unchanged files.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrationPath, missingSteps, readMigrations, storeModel } from '../src/wiring/open.ts';
import { storeFixturePath, writeStoreFixture } from '../test/support/store-fixture.ts';
import { GENERATED_FILES } from './generated.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const written = [];
if (writeMigration(process.argv[2])) {
  for (const { path, make } of GENERATED_FILES) writeIfChanged(`${ROOT}${path}`, make());
  const newest = storeFixturePath(readMigrations().at(-1)!.name);
  if (!existsSync(newest)) {
    await writeStoreFixture(newest);
    reportWritten(newest, 'a store of this schema for tests of later versions');
  }
  if (written.length === 0) console.log('All generated files are up to date.');
}

/** Writes a migration if one is needed. @returns whether the migrations match the declarations now */
function writeMigration(name: string | undefined): boolean {
  const migrations = readMigrations();
  const steps = missingSteps(storeModel(), migrations);
  if (steps.length === 0) return true;
  if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
    const rule =
      name === undefined ? '' : ` “${name}” is not a valid name: use lower-case letters, digits and hyphens.`;
    console.error(
      `The tables change (${countSteps(steps.length)}).${rule} Run: npm run renew -- NAME-OF-THE-MIGRATION`,
    );
    process.exitCode = 1;
    return false;
  }
  const path = migrationPath(`${String(migrations.length + 1).padStart(4, '0')}-${name}`);
  writeFileSync(path, `${JSON.stringify(steps, null, 2)}\n`);
  reportWritten(path, countSteps(steps.length));
  return true;
}

function countSteps(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`;
}

function writeIfChanged(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
  reportWritten(path);
}

function reportWritten(path: string, about?: string): void {
  written.push(path);
  console.log(`Wrote ${relative(ROOT, path)}${about === undefined ? '' : `: ${about}`}.`);
}
