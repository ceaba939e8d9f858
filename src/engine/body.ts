/**
 * A JSON body → what the client wants to store: every value read strictly by its field, every broken rule collected
 * (http.md §9). What a rule needs the store for comes later, in `operations/`.
 */
import { messages, Violations } from './errors.ts';
import { isJsonObject, type JsonObject, readMembers, readValue, refuseUnknown } from './fields/members.ts';
import type { Model, ModelField, ModelPlace } from './model.ts';
import type { Value } from './ports.ts';
import { linkingFields, withIdentifiers } from './references.ts';
import type { Action, Field, Reading } from './resource.ts';

export type WriteMode = 'create' | 'replace' | 'patch';

export interface Body {
  /** Values in form, by field. */
  readonly sent: Record<string, Value>;
  /** Fields that the body has, in form or not. */
  readonly mentioned: ReadonlySet<string>;
  /** Values of fields that this operation does not write: right when they are what output shows. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Values of fields that no operation writes: right when they are what output shows, or will show. */
  readonly readOnly: readonly ReadOnlyValue[];
  readonly violations: Violations;
}

export interface ReadOnlyValue {
  readonly path: string;
  readonly field: ModelField;
  readonly value: unknown;
  /** Of the parts that are made together with the record, the one that it stands in. */
  readonly part?: { readonly name: string; readonly index: number };
}

/** How a body is read. */
export interface BodyReading extends Reading {
  /** The record was made elsewhere: the body may say all that output shows. */
  readonly past: boolean;
}

export function readBody(place: ModelPlace, mode: WriteMode, body: JsonObject, reading: BodyReading): Body {
  const { fields, outputs, inserts, updates } = place;
  const violations = new Violations();
  const sent: Record<string, Value> = {};
  const fixed: Record<string, unknown> = {};
  const readOnly: ReadOnlyValue[] = [];
  const written = writtenFields(place, mode, reading.past);
  const known = [...written].map((field) => field.name);
  for (const [name, value] of Object.entries(withIdentifiers(fields, body, reading.baseUrl))) {
    const field = fields.get(name);
    if (field && written.has(field) && field.storage.in === 'parts') {
      readParts(field, value, sent, violations, reading);
      readOnly.push(...readOnlyInParts(field, value, reading));
    } else if (field && written.has(field)) readValue(name, field.field, value, name, sent, violations, reading);
    else if (field && (inserts.has(field) || updates.has(field) || (field.isIdentifier && mode !== 'create')))
      fixed[name] = value;
    else if (field && outputs.includes(field)) readOnly.push({ path: name, field, value });
    else if (!reading.lenient) refuseUnknown('', name, known, violations);
  }
  if (mode !== 'patch')
    for (const field of written)
      if (field.field.required && !Object.hasOwn(body, field.name))
        violations.add(field.name, 'required', messages.blank);
  return { sent, mentioned: new Set(Object.keys(body)), fixed, readOnly: reading.lenient ? [] : readOnly, violations };
}

/** Whether the body writes a text that each language has of its own, in the record or in what is made together with it. */
export function carriesTexts(place: ModelPlace, mode: WriteMode, body: JsonObject): boolean {
  const isText = (field: ModelField | undefined): boolean => field?.storage.in === 'translation';
  const written = writtenFields(place, mode, false);
  return Object.entries(body).some(([name, value]) => {
    const field = place.fields.get(name);
    if (!field || !written.has(field)) return false;
    if (field.storage.in !== 'parts' || !Array.isArray(value)) return isText(field);
    const ofPart = field.target!.fields;
    return value.some((part) => isJsonObject(part) && Object.keys(part).some((each) => isText(ofPart.get(each))));
  });
}

/** What a write of this kind stores. */
export function writtenFields(place: ModelPlace, mode: WriteMode, past: boolean): ReadonlySet<ModelField> {
  if (past) return place.everything;
  return mode === 'create' ? place.inserts : place.updates;
}

/** The texts of one language, whole: an optional one that is left out is what it is by default. */
export function readTexts(texts: readonly ModelField[], body: JsonObject, reading: Reading): Body {
  const violations = new Violations();
  const fields = Object.fromEntries(texts.map(({ name, field }) => [name, field]));
  const sent = readMembers({ fields }, body, '', violations, reading);
  for (const { name, field } of texts) if (!field.required && !Object.hasOwn(body, name)) sent[name] = field.default;
  return { sent, mentioned: new Set(Object.keys(body)), fixed: {}, readOnly: [], violations };
}

/** @param shown what the action's answer shows: it may be sent back */
export function readActionBody(
  model: Model,
  action: Action,
  shown: ReadonlySet<string>,
  body: JsonObject,
  reading: Reading,
): Body {
  const violations = new Violations();
  const plain = withIdentifiers(linkingFields(model, action.input), body, reading.baseUrl);
  const sent = readMembers({ fields: action.input, passedOver: shown }, plain, '', violations, reading);
  return { sent, mentioned: new Set(Object.keys(body)), fixed: {}, readOnly: [], violations };
}

/** Records that are made together with the one that they are part of, each read by its own input fields. */
function readParts(
  { name, storage, target }: ModelField,
  value: unknown,
  sent: Record<string, Value>,
  violations: Violations,
  reading: BodyReading,
): void {
  if (storage.in !== 'parts') return;
  const { countMin, countMax } = storage.written ?? { countMin: 0, countMax: Number.POSITIVE_INFINITY };
  if (!Array.isArray(value)) violations.add(name, value === null ? 'null' : 'type', notArray(value));
  else if (value.length < countMin)
    violations.add(name, 'too_short', `This list is too short. It should have ${countMin} or more elements.`);
  else if (value.length > countMax)
    violations.add(name, 'too_long', `This list is too long. It should have ${countMax} elements or less.`);
  else {
    const group = reading.past ? 'all' : 'insert';
    const own = [...target!.fields.values()].filter((field) => field !== target!.owner);
    const fields: Record<string, Field> = {};
    for (const field of own)
      if (field.field.groups.includes(group) && !field.isIdentifier) fields[field.name] = field.field;
    const passedOver = new Set(target!.outputs.map((field) => field.name));
    // A rule may look at what can be read of the others, and tell all that is wrong at once.
    sent[name] = value.map((element, index) => {
      const path = `${name}[${index}]`;
      if (isJsonObject(element)) return readMembers({ fields, passedOver }, element, path, violations, reading);
      violations.add(
        path,
        element === null ? 'null' : 'type',
        element === null ? messages.null : messages.type('object'),
      );
      return {};
    });
  }
}

/** What parts are sent of fields that only output has. Of a record that was made elsewhere it may be all. */
function readOnlyInParts({ name, target }: ModelField, value: unknown, { past }: BodyReading): ReadOnlyValue[] {
  if (past || !Array.isArray(value)) return [];
  return value.flatMap((element, index) =>
    Object.entries(isJsonObject(element) ? element : {}).flatMap(([member, inside]) => {
      const field = target!.outputs.find((output) => output.name === member);
      if (!field || field.field.groups.includes('insert')) return [];
      return [{ path: `${name}[${index}].${member}`, field, value: inside, part: { name, index } }];
    }),
  );
}

function notArray(value: unknown): string {
  return value === null ? messages.null : messages.type('array');
}
