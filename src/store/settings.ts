/** Internal settings of the store by name: settings of the first start, and one-time work that is done. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { BindParam, type Reads, type Service } from '../engine/index.ts';

const NAME = new BindParam('name', 'text');
const VALUE = new BindParam('value', 'text');

/** Setting with the random id of this store, which distinguishes it from copies. */
export const IDENTITY_SETTING = 'identity';

type SettingReads = Pick<Reads, 'query'>;
type SettingsService = Pick<Service, 'database' | 'statements'>;

/** Reads committed settings, outside of a unit. */
export function settingsOf({ database, statements }: SettingsService): SettingReads {
  return { query: (key, build, values) => database.query(statements.get(key, build), values) };
}

/** Returns the store's id. The first call creates it. */
export async function readIdentity(service: SettingsService & Pick<Service, 'uuid'>): Promise<string> {
  const known = await readSetting(settingsOf(service), IDENTITY_SETTING);
  if (known !== undefined) return known;
  await writeOnce(service, IDENTITY_SETTING, service.uuid());
  return (await readSetting(settingsOf(service), IDENTITY_SETTING))!;
}

const CURSOR_KEY_SETTING = 'cursor key';

/** 32 bytes to encrypt, and 32 to derive nonces. */
const CURSOR_KEY_BYTES = 64;

/** Returns the secret key of cursors of lists, which all processes of the store share. */
export function readCursorKey(service: SettingsService): Promise<Buffer> {
  return readSecretKey(service, CURSOR_KEY_SETTING, CURSOR_KEY_BYTES);
}

/** Returns a random key of the store. The first call creates it. */
export async function readSecretKey(service: SettingsService, setting: string, bytes: number): Promise<Buffer> {
  const read = () => readSetting(settingsOf(service), setting);
  const known = await read();
  if (known === undefined) await writeOnce(service, setting, randomBytes(bytes).toString('base64url'));
  return Buffer.from(known ?? (await read())!, 'base64url');
}

/** Writes a setting in its own transaction unless it exists. */
export async function writeOnce({ database, statements }: SettingsService, name: string, value: string): Promise<void> {
  await database.transaction((transaction) =>
    writeSetting({ query: (key, build, values) => transaction.run(statements.get(key, build), values) }, name, value),
  );
}

export async function readSetting(reads: SettingReads, name: string): Promise<string | undefined> {
  const [row] = await reads.query(
    'read setting',
    ({ placeholder }) => sql`select value from ${sql.table('setting')} where name = ${placeholder(NAME)}`,
    { name },
  );
  return row?.[0] as string | undefined;
}

/** Writes a setting unless it exists. */
export async function writeSetting(unit: SettingReads, name: string, value: string): Promise<void> {
  await unit.query(
    'write setting',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${placeholder(NAME)}, ${placeholder(VALUE)}) on conflict (name) do nothing`,
    { name, value },
  );
}

/** Writes or overwrites a setting. */
export async function replaceSetting(unit: SettingReads, name: string, value: string): Promise<void> {
  await unit.query(
    'replace setting',
    ({ placeholder }) => sql`insert into ${sql.table('setting')} (name, value)
      values (${placeholder(NAME)}, ${placeholder(VALUE)}) on conflict (name) do update set value = excluded.value`,
    { name, value },
  );
}
