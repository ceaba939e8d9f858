/**
 * A JSON body → what the client wants to store: every value read strictly by its field, every broken rule collected
 * (http.md §9). `operations/` checks the rules that need the store, later.
 */
import { messages, Violations } from '../errors.ts';
import type { Field, Reading } from '../field.ts';
import { isJsonObject, type JsonObject, readMembers, readValue, refuseUnknown } from '../fields/members.ts';
import type { Model, ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Action } from '../rules.ts';
import { linkingFields, withIdentifiers } from './references.ts';

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
  /** Records that are made together with this one, by the field that shows them; undefined for one that is none. */
  readonly parts: ReadonlyMap<ModelField, readonly (PartBody | undefined)[]>;
  readonly violations: Violations;
}

/** The input of one part, which is made together with its record. */
interface PartBody {
  /** `images[2]` */
  readonly path: string;
  readonly sent: Record<string, Value>;
  readonly mentioned: ReadonlySet<string>;
}

interface ReadOnlyValue {
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
  /** A file of its own stands for some of the fields. */
  readonly isForm?: boolean;
}

export function readBody(route: ModelRoute, mode: WriteMode, body: JsonObject, reading: BodyReading): Body {
  const { fields, outputs, asked, resource } = route;
  const asFile = new Set(reading.isForm ? resource.declaration.upload?.insteadOf : []);
  const violations = new Violations();
  const sent: Record<string, Value> = {};
  const fixed: Record<string, unknown> = {};
  const readOnly: ReadOnlyValue[] = [];
  const parts = new Map<ModelField, readonly (PartBody | undefined)[]>();
  const written = writtenFields(route, mode, reading.past);
  const known = [...written].map((field) => field.name).filter((name) => !asFile.has(name));
  for (const [name, value] of Object.entries(withIdentifiers(fields, body, reading.baseUrl))) {
    const field = asFile.has(name) ? undefined : fields.get(name);
    if (field && written.has(field) && field.storage.in === 'parts') {
      const read = readParts(field, value, violations, reading);
      if (!read) continue;
      parts.set(field, read);
      // A rule may look at what can be read of the others, and tell all that is wrong at once.
      sent[name] = read.map((part) => part?.sent ?? {});
      readOnly.push(...readOnlyInParts(field, value, reading));
    } else if (field && written.has(field)) {
      readValue(name, field.field, value, name, sent, violations, reading);
      if (reading.past && field.field.onlyHere) delete sent[name];
      readOnly.push(...unwrittenIn(field, value));
    } else if (field && isFixed(route, field, mode)) fixed[name] = value;
    else if (field && (outputs.includes(field) || asked.includes(field))) readOnly.push({ path: name, field, value });
    else if (!reading.lenient) refuseUnknown('', name, known, violations);
  }
  if (mode !== 'patch')
    for (const field of written)
      if (field.field.required && !Object.hasOwn(body, field.name))
        violations.add(field.name, 'required', messages.blank);
  return {
    sent,
    mentioned: new Set(Object.keys(body)),
    fixed,
    parts,
    readOnly: reading.lenient ? [] : readOnly,
    violations,
  };
}

/** Values that an object gives to members that only output has. */
function unwrittenIn(field: ModelField, value: unknown): ReadOnlyValue[] {
  const names = isJsonObject(value) ? (field.field.unwritten ?? []) : [];
  const said = names.flatMap((name) => {
    const member = (value as JsonObject)[name];
    return member === undefined || member === null || member === '' ? [] : [[name, member]];
  });
  return said.length === 0 ? [] : [{ path: field.name, field, value: Object.fromEntries(said) }];
}

/** Whether the body writes a text that each language has of its own, in the record or in what is made together with it. */
export function carriesTexts(route: ModelRoute, mode: WriteMode, body: JsonObject): boolean {
  const isText = (field: ModelField | undefined): boolean => field?.storage.in === 'translation';
  const written = writtenFields(route, mode, false);
  return Object.entries(body).some(([name, value]) => {
    const field = route.fields.get(name);
    if (!field || !written.has(field)) return false;
    if (field.storage.in !== 'parts' || !Array.isArray(value)) return isText(field);
    const ofPart = field.target!.fields;
    return value.some((part) => isJsonObject(part) && Object.keys(part).some((each) => isText(ofPart.get(each))));
  });
}

/**
 * Whether a field that this operation does not write is written by another: it may be sent with the value that it has, and
 * only so. Parts that have a path of their own to be made at are changed there.
 */
export function isFixed({ inserts, updates }: ModelRoute, field: ModelField, mode: WriteMode): boolean {
  if (field.storage.in === 'parts' && isMadeAlone(field.target!)) return false;
  return inserts.has(field) || updates.has(field) || (field.isIdentifier && mode !== 'create');
}

/** Whether a record of this kind can be made at a path of its own. */
function isMadeAlone({ routes }: ModelResource): boolean {
  return routes.some(({ operations }) => operations.has('create'));
}

/** The fields that a write of this kind stores. */
export function writtenFields(route: ModelRoute, mode: WriteMode, past: boolean): ReadonlySet<ModelField> {
  if (past) return route.everything;
  return mode === 'create' ? route.inserts : route.updates;
}

/** The texts of one language, whole: an optional one that is left out is what it is by default. */
export function readTexts(texts: readonly ModelField[], body: JsonObject, reading: Reading): Body {
  const violations = new Violations();
  const fields = Object.fromEntries(texts.map(({ name, field }) => [name, field]));
  const sent = readMembers({ fields }, body, '', violations, reading);
  for (const { name, field } of texts) if (!field.required && !Object.hasOwn(body, name)) sent[name] = field.default;
  return { sent, mentioned: new Set(Object.keys(body)), fixed: {}, parts: new Map(), readOnly: [], violations };
}

/** @param shown what the action's answer shows: it may be sent back */
export function readActionBody(
  model: Model,
  action: Pick<Action, 'input'>,
  shown: ReadonlySet<string>,
  body: JsonObject,
  reading: Reading,
): Body {
  const violations = new Violations();
  const fields = linkingFields(model, action.input);
  const plain = { ...withIdentifiers(fields, body, reading.baseUrl) };
  const parts: Record<string, Value> = {};
  const readOnly: ReadOnlyValue[] = [];
  for (const [name, { storage, target }] of fields) {
    if (storage.in !== 'parts' || !Object.hasOwn(plain, name)) continue;
    const given = { name, storage, target };
    const read = readParts(given, plain[name], violations, { ...reading, past: false });
    if (read) parts[name] = read.map((part) => part?.sent ?? {});
    readOnly.push(...readOnlyInParts(given, plain[name], { ...reading, past: false }));
    delete plain[name];
  }
  const sent = readMembers({ fields: action.input, passedOver: shown }, plain, '', violations, reading);
  return {
    sent: { ...sent, ...parts },
    mentioned: new Set(Object.keys(body)),
    fixed: {},
    parts: new Map(),
    readOnly: reading.lenient ? [] : readOnly,
    violations,
  };
}

/**
 * Records that are made together with the one that they are part of, each read by its own input fields; undefined for what is
 * no record. A list that is none is undefined as a whole.
 */
function readParts(
  { name, storage, target }: Pick<ModelField, 'name' | 'storage' | 'target'>,
  value: unknown,
  violations: Violations,
  reading: BodyReading,
): (PartBody | undefined)[] | undefined {
  if (storage.in !== 'parts') return undefined;
  const { countMin, countMax } = storage.written ?? { countMin: 0, countMax: Number.POSITIVE_INFINITY };
  // Clients that copy what they read need not know that these are made here.
  const isCopied = isMadeAlone(target!) && (value === null || (reading.lenient && !Array.isArray(value)));
  if (isCopied) return [];
  if (!Array.isArray(value)) {
    violations.add(name, value === null ? 'null' : 'type', value === null ? messages.null : messages.type('array'));
    return undefined;
  }
  if (value.length < countMin) {
    violations.add(name, 'too_short', `This list is too short. It should have ${countMin} or more elements.`);
    return undefined;
  }
  if (value.length > countMax) {
    violations.add(name, 'too_long', `This list is too long. It should have ${countMax} elements or less.`);
    return undefined;
  }
  const group = reading.past ? 'all' : 'insert';
  const own = [...target!.fields.values()].filter((field) => field !== target!.owner);
  const fields: Record<string, Field> = {};
  for (const field of own)
    if (field.field.groups.includes(group) && !field.isIdentifier) fields[field.name] = field.field;
  const passedOver = new Set(target!.outputs.map((field) => field.name));
  return value.flatMap((element, index): (PartBody | undefined)[] => {
    const path = `${name}[${index}]`;
    if (!isJsonObject(element)) {
      const isNull = element === null;
      violations.add(path, isNull ? 'null' : 'type', isNull ? messages.null : messages.type('object'));
      return [undefined];
    }
    if (reading.lenient && isMadeAlone(target!) && isAsShown(element, target!)) return [];
    const sent = readMembers({ fields, passedOver }, element, path, violations, reading);
    return [{ path, sent, mentioned: new Set(Object.keys(element)) }];
  });
}

/** Whether the object is a record that is there already, as output shows it: it says nothing that only input has. */
function isAsShown(element: JsonObject, { fields, identifierField }: ModelResource): boolean {
  const isInput = (name: string): boolean => fields.get(name)?.storage.in === 'nothing';
  return Number.isInteger(element[identifierField]) || !Object.keys(element).some(isInput);
}

/**
 * Reads the values in sent parts for fields that only output has. Of a record that was made elsewhere it may be all
 * but those that are added up.
 */
function readOnlyInParts(
  { name, target }: Pick<ModelField, 'name' | 'target'>,
  value: unknown,
  { past }: Pick<BodyReading, 'past'>,
): ReadOnlyValue[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((element, index) =>
    Object.entries(isJsonObject(element) ? element : {}).flatMap(([member, inside]) => {
      const field = target!.outputs.find((output) => output.name === member);
      if (!field || (past ? field.storage.in !== 'sum' : field.field.groups.includes('insert'))) return [];
      return [{ path: `${name}[${index}].${member}`, field, value: inside, part: { name, index } }];
    }),
  );
}
