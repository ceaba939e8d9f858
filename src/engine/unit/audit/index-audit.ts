/**
 * Adds audit entries to the index tables. Indexes that each write maintains would add pages to the log of SQLite for each
 * write. Instead, a job adds many entries at once. Reads also look at the entries that are not in these tables yet.
 */
import { sql } from 'kysely';
import { BindParam, type Dialect } from '../../ports.ts';
import type { Expression } from '../../sql/source.ts';
import type { Service } from '../service.ts';
import { CHAIN_LOCK } from './chain.ts';
import { INDEXED_PATHS, INDEXED_VALUES, indexedUpTo } from './index-progress.ts';
import { addPaths } from './path-index.ts';
import { addHours, addValues } from './value-index.ts';

/** Entries per transaction, so that no write waits long. */
const ENTRIES_AT_ONCE = 1000;

/** Pause between two transactions, for other work. */
const PAUSE_MS = 5;

const CHAIN = sql.table('audit_entry');

/** A part of the index, which has its own progress. */
interface Index {
  /** Name of the setting with the id of the last entry in the index. */
  readonly setting: string;
  /** Statements that add the entries after the last one up to `last`. */
  readonly adds: readonly ((dialect: Dialect) => Expression)[];
}

const INDEXES: readonly Index[] = [
  { setting: INDEXED_PATHS, adds: [addPaths] },
  { setting: INDEXED_VALUES, adds: [addValues, addHours] },
];

type IndexService = Pick<Service, 'database' | 'statements' | 'clock'>;

/** Adds new entries to the tables. */
export async function indexAudit(service: IndexService, stopped: AbortSignal): Promise<void> {
  for (const index of INDEXES)
    while (!stopped.aborted && (await addSome(service, index))) await service.clock.pause(PAUSE_MS);
}

/** @returns whether there were entries to add */
async function addSome({ database, statements }: IndexService, { setting, adds }: Index): Promise<boolean> {
  const next = statements.get(
    `audit entries to index: ${setting}`,
    () => sql`select max(id) from (select id from ${CHAIN} where id > ${indexedUpTo(setting)}
      order by id limit ${sql.lit(ENTRIES_AT_ONCE)}) as next`,
  );
  const save = statements.get(
    `save indexed audit entry: ${setting}`,
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${sql.lit(setting)}, ${placeholder(new BindParam('value', 'text'))})
      on conflict (name) do update set value = ${sql.id('excluded', 'value')}`,
  );
  // Most of the time there is nothing to do, which needs no transaction.
  if ((await database.query(next, {}))[0]![0] === null) return false;
  return database.transaction(async (transaction) => {
    await transaction.lock(CHAIN_LOCK);
    const last = (await transaction.run(next, {}))[0]![0] ?? null;
    if (last === null) return false;
    for (const [index, add] of adds.entries())
      await transaction.run(statements.get(`index audit entries: ${setting} ${index}`, add), { last: Number(last) });
    await transaction.run(save, { value: String(last) });
    return true;
  });
}
