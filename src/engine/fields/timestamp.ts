/** A timestamp with a resolution of one second. Shown in the store's time zone with a numeric offset (http.md §1). */
import { messages } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';
import { formatTimestamp } from '../time.ts';
import { DATE_TIME_FORMS, formsFor, readTimestampFor } from '../timestamp-forms.ts';

interface TimestampOptions extends FieldOptions {
  /**
   * Set by the engine on creation, or on every change. A client may send the time of creation only if the field has the
   * group `insert`.
   */
  readonly stamped?: 'created' | 'changed';
  /** Rules replace null, so output never has it, and a partial update rejects it. */
  readonly isFilled?: boolean;
  /** The column's value in existing rows until a migration fills it. */
  readonly default?: number;
}

export function timestamp(options: TimestampOptions = {}): Field {
  const schema = { type: 'string', format: 'date-time' };
  return field(options.stamped ? { groups: ['all', 'read'], ...options } : options, {
    kind: 'timestamp',
    storage: { in: 'column', type: 'timestamp' },
    ...(options.stamped ? { stamped: options.stamped } : {}),
    ...(options.isFilled ? { isFilled: true } : {}),
    default: options.default ?? null,
    filter: 'timestamp',
    // Input may also be a bare date or lack an offset, which the format date-time does not cover.
    inputSchema: {
      type: 'string',
      description: `A date-time: ${DATE_TIME_FORMS} (then in the store’s time zone).`,
    },
    outputSchema: schema,
    example: options.example ?? '2026-01-31T09:30:00+00:00',
    read: (value, path, violations, reading) => {
      if (typeof value !== 'string') {
        violations.add(path, 'type', messages.type('string'));
        return undefined;
      }
      const timestamp = readTimestampFor(reading, value);
      if (!timestamp) violations.add(path, 'format', `This value is not a valid date-time. Use ${formsFor(reading)}.`);
      return timestamp?.seconds;
    },
    show: (value, environment) => (value === null ? null : formatTimestamp(value as number, environment.timeZone)),
  });
}
