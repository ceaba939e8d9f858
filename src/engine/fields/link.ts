/**
 * Links to one other record (a column) or to a set of them (a join table). A client names a linked record by its name,
 * its id, its address, or the object that output shows; in an object the id decides (http.md §9). `operations/`
 * resolves the reference in the transaction of the write.
 */

import { messages, type Violations } from '../errors.ts';
import {
  type CreatedByAction,
  type Field,
  type FieldOptions,
  field,
  type KeyedLinks,
  type OnDelete,
  type Reading,
} from '../field.ts';
import { isOwnAddress } from '../own-address.ts';
import type { Value } from '../ports.ts';
import { isJsonObject, type JsonObject } from './members.ts';
import { brokenCharacter } from './text.ts';

/** How a client named a record. `otherTexts`: texts sent together with the id, which must not name another record. */
export type Reference =
  | { readonly id: number; readonly otherTexts?: Readonly<Record<string, string>> }
  | { readonly name: string }
  /** An address in this store that is not of the linked resource, or does not exist. */
  | { readonly address: string };

/** Maximum number of elements in one set, regardless of how they are named (http.md §9). */
export const ELEMENTS_MAX = 250;
export const tooManyElements = (countMax: number): string =>
  `This set is too large. It should have ${countMax} elements or less.`;

interface LinkOptions extends FieldOptions {
  readonly to: string;
  /** What happens to this record if the linked one is deleted. */
  readonly onDelete: OnDelete;
  /** Name of the record to link if the client sends none. */
  readonly default?: string;
}

/** A link to one other record, or null. Output embeds that record, or shows only its id. */
export function link({ shown = 'record', ...options }: LinkOptions & { readonly shown?: 'record' | 'id' }): Field {
  const embedded = shown === 'record';
  return field(
    { ...options, nullable: options.nullable ?? true },
    {
      kind: 'link',
      storage: { in: 'link', to: options.to, onDelete: options.onDelete, embedded },
      filter: embedded ? 'name' : 'identifier',
      ...(options.default === undefined ? {} : { default: { name: options.default } }),
      inputSchema: { link: options.to },
      outputSchema: embedded ? { output: options.to } : { type: 'integer' },
      read: (value, path, violations, reading) => readReference(value, path, violations, reading) as Value | undefined,
    },
  );
}

interface ReferenceOptions extends LinkOptions {
  /** The parent in a tree. */
  readonly tree?: boolean;
  /** 0 means null, as clients of release 5.5 send it. */
  readonly zeroIsNull?: boolean;
  /** Ignored in imported records, where the identifier belongs to another store. */
  readonly localOnly?: boolean;
}

/** A link to one other record by its integer identifier, which output shows as well. */
export function reference(options: ReferenceOptions): Field {
  return field(options, {
    kind: 'reference',
    storage: { in: 'link', to: options.to, onDelete: options.onDelete, embedded: false },
    ...(options.tree ? { tree: true } : {}),
    ...(options.localOnly ? { localOnly: true } : {}),
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

interface PartOfOptions extends Pick<FieldOptions, 'description'> {
  readonly shown?: boolean;
  /** Changes of the part do not change the version of its owner. */
  readonly isIndependent?: boolean;
}

/** The record that this one is part of. The path names it; a body never does. Output may show its identifier. */
export function partOf(to: string, options: PartOfOptions = {}): Field {
  const { shown = false, isIndependent = false, ...about } = options;
  return field(
    { ...about, groups: shown ? ['all', 'read'] : [] },
    {
      kind: 'partOf',
      owns: true,
      ...(isIndependent ? { isIndependent } : {}),
      ...(shown ? { filter: 'identifier' as const } : {}),
      storage: { in: 'link', to, onDelete: 'cascade', embedded: false },
      inputSchema: {},
      outputSchema: shown ? { type: 'integer' } : {},
      read: () => undefined,
    },
  );
}

interface LinksOptions extends FieldOptions {
  readonly to: string;
  /** Output shows the records, or only their ids. */
  readonly shown: 'records' | 'ids';
  /** A name that no record has yet creates one. */
  readonly made?: boolean;
  readonly elementsMax?: number;
}

/** A set of other records, shown by ascending id. A write replaces the set. */
export function links({ elementsMax = ELEMENTS_MAX, ...options }: LinksOptions): Field {
  const embedded = options.shown === 'records';
  // Only a lookup finds duplicates that are named differently, so the number of references is limited here.
  const referencesMax = 4 * elementsMax;
  return field(options, {
    kind: 'links',
    storage: { in: 'links', to: options.to, embedded, made: options.made ?? false },
    default: [],
    ...(elementsMax === ELEMENTS_MAX ? {} : { elementsMax }),
    filter: embedded ? 'name' : 'identifier',
    inputSchema: { type: 'array', items: { link: options.to }, maxItems: elementsMax },
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
      if (distinct.size <= referencesMax) return references as Value;
      violations.add(path, 'too_long', tooManyElements(elementsMax));
      return undefined;
    },
  });
}

interface PartsOptions extends FieldOptions {
  /** Created together with the record, from their own input fields. */
  readonly written?: { readonly countMin: number; readonly countMax: number };
}

/** Other records that are parts of this one, shown in their default order. */
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

type CreatedOptions = Pick<FieldOptions, 'description' | 'example'> & Partial<Omit<CreatedByAction, 'resource'>>;

/**
 * In the input of an action: a part of the record, in the form of the part's POST. The action creates these parts in
 * declared order before it runs, with all rules of the part. It does not support parts with images.
 */
export function created(of: string, { without = [], after, ...options }: CreatedOptions = {}): Field {
  return field(
    { ...options, groups: ['insert'] },
    {
      kind: 'created',
      storage: { in: 'nothing', creates: { resource: of, without, after } },
      inputSchema: { input: of, without },
      outputSchema: {},
      // Objects are parsed by the part's own fields (`request/body.ts`).
      read: (_value, path, violations) => {
        violations.add(path, 'type', messages.type('object'));
        return undefined;
      },
    },
  );
}

/**
 * A filter condition: a record of `through` links this record (by its field `by`) to the given record or value (by its
 * field `to`).
 */
export function linkedBy(
  through: string,
  by: string,
  to: string,
  { filter = 'identifier', keyed }: { readonly filter?: 'identifier' | 'string'; readonly keyed?: KeyedLinks } = {},
): Field {
  return field(
    { groups: [] },
    {
      kind: 'linkedBy',
      storage: { in: 'linked', through, by, to, keyed },
      filter,
      inputSchema: {},
      outputSchema: {},
      read: () => undefined,
    },
  );
}

/**
 * A partial filter: a text of this record, or a sequence of texts in one of its parts, joined by a space, contains the
 * value.
 */
export function textsOf(
  own: readonly string[],
  { of, joined }: { readonly of: string; readonly joined: readonly (readonly string[])[] },
): Field {
  return field(
    { groups: [] },
    {
      kind: 'textsOf',
      storage: { in: 'texts', own, of, joined },
      searchable: true,
      filter: 'string',
      inputSchema: {},
      outputSchema: {},
      read: () => undefined,
    },
  );
}

/** `references.ts` has already replaced addresses of the linked resource by identifiers. */
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
  if (Number.isSafeInteger(id)) return { id: id as number, ...otherTextsOf(object) };
  violations.add(object ? `${path}.id` : path, 'type', messages.type(object ? 'integer' : 'string'));
  return undefined;
}

function otherTextsOf(object: JsonObject = {}): { otherTexts?: Record<string, string> } {
  const texts = Object.entries(object).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && brokenCharacter(entry[1]) === undefined,
  );
  return texts.length === 0 ? {} : { otherTexts: Object.fromEntries(texts) };
}
