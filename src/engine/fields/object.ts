/**
 * An object or a list of objects inside a record, kept as JSON: their members are declared like fields. Neither has a
 * path or a version of its own, and nothing filters by what is in them.
 */
import { messages } from '../errors.ts';
import { type Environment, type Field, type FieldOptions, field, type JsonSchema, type Languages } from '../field.ts';
import type { Value } from '../ports.ts';
import { isJsonObject, readMembers } from './members.ts';

type MemberFields = Readonly<Record<string, Field>>;
type ObjectValue = Readonly<Record<string, Value>>;

/**
 * One object; every member is optional. A partial update changes the members that it names. A member that no input has is
 * set by rules; one that is not kept is there for rules alone. One may be a file.
 */
export function object(members: MemberFields, options: FieldOptions = {}): Field {
  const inputs = having(members, ({ groups }) => groups.includes('insert') || groups.includes('update'));
  const kept = having(members, ({ storage }) => storage.in !== 'nothing');
  const outputs = having(kept, ({ groups }) => groups.includes('read'));
  const passedOver = new Set(Object.keys(outputs));
  const unwritten = Object.keys(outputs).filter((name) => !(name in inputs));
  const [file] = Object.keys(having(members, (member) => member.file === true));
  return field(options, {
    kind: 'object',
    storage: { in: 'column', type: 'json' },
    ...(file === undefined ? {} : { fileIn: (value) => ((value as ObjectValue | null)?.[file] as string) || null }),
    ...(unwritten.length === 0 ? {} : { unwritten }),
    ...forgetting(kept),
    inputSchema: { type: 'object', properties: schemas(inputs, 'inputSchema') },
    outputSchema: outputSchemaOf(outputs),
    read(value, path, violations, reading) {
      if (!isJsonObject(value)) {
        violations.add(path, 'type', messages.type('object'));
        return undefined;
      }
      const before = violations.list.length;
      const read = readMembers({ fields: inputs, passedOver }, value, path, violations, reading);
      // A rule makes the file of it before the rest of the body is looked at.
      return file !== undefined && violations.list.length > before ? undefined : read;
    },
    merge(stored, sent) {
      if (sent === null) return null;
      const [before, merged] = [
        stored as ObjectValue | null,
        filled(kept, stored as ObjectValue | null, sent as ObjectValue),
      ];
      // One from before a member was declared is shown with its default; to send that changes nothing.
      return before && sameText(filled(kept, before, {}), merged) ? before : merged;
    },
    show: (value, environment) => (value === null ? null : shown(outputs, value as ObjectValue, environment)),
  });
}

/** An object with members that tell of a person does so itself: its other members stay. */
function forgetting(members: MemberFields): Pick<Field, 'personal'> {
  const personal = Object.entries(having(members, (member) => member.personal !== undefined));
  if (personal.length === 0) return {};
  const forgotten = (value: ObjectValue): [string, Value][] =>
    personal.flatMap(([name, member]): [string, Value][] =>
      name in value ? [[name, member.personal!(value[name]!)]] : [],
    );
  return {
    personal: (value) =>
      value === null ? null : { ...(value as ObjectValue), ...Object.fromEntries(forgotten(value as ObjectValue)) },
  };
}

function having(members: MemberFields, has: (member: Field) => boolean): MemberFields {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => has(member)));
}

interface ListOptions extends FieldOptions {
  readonly countMax: number;
  /** Output shows elements with an `id`, their place in the list from 1. */
  readonly numbered?: boolean;
  /** Whether output shows everything that a client said, where rules make more of it. */
  readonly tells?: (shown: Value, said: Value) => boolean;
}

/**
 * A list of objects; a write replaces it whole. Where rules make the elements of what a client says, members that no input
 * has are left to them: they see what was said of these too, and members that are not kept.
 */
export function list(members: MemberFields, { countMax, numbered = false, tells, ...options }: ListOptions): Field {
  const passedOver = numbered ? new Set(['id']) : undefined;
  const inputs = having(members, ({ groups }) => groups.includes('insert') || groups.includes('update'));
  const outputs = having(members, ({ groups, storage }) => groups.includes('read') && storage.in !== 'nothing');
  const areMade = Object.keys(members).some((name) => !(name in inputs) || !(name in outputs));
  const required = Object.entries(members).flatMap(([name, member]) => (member.required ? name : []));
  const output = outputSchemaOf(outputs);
  return field(options, {
    kind: 'list',
    storage: { in: 'column', type: 'json' },
    ...(tells ? { tells } : {}),
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
          violations.add(`${at}.id`, 'read_only', 'This is the element’s place in the list; leave it out.');
        if (isJsonObject(element)) {
          const known = { fields: members, ...(passedOver && { passedOver }) };
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

/** Nothing is no number, and neither is 0. */
function isOtherNumber(id: unknown, position: number): boolean {
  return ![undefined, null, '', 0, position].includes(id as number);
}

interface RecordedOptions extends FieldOptions {
  readonly schema: JsonSchema;
  readonly default: Value;
}

/** A field that rules write and output shows as it is. */
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

/** A sentence that is put together, in the reader's language, from what rules wrote down for the record. */
export function told(
  describe: (facts: Value, record: ObjectValue, languages: Languages) => string,
  options: Pick<FieldOptions, 'example'>,
): Field {
  return field(
    {
      ...options,
      groups: ['all', 'read'],
      complete: (facts, record, _environment, languages) => describe(facts, record, languages),
    },
    {
      kind: 'told',
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

/** Every member, in declared order: as sent, else as stored, else its default. */
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

function outputSchemaOf(members: MemberFields): JsonSchema {
  return { type: 'object', properties: schemas(members, 'outputSchema'), required: Object.keys(members) };
}

function withNumber({ properties, required, ...schema }: JsonSchema): JsonSchema {
  const id = { member: undefined, schema: { type: 'integer' } };
  return { ...schema, properties: { id, ...(properties as object) }, required: ['id', ...(required as string[])] };
}
