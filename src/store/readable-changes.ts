/** The change feed without what a client cannot see (access.md §2), for the feed itself and for webhooks. */
import type { HiddenData } from '../access/hidden-data.ts';
import { redacted } from '../access/redaction.ts';
import {
  type Model,
  type RequestOptions,
  readChangedRecords,
  type Service,
  type ShownRecord,
} from '../engine/index.ts';
import type { FeedEntry } from './feed.ts';

/** Whether entries of a resource are shown. */
export function canReadResource({ resources }: Model, name: string, hidden: HiddenData | undefined): boolean {
  if (!hidden) return true;
  const resource = resources.get(name);
  return resource !== undefined && hidden.canRead(resource);
}

/**
 * Returns the names of the resources whose entries are shown; undefined: all.
 * @param wanted undefined: all
 */
export function readableResources(
  model: Model,
  wanted: readonly string[] | undefined,
  hidden: HiddenData | undefined,
): readonly string[] | undefined {
  if (!hidden) return wanted;
  return (wanted ?? [...model.resources.keys()]).filter((name) => canReadResource(model, name, hidden));
}

/** Reads the current records of entries, by path, without hidden fields. Deleted records are left out. */
export async function readVisibleRecords(
  service: Service,
  requestOptions: RequestOptions,
  entries: readonly Pick<FeedEntry, 'resource' | 'id' | 'path'>[],
  hidden: HiddenData | undefined,
): Promise<ReadonlyMap<string, ShownRecord>> {
  const records = await readChangedRecords(service, requestOptions, entries);
  if (!hidden) return records;
  const byPath = new Map(entries.map(({ path, resource }) => [path, service.model.resources.get(resource)!]));
  return new Map([...records].map(([path, record]) => [path, redacted(record, byPath.get(path)!, hidden)]));
}
