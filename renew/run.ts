/**
 * `npm run renew -- NAME`: writes whatever follows from the declarations, after a change of one. The migration comes first,
 * where the tables differ, and NAME is its name; then the files of generated.ts; then the store that the tests of later
 * programs open, once for each migration. Where nothing has changed, nothing is written.
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
    tell(newest, 'a store of this schema, for the tests of later ones');
  }
  if (written.length === 0) console.log('Everything is as the declarations say; nothing was written.');
}

/** @returns whether the migrations reach the declarations now */
function writeMigration(name: string | undefined): boolean {
  const migrations = readMigrations();
  const steps = missingSteps(storeModel(), migrations);
  if (steps.length === 0) return true;
  if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
    const said = name === undefined ? '' : ` in small letters, digits and hyphens, not “${name}”`;
    console.error(
      `The tables change: ${stepsInWords(steps.length)}. Name the migration${said}: npm run renew -- what-it-is-for`,
    );
    process.exitCode = 1;
    return false;
  }
  const path = migrationPath(`${String(migrations.length + 1).padStart(4, '0')}-${name}`);
  writeFileSync(path, `${JSON.stringify(steps, null, 2)}\n`);
  tell(path, stepsInWords(steps.length));
  return true;
}

function stepsInWords(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`;
}

function writeIfChanged(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
  tell(path);
}

function tell(path: string, about?: string): void {
  written.push(path);
  console.log(`Wrote ${relative(ROOT, path)}${about === undefined ? '' : `: ${about}`}.`);
}
