/** What the store remembers of itself by name: what its owner set on the first start, what was done to it once. */
import { sql } from 'kysely';
import { Slot } from '../ports.ts';
import type { Service } from '../service.ts';
import { type Run, runIn } from './stored.ts';

/** Under this name stands the random id of this very store, which tells it from a copy that was made of it. */
export const IDENTITY_SETTING = 'identity';

/** The store's id, made when it is first asked for. */
export async function readIdentity(service: Pick<Service, 'database' | 'statements' | 'uuid'>): Promise<string> {
  const known = await readSetting(service, IDENTITY_SETTING);
  if (known !== undefined) return known;
  await service.database.transaction((transaction) =>
    writeSetting(service, runIn(transaction), IDENTITY_SETTING, service.uuid()),
  );
  return (await readSetting(service, IDENTITY_SETTING))!;
}

export async function readSetting(
  { database, statements }: Pick<Service, 'database' | 'statements'>,
  name: string,
  run: Run = (statement, values) => database.query(statement, values),
): Promise<string | undefined> {
  const select = statements.get(
    'read setting',
    ({ place }) => sql`select value from ${sql.table('setting')} where name = ${place(new Slot('name', 'text'))}`,
  );
  return (await run(select, { name }))[0]?.[0] as string | undefined;
}

/** What is there stays. */
export async function writeSetting(
  { statements }: Pick<Service, 'statements'>,
  run: Run,
  name: string,
  value: string,
): Promise<void> {
  const insert = statements.get(
    'write setting',
    ({ place }) => sql`insert into ${sql.table('setting')} (name, value)
    values (${place(new Slot('name', 'text'))}, ${place(new Slot('value', 'text'))}) on conflict (name) do nothing`,
  );
  await run(insert, { name, value });
}
