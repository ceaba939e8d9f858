/** Applies all pending migrations of an SQLite file in one transaction, and records them. */
import { sql } from 'kysely';
import { fillColumn, publishRecords, replay } from '../../engine/index.ts';
import {
  BindParam,
  type Migration,
  type NewStore,
  pendingMigrations,
  type SchemaStep,
  StoreExists,
  type StructureStep,
  type Transaction,
} from '../../engine/ports.ts';
import { sqliteDialect } from './dialect.ts';
import { schemaStatements } from './schema.ts';

export async function migrate(transaction: Transaction, migrations: readonly Migration[]): Promise<string[]> {
  await transaction.run(CREATE_LIST, {});
  const applied = (await transaction.run(READ_LIST, {})).map(([name]) => name as string);
  const pending = pendingMigrations(migrations, applied);
  const now = Math.floor(Date.now() / 1000);
  const run: Transaction['run'] = (statement, values) => transaction.run(statement, values);
  for (const { name, steps } of pending) {
    for (const step of steps) {
      await rejectLoss(transaction, step);
      if (step.step === 'fill column') await fillColumn(sqliteDialect, step, run, now);
      else if (step.step === 'tell records') await publishRecords(sqliteDialect, step, run, now);
      else await changeSchema(transaction, step);
    }
    await transaction.run(ADD_TO_LIST, { name, applied_at: now });
  }
  return pending.map(({ name }) => name);
}

async function changeSchema(transaction: Transaction, step: StructureStep): Promise<void> {
  for (const statement of schemaStatements(step)) await transaction.run(compile(statement), {});
}

/**
 * Fills a new store. Text indexes are created afterwards, because filling them row by row takes ten times as long.
 * SQLite checks references only when the transaction ends, so they are checked explicitly before.
 */
export async function found(
  transaction: Transaction,
  migrations: readonly Migration[],
  fill: (store: NewStore) => Promise<void>,
): Promise<void> {
  await transaction.run(DEFER_REFERENCES, {});
  if ((await appliedIn(transaction)).length > 0) throw new StoreExists('The database already contains a store.');
  await migrate(transaction, migrations);
  const { textIndexes } = replay(migrations);
  for (const { name } of textIndexes) await changeSchema(transaction, { step: 'drop text index', index: name });
  await fill({
    run: (statement, values) => transaction.run(statement, values),
    async checkReferences() {
      const [lost] = await transaction.run(CHECK_REFERENCES, { max: 1 });
      if (lost) throw new Error(`A row of the table ${lost[0]} refers to a row of ${lost[1]} that does not exist.`);
    },
  });
  for (const index of textIndexes) await changeSchema(transaction, { step: 'create text index', index });
}

/** Returns the names of the applied migrations in order; empty if there is no store. */
export async function appliedIn(reader: Pick<Transaction, 'run'>): Promise<string[]> {
  if ((await reader.run(FIND_LIST, {})).length === 0) return [];
  return (await reader.run(READ_LIST, {})).map(([name]) => name as string);
}

/** Returns the faults that SQLite finds in the whole file. */
export async function faultsIn(reader: Pick<Transaction, 'run'>, max: number): Promise<string[]> {
  const verdicts = await reader.run(compile(sql`pragma integrity_check(${sql.lit(max)})`), {});
  const lost = await reader.run(CHECK_REFERENCES, { max });
  return [
    ...verdicts.filter(([verdict]) => verdict !== 'ok').map(([verdict]) => `The database file is damaged: ${verdict}.`),
    ...lost.map(
      ([table, parent, count]) =>
        `In the table ${table}, ${count} of the rows refer to a ${parent} that does not exist.`,
    ),
  ].slice(0, max);
}

const { compile } = sqliteDialect;

const DEFER_REFERENCES = compile(sql`pragma defer_foreign_keys = on`);
const MAX = sqliteDialect.placeholder(new BindParam('max', 'integer'));
const CHECK_REFERENCES = compile(
  sql`select "table", parent, count(*) from pragma_foreign_key_check group by "table", parent limit ${MAX}`,
);
const FIND_LIST = compile(sql`select 1 from sqlite_schema where type = 'table' and name = 'migration'`);

const CREATE_LIST = compile(
  sql`create table if not exists migration (name text not null primary key, applied_at integer not null) strict`,
);
const READ_LIST = compile(sql`select name from migration order by name`);
const ADD_TO_LIST = compile(
  sql`insert into migration values (${new BindParam('name', 'text')}, ${new BindParam('applied_at', 'timestamp')})`,
);
const READ_REFERRING = compile(
  sql`select other.name from sqlite_schema other, pragma_foreign_key_list(other.name) key
    where other.type = 'table' and key."table" = ${new BindParam('table', 'text')} and other.name <> key."table"`,
);

/** SQLite deletes a table's rows before it drops the table, which would also delete the rows that refer to them. */
async function rejectLoss(transaction: Transaction, step: SchemaStep): Promise<void> {
  if (step.step !== 'drop table') return;
  const [referring] = await transaction.run(READ_REFERRING, { table: step.table });
  if (referring) {
    throw new Error(`The table ${step.table} cannot be dropped while ${referring[0]} refers to it.`);
  }
}
