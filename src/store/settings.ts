/** What the store remembers of itself by name: what its owner set on the first start, what was done to it once. */
import { sql } from 'kysely';
import { Slot } from '../engine/ports.ts';
import type { Reads } from '../engine/unit/reads.ts';
import type { Unit } from '../engine/unit/unit.ts';

const NAME = new Slot('name', 'text');

export async function readSetting(reads: Pick<Reads, 'ask'>, name: string): Promise<string | undefined> {
  const [row] = await reads.ask(
    'read setting',
    ({ place }) => sql`select value from ${sql.table('setting')} where name = ${place(NAME)}`,
    { name },
  );
  return row?.[0] as string | undefined;
}

/** What is there stays. */
export async function writeSetting(unit: Unit, name: string, value: string): Promise<void> {
  await unit.ask(
    'write setting',
    ({ place }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${place(NAME)}, ${place(new Slot('value', 'text'))}) on conflict (name) do nothing`,
    { name, value },
  );
}
