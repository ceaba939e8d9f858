/** Webhooks that are sent nothing, or refused something: no damage of the store, and somebody has to do something about it. */
import { sql } from 'kysely';
import type { Database } from '../engine/index.ts';
import { counted } from '../transfer/backup/format.ts';

/** One line for each webhook. The store has the newest schema. */
export async function webhookNotices(database: Database): Promise<string[]> {
  const { dialect } = database;
  const ask = (query: ReturnType<typeof sql>) => database.query(dialect.compile(query), {});
  const paused = await ask(
    sql`select id, reason, pending from ${sql.table('webhook')} where status = 'paused' order by id`,
  );
  const aside = await ask(
    sql`select webhook_id, count(*) from ${sql.table('webhook_delivery')} where status = 'set_aside' and type <> 'webhook.test'
      group by webhook_id order by webhook_id`,
  );
  return [
    ...paused.map(
      ([id, reason, pending]) =>
        `The webhook ${id} is paused, with ${counted(Number(pending), 'event')} waiting: ${reason} POST /api/webhooks/${id}/resume goes on.`,
    ),
    ...aside.map(
      ([id, count]) =>
        `The webhook ${id} refused ${counted(Number(count), 'event')}: GET /api/webhooks/${id}/deliveries?status=set_aside lists them.`,
    ),
  ];
}
