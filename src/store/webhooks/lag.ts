/** How far webhooks are behind the feed. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { sql } from 'kysely';
import { BindParam, type Cursor, isProblem, type Service } from '../../engine/index.ts';
import { ownRequestOptions } from '../own-requests.ts';
import { cursorOf } from './cursor.ts';
import { Wanted } from './events.ts';
import { readWebhooks } from './webhook-record.ts';

/** So many changes are looked at for one that is to be sent. */
const LOOKED_AT_MAX = 10_000;

/** How many seconds ago the oldest change was made that an enabled webhook has not been sent; 0 where none waits. */
export async function webhookLagSeconds(service: Service): Promise<number> {
  let oldest: number | undefined;
  for (const webhook of await readWebhooks(service, ownRequestOptions(''))) {
    if (!webhook.enabled) continue;
    const cursor = await cursorOf(service, webhook);
    const at =
      cursor && !isProblem(cursor) ? await oldestBehind(service, cursor, new Wanted(webhook.events)) : undefined;
    if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at;
    // An embedded database answers at once, and others have their turn between.
    await nextTick();
  }
  return oldest === undefined ? 0 : Math.max(0, service.clock.now() - oldest);
}

/** When the first change behind a place was made that a webhook wants. */
async function oldestBehind(
  { database, statements }: Service,
  { position }: Cursor,
  wanted: Wanted,
): Promise<number | undefined> {
  const behind = statements.get(
    'oldest events behind',
    ({ placeholder }) => sql`select resource, kind, min(at) from (select resource, kind, at from ${sql.table('change')}
      where position > ${placeholder(new BindParam('position', 'integer'))} order by position limit ${sql.lit(LOOKED_AT_MAX)}) as ${sql.id('next')}
      group by resource, kind`,
  );
  const found = (await database.query(behind, { position })).filter(([resource, kind]) =>
    wanted.has({ resource: resource as string, kind: kind as 'updated' }),
  );
  return found.length === 0 ? undefined : Math.min(...found.map(([, , at]) => Number(at)));
}
