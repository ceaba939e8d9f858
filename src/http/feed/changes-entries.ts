/** Renders entries of the change feed. */
import type { FastifyRequest } from 'fastify';
import { cursorText, formatTimestamp, readChangedRecords } from '../../engine/index.ts';
import type { FeedEntry } from '../../store/feed.ts';
import { requestOptionsOf } from '../resources/address.ts';
import type { HttpOptions } from '../server/context.ts';

/** @returns the cursor and JSON of each entry. Records are read after the entries, so they are never older. */
export async function shownEntries(
  request: FastifyRequest,
  options: HttpOptions,
  entries: readonly FeedEntry[],
): Promise<{ readonly cursor: string; readonly json: string }[]> {
  const { service, feed } = request;
  const living = entries.filter(({ kind }) => kind !== 'deleted');
  const records = feed.listQuery.withRecords
    ? await readChangedRecords(service, requestOptionsOf(request, options), living)
    : undefined;
  return entries.map((entry) => {
    const { resource, id, path, kind, version, at, fields } = entry;
    const cursor = cursorText(entry.cursor);
    const date = formatTimestamp(at, service.environment.timeZone);
    const shown = { cursor, resource, id, path, action: kind, version, date, fields };
    return { cursor, json: JSON.stringify(records ? { ...shown, record: records.get(path) ?? null } : shown) };
  });
}
