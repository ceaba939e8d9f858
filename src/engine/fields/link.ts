/**
 * Links to other records: to one (a column) or to a set of them (a table of pairs). A client names a linked record by
 * its name, its id, its address, or the object that output shows, where the id decides (http.md §9). `operations/`
 * looks up the referenced record in the transaction of the write.
 */

import { messages, type Violations } from '../errors.ts';
import { type Field, type FieldOptions, field, type OnDelete, type Reading } from '../field.ts';
import { isOwnAddress } from '../own-address.ts';
import type { Value } from '../ports.ts';
import { isJsonObject, type JsonObject } from './members.ts';
import { brokenCharacter } from './text.ts';

/** How a client named a record. `beside`: the texts in an object beside its id, none of which may name another record. */
export type Reference =
  | { readonly id: number; readonly beside?: Readonly<Record<string, string>> }
  | { readonly name: string }
  /** Of something else in this store, or of nothing. */
  | { readonly address: string };

/** At most this many elements in one set, whatever ways they are named in (http.md §9). */
export const ELEMENTS_MAX = 250;
const REFERENCES_MAX = 4 * ELEMENTS_MAX;
export const TOO_MANY_ELEMENTS = `This set is too large. It should have ${ELEMENTS_MAX} elements or less.`;

interface LinkOptions extends FieldOptions {
  readonly to: string;
  /** The fate of this record when the linked one is deleted. */
  readonly onDelete: OnDelete;
  /** The name of the record that is meant when a client names none. */
  readonly default?: string;
}

/** One other record, or null; output shows that record. */
export function link(options: LinkOptions): Field {
  return field(
    { ...options, nullable: options.nullable ?? true },
    {
      kind: 'link',
      storage: { in: 'link', to: options.to, onDelete: options.onDelete, embedded: true },
      filter: 'name',
      ...(options.default === undefined ? {} : { default: { name: options.default } }),
      inputSchema: { link: options.to },
      outputSchema: { output: options.to },
      read: (value, path, violations, reading) => readReference(value, path, violations, reading) as Value | undefined,
    },
  );
}

interface ReferenceOptions extends LinkOptions {
  /** The record above this one in a tree. */
  readonly tree?: boolean;
  /** 0 means null, as clients of release 5.5 write it. */
  readonly zeroIsNull?: boolean;
  /** Of a record that was made elsewhere, the identifier is another store's, and is passed over. */
  readonly onlyHere?: boolean;
}

/** One other record by its integer identifier, which is what output shows too. */
export function reference(options: ReferenceOptions): Field {
  return field(options, {
    kind: 'reference',
    storage: { in: 'link', to: options.to, onDelete: options.onDelete, embedded: false },
    ...(options.tree ? { tree: true } : {}),
    ...(options.onlyHere ? { onlyHere: true } : {}),
    filter: 'identifier',
    inputSchema: { type: 'integer', minimum: options.zeroIsNull ? 0 : 1 },
    outputSchema: { type: 'integer' },
    read: (value, path, violations) => {
      if (value === 0 && options.zeroIsNull) return null;
      if (Number.isSafeInteger(value)) return { id: value as number };
      violations.add(path, 'type', messages.type('integer'));
      return undefined;
    },
  });
}

/** The record that this one is a part of. The path says which; a body never does. Output may show its identifier. */
export function partOf(
  to: string,
  options: Pick<FieldOptions, 'description'> & { readonly shown?: boolean } = {},
): Field {
  const { shown = false, ...about } = options;
  return field(
    { ...about, groups: shown ? ['all', 'read'] : [] },
    {
      kind: 'partOf',
      owns: true,
      storage: { in: 'link', to, onDelete: 'cascade', embedded: false },
      inputSchema: {},
      outputSchema: shown ? { type: 'integer' } : {},
      read: () => undefined,
    },
  );
}

/** How many records of another resource are parts of this one; shown only where a client asks for it. */
export function countOf(of: string, options: Pick<FieldOptions, 'description'> = {}): Field {
  return field(
    { ...options, groups: ['all', 'read'] },
    {
      kind: 'countOf',
      sum: true,
      asked: true,
      storage: { in: 'count', of },
      default: 0,
      inputSchema: {},
      outputSchema: { type: 'integer', minimum: 0 },
      read: () => undefined,
    },
  );
}

interface LinksOptions extends FieldOptions {
  readonly to: string;
  /** Output shows the records, or only their ids. */
  readonly shown: 'records' | 'ids';
  /** A name that no record has yet makes one. */
  readonly made?: boolean;
}

/** A set of other records, shown by id ascending; a write replaces the set. */
export function links(options: LinksOptions): Field {
  const embedded = options.shown === 'records';
  return field(options, {
    kind: 'links',
    storage: { in: 'links', to: options.to, embedded, made: options.made ?? false },
    default: [],
    filter: embedded ? 'name' : 'identifier',
    inputSchema: { type: 'array', items: { link: options.to }, maxItems: ELEMENTS_MAX },
    outputSchema: { type: 'array', items: embedded ? { output: options.to } : { type: 'integer' } },
    read: (value, path, violations, reading) => {
      if (!Array.isArray(value)) {
        violations.add(path, 'type', messages.type('array'));
        return undefined;
      }
      const references = value.map((element, index) =>
        readReference(element, `${path}[${index}]`, violations, reading),
      );
      if (references.includes(undefined)) return undefined;
      const distinct = new Map(references.map((reference) => [JSON.stringify(reference), reference]));
      // Only a look-up tells which references count once; their number is bounded here.
      if (distinct.size <= REFERENCES_MAX) return references as Value;
      violations.add(path, 'too_long', TOO_MANY_ELEMENTS);
      return undefined;
    },
  });
}

interface PartsOptions extends FieldOptions {
  /** They are made together with the record, by their own input fields. */
  readonly written?: { readonly countMin: number; readonly countMax: number };
}

/** Other records that are parts of this one, shown in their own default order. */
export function parts(of: string, { written, ...options }: PartsOptions = {}): Field {
  return field(
    { ...options, groups: written ? ['all', 'read', 'insert'] : ['all', 'read'] },
    {
      kind: 'parts',
      storage: { in: 'parts', of, ...(written ? { written } : {}) },
      default: [],
      inputSchema: written
        ? { type: 'array', items: { input: of }, minItems: written.countMin, maxItems: written.countMax }
        : {},
      outputSchema: { type: 'array', items: { output: of } },
      read: () => undefined,
    },
  );
}

/** The one record that is part of this one, shown with some of its fields, or null. */
export function part(of: string, shown: readonly string[], options: FieldOptions = {}): Field {
  return field(
    { ...options, nullable: true, groups: ['all', 'read'] },
    {
      kind: 'part',
      storage: { in: 'part', of, shown },
      inputSchema: {},
      outputSchema: { output: of, shown },
      read: () => undefined,
    },
  );
}

/**
 * The condition of a filter: a record of `through` links (by `by`) the record to one that is asked for, or to a value
 * (in `to`).
 */
export function linkedBy(
  through: string,
  by: string,
  to: string,
  filter: 'identifier' | 'string' = 'identifier',
): Field {
  return field(
    { groups: [] },
    {
      kind: 'linkedBy',
      storage: { in: 'linked', through, by, to },
      filter,
      inputSchema: {},
      outputSchema: {},
      read: () => undefined,
    },
  );
}

/** Addresses of records of this kind have become identifiers by now (`references.ts`). */
function readReference(
  value: unknown,
  path: string,
  violations: Violations,
  { baseUrl }: Reading,
): Reference | undefined {
  if (typeof value === 'string') {
    const broken = brokenCharacter(value);
    if (broken === undefined) return isOwnAddress(value, baseUrl) ? { address: value } : { name: value };
    violations.add(path, 'format', broken);
    return undefined;
  }
  const object = isJsonObject(value) && 'id' in value ? value : undefined;
  const id = object ? object.id : value;
  if (Number.isSafeInteger(id)) return { id: id as number, ...textsBeside(object) };
  violations.add(object ? `${path}.id` : path, 'type', messages.type(object ? 'integer' : 'string'));
  return undefined;
}

function textsBeside(object: JsonObject = {}): { beside?: Record<string, string> } {
  const texts = Object.entries(object).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && brokenCharacter(entry[1]) === undefined,
  );
  return texts.length === 0 ? {} : { beside: Object.fromEntries(texts) };
}
