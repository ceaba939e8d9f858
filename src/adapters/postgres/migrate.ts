/**
 * Applies all pending migrations of a PostgreSQL database in one transaction and records them; also fills a new store.
 */
import { type RawBuilder, sql } from 'kysely';
import { fillColumn, publishRecords } from '../../engine/index.ts';
import { BindParam, type Migration, type NewStore, pendingMigrations, StoreExists } from '../../engine/ports.ts';
import { nameIn } from './dialect.ts';
import { inOwnTransaction, type Run } from './own-connection.ts';
import { schemaStatements } from './schema.ts';
import { lockName, lockStatement, namespaceIfExists, namespaceOf, type StoreAddress } from './store-address.ts';

export async function migrate(store: StoreAddress, migrations: readonly Migration[]): Promise<string[]> {
  // Most starts migrate no table and should not wait for locks.
  const applied = await inOwnTransaction(store.url, 'BEGIN READ ONLY', (run) => appliedIn(store, run));
  if (applied.length > 0 && pendingMigrations(migrations, applied).length === 0) return [];
  return inOwnTransaction(store.url, 'BEGIN', async (run) => {
    await lockList(store, run);
    return applyPending(store, run, migrations);
  });
}

/** Fills a new store without foreign keys; they are created at the end, which checks every row. */
export async function found(
  store: StoreAddress,
  migrations: readonly Migration[],
  fill: (store: NewStore) => Promise<void>,
): Promise<void> {
  const { compile } = store.dialect;
  await inOwnTransaction(store.url, 'BEGIN', async (run) => {
    await lockList(store, run);
    if ((await run(compile(READ_LIST))).length > 0) throw new StoreExists('The database already contains a store.');
    await applyPending(store, run, migrations);
    const tables = migrations.flatMap(({ steps }) => steps.flatMap((step) => ('table' in step ? [step.table] : [])));
    const names = tables.map((table) => (typeof table === 'string' ? table : table.name));
    const readReferences = compile(readReferencesIn(store.schema));
    const references = (await run(readReferences, { tables: names })) as [drop: string, add: string][];
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
export async function appliedIn({ schema, dialect }: StoreAddress, run: Run): Promise<string[]> {
  const findList = dialect.compile(sql`select to_regclass(${sql.lit(nameIn(schema, 'migration'))}) is not null`);
  const [[isThere] = []] = await run(findList);
  return isThere ? (await run(dialect.compile(READ_LIST))).map(([name]) => name as string) : [];
}

/** Prevents two concurrent starts from both creating the list. */
const LOCK_NAME = 'purveyor migrations';

const LIST = sql.table('migration');
const READ_LIST = sql`select name from ${LIST} order by name`;
const ADD_TO_LIST = sql`insert into ${LIST} values (${new BindParam('name', 'text')}, ${new BindParam('applied_at', 'timestamp')})`;

function readReferencesIn(schema: string): RawBuilder<unknown> {
  return sql`select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and relnamespace = ${namespaceOf(schema)} and relname = any(${new BindParam('tables', 'text', true)})
    order by relname, conname`;
}

async function lockList({ schema, dialect: { compile } }: StoreAddress, run: Run): Promise<void> {
  await run(lockStatement, { name: lockName(schema, LOCK_NAME) });
  if (schema !== '') {
    // `create schema if not exists` would need the permission to create schemas even if the schema exists.
    const [[exists] = []] = await run(compile(sql`select ${namespaceIfExists(schema)} is not null`));
    if (!exists) await run(compile(sql`create schema ${sql.id(schema)}`));
  }
  await run(
    compile(sql`create table if not exists ${LIST} (name text collate "C" primary key, applied_at bigint not null)`),
  );
  // Waits for store snapshots, which must not see half of a schema change (`snapshot.ts`).
  await run(compile(sql`lock table ${LIST} in row exclusive mode`));
}

async function applyPending({ dialect }: StoreAddress, run: Run, migrations: readonly Migration[]): Promise<string[]> {
  const { compile } = dialect;
  const pending = pendingMigrations(
    migrations,
    (await run(compile(READ_LIST))).map(([name]) => name as string),
  );
  const now = Math.floor(Date.now() / 1000);
  for (const { name, steps } of pending) {
    for (const step of steps) {
      if (step.step === 'fill column') await fillColumn(dialect, step, run, now);
      else if (step.step === 'tell records') await publishRecords(dialect, step, run, now);
      else for (const statement of schemaStatements(step)) await run(compile(statement));
    }
    await run(compile(ADD_TO_LIST), { name, applied_at: now });
  }
  return pending.map(({ name }) => name);
}
