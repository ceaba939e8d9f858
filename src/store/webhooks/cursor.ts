/** A webhook's position in the change feed. */
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
import type { EventFilter } from './events.ts';
import type { Webhook } from './webhook-record.ts';

/**
 * Returns the position after the last event that was sent to the webhook. Before the first event, it is the position
 * after the change that created the webhook or resumed it from the current end.
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
  const start = rows.find(
    ([, , kind, fields]) => kind === 'created' || (json(fields as never) as string[]).includes('since'),
  );
  const end = await readFeed(service, 'now', { resources: undefined, limit: 1 });
  if (isProblem(end)) return end;
  return start && { epoch: end.next.epoch, position: Number(start[0]), mark: Number(start[1]) };
}

/** Maximum number of changes read to count waiting events. */
const CHANGES_READ_MAX = 10_000;

/** Counts the events that wait after a position. */
export async function countPending(
  { database, statements }: Service,
  { position }: Cursor,
  filter: EventFilter,
): Promise<number> {
  const behind = statements.get(
    'pending events',
    ({ placeholder }) => sql`select resource, kind, count(*) from (select resource, kind from ${sql.table('change')}
      where position > ${placeholder(new BindParam('position', 'integer'))} order by position limit ${sql.lit(CHANGES_READ_MAX)}) as ${sql.id('next')}
      group by resource, kind`,
  );
  let count = 0;
  for (const [resource, kind, some] of await database.query(behind, { position }))
    if (filter.has({ resource: resource as string, kind: kind as 'updated' })) count += Number(some);
  return count;
}
