/** Renders entries of the change feed. */
import type { FastifyRequest } from 'fastify';
import {
  cursorText,
  FIRST_PART_SIZE,
  formatTimestamp,
  nextPartSize,
  type Problem,
  problem,
  readChangedRecords,
  type ShownRecord,
} from '../../engine/index.ts';
import type { FeedEntry } from '../../store/feed.ts';
import { requestOptionsOf } from '../resources/address.ts';
import type { HttpOptions } from '../server/context.ts';

/** Characters of the records of one response, which is built in memory. More than a page of 100 records of 1 MiB. */
const RECORDS_LENGTH_MAX = 134_217_728;

interface ShownEntry {
  readonly cursor: string;
  readonly json: string;
}

/** Renders entries in parts, so that large records are read a few at a time. Records are never older than their entries. */
export async function shownEntries(
  request: FastifyRequest,
  options: HttpOptions,
  entries: readonly FeedEntry[],
): Promise<ShownEntry[] | Problem> {
  const { service, feed } = request;
  const { timeZone } = service.environment;
  if (!feed.listQuery.withRecords) return entries.map((entry) => shown(entry, timeZone));
  const all: ShownEntry[] = [];
  let length = 0;
  let size = FIRST_PART_SIZE;
  while (all.length < entries.length) {
    const part = entries.slice(all.length, all.length + size);
    const living = part.filter(({ kind }) => kind !== 'deleted');
    const records = await readChangedRecords(service, requestOptionsOf(request, options), living);
    const texts = part.map((entry) => shown(entry, timeZone, records));
    const lengths = texts.map(({ json }) => json.length);
    for (const each of lengths) length += each;
    if (length > RECORDS_LENGTH_MAX) return tooLarge();
    all.push(...texts);
    size = nextPartSize(size, lengths);
  }
  return all;
}

function shown(entry: FeedEntry, timeZone: string, records?: ReadonlyMap<string, ShownRecord>): ShownEntry {
  const { resource, id, path, kind, version, at, fields } = entry;
  const cursor = cursorText(entry.cursor);
  const date = formatTimestamp(at, timeZone);
  const own = { cursor, resource, id, path, action: kind, version, date, fields };
  return { cursor, json: JSON.stringify(records ? { ...own, record: records.get(path) ?? null } : own) };
}

function tooLarge(): Problem {
  const detail = `The records of these entries have more than ${RECORDS_LENGTH_MAX} characters. Send a smaller "limit".`;
  return problem('invalid-argument', detail);
}
