/** Reading the members of a JSON object by their fields: a body, an object inside it, an element of a list. */
import { closest } from 'fastest-levenshtein';
import { shortened } from '../english-names.ts';
import { messages, VIOLATIONS_SHOWN_MAX, type Violations } from '../errors.ts';
import type { Field, Reading } from '../field.ts';
import { LossyNumber } from '../json.ts';
import type { Value } from '../ports.ts';

interface Members {
  readonly fields: Readonly<Record<string, Field>>;
  /** Names that output has and input may carry along. */
  readonly passedOver?: ReadonlySet<string>;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LossyNumber);
}

/** The object's values in their stored form; members that it leaves out are not in the result. */
export function readMembers(
  { fields, passedOver }: Members,
  object: JsonObject,
  path: string,
  violations: Violations,
  reading: Reading,
): Record<string, Value> {
  const read: Record<string, Value> = {};
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) readValue(name, field, value, joined(path, name), read, violations, reading);
    else if (!passedOver?.has(name) && !reading.lenient) refuseUnknown(path, name, Object.keys(fields), violations);
  }
  for (const [name, field] of Object.entries(fields))
    if (field.required && !Object.hasOwn(object, name)) violations.add(joined(path, name), 'required', messages.blank);
  return read;
}

/** One value by its field, into `read`. */
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

export function refuseUnknown(path: string, name: string, known: readonly string[], violations: Violations): void {
  const shown = shortened(name.toWellFormed());
  // Finding the nearest name costs too much to do it for what is only counted.
  const isShown = violations.list.length < VIOLATIONS_SHOWN_MAX;
  const nearest =
    known.length === 0 || !isShown ? '' : ` The nearest that exists is "${closest(shown, known as string[])}".`;
  violations.add(joined(path, shown), 'unknown_field', `There is no field "${shown}" here.${nearest}`);
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
