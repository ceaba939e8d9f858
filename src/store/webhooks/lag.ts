/** Measures how far webhooks lag behind the change feed. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { sql } from 'kysely';
import { BindParam, type Cursor, isProblem, type Service } from '../../engine/index.ts';
import type { KnownKey } from '../keys.ts';
import { ownRequestOptions } from '../own-requests.ts';
import { cursorOf } from './cursor.ts';
import { EventFilter } from './events.ts';
import { readAccess } from './owner-rights.ts';
import { readWebhooks } from './webhook-record.ts';

/** Maximum number of changes read to find one that is to be sent. */
const CHANGES_READ_MAX = 10_000;

/**
 * Returns the age in seconds of the oldest change that an enabled webhook has not been sent; 0 if none waits.
 * @param configured keys of the environment
 */
export async function webhookLagSeconds(service: Service, configured: readonly KnownKey[]): Promise<number> {
  let oldest: number | undefined;
  for (const webhook of await readWebhooks(service, ownRequestOptions(''))) {
    if (!webhook.enabled) continue;
    const cursor = await cursorOf(service, webhook);
    const access = await readAccess(service, configured, webhook);
    // Without an owner, events wait until somebody takes the webhook over.
    const filter = new EventFilter(webhook.events, service, 'lost' in access ? { hidden: undefined } : access);
    const at = cursor && !isProblem(cursor) ? await oldestAfter(service, cursor, filter) : undefined;
    if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at;
    // SQLite responds synchronously; give other requests a turn.
    await nextTick();
  }
  return oldest === undefined ? 0 : Math.max(0, service.clock.now() - oldest);
}

/** Returns the time of the first matching change after a position. */
async function oldestAfter(
  { database, statements }: Service,
  { position }: Cursor,
  filter: EventFilter,
): Promise<number | undefined> {
  const behind = statements.get(
    'oldest events behind',
    ({ placeholder }) => sql`select resource, kind, min(at) from (select resource, kind, at from ${sql.table('change')}
      where position > ${placeholder(new BindParam('position', 'integer'))} order by position limit ${sql.lit(CHANGES_READ_MAX)}) as ${sql.id('next')}
      group by resource, kind`,
  );
  const found = (await database.query(behind, { position })).filter(([resource, kind]) =>
    filter.has({ resource: resource as string, kind: kind as 'updated' }),
  );
  return found.length === 0 ? undefined : Math.min(...found.map(([, , at]) => Number(at)));
}
