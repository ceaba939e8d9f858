/** Renders entries of the change feed. */
import type { FastifyRequest } from 'fastify';
import type { HiddenData } from '../../access/hidden-data.ts';
import {
  type Cursor,
  cursorText,
  FIRST_PART_SIZE,
  formatTimestamp,
  type Model,
  nextPartSize,
  type ShownRecord,
} from '../../engine/index.ts';
import type { FeedEntry } from '../../store/feed.ts';
import { readVisibleRecords } from '../../store/readable-changes.ts';
import { requestOptionsOf } from '../resources/address.ts';
import type { HttpOptions } from '../server/context.ts';

/** Maximum characters of a part. A single entry may be longer. */
export const PART_LENGTH_MAX = 1_048_576;

export interface ShownEntry {
  /** Position after this entry. */
  readonly cursor: Cursor;
  readonly json: string;
}

/** Renders all entries in parts. Each part is rendered when the caller requests it. */
export async function* shownParts(
  request: FastifyRequest,
  options: HttpOptions,
  entries: readonly FeedEntry[],
): AsyncGenerator<readonly ShownEntry[], undefined> {
  let size = FIRST_PART_SIZE;
  for (let count = 0; count < entries.length; ) {
    const { shown, lengths } = await shownPart(request, options, entries.slice(count, count + size));
    count += shown.length;
    size = nextPartSize(size, lengths);
    yield shown;
  }
}

interface ShownPart {
  readonly shown: readonly ShownEntry[];
  /** Characters of all given entries. */
  readonly lengths: readonly number[];
}

/** Renders as many of the first entries as fit into a part. Records are never older than their entries. */
export async function shownPart(
  request: FastifyRequest,
  options: HttpOptions,
  entries: readonly FeedEntry[],
): Promise<ShownPart> {
  const { service, feed } = request;
  const living = feed.listQuery.withRecords ? entries.filter(({ kind }) => kind !== 'deleted') : undefined;
  const { hidden } = request.requestContext.rights;
  const records = living && (await readVisibleRecords(service, requestOptionsOf(request, options), living, hidden));
  const seen = hidden ? entries.map((entry) => withoutHidden(entry, service.model, hidden)) : entries;
  const shown = seen.map((entry) => show(entry, service.environment.timeZone, records));
  const lengths = shown.map(({ json }) => json.length);
  let fitting = 0;
  for (let length = 0; fitting < lengths.length; fitting += 1) {
    length += lengths[fitting]!;
    if (length > PART_LENGTH_MAX) break;
  }
  return { shown: shown.slice(0, Math.max(1, fitting)), lengths };
}

function show(entry: FeedEntry, timeZone: string, records?: ReadonlyMap<string, ShownRecord>): ShownEntry {
  const { resource, id, path, kind, version, at, fields, cursor } = entry;
  const date = formatTimestamp(at, timeZone);
  const own = { cursor: cursorText(cursor), resource, id, path, action: kind, version, date, fields };
  return { cursor, json: JSON.stringify(records ? { ...own, record: records.get(path) ?? null } : own) };
}

/** The entry without the names of changed fields that the key cannot see. */
function withoutHidden(entry: FeedEntry, { resources }: Model, hidden: HiddenData): FeedEntry {
  const own = resources.get(entry.resource);
  const joined = [...resources.values()].filter((each) => each.owner?.target === own && !hidden.canRead(each));
  const isHidden = (name: string): boolean => {
    const field = own?.fields.get(name);
    return field ? hidden.hides(field) : joined.some(({ changedAs }) => changedAs === name);
  };
  return { ...entry, fields: entry.fields.filter((name) => !isHidden(name)) };
}
