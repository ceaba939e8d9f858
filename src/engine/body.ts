/**
 * A JSON body → what the client wants to store: every value read strictly by its field, every broken rule collected
 * (http.md §9). What a rule needs the store for comes later, in `operations/`.
 */
import { closest } from 'fastest-levenshtein';
import { messages, VIOLATIONS_SHOWN_MAX, Violations } from './errors.ts';
import type { ModelPlace } from './model.ts';
import type { Value } from './ports.ts';
import { shortened } from './query-string.ts';
import type { Action, Field, World } from './resource.ts';

export type WriteMode = 'create' | 'replace' | 'patch';

export interface Body {
  /** Values in form, by field. */
  readonly sent: Record<string, Value>;
  /** Fields that the body has, in form or not. */
  readonly mentioned: ReadonlySet<string>;
  /** Values of fields that this operation does not write: right when they are what output shows. */
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly violations: Violations;
}

export function readBody(
  { fields, outputs, inserts, updates }: ModelPlace,
  mode: WriteMode,
  body: Readonly<Record<string, unknown>>,
  world: World,
  lenient: boolean,
): Body {
  const violations = new Violations();
  const sent: Record<string, Value> = {};
  const fixed: Record<string, unknown> = {};
  const written = mode === 'create' ? inserts : updates;
  const known = [...written].map((field) => field.name);
  for (const [name, value] of Object.entries(body)) {
    const field = fields.get(name);
    if (field && written.has(field)) readValue(name, field.field, value, sent, violations, world);
    else if (field && (inserts.has(field) || updates.has(field) || (field.isIdentifier && mode !== 'create')))
      fixed[name] = value;
    else if (!(field && outputs.includes(field)) && !lenient) refuseUnknown(name, known, violations);
  }
  if (mode !== 'patch')
    for (const field of written)
      if (field.field.required && !Object.hasOwn(body, field.name))
        violations.add(field.name, 'required', messages.blank);
  return { sent, mentioned: new Set(Object.keys(body)), fixed, violations };
}

export function readActionBody(
  action: Action,
  body: Readonly<Record<string, unknown>>,
  world: World,
  lenient: boolean,
): Body {
  const violations = new Violations();
  const sent: Record<string, Value> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = Object.hasOwn(action.input, name) ? action.input[name] : undefined;
    if (field) readValue(name, field, value, sent, violations, world);
    else if (!lenient) refuseUnknown(name, Object.keys(action.input), violations);
  }
  for (const [name, field] of Object.entries(action.input))
    if (field.required && !Object.hasOwn(body, name)) violations.add(name, 'required', messages.blank);
  return { sent, mentioned: new Set(Object.keys(body)), fixed: {}, violations };
}

function readValue(
  name: string,
  field: Field,
  value: unknown,
  sent: Record<string, Value>,
  violations: Violations,
  world: World,
): void {
  if (value === null) {
    if (field.nullable) sent[name] = null;
    else violations.add(name, 'null', messages.null);
    return;
  }
  const read = field.read(value, name, violations, world);
  if (read !== undefined) sent[name] = read;
}

function refuseUnknown(name: string, known: readonly string[], violations: Violations): void {
  const shown = shortened(name.toWellFormed());
  // Finding the nearest name costs too much to do it for what is only counted.
  const isShown = violations.list.length < VIOLATIONS_SHOWN_MAX;
  const nearest =
    known.length === 0 || !isShown ? '' : ` The nearest that exists is "${closest(shown, known as string[])}".`;
  violations.add(shown, 'unknown_field', `There is no field "${shown}" here.${nearest}`);
}
