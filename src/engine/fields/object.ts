/**
 * Objects, and lists of objects, stored as JSON inside a record. Members are declared like fields. They have no path or
 * version of their own, and filters cannot use them.
 */
import { messages } from '../errors.ts';
import { type Environment, type Field, type FieldOptions, field, type JsonSchema, type Languages } from '../field.ts';
import type { Value } from '../ports.ts';
import { isJsonObject, readMembers } from './members.ts';

export type MemberFields = Readonly<Record<string, Field>>;
type ObjectValue = Readonly<Record<string, Value>>;

interface ObjectOptions extends FieldOptions {
  /** Available to rules only; not stored. */
  readonly transient?: boolean;
  /** Text members that a search of the resource reads. */
  readonly searchedMembers?: readonly string[];
}

/**
 * One object with optional members. A partial update changes only the members that it names. Rules set members that no
 * input group contains, and read members that are not stored. At most one member is a file.
 */
export function object(members: MemberFields, { searchedMembers, ...options }: ObjectOptions = {}): Field {
  const inputs = having(members, ({ groups }) => groups.includes('insert') || groups.includes('update'));
  const stored = having(members, ({ storage }) => storage.in !== 'nothing');
  const outputs = having(stored, ({ groups }) => groups.includes('read'));
  const ignored = new Set(Object.keys(outputs));
  const outputOnly = Object.keys(outputs).filter((name) => !(name in inputs));
  const [file] = Object.keys(having(members, (member) => member.file === true));
  return field(options, {
    kind: 'object',
    storage: options.transient ? { in: 'nothing' } : { in: 'column', type: 'json' },
    ...(searchedMembers ? { searchable: true, searchedMembers } : {}),
    ...(file === undefined ? {} : { fileIn: (value) => ((value as ObjectValue | null)?.[file] as string) || null }),
    ...(outputOnly.length === 0 ? {} : { outputOnly }),
    ...erasing(stored),
    inputSchema: { type: 'object', properties: schemas(inputs, 'inputSchema') },
    outputSchema: outputSchemaOf(outputs),
    read(value, path, violations, reading) {
      if (!isJsonObject(value)) {
        violations.add(path, 'type', messages.type('object'));
        return undefined;
      }
      const before = violations.list.length;
      const read = readMembers({ fields: inputs, ignored }, value, path, violations, reading);
      // A rule creates the file from it before the rest of the body is checked, so it must be valid.
      return file !== undefined && violations.list.length > before ? undefined : read;
    },
    merge(previous, sent) {
      if (sent === null) return null;
      const before = previous as ObjectValue | null;
      const merged = filled(stored, before, sent as ObjectValue);
      // A value older than a member is shown with the member's default; sending that back must be no change.
      return before && sameText(filled(stored, before, {}), merged) ? before : merged;
    },
    show: (value, environment) => (value === null ? null : shown(outputs, value as ObjectValue, environment)),
  });
}

/** An object with personal members erases only these. */
function erasing(members: MemberFields): Pick<Field, 'personal'> {
  const personal = Object.entries(having(members, (member) => member.personal !== undefined));
  if (personal.length === 0) return {};
  const erased = (value: ObjectValue): [string, Value][] =>
    personal.flatMap(([name, member]): [string, Value][] =>
      name in value ? [[name, member.personal!(value[name]!)]] : [],
    );
  return {
    personal: (value) =>
      value === null ? null : { ...(value as ObjectValue), ...Object.fromEntries(erased(value as ObjectValue)) },
  };
}

function having(members: MemberFields, has: (member: Field) => boolean): MemberFields {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => has(member)));
}

interface ListOptions extends FieldOptions {
  readonly countMax: number;
  /** Output shows elements with an `id`: their position in the list, from 1. */
  readonly numbered?: boolean;
  /** Whether the shown value includes everything that the client sent, if rules add to it. */
  readonly covers?: (shown: Value, said: Value) => boolean;
}

/**
 * A list of objects; a write replaces all of it. If some members are set by rules or not stored, the elements are
 * passed to the rules as sent, without defaults.
 */
export function list(members: MemberFields, { countMax, numbered = false, covers, ...options }: ListOptions): Field {
  const ignored = numbered ? new Set(['id']) : undefined;
  const inputs = having(members, ({ groups }) => groups.includes('insert') || groups.includes('update'));
  const outputs = having(members, ({ groups, storage }) => groups.includes('read') && storage.in !== 'nothing');
  const areMade = Object.keys(members).some((name) => !(name in inputs) || !(name in outputs));
  const required = Object.entries(members).flatMap(([name, member]) => (member.required ? name : []));
  const output = outputSchemaOf(outputs);
  return field(options, {
    kind: 'list',
    storage: { in: 'column', type: 'json' },
    ...(covers ? { covers } : {}),
    default: [],
    inputSchema: {
      type: 'array',
      maxItems: countMax,
      items: {
        type: 'object',
        properties: schemas(inputs, 'inputSchema'),
        ...(required.length > 0 ? { required } : {}),
      },
    },
    outputSchema: { type: 'array', items: numbered ? withNumber(output) : output },
    read(value, path, violations, reading) {
      if (!Array.isArray(value)) {
        violations.add(path, 'type', messages.type('array'));
        return undefined;
      }
      if (value.length > countMax) {
        violations.add(path, 'too_long', `This list is too long. It should have ${countMax} elements or less.`);
        return undefined;
      }
      const before = violations.list.length;
      const elements = value.map((element, index) => {
        const at = `${path}[${index}]`;
        if (numbered && isJsonObject(element) && isOtherNumber(element.id, index + 1) && !reading.lenient)
          violations.add(`${at}.id`, 'read_only', 'This is the element’s position in the list; leave it out.');
        if (isJsonObject(element)) {
          const known = { fields: members, ...(ignored && { ignored }) };
          const read = readMembers(known, element, at, violations, reading);
          return areMade ? read : filled(members, null, read);
        }
        violations.add(at, 'type', messages.type('object'));
        return null;
      });
      return violations.list.length === before ? elements : undefined;
    },
    show: (value, environment) =>
      (value as unknown as ObjectValue[]).map((element, index) => ({
        ...(numbered ? { id: index + 1 } : {}),
        ...shown(outputs, element, environment),
      })),
  });
}

/** Null, the empty string and 0 count as no number. */
function isOtherNumber(id: unknown, position: number): boolean {
  return ![undefined, null, '', 0, position].includes(id as number);
}

interface RecordedOptions extends FieldOptions {
  readonly schema: JsonSchema;
  readonly default: Value;
}

/** A field that rules write and output shows unchanged. */
export function recorded({ schema, default: fallback, ...options }: RecordedOptions): Field {
  return field(
    { groups: ['all', 'read'], ...options },
    {
      kind: 'recorded',
      storage: { in: 'column', type: 'json' },
      default: fallback,
      inputSchema: schema,
      outputSchema: schema,
      read: () => undefined,
    },
  );
}

/** A sentence in the reader's language, built from facts that rules stored in the record. */
export function sentence(
  describe: (facts: Value, record: ObjectValue, languages: Languages) => string,
  options: Pick<FieldOptions, 'example'> & Required<Pick<FieldOptions, 'completedFrom'>>,
): Field {
  return field(
    {
      ...options,
      groups: ['all', 'read'],
      complete: (facts, record, _environment, languages) => describe(facts, record, languages),
    },
    {
      kind: 'sentence',
      storage: { in: 'column', type: 'json' },
      default: {},
      inputSchema: { type: 'string' },
      outputSchema: { type: 'string' },
      read: () => undefined,
    },
  );
}

function sameText(one: ObjectValue, other: ObjectValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Every member in declared order: as sent, otherwise as stored, otherwise its default. */
function filled(members: MemberFields, stored: ObjectValue | null, sent: ObjectValue): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const before = stored?.[name] ?? null;
      const value = sent[name];
      if (value === undefined) return [name, stored && name in stored ? before : member.default];
      return [name, member.merge ? member.merge(before, value) : value];
    }),
  );
}

function shown(members: MemberFields, value: ObjectValue, environment: Environment): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const one = value[name] ?? member.default;
      return [name, member.show ? member.show(one, environment) : one];
    }),
  );
}

function schemas(members: MemberFields, which: 'inputSchema' | 'outputSchema'): JsonSchema {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, { member, schema: member[which] }]));
}

/** The schema of an object with these members in output. */
export function outputSchemaOf(members: MemberFields): JsonSchema {
  return { type: 'object', properties: schemas(members, 'outputSchema'), required: Object.keys(members) };
}

function withNumber({ properties, required, ...schema }: JsonSchema): JsonSchema {
  const id = { member: undefined, schema: { type: 'integer' } };
  return { ...schema, properties: { id, ...(properties as object) }, required: ['id', ...(required as string[])] };
}
