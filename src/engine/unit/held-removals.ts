/**
 * Holds the removal of image files back while a copy of the store is made, in every process that serves it. The hold stands
 * in the database and runs out by itself, because the process that asked for it may be killed.
 */
import { sql } from 'kysely';
import { BindParam, type Clock, type Dialect } from '../ports.ts';
import type { Service } from './service.ts';

/** Names of settings that no store carries with it: they are about what is happening to this one now. */
export const HOLD_SETTING = 'backup:';

type Holder = Pick<Service, 'database' | 'statements'> & { readonly clock: Pick<Clock, 'now'> };

/** From now on, and for so many seconds, no image file is removed. Said again under the same name, it goes on. */
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

/**
 * Files may go again. The next sweep removes the files that were released meanwhile. Holds that have run out go too.
 */
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

/** A row where removals are held at the slot `timestamp`. */
export function removalsHeld({ placeholder }: Dialect) {
  return sql`select 1 where exists (select 1 from ${sql.table('setting')}
    where ${isHold} and value > ${placeholder(new BindParam('timestamp', 'text'))})`;
}

/** A moment that sorts as text. */
export function timestampText(seconds: number): string {
  return String(Math.max(0, seconds)).padStart(12, '0');
}

const isHold = sql`name like ${sql.lit(`${HOLD_SETTING}%`)}`;
