/** Applies the migrations that a SQLite file still lacks, all of them or none, and keeps the list of those applied. */
import { sql } from 'kysely';
import { type Migration, pendingMigrations, type SchemaStep, Slot, type Transaction } from '../../engine/ports.ts';
import { sqliteDialect } from './dialect.ts';
import { schemaStatement } from './schema.ts';

export async function migrate(transaction: Transaction, migrations: readonly Migration[]): Promise<string[]> {
  await transaction.run(CREATE_LIST, {});
  const applied = (await transaction.run(READ_LIST, {})).map(([name]) => name as string);
  const pending = pendingMigrations(migrations, applied);
  for (const { name, steps } of pending) {
    for (const step of steps) {
      await refuseLoss(transaction, step);
      await transaction.run(sqliteDialect.compile(schemaStatement(step)), {});
    }
    await transaction.run(ADD_TO_LIST, { name, applied_at: Math.floor(Date.now() / 1000) });
  }
  return pending.map(({ name }) => name);
}

const { compile } = sqliteDialect;

const CREATE_LIST = compile(
  sql`create table if not exists migration (name text not null primary key, applied_at integer not null) strict`,
);
const READ_LIST = compile(sql`select name from migration`);
const ADD_TO_LIST = compile(
  sql`insert into migration values (${new Slot('name', 'text')}, ${new Slot('applied_at', 'timestamp')})`,
);
const READ_REFERRING = compile(
  sql`select other.name from sqlite_schema other, pragma_foreign_key_list(other.name) key
    where other.type = 'table' and key."table" = ${new Slot('table', 'text')} and other.name <> key."table"`,
);

/** SQLite deletes a table's rows before it drops it, and what refers to them would be deleted along. */
async function refuseLoss(transaction: Transaction, step: SchemaStep): Promise<void> {
  if (step.step !== 'drop table') return;
  const [referring] = await transaction.run(READ_REFERRING, { table: step.table });
  if (referring) {
    throw new Error(`The table ${step.table} cannot be dropped while ${referring[0]} refers to it.`);
  }
}
