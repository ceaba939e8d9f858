/** Deletes expired audit entries from the start of the chain, and stores the hash of the last one, which anchors the rest. */
import { sql } from 'kysely';
import { BindParam } from '../../ports.ts';
import type { Service } from '../service.ts';
import { ANCHOR_SETTING, CHAIN_LOCK } from './chain.ts';
import { removePaths } from './path-index.ts';
import { removeValues } from './value-index.ts';

/** Entries per transaction, so that no write is blocked for long. */
const ENTRIES_AT_ONCE = 1000;

/** Pause between two transactions, for other work. */
const PAUSE_MS = 5;

const CHAIN = sql.table('audit_entry');

/** @param before seconds since 1970; the first newer entry and all after it remain */
export async function forgetAudit(service: Service, before: number, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted && (await forgetSome(service, before))) await service.clock.pause(PAUSE_MS);
}

/** @returns whether more entries may have expired */
function forgetSome({ database, statements }: Service, before: number): Promise<boolean> {
  const oldest = statements.get(
    'oldest of audit',
    () => sql`select id, at, hash from ${CHAIN} order by id limit ${sql.lit(ENTRIES_AT_ONCE)}`,
  );
  const remove = statements.get(
    'forget audit',
    ({ placeholder }) => sql`delete from ${CHAIN} where id <= ${placeholder(new BindParam('id', 'integer'))}`,
  );
  const save = statements.get(
    'save audit anchor',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${sql.lit(ANCHOR_SETTING)}, ${placeholder(new BindParam('value', 'text'))})
      on conflict (name) do update set value = ${sql.id('excluded', 'value')}`,
  );
  return database.transaction(async (transaction) => {
    await transaction.lock(CHAIN_LOCK);
    const rows = await transaction.run(oldest, {});
    const firstNew = rows.findIndex(([, at]) => Number(at) >= before);
    const count = firstNew === -1 ? rows.length : firstNew;
    if (count === 0) return false;
    const [id, , hash] = rows[count - 1]!;
    for (const [index, removeIndexed] of [removePaths, ...removeValues].entries())
      await transaction.run(statements.get(`forget indexed audit ${index}`, removeIndexed), { id: Number(id) });
    await transaction.run(remove, { id: Number(id) });
    await transaction.run(save, { value: `${id} ${hash}` });
    return count === ENTRIES_AT_ONCE;
  });
}
