/**
 * The schema of both databases as SQL, in test/snapshots/: what a migration changes is read in review as a difference.
 * `UPDATE_SNAPSHOTS=1 npm test` writes them anew.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { postgresDialect } from '../../src/adapters/postgres/dialect.ts';
import { schemaStatement as postgresStatement } from '../../src/adapters/postgres/schema.ts';
import { sqliteDialect } from '../../src/adapters/sqlite/dialect.ts';
import { schemaStatement as sqliteStatement } from '../../src/adapters/sqlite/schema.ts';
import { readMigrations } from '../../src/cli/open.ts';
import { difference, replay } from '../../src/engine/migrations.ts';
import type { Dialect, StructureStep } from '../../src/engine/ports.ts';

const DATABASES: readonly [string, Dialect, (step: StructureStep) => Parameters<Dialect['compile']>[0]][] = [
  ['sqlite', sqliteDialect, sqliteStatement],
  ['postgres', postgresDialect, postgresStatement],
];

for (const [name, dialect, statementOf] of DATABASES)
  test(`the schema of ${name} is that of the snapshot`, () => {
    const steps = difference({ tables: [], indexes: [] }, replay(readMigrations()));
    const schema = steps.map((step) => `${readable(dialect.compile(statementOf(step)).sql)};\n`).join('');
    const file = fileURLToPath(new URL(`../snapshots/schema.${name}.sql`, import.meta.url));
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, schema);
    assert.equal(schema, readFileSync(file, 'utf8'));
  });

/** A line for each column. */
function readable(sql: string): string {
  return sql.startsWith('create table')
    ? sql.replace(/ \((?=")/, ' (\n  ').replace(/, (?="\w+" |primary key|constraint|foreign key)/g, ',\n  ')
    : sql;
}
