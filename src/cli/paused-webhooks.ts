/** Notices about webhooks that are paused or rejected events. The store is not damaged, but the operator should act. */
import { sql } from 'kysely';
import type { Database } from '../engine/index.ts';
import { counted } from '../transfer/backup/format.ts';

/** Returns one line for each webhook. The schema must be up to date. */
export async function webhookNotices(database: Database): Promise<string[]> {
  const { dialect } = database;
  const query = (statement: ReturnType<typeof sql>) => database.query(dialect.compile(statement), {});
  const paused = await query(
    sql`select id, reason, pending from ${sql.table('webhook')} where status = 'paused' order by id`,
  );
  const rejected = await query(
    sql`select webhook_id, count(*) from ${sql.table('webhook_delivery')} where status = 'set_aside' and type <> 'webhook.test'
      group by webhook_id order by webhook_id`,
  );
  return [
    ...paused.map(
      ([id, reason, pending]) =>
        `The webhook ${id} is paused with ${counted(Number(pending), 'event')} waiting: ${reason} Resume it with POST /api/webhooks/${id}/resume.`,
    ),
    ...rejected.map(
      ([id, count]) =>
        `The webhook ${id} rejected ${counted(Number(count), 'event')}. List them with GET /api/webhooks/${id}/deliveries?status=set_aside.`,
    ),
  ];
}
