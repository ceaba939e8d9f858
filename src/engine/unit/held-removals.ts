/**
 * Holds that prevent all processes of a store from removing image files during a backup. A hold is stored in the
 * database and expires by itself, because the process that set it may be killed.
 */
import { sql } from 'kysely';
import { BindParam, type Clock, type Dialect } from '../ports.ts';
import type { Service } from './service.ts';

/** Prefix of settings that are not part of a backup, because they describe the current state of this store. */
export const HOLD_SETTING = 'backup:';

type Holder = Pick<Service, 'database' | 'statements'> & { readonly clock: Pick<Clock, 'now'> };

/** Prevents removals of image files for this many seconds. Another call with the same name renews the hold. */
export async function holdRemovals(
  { database, clock, statements }: Holder,
  name: string,
  seconds: number,
): Promise<void> {
  const hold = statements.get(
    'hold removals',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${placeholder(new BindParam('name', 'text'))}, ${placeholder(new BindParam('until', 'text'))})
      on conflict (name) do update set value = excluded.value`,
  );
  const until = timestampText(clock.now() + seconds);
  await database.transaction((transaction) => transaction.run(hold, { name: HOLD_SETTING + name, until }));
}

/** Releases a hold, and deletes expired ones. The next sweep removes the files released during the hold. */
export async function allowRemovals({ database, clock, statements }: Holder, name: string): Promise<void> {
  const allow = statements.get(
    'allow removals',
    ({ placeholder }) => sql`delete from ${sql.table('setting')}
      where name = ${placeholder(new BindParam('name', 'text'))} or (${isHold}
        and value <= ${placeholder(new BindParam('timestamp', 'text'))})`,
  );
  const values = { name: HOLD_SETTING + name, timestamp: timestampText(clock.now()) };
  await database.transaction((transaction) => transaction.run(allow, values));
}

/** Rows: one if a hold exists at the time `timestamp`. */
export function removalsHeld({ placeholder }: Dialect) {
  return sql`select 1 where exists (select 1 from ${sql.table('setting')}
    where ${isHold} and value > ${placeholder(new BindParam('timestamp', 'text'))})`;
}

/** A timestamp that sorts as text. */
export function timestampText(seconds: number): string {
  return String(Math.max(0, seconds)).padStart(12, '0');
}

const isHold = sql`name like ${sql.lit(`${HOLD_SETTING}%`)}`;
