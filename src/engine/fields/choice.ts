/** One of a declared set of texts. */
import { messages } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';

interface ChoiceOptions extends FieldOptions {
  readonly default?: string | null;
  /** Available to rules only; not stored. */
  readonly transient?: boolean;
  /** While this flag of the record is true, output shows the field of its owner that `inheritedFrom` names. */
  readonly inheritedWhile?: string;
  readonly inheritedFrom?: string;
}

export function choice(values: readonly string[], options: ChoiceOptions = {}): Field {
  return field(options, {
    kind: 'choice',
    storage: options.transient ? { in: 'nothing' } : { in: 'column', type: 'text' },
    ...(options.inheritedWhile === undefined ? {} : { inheritedWhile: options.inheritedWhile }),
    ...(options.inheritedFrom === undefined ? {} : { inheritedFrom: options.inheritedFrom }),
    default: options.default ?? null,
    selective: false,
    filter: 'string',
    inputSchema: { type: 'string', enum: values },
    outputSchema: { type: 'string', enum: values },
    read: (value, path, violations) => {
      if (typeof value === 'string' && values.includes(value)) return value;
      if (typeof value === 'string') violations.add(path, 'choice', messages.choice(values));
      else violations.add(path, 'type', messages.type('string'));
      return undefined;
    },
  });
}
