/**
 * Keeps image files from being removed while a copy of the store is made, in every process that serves it. The word for
 * it stands in the database and runs out by itself, as who gave it may be killed.
 */
import { sql } from 'kysely';
import { type Clock, type Dialect, Slot } from '../ports.ts';
import type { Service } from './service.ts';

/** Names of settings that no store carries with it: they are about what is happening to this one now. */
export const KEEPING_SETTING = 'backup:';

type Keeper = Pick<Service, 'database' | 'statements'> & { readonly clock: Pick<Clock, 'now'> };

/** From now on, and for so many seconds, no image file is removed. Said again under the same name, it goes on. */
export async function holdRemovals(
  { database, clock, statements }: Keeper,
  name: string,
  seconds: number,
): Promise<void> {
  const keep = statements.get(
    'keep files',
    ({ place }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${place(new Slot('name', 'text'))}, ${place(new Slot('until', 'text'))})
      on conflict (name) do update set value = excluded.value`,
  );
  const until = momentText(clock.now() + seconds);
  await database.transaction((transaction) => transaction.run(keep, { name: KEEPING_SETTING + name, until }));
}

/**
 * Files may go again. The next sweep removes the files that were released meanwhile. Settings that ended backups left
 * behind are removed here too.
 */
export async function allowRemovals({ database, clock, statements }: Keeper, name: string): Promise<void> {
  const forget = statements.get(
    'keep files no more',
    ({ place }) => sql`delete from ${sql.table('setting')}
      where name = ${place(new Slot('name', 'text'))} or (${isKeeping}
        and value <= ${place(new Slot('moment', 'text'))})`,
  );
  const values = { name: KEEPING_SETTING + name, moment: momentText(clock.now()) };
  await database.transaction((transaction) => transaction.run(forget, values));
}

/** A row where files are to be kept at the slot `moment`. */
export function filesKept({ place }: Dialect) {
  return sql`select 1 where exists (select 1 from ${sql.table('setting')}
    where ${isKeeping} and value > ${place(new Slot('moment', 'text'))})`;
}

/** A moment that sorts as text. */
export function momentText(seconds: number): string {
  return String(Math.max(0, seconds)).padStart(12, '0');
}

const isKeeping = sql`name like ${sql.lit(`${KEEPING_SETTING}%`)}`;
