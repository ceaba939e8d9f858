/** Text: one string, or one per language. Stored as sent, never trimmed or normalized. Lengths count code points. */
import { messages, type Violations } from '../errors.ts';
import { type Field, type FieldOptions, field, type JsonSchema, type Storage } from '../field.ts';
import type { Value } from '../ports.ts';

interface TextOptions extends FieldOptions {
  readonly default?: string | null;
  readonly notBlank?: boolean;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  /**
   * The whole text must match `pattern`. `expected` completes the message "This value should be …". `schemaPattern`
   * replaces the pattern in the API description if common tools cannot parse it; it must not accept less.
   */
  readonly form?: { readonly pattern: RegExp; readonly expected: string; readonly schemaPattern?: RegExp };
  /** One text per language. */
  readonly translated?: boolean;
  /** Untranslated field of the record to read if this text exists in no applicable language. */
  readonly fallback?: string;
  readonly unique?: boolean | string;
  readonly distinct?: 'loosely';
  /** Also distinct from the texts of all fields with this name. */
  readonly namespace?: string;
  /** Sortable and partially matchable, accent- and case-insensitive. */
  readonly searchable?: boolean;
  readonly finds?: Field['finds'];
  /** Available to rules only; not stored. */
  readonly transient?: boolean;
  /** An omitted text becomes the next number of its own sequence, in digits. */
  readonly numbered?: boolean;
}

export function text(options: TextOptions = {}): Field {
  const schema = schemaOf(options);
  return field(options, {
    kind: 'text',
    storage: storageOf(options),
    ...(options.numbered ? { numbered: true } : {}),
    default: options.default === undefined ? (options.nullable ? null : '') : options.default,
    unique: options.unique ?? false,
    ...(options.distinct ? { distinct: options.distinct } : {}),
    ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
    searchable: options.searchable ?? false,
    ...(options.finds ? { finds: options.finds } : {}),
    filter: 'string',
    inputSchema: schema,
    outputSchema: options.translated ? { type: 'string' } : schema,
    read: (value, path, violations) => readText(value, path, violations, options),
  });
}

function schemaOf({ notBlank, lengthMin, lengthMax, form }: TextOptions): JsonSchema {
  return {
    type: 'string',
    ...(notBlank ? { minLength: 1 } : lengthMin ? { minLength: lengthMin } : {}),
    ...(lengthMax === undefined ? {} : { maxLength: lengthMax }),
    ...(form === undefined ? {} : { pattern: (form.schemaPattern ?? form.pattern).source }),
  };
}

function storageOf({ transient, translated, fallback }: TextOptions): Storage {
  if (transient) return { in: 'nothing' };
  if (!translated) return { in: 'column', type: 'text' };
  return { in: 'translation', ...(fallback === undefined ? {} : { fallback }) };
}

/** Only Unicode White_Space and Default_Ignorable_Code_Point (http.md §3). */
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

/** Finds characters that databases do not store alike: NUL and unpaired surrogates. */
export function brokenCharacter(value: string): string | undefined {
  if (value.includes('\0')) return 'This value should not contain a NUL character (U+0000).';
  if (!value.isWellFormed()) return 'This value should be valid Unicode: it contains an unpaired surrogate.';
  return undefined;
}

/** Whether the text has at least this many code points. Counts only if the length in UTF-16 units does not decide. */
function reaches(value: string, count: number): boolean {
  if (value.length < count) return false;
  if (value.length >= count * 2) return true;
  let points = 0;
  for (const _ of value) points += 1;
  return points >= count;
}
