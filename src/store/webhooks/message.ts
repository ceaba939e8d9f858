/** Message body of an event. */
import {
  cursorText,
  formatTimestamp,
  type RequestOptions,
  readChangedRecords,
  type Service,
  type Value,
} from '../../engine/index.ts';
import type { FeedEntry } from '../feed.ts';
import { messageIdOf, typeOf } from './events.ts';

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

/** @param withRecord adds the current record as returned by GET of its path, or null if it was deleted */
export async function bodyOf(
  service: Service,
  requestOptions: RequestOptions,
  event: Event,
  withRecord: boolean,
): Promise<string> {
  const { type, path, cursor, entry } = event;
  const { resource, id, version, at } = entry;
  const data = { resource, id, path, version, cursor };
  const shown = withRecord ? await recordIn(service, requestOptions, event) : {};
  return JSON.stringify({
    type,
    timestamp: formatTimestamp(at, service.environment.timeZone),
    data: { ...data, ...shown },
  });
}

async function recordIn(service: Service, requestOptions: RequestOptions, { path, entry }: Event): Promise<object> {
  const { resource, id } = entry;
  const record = (await readChangedRecords(service, requestOptions, [{ resource, id, path }])).get(path) ?? null;
  return Buffer.byteLength(JSON.stringify(record)) > RECORD_BYTES_MAX ? { record_omitted: true } : { record };
}
