/** Selects the entries of the feed that a webhook receives, without those that newer ones replace. */
import { sql } from 'kysely';
import type { HiddenData } from '../../access/hidden-data.ts';
import { type Model, RowsParam, type Service, snakeCase } from '../../engine/index.ts';
import type { FeedEntry } from '../feed.ts';
import { canReadResource, readableResources } from '../readable-changes.ts';
import type { Access } from './owner-rights.ts';

/** Returns the event type, such as `product.updated`. */
export function typeOf({ resource, kind }: Pick<FeedEntry, 'resource' | 'kind'>): string {
  return `${snakeCase(resource)}.${kind}`;
}

/** The same for every delivery of the same entry, to any webhook. */
export function messageIdOf({ position, mark }: Pick<FeedEntry, 'position' | 'mark'>): string {
  return `evt_${position}_${mark}`;
}

/** The events that a webhook subscribes to, without those that its owner cannot read. */
export class EventFilter {
  readonly #events: ReadonlySet<string>;
  readonly #model: Model;
  readonly #hidden: HiddenData | undefined;

  constructor(events: readonly string[], { model }: Pick<Service, 'model'>, { hidden }: Access) {
    this.#events = new Set(events);
    this.#model = model;
    this.#hidden = hidden;
  }

  has(entry: Pick<FeedEntry, 'resource' | 'kind'>): boolean {
    return this.#isSubscribed(entry) && this.canRead(entry.resource);
  }

  /** Whether the owner can read the records of a resource. */
  canRead(resource: string): boolean {
    return canReadResource(this.#model, resource, this.#hidden);
  }

  #isSubscribed(entry: Pick<FeedEntry, 'resource' | 'kind'>): boolean {
    const events = this.#events;
    return events.has('*') || events.has(typeOf(entry)) || events.has(`${snakeCase(entry.resource)}.*`);
  }

  /** Names of the resources; undefined: all. */
  resources(): readonly string[] | undefined {
    return readableResources(this.#model, this.#subscribed(), this.#hidden);
  }

  #subscribed(): string[] | undefined {
    if (this.#events.has('*')) return undefined;
    const named = new Set([...this.#events].map((event) => event.split('.')[0]));
    return [...this.#model.resources.keys()].filter((name) => named.has(snakeCase(name)));
  }
}

const GIVEN = new RowsParam('rows', ['text', 'text', 'integer']);

/**
 * Omits updates that are replaced by a newer update or the deletion of the same record, if the webhook receives the
 * newer event. Creations and deletions are never omitted.
 */
export async function withoutReplaced(
  { database, statements }: Pick<Service, 'database' | 'statements'>,
  entries: readonly FeedEntry[],
  filter: EventFilter,
): Promise<FeedEntry[]> {
  const updates = entries.filter(({ kind }) => kind === 'updated');
  if (updates.length === 0) return [...entries];
  const newest = statements.get('newer entries', (dialect) => {
    const [resource, record, position] = [0, 1, 2].map((index) => sql.id('given', `c${index}`));
    return sql`select ${position}, ${sql.id('newer', 'kind')} from ${dialect.given(GIVEN)}
      join ${sql.table('change')} as ${sql.id('newer')} on ${sql.id('newer', 'resource')} = ${resource}
        and ${sql.id('newer', 'record')} = ${record} and ${sql.id('newer', 'position')} > ${position}
      group by ${position}, ${sql.id('newer', 'kind')}`;
  });
  const rows = updates.map(({ resource, id, position }) => [resource, String(id), position]);
  const newer = new Map<number, string[]>();
  for (const [position, kind] of await database.query(newest, { rows }))
    newer.set(Number(position), [...(newer.get(Number(position)) ?? []), kind as string]);
  const isReplaced = ({ resource, kind, position }: FeedEntry): boolean =>
    kind === 'updated' &&
    (newer.get(position) ?? []).some(
      (by) => by === 'updated' || (by === 'deleted' && filter.has({ resource, kind: by })),
    );
  return entries.filter((entry) => !isReplaced(entry));
}
