/**
 * Applies all pending migrations of a PostgreSQL database in one transaction and records them; also fills a new store.
 */
import { sql } from 'kysely';
import { fillColumn, publishRecords } from '../../engine/index.ts';
import { BindParam, type Migration, type NewStore, pendingMigrations, StoreExists } from '../../engine/ports.ts';
import { postgresDialect } from './dialect.ts';
import { inOwnTransaction, type Run } from './own-connection.ts';
import { schemaStatements } from './schema.ts';

const { compile, placeholder } = postgresDialect;

export const lockStatement = compile(
  sql`select pg_advisory_xact_lock(hashtextextended(${placeholder(new BindParam('name', 'text'))}, 0))`,
);

export async function migrate(url: string, migrations: readonly Migration[]): Promise<string[]> {
  // Most starts have nothing to migrate and should not wait for locks.
  const applied = await inOwnTransaction(url, 'BEGIN READ ONLY', appliedIn);
  if (applied.length > 0 && pendingMigrations(migrations, applied).length === 0) return [];
  return inOwnTransaction(url, 'BEGIN', async (run) => {
    await lockList(run);
    return applyPending(run, migrations);
  });
}

/** Fills a new store without foreign keys; they are created at the end, which checks every row. */
export async function found(
  url: string,
  migrations: readonly Migration[],
  fill: (store: NewStore) => Promise<void>,
): Promise<void> {
  await inOwnTransaction(url, 'BEGIN', async (run) => {
    await lockList(run);
    if ((await run(READ_LIST)).length > 0) throw new StoreExists('The database already contains a store.');
    await applyPending(run, migrations);
    const tables = migrations.flatMap(({ steps }) => steps.flatMap((step) => ('table' in step ? [step.table] : [])));
    const names = tables.map((table) => (typeof table === 'string' ? table : table.name));
    const references = (await run(READ_REFERENCES, { tables: names })) as [drop: string, add: string][];
    for (const [drop] of references) await run(compile(sql.raw(drop)));
    await fill({
      run,
      async checkReferences() {
        for (const [, add] of references) await run(compile(sql.raw(add)));
      },
    });
  });
}

/** Returns the names of the applied migrations in order; empty if there is no store. */
export async function appliedIn(run: Run): Promise<string[]> {
  const [[isThere] = []] = await run(FIND_LIST);
  return isThere ? (await run(READ_LIST)).map(([name]) => name as string) : [];
}

/** Prevents two concurrent starts from both creating the list. */
const LOCK_NAME = 'purveyor migrations';

const CREATE_LIST = compile(
  sql`create table if not exists migration (name text collate "C" primary key, applied_at bigint not null)`,
);
const FIND_LIST = compile(sql`select to_regclass('migration') is not null`);
/** Waits for store snapshots, which must not see half of a schema change (`snapshot.ts`). */
const LOCK_LIST = compile(sql`lock table migration in row exclusive mode`);
const READ_LIST = compile(sql`select name from migration order by name`);
const ADD_TO_LIST = compile(
  sql`insert into migration values (${new BindParam('name', 'text')}, ${new BindParam('applied_at', 'timestamp')})`,
);
const READ_REFERENCES = compile(
  sql`select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and pg_table_is_visible(conrelid) and relname = any(${new BindParam('tables', 'text', true)})
    order by relname, conname`,
);

async function lockList(run: Run): Promise<void> {
  await run(lockStatement, { name: LOCK_NAME });
  await run(CREATE_LIST);
  await run(LOCK_LIST);
}

async function applyPending(run: Run, migrations: readonly Migration[]): Promise<string[]> {
  const pending = pendingMigrations(
    migrations,
    (await run(READ_LIST)).map(([name]) => name as string),
  );
  const now = Math.floor(Date.now() / 1000);
  for (const { name, steps } of pending) {
    for (const step of steps) {
      if (step.step === 'fill column') await fillColumn(postgresDialect, step, run, now);
      else if (step.step === 'tell records') await publishRecords(postgresDialect, step, run, now);
      else for (const statement of schemaStatements(step)) await run(compile(statement));
    }
    await run(ADD_TO_LIST, { name, applied_at: now });
  }
  return pending.map(({ name }) => name);
}
