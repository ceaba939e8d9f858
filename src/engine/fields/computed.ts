/**
 * Output that is computed on read, from the parts and links of a record or the settings. It is not stored, so it is never
 * out of date.
 */
import {
  type Environment,
  type Field,
  type FieldOptions,
  field,
  type JsonSchema,
  type LinkedValues,
} from '../field.ts';
import type { Value } from '../ports.ts';
import { type MemberFields, outputSchemaOf } from './object.ts';

interface AmongPartsOptions extends Pick<FieldOptions, 'description'> {
  /** Values of the parts that count. */
  readonly where?: Readonly<Record<string, Value>>;
}

/** Number of records of another resource that are parts of this one. Shown only if a client requests it. */
export function countOf(of: string, { where, ...options }: AmongPartsOptions = {}): Field {
  return field(
    { ...options, groups: ['all', 'read'] },
    {
      kind: 'countOf',
      sum: true,
      onRequest: true,
      storage: { in: 'count', of, ...(where && { where }) },
      default: 0,
      inputSchema: {},
      outputSchema: { type: 'integer', minimum: 0 },
      read: () => undefined,
    },
  );
}

/**
 * The average of an integer of the parts, with two decimals, rounded half up; null if there are none. Shown only if a
 * client requests it.
 */
export function averageOf(of: string, averaged: string, { where, ...options }: AmongPartsOptions = {}): Field {
  return field(
    { ...options, groups: ['all', 'read'], nullable: true },
    {
      kind: 'averageOf',
      sum: true,
      onRequest: true,
      storage: { in: 'average', of, averaged, ...(where && { where }) },
      inputSchema: {},
      outputSchema: { type: 'number' },
      read: () => undefined,
    },
  );
}

/**
 * The sum of an integer over the parts of the record that have their own value, plus once the record's own value if a part
 * inherits it or there are no parts. Shown only if a client requests it.
 *
 * @param name the integer of the parts, declared with `inheritedWhile`, and of this record
 */
export function inheritedTotalOf(of: string, name: string, options: Pick<FieldOptions, 'description'> = {}): Field {
  return field(
    { ...options, groups: ['all', 'read'] },
    {
      kind: 'inheritedTotalOf',
      onRequest: true,
      sum: true,
      storage: { in: 'inheritedTotal', of, field: name },
      default: 0,
      inputSchema: {},
      outputSchema: { type: 'integer' },
      read: () => undefined,
    },
  );
}

/**
 * A value that the declaration's `evaluations` compute from other records and the time. Responses with it are not cached.
 * Shown only if a client requests it.
 */
export function evaluated({
  schema,
  ...options
}: Pick<FieldOptions, 'description' | 'shownExample' | 'nullable'> & { readonly schema: JsonSchema }): Field {
  return field(
    { ...options, groups: ['all', 'read'] },
    {
      kind: 'evaluated',
      sum: true,
      onRequest: true,
      storage: { in: 'evaluated' },
      inputSchema: {},
      outputSchema: schema,
      read: () => undefined,
    },
  );
}

interface SummaryOptions extends Pick<FieldOptions, 'description' | 'shownExample'> {
  /** Output fields of the parts. */
  readonly reads: readonly string[];
  readonly summarize: (parts: readonly Readonly<Record<string, Value>>[]) => string;
}

/** A text that is computed on read from the parts of the record, which are in their default order. */
export function summaryOf(of: string, { reads, summarize, ...options }: SummaryOptions): Field {
  return field(
    { ...options, groups: ['all', 'read'], complete: (parts) => summarize(parts as Record<string, Value>[]) },
    {
      kind: 'summaryOf',
      storage: { in: 'summary', of, reads },
      default: '',
      inputSchema: {},
      outputSchema: { type: 'string' },
      read: () => undefined,
    },
  );
}

interface LinkedValuesOptions extends Pick<FieldOptions, 'description' | 'shownExample'> {
  /** The members of each object, as output shows them. */
  readonly members: MemberFields;
  readonly sets: readonly LinkedValues[];
  /** Converts the list of all objects, if output shows another form of a value. */
  readonly show?: (all: Value) => Value;
}

/** A list with one object for each record of some sets of links: set by set, each by ascending id. */
export function linkedValues({ members, sets, show, ...options }: LinkedValuesOptions): Field {
  return field(
    { ...options, groups: ['all', 'read'] },
    {
      kind: 'linkedValues',
      storage: { in: 'linkedValues', sets },
      ...(show ? { show } : {}),
      default: [],
      inputSchema: {},
      outputSchema: { type: 'array', items: outputSchemaOf(members) },
      read: () => undefined,
    },
  );
}

/** A text of a linked record. @param links the first of them that is not null names the record */
export function linkedText(
  links: readonly string[],
  text: string,
  options: Pick<FieldOptions, 'description' | 'shownExample'>,
): Field {
  return field(
    { ...options, groups: ['all', 'read'], nullable: true },
    {
      kind: 'linkedText',
      storage: { in: 'linkedText', links, text },
      inputSchema: {},
      outputSchema: { type: 'string' },
      read: () => undefined,
    },
  );
}

interface ConfiguredOptions extends Pick<FieldOptions, 'description'> {
  readonly schema: JsonSchema;
  readonly example: Value;
  readonly read: (environment: Environment) => Value;
}

/** A value that is configured on the server. */
export function configured({ schema, read, example, ...options }: ConfiguredOptions): Field {
  return field(
    {
      ...{ ...options, example, shownExample: example, groups: ['all', 'read'] },
      complete: (_value, _record, environment) => read(environment),
    },
    {
      kind: 'configured',
      storage: { in: 'environment' },
      inputSchema: schema,
      outputSchema: schema,
      read: () => undefined,
    },
  );
}
