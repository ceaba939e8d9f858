/** Generated files that are committed, so that changes of them are reviewed. */
import { postgresDialect } from '../src/adapters/postgres/dialect.ts';
import { schemaStatements as postgresStatements } from '../src/adapters/postgres/schema.ts';
import { sqliteDialect } from '../src/adapters/sqlite/dialect.ts';
import { schemaStatements as sqliteStatements } from '../src/adapters/sqlite/schema.ts';
import { clientTypes } from '../src/describe/client-types.ts';
import { inlineOpenApiDocument } from '../src/describe/openapi.ts';
import { difference, replay } from '../src/engine/model/migrations.ts';
import type { Dialect, StructureStep } from '../src/engine/ports.ts';
import { readMigrations, storeModel } from '../src/wiring/open.ts';
import { interfaceSummary } from './interface.ts';

export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** Generates the content from the declarations and migrations. */
  readonly make: () => string;
}

export const GENERATED_FILES: readonly GeneratedFile[] = [
  { path: 'src/client/types.ts', make: () => clientTypes(storeModel()) },
  { path: 'test/snapshots/interface.txt', make: interfaceText },
  { path: 'test/snapshots/schema.sqlite.sql', make: () => schemaText(sqliteDialect, sqliteStatements) },
  { path: 'test/snapshots/schema.postgres.sql', make: () => schemaText(postgresDialect(''), postgresStatements) },
];

function interfaceText(): string {
  const options = { baseUrl: 'https://shop.example', programVersion: '0.0.0', specVersion: '3.1.0' } as const;
  return interfaceSummary(inlineOpenApiDocument(storeModel(), options));
}

/** Returns the schema after all migrations, as SQL. */
function schemaText(
  { compile }: Dialect,
  statementsOf: (step: StructureStep) => Parameters<Dialect['compile']>[0][],
): string {
  const steps = difference(replay([]), replay(readMigrations()));
  const statements = steps.flatMap((step) => statementsOf(step)).map((statement) => compile(statement).sql);
  // Removes duplicates: several indexes need the same function.
  return [...new Set(statements)].map((text) => `${oneColumnPerLine(text)};\n`).join('');
}

function oneColumnPerLine(sql: string): string {
  return sql.startsWith('create table')
    ? sql.replace(/ \((?=")/, ' (\n  ').replace(/, (?="\w+" |primary key|constraint|foreign key)/g, ',\n  ')
    : sql;
}
