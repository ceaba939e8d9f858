/** Forgets deliveries of webhooks when their time is over. */
import { sql } from 'kysely';
import { type Caller, inUnit, type Service, Slot, type Value } from '../../engine/index.ts';

const KEPT_SECONDS = 30 * 24 * 3600;
const FORGOTTEN_AT_ONCE = 500;

/** A few at a time, so that no write waits long. They were made in the order of their numbers, nearly. */
export async function forgetDeliveries(service: Service, caller: Caller, stopped: AbortSignal): Promise<void> {
  const { statements, database, clock } = service;
  const old = statements.get(
    'old deliveries',
    ({ place }) => sql`select id from (select id, date from ${sql.table('webhook_delivery')}
      order by id limit ${sql.lit(FORGOTTEN_AT_ONCE)}) as ${sql.id('oldest')} where date < ${place(new Slot('before', 'timestamp'))}`,
  );
  const before = clock.now() - KEPT_SECONDS;
  for (let count = FORGOTTEN_AT_ONCE; count === FORGOTTEN_AT_ONCE && !stopped.aborted; ) {
    const ids = (await database.query(old, { before })).map(([id]) => id as Value);
    if (ids.length > 0) await inUnit(service, caller, (unit) => unit.remove('WebhookDelivery', { id: ids }));
    count = ids.length;
  }
}
