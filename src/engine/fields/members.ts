/** Reads the members of a JSON object by their fields: a body, a nested object, or an element of a list. */
import { shortened } from '../english-names.ts';
import { messages, VIOLATIONS_SHOWN_MAX, type Violations } from '../errors.ts';
import type { Field, Reading } from '../field.ts';
import { hintOf, type KnownName } from '../hints.ts';
import { LossyNumber } from '../json.ts';
import type { Value } from '../ports.ts';

interface Members {
  readonly fields: Readonly<Record<string, Field>>;
  /** Names that only output has, ignored in input. */
  readonly ignored?: ReadonlySet<string>;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LossyNumber);
}

/** Reads the object's values in their stored form. Omitted members are absent from the result. */
export function readMembers(
  { fields, ignored }: Members,
  object: JsonObject,
  path: string,
  violations: Violations,
  reading: Reading,
): Record<string, Value> {
  const read: Record<string, Value> = {};
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) readValue(name, field, value, joined(path, name), read, violations, reading);
    else if (!ignored?.has(name) && !reading.lenient) rejectUnknownField(path, name, namesOf(fields), violations);
  }
  for (const [name, field] of Object.entries(fields))
    if (field.required && !Object.hasOwn(object, name)) violations.add(joined(path, name), 'required', messages.blank);
  return read;
}

/** Reads one value by its field into `read`. */
export function readValue(
  name: string,
  field: Field,
  value: unknown,
  path: string,
  read: Record<string, Value>,
  violations: Violations,
  reading: Reading,
): void {
  if (value === null) {
    if (field.nullable) read[name] = null;
    else violations.add(path, 'null', messages.null);
    return;
  }
  const inForm = field.read(value, path, violations, reading);
  if (inForm !== undefined) read[name] = inForm;
}

/** Adds an `unknown_field` violation with a similar name, or with all valid ones. */
export function rejectUnknownField(
  path: string,
  name: string,
  known: readonly KnownName[],
  violations: Violations,
): void {
  const shown = shortened(name.toWellFormed());
  // A hint is too expensive to compute for violations that are only counted.
  const isShown = violations.list.length < VIOLATIONS_SHOWN_MAX;
  const hint = isShown ? hintOf(shown, known, 'fields') : '';
  violations.add(joined(path, shown), 'unknown_field', `Unknown field "${shown}".${hint}`);
}

/** Returns the names of fields with their synonyms. */
function namesOf(fields: Members['fields']): KnownName[] {
  return Object.entries(fields).map(([name, { synonyms }]) => ({ name, ...(synonyms ? { synonyms } : {}) }));
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
