/** A boolean. `1`, `"true"` and null are rejected. */
import { messages } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';

export function flag(
  options: FieldOptions & { readonly default?: boolean /** Not stored. */; readonly transient?: boolean } = {},
): Field {
  return field(options, {
    kind: 'flag',
    storage: options.transient ? { in: 'nothing' } : { in: 'column', type: 'boolean' },
    default: options.default ?? false,
    selective: false,
    filter: 'boolean',
    inputSchema: { type: 'boolean' },
    outputSchema: { type: 'boolean' },
    read: (value, path, violations) => {
      if (typeof value === 'boolean') return value;
      violations.add(path, 'type', messages.type('boolean'));
      return undefined;
    },
  });
}
