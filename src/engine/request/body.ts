/**
 * Parses a JSON body strictly by the fields of its route and collects all violations (http.md §9). Rules that need the
 * store are checked later, in `operations/`.
 */
import { messages, Violations } from '../errors.ts';
import type { Field, Reading } from '../field.ts';
import { isJsonObject, type JsonObject, readMembers, readValue, rejectUnknownField } from '../fields/members.ts';
import type { KnownName } from '../hints.ts';
import type { Model, ModelField, ModelResource, ModelRoute } from '../model/model.ts';
import type { Value } from '../ports.ts';
import type { Action } from '../rules.ts';
import { linkingFields, withIdentifiers } from './references.ts';

export type WriteMode = 'create' | 'replace' | 'patch';

export interface Body {
  /** Valid values by field. */
  readonly sent: Record<string, Value>;
  /** Fields present in the body, valid or not. */
  readonly mentioned: ReadonlySet<string>;
  /** Values of fields that another operation writes; each must equal the stored value. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Values of fields that no operation writes; each must equal the output before or after the write. */
  readonly readOnly: readonly ReadOnlyValue[];
  /** Parts created together with the record, by field. Undefined for an invalid element. */
  readonly parts: ReadonlyMap<ModelField, readonly (PartBody | undefined)[]>;
  /** Parts that an action creates, in this order. */
  readonly created?: readonly CreatedPart[];
  readonly violations: Violations;
}

/** A part that an action creates: the input that names it, and the route and body of its POST. */
interface CreatedPart {
  readonly name: string;
  /** The input whose part must exist before this one can be checked. */
  readonly after: string | undefined;
  readonly route: ModelRoute;
  readonly body: Body;
}

/** Input of one part, created together with its record. */
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
  /** The created part that contains the value. */
  readonly part?: { readonly name: string; readonly index: number };
}

/** Options for reading a body. */
export interface BodyReading extends Reading {
  /** The record is imported: the body may contain all of the output. */
  readonly past: boolean;
  /** The body is a form whose file replaces some of the fields. */
  readonly isForm?: boolean;
}

/** Parses the body of a create, replace or patch. Violations are in the result. */
export function readBody(route: ModelRoute, mode: WriteMode, body: JsonObject, reading: BodyReading): Body {
  const { fields, resource } = route;
  const outputs = [...route.outputs, ...route.onRequest];
  const replacedByFile = new Set(reading.isForm ? resource.declaration.upload?.insteadOf : []);
  const read: ParsedFields = { sent: {}, readOnly: [], parts: new Map(), violations: new Violations() };
  const { violations } = read;
  const fixed: Record<string, unknown> = {};
  const written = writtenFields(route, mode, reading.past);
  const known = namesOf([...written].filter(({ name }) => !replacedByFile.has(name)));
  for (const [name, value] of Object.entries(withIdentifiers(fields, body, reading.baseUrl))) {
    const field = replacedByFile.has(name) ? undefined : fields.get(name);
    if (field && written.has(field)) readWritten(field, value, mode, read, reading);
    else if (field && isFixed(route, field, mode)) fixed[name] = value;
    else if (field && outputs.includes(field)) read.readOnly.push({ path: name, field, value });
    else if (!reading.lenient) rejectUnknownField('', name, known, violations);
  }
  if (mode !== 'patch') checkRequired(written, body, violations);
  violations.endForm();
  return {
    ...read,
    mentioned: new Set(Object.keys(body)),
    fixed,
    readOnly: reading.lenient ? [] : read.readOnly,
  };
}

function checkRequired(written: ReadonlySet<ModelField>, body: JsonObject, violations: Violations): void {
  for (const field of written)
    if (field.field.required && !Object.hasOwn(body, field.name))
      violations.add(field.name, 'required', messages.blank);
}

interface ParsedFields {
  readonly sent: Record<string, Value>;
  readonly readOnly: ReadOnlyValue[];
  readonly parts: Map<ModelField, readonly (PartBody | undefined)[]>;
  readonly violations: Violations;
}

/** Parses one value of a field that the operation writes, into `into`. */
function readWritten(
  field: ModelField,
  value: unknown,
  mode: WriteMode,
  into: ParsedFields,
  reading: BodyReading,
): void {
  const { name } = field;
  if (field.storage.in !== 'parts') {
    const { isFilled } = field.field;
    const own = isFilled && mode === 'patch' ? { ...field.field, nullable: false } : field.field;
    readValue(name, own, value, name, into.sent, into.violations, reading);
    if (reading.past && field.field.localOnly) delete into.sent[name];
    into.readOnly.push(...outputOnlyIn(field, value));
    return;
  }
  const parts = readParts(field, value, into.violations, reading);
  if (!parts) return;
  into.parts.set(field, parts);
  // Rules also see the valid fields of invalid parts, so that one response reports all violations.
  into.sent[name] = parts.map((part) => part?.sent ?? {});
  into.readOnly.push(...readOnlyInParts(field, value, reading));
}

/** Values in an object for members that only output has. */
function outputOnlyIn(field: ModelField, value: unknown): ReadOnlyValue[] {
  const names = isJsonObject(value) ? (field.field.outputOnly ?? []) : [];
  const sent = names.flatMap((name) => {
    const member = (value as JsonObject)[name];
    return member === undefined || member === null || member === '' ? [] : [[name, member]];
  });
  return sent.length === 0 ? [] : [{ path: field.name, field, value: Object.fromEntries(sent) }];
}

/** Whether the body writes a translated text, in the record or in parts created together with it. */
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
 * Whether another operation writes the field, so that this one accepts it only with its stored value. Parts that have
 * their own route for creation are changed there instead.
 */
export function isFixed({ inserts, updates }: ModelRoute, field: ModelField, mode: WriteMode): boolean {
  if (field.storage.in === 'parts' && hasCreateRoute(field.target!)) return false;
  return inserts.has(field) || updates.has(field) || (field.isIdentifier && mode !== 'create');
}

/** Whether records of this resource have their own route for creation. */
function hasCreateRoute({ routes }: ModelResource): boolean {
  return routes.some(({ operations }) => operations.has('create'));
}

/** The fields that an operation stores. */
export function writtenFields(route: ModelRoute, mode: WriteMode, past: boolean): ReadonlySet<ModelField> {
  if (past) return route.importable;
  return mode === 'create' ? route.inserts : route.updates;
}

/** Parses all texts of one language. An omitted optional text gets its default. */
export function readTexts(texts: readonly ModelField[], body: JsonObject, reading: Reading): Body {
  const violations = new Violations();
  const fields = Object.fromEntries(texts.map(({ name, field }) => [name, field]));
  const sent = readMembers({ fields }, body, '', violations, reading);
  for (const { name, field } of texts) if (!field.required && !Object.hasOwn(body, name)) sent[name] = field.default;
  violations.endForm();
  return { sent, mentioned: new Set(Object.keys(body)), fixed: {}, parts: new Map(), readOnly: [], violations };
}

/** @param shown fields of the action's response, which clients may send back */
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
  const created: CreatedPart[] = [];
  for (const [name, { storage, target }] of fields) {
    const sent = plain[name];
    if (storage.in !== 'nothing' || !storage.creates || !isJsonObject(sent)) continue;
    const { without, after } = storage.creates;
    const route = target!.routes.find(({ operations }) => operations.has('create'))!;
    created.push({ name, after, route, body: readCreated(route, without, sent, reading) });
    delete plain[name];
  }
  const sent = readMembers({ fields: action.input, ignored: shown }, plain, '', violations, reading);
  violations.endForm();
  return {
    sent: { ...sent, ...parts },
    mentioned: new Set(Object.keys(body)),
    fixed: {},
    parts: new Map(),
    created,
    readOnly: reading.lenient ? [] : readOnly,
    violations,
  };
}

function namesOf(fields: readonly ModelField[]): KnownName[] {
  return fields.map(({ name, field: { synonyms } }) => ({ name, ...(synonyms ? { synonyms } : {}) }));
}

/** Parses the body of a part that an action creates. */
function readCreated(route: ModelRoute, without: readonly string[], sent: JsonObject, reading: Reading): Body {
  const accepted = Object.fromEntries(Object.entries(sent).filter(([name]) => !without.includes(name)));
  const body = readBody(route, 'create', accepted, { ...reading, past: false });
  const known = namesOf([...route.inserts].filter(({ name }) => !without.includes(name)));
  for (const name of without)
    if (Object.hasOwn(sent, name) && !reading.lenient) rejectUnknownField('', name, known, body.violations);
  return body;
}

/**
 * Parses parts that are created together with their record, each by its own input fields. Invalid elements are
 * undefined; if the value is not a list, the result is undefined.
 */
function readParts(
  { name, storage, target }: Pick<ModelField, 'name' | 'storage' | 'target'>,
  value: unknown,
  violations: Violations,
  reading: BodyReading,
): (PartBody | undefined)[] | undefined {
  if (storage.in !== 'parts') return undefined;
  const { countMin, countMax } = storage.written ?? { countMin: 0, countMax: Number.POSITIVE_INFINITY };
  // Clients that copy a record from output may not know that a create also creates these parts.
  const isCopied = hasCreateRoute(target!) && (value === null || (reading.lenient && !Array.isArray(value)));
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
  const ignored = new Set(target!.outputs.map((field) => field.name));
  return value.flatMap((element, index): (PartBody | undefined)[] => {
    const path = `${name}[${index}]`;
    if (!isJsonObject(element)) {
      const isNull = element === null;
      violations.add(path, isNull ? 'null' : 'type', isNull ? messages.null : messages.type('object'));
      return [undefined];
    }
    if (reading.lenient && hasCreateRoute(target!) && isAsShown(element, target!)) return [];
    const sent = readMembers({ fields, ignored }, element, path, violations, reading);
    return [{ path, sent, mentioned: new Set(Object.keys(element)) }];
  });
}

/** Whether the object is an existing record copied from output: it has no members that only input has. */
function isAsShown(element: JsonObject, { fields, identifierField }: ModelResource): boolean {
  const isInput = (name: string): boolean => fields.get(name)?.storage.in === 'nothing';
  return Number.isInteger(element[identifierField]) || !Object.keys(element).some(isInput);
}

/**
 * Returns values in sent parts for fields that only output has. An imported part may contain all of them except
 * computed sums.
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
