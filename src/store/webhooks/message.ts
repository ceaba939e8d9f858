/** Message body of an event. */
import { cursorText, formatTimestamp, type RequestOptions, type Service, type Value } from '../../engine/index.ts';
import type { FeedEntry } from '../feed.ts';
import { readVisibleRecords } from '../readable-changes.ts';
import { messageIdOf, typeOf } from './events.ts';
import type { Access } from './owner-rights.ts';

/** A change as it is sent, and as it is stored for further attempts. */
export interface Event {
  readonly messageId: string;
  readonly type: string;
  readonly path: string;
  /** Null for a test. */
  readonly cursor: string | null;
  readonly entry: Subject;
}

export type Subject = {
  readonly resource: string;
  readonly id: Value;
  readonly version: number;
  /** Seconds since 1970. */
  readonly at: number;
};

export function eventOf(entry: FeedEntry): Event {
  const { resource, id, path, version, at } = entry;
  return {
    messageId: messageIdOf(entry),
    type: typeOf(entry),
    path,
    cursor: cursorText(entry.cursor),
    entry: { resource, id, version, at },
  };
}

const RECORD_BYTES_MAX = 262_144;

/**
 * @param withRecord adds the current record as a GET of its path returns it to somebody with this access, or null if it was
 * deleted
 */
export async function bodyOf(
  service: Service,
  requestOptions: RequestOptions,
  event: Event,
  { withRecord, access }: { readonly withRecord: boolean; readonly access: Access },
): Promise<string> {
  const { type, path, cursor, entry } = event;
  const { resource, id, version, at } = entry;
  const data = { resource, id, path, version, cursor };
  const shown = withRecord ? await recordIn(service, requestOptions, event, access) : {};
  return JSON.stringify({
    type,
    timestamp: formatTimestamp(at, service.environment.timeZone),
    data: { ...data, ...shown },
  });
}

async function recordIn(
  service: Service,
  requestOptions: RequestOptions,
  { path, entry: { resource, id } }: Event,
  { hidden }: Access,
): Promise<object> {
  const records = await readVisibleRecords(service, requestOptions, [{ resource, id, path }], hidden);
  const record = records.get(path) ?? null;
  return Buffer.byteLength(JSON.stringify(record)) > RECORD_BYTES_MAX ? { record_omitted: true } : { record };
}
