/** A moment, to the second. Shown in the store's time zone with a numeric offset (http.md §1). */
import { messages } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';
import { formatTimestamp, readTimestamp } from '../time.ts';

interface TimestampOptions extends FieldOptions {
  /**
   * The engine sets it when the record is made, or whenever it changes. Only with the group `insert` may a client say
   * when the record was made.
   */
  readonly stamped?: 'created' | 'changed';
  /** The column's value in rows that are older than it, until its migration fills it in. */
  readonly default?: number;
}

/** How a date-time may be written, for messages. */
export const DATE_TIME_FORMS = 'YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without';

export function timestamp(options: TimestampOptions = {}): Field {
  const schema = { type: 'string', format: 'date-time' };
  return field(options.stamped ? { groups: ['all', 'read'], ...options } : options, {
    kind: 'timestamp',
    storage: { in: 'column', type: 'timestamp' },
    ...(options.stamped ? { stamped: options.stamped } : {}),
    default: options.default ?? null,
    filter: 'timestamp',
    // Input may also be a bare date or lack an offset, which the format date-time does not cover.
    inputSchema: { type: 'string', description: `A date-time: ${DATE_TIME_FORMS} (then it is the store’s time).` },
    outputSchema: schema,
    example: '2026-01-31T09:30:00+00:00',
    read: (value, path, violations, world) => {
      const seconds = typeof value === 'string' ? readTimestamp(value, world.timeZone)?.seconds : undefined;
      if (seconds !== undefined) return seconds;
      if (typeof value !== 'string') violations.add(path, 'type', messages.type('string'));
      else violations.add(path, 'format', `This value is not a date-time that exists: write ${DATE_TIME_FORMS}.`);
      return undefined;
    },
    show: (value, environment) => (value === null ? null : formatTimestamp(value as number, environment.timeZone)),
  });
}
