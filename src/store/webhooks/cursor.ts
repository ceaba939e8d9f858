/** Where a webhook is in the feed. */
import { sql } from 'kysely';
import {
  BindParam,
  type Cursor,
  isProblem,
  orderChanges,
  type Problem,
  readCursor,
  type Service,
} from '../../engine/index.ts';
import { readFeed } from '../feed.ts';
import type { Wanted } from './events.ts';
import type { Webhook } from './webhook-record.ts';

/**
 * The place behind the last event that it was sent. Of one that was sent nothing yet: behind the change that made it, or that
 * resumed it from then on.
 */
export async function cursorOf(service: Service, { id, cursor }: Webhook): Promise<Cursor | Problem | undefined> {
  if (cursor !== '') return readCursor(cursor);
  await orderChanges(service);
  const own = service.statements.get(
    'changes of a webhook',
    ({ placeholder }) => sql`select position, mark, kind, fields from ${sql.table('change')}
      where resource = 'Webhook' and record = ${placeholder(new BindParam('record', 'text'))} order by position desc`,
  );
  const rows = await service.database.query(own, { record: String(id) });
  const { json } = service.database.dialect.decode;
  const begun = rows.find(
    ([, , kind, fields]) => kind === 'created' || (json(fields as never) as string[]).includes('since'),
  );
  const end = await readFeed(service, 'now', { resources: undefined, limit: 1 });
  if (isProblem(end)) return end;
  return begun && { epoch: end.next.epoch, position: Number(begun[0]), mark: Number(begun[1]) };
}

/** So many changes are looked at for events that wait. */
const LOOKED_AT_MAX = 10_000;

/** How many events wait behind a place. */
export async function countPending(
  { database, statements }: Service,
  { position }: Cursor,
  wanted: Wanted,
): Promise<number> {
  const behind = statements.get(
    'pending events',
    ({ placeholder }) => sql`select resource, kind, count(*) from (select resource, kind from ${sql.table('change')}
      where position > ${placeholder(new BindParam('position', 'integer'))} order by position limit ${sql.lit(LOOKED_AT_MAX)}) as ${sql.id('next')}
      group by resource, kind`,
  );
  let count = 0;
  for (const [resource, kind, some] of await database.query(behind, { position }))
    if (wanted.has({ resource: resource as string, kind: kind as 'updated' })) count += Number(some);
  return count;
}
