/** Text: one string, or one for each language. Stored as sent, never trimmed or normalised; lengths count code points. */
import { messages, type Violations } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';
import type { Value } from '../ports.ts';

interface TextOptions extends FieldOptions {
  readonly default?: string | null;
  readonly notBlank?: boolean;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  /**
   * The whole text must match; `expected` says in words what it should look like. `told`: what the reference shows instead,
   * where the pattern itself is none that every client's tools can read. It takes no less.
   */
  readonly form?: { readonly pattern: RegExp; readonly expected: string; readonly told?: RegExp };
  /** Each language has its own. */
  readonly translated?: boolean;
  /** Another text of the record, in no language, that is read where this one is written in none that counts. */
  readonly fallback?: string;
  readonly unique?: boolean | string;
  readonly distinct?: 'loosely';
  /** Distinct from the texts of all fields with this name too. */
  readonly namespace?: string;
  /** Sorted and partially matched, accents and case aside. */
  readonly searchable?: boolean;
  /** Only rules see it; it is not kept. */
  readonly transient?: boolean;
  /** Left out, it is the next number of a sequence of its own, in digits. */
  readonly numbered?: boolean;
}

export function text(options: TextOptions = {}): Field {
  const schema = {
    type: 'string',
    ...(options.notBlank ? { minLength: 1 } : options.lengthMin ? { minLength: options.lengthMin } : {}),
    ...(options.lengthMax === undefined ? {} : { maxLength: options.lengthMax }),
    ...(options.form === undefined ? {} : { pattern: (options.form.told ?? options.form.pattern).source }),
  };
  return field(options, {
    kind: 'text',
    storage: options.transient
      ? { in: 'nothing' }
      : options.translated
        ? { in: 'translation', ...(options.fallback === undefined ? {} : { fallback: options.fallback }) }
        : { in: 'column', type: 'text' },
    ...(options.numbered ? { numbered: true } : {}),
    default: options.default === undefined ? (options.nullable ? null : '') : options.default,
    unique: options.unique ?? false,
    ...(options.distinct ? { distinct: options.distinct } : {}),
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    searchable: options.searchable ?? false,
    filter: 'string',
    inputSchema: schema,
    outputSchema: options.translated ? { type: 'string' } : schema,
    read: (value, path, violations) => readText(value, path, violations, options),
  });
}

/** Nothing but Unicode White_Space and Default_Ignorable_Code_Point (http.md §3). */
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

function readText(value: unknown, path: string, violations: Violations, options: TextOptions): Value | undefined {
  if (typeof value !== 'string') {
    violations.add(path, 'type', messages.type('string'));
    return undefined;
  }
  const broken = brokenCharacter(value);
  if (broken) {
    violations.add(path, 'format', broken);
    return undefined;
  }
  const before = violations.list.length;
  if (options.notBlank && BLANK.test(value)) violations.add(path, 'blank', messages.blank);
  else if (options.lengthMin !== undefined && !reaches(value, options.lengthMin))
    violations.add(path, 'too_short', messages.tooShort(options.lengthMin));
  if (options.lengthMax !== undefined && reaches(value, options.lengthMax + 1))
    violations.add(path, 'too_long', messages.tooLong(options.lengthMax));
  if (options.form && !options.form.pattern.test(value))
    violations.add(path, 'format', `This value should be ${options.form.expected}.`);
  return violations.list.length === before ? value : undefined;
}

/** Finds characters that databases do not keep alike: NUL, and half of a surrogate pair. */
export function brokenCharacter(value: string): string | undefined {
  if (value.includes('\0')) return 'This value should not contain a NUL character (U+0000).';
  if (!value.isWellFormed()) return 'This value should be valid Unicode: it contains half of a surrogate pair.';
  return undefined;
}

/** Whether the text has at least this many code points; looks no further than it must. */
function reaches(value: string, count: number): boolean {
  if (value.length < count) return false;
  if (value.length >= count * 2) return true;
  let points = 0;
  for (const _ of value) points += 1;
  return points >= count;
}
