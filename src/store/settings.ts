/**
 * The store's memory of itself, by name: its owner's settings of the first start, and the work that was done on it
 * once.
 */
import { sql } from 'kysely';
import { BindParam, type Reads, type Service } from '../engine/index.ts';

const NAME = new BindParam('name', 'text');
const VALUE = new BindParam('value', 'text');

/** Under this name stands the random id of this very store, which tells it from a copy that was made of it. */
export const IDENTITY_SETTING = 'identity';

type Asking = Pick<Reads, 'query'>;
type Asked = Pick<Service, 'database' | 'statements'>;

/** Asks of the settings that are committed. */
export function settingsOf({ database, statements }: Asked): Asking {
  return { query: (key, build, values) => database.query(statements.get(key, build), values) };
}

/** The store's id, made when it is first asked for. */
export async function readIdentity(service: Asked & Pick<Service, 'uuid'>): Promise<string> {
  const known = await readSetting(settingsOf(service), IDENTITY_SETTING);
  if (known !== undefined) return known;
  await writeOnce(service, IDENTITY_SETTING, service.uuid());
  return (await readSetting(settingsOf(service), IDENTITY_SETTING))!;
}

/** Writes a setting that is not there yet, in a transaction of its own. */
export async function writeOnce({ database, statements }: Asked, name: string, value: string): Promise<void> {
  await database.transaction((transaction) =>
    writeSetting({ query: (key, build, values) => transaction.run(statements.get(key, build), values) }, name, value),
  );
}

export async function readSetting(reads: Asking, name: string): Promise<string | undefined> {
  const [row] = await reads.query(
    'read setting',
    ({ placeholder }) => sql`select value from ${sql.table('setting')} where name = ${placeholder(NAME)}`,
    { name },
  );
  return row?.[0] as string | undefined;
}

/** Writes a setting that is not there yet; an existing one stays. */
export async function writeSetting(unit: Asking, name: string, value: string): Promise<void> {
  await unit.query(
    'write setting',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${placeholder(NAME)}, ${placeholder(VALUE)}) on conflict (name) do nothing`,
    { name, value },
  );
}

/** Writes a setting, whether it is there or not. */
export async function replaceSetting(unit: Asking, name: string, value: string): Promise<void> {
  await unit.query(
    'replace setting',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${placeholder(NAME)}, ${placeholder(VALUE)}) on conflict (name) do update set value = excluded.value`,
    { name, value },
  );
}
