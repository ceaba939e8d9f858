/** Deletes old webhook deliveries, and erases receivers' responses about erased people. */
import { sql } from 'kysely';
import { BindParam, inUnit, type RequestOptions, type Service, type Unit, type Value } from '../../engine/index.ts';
import { readSetting, replaceSetting, settingsOf, writeOnce } from '../settings.ts';

const RETENTION_SECONDS = 30 * 24 * 3600;
const DELETED_AT_ONCE = 500;

/** Deletes a few at a time, so that no write waits long. Ids are nearly in the order of creation. */
export async function forgetDeliveries(
  service: Service,
  requestOptions: RequestOptions,
  stopped: AbortSignal,
): Promise<void> {
  const { statements, database, clock } = service;
  const old = statements.get(
    'old deliveries',
    ({ placeholder }) => sql`select id from (select id, date from ${sql.table('webhook_delivery')}
      order by id limit ${sql.lit(DELETED_AT_ONCE)}) as ${sql.id('oldest')} where date < ${placeholder(new BindParam('before', 'timestamp'))}`,
  );
  const before = clock.now() - RETENTION_SECONDS;
  for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE && !stopped.aborted; ) {
    const ids = (await database.query(old, { before })).map(([id]) => id as Value);
    if (ids.length > 0) await inUnit(service, requestOptions, (unit) => unit.remove('WebhookDelivery', { id: ids }));
    count = ids.length;
  }
}

/** Qualified, because a list of values may have columns of the same names. */
const [PATH, LISTED] = [sql.id('webhook_delivery', 'path'), sql.id('listed', 'value')];

/** Setting whose value changes with each erasure. */
const LAST_ERASURE_SETTING = 'last_erasure';

/**
 * Returns a value that changes with each erasure; compare two of them to detect one in between. The setting exists
 * afterwards, so that `lockLastErasure` can lock it.
 */
export async function lastErasure(service: Service): Promise<string> {
  const known = await readSetting(settingsOf(service), LAST_ERASURE_SETTING);
  if (known !== undefined) return known;
  await writeOnce(service, LAST_ERASURE_SETTING, 'none');
  return lastErasure(service);
}

/** Returns the same value. No erasure commits until the unit has ended; waits for one that is being committed. */
export async function lockLastErasure(unit: Unit): Promise<string> {
  const [row] = await unit.query(
    'lock last erasure',
    ({ forShare }) =>
      sql`select value from ${sql.table('setting')} where name = ${sql.lit(LAST_ERASURE_SETTING)} ${forShare}`,
    {},
  );
  return row![0] as string;
}

/**
 * Erases receivers' responses to events of these records and their parts, because they may repeat what was sent.
 * Responses to attempts in progress are not stored: whoever logs an attempt locks the mark and finds it changed.
 */
export async function eraseDeliveriesAbout(unit: Unit, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await replaceSetting(unit, LAST_ERASURE_SETTING, unit.randomToken(16));
  const rows = await unit.query(
    'deliveries about',
    (dialect) => sql`select ${sql.id('webhook_delivery', 'id')} from ${sql.table('webhook_delivery')} where exists (
      select 1 from ${dialect.listed(new BindParam('paths', 'text', true))} 
        where ${PATH} = ${LISTED} or ${PATH} like ${LISTED} || '/%')`,
    { paths: [...paths] },
  );
  if (rows.length === 0) return;
  const attempts = new Map<Value, { attempts: Value }>();
  for (const { id, attempts: tried } of await unit.list('WebhookDelivery', { id: rows.map(([id]) => id as Value) }))
    attempts.set(id!, { attempts: (tried as { [name: string]: Value }[]).map((each) => ({ ...each, answer: '' })) });
  await unit.updateAll('WebhookDelivery', attempts);
}
