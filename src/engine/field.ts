/** Types that every kind of field shares: storage, reading, output and schemas. The kinds are in `fields/`. */
import type { Violations } from './errors.ts';
import type { ColumnType, Value } from './ports.ts';

/** Serialization groups (spec.md §2). A field belongs to all four unless its declaration says otherwise. */
export type Group = 'all' | 'read' | 'insert' | 'update';

/** The name of a filter includes an identifier (`attributes.12`), and only some links count for it. */
export interface KeyedLinks {
  /** The link of a `through` record whose target has this identifier. */
  readonly by: string;
  /** Only `through` records that are in this set of links of a record of another resource. */
  readonly usedIn?: { readonly resource: string; readonly links: string };
}

/** Where a field's value is stored. A closed set: `model/tables.ts`, `sql/selection.ts` and `unit/` switch over it. */
export type Storage =
  | {
      readonly in: 'column';
      readonly type: ColumnType;
      readonly name?: string;
    }
  /**
   * One text per language. `fallback` names the column of this resource that is read if the text exists in neither the
   * request's language nor the store's default language.
   */
  | { readonly in: 'translation'; readonly fallback?: string }
  /** A column that holds the identifier of one other record; `embedded` shows that record instead of its id. */
  | {
      readonly in: 'link';
      readonly to: string;
      readonly onDelete: OnDelete;
      readonly embedded: boolean;
    }
  /** A join table. With `made`, an unknown name creates the record. */
  | { readonly in: 'links'; readonly to: string; readonly embedded: boolean; readonly made: boolean }
  /** Records of another resource that link to this one, embedded in it. `written`: created together with this one. */
  | {
      readonly in: 'parts';
      readonly of: string;
      readonly written?: { readonly countMin: number; readonly countMax: number };
    }
  /** The one record of another resource that is part of this one, shown with some of its fields, or null. */
  | { readonly in: 'part'; readonly of: string; readonly shown: readonly string[] }
  /** Computed on read, by `complete`, from these fields of the parts of this record. */
  | { readonly in: 'summary'; readonly of: string; readonly reads: readonly string[] }
  /** One object for each record of these sets of links: set by set, each by ascending id. */
  | { readonly in: 'linkedValues'; readonly sets: readonly LinkedValues[] }
  /** The records from the root of the resource's tree to this one, shown with some of their fields. */
  | { readonly in: 'path'; readonly of: string; readonly shown: readonly string[] }
  /** Records of `through` link this one (by its field `by`) to others (by its field `to`). Used by filters only. */
  | {
      readonly in: 'linked';
      readonly through: string;
      readonly by: string;
      readonly to: string;
      readonly keyed?: KeyedLinks | undefined;
    }
  /** How many records of another resource are parts of this one; with `where`, only those with these values. */
  | { readonly in: 'count'; readonly of: string; readonly where?: Readonly<Record<string, Value>> }
  /** The average of an integer field of such parts, in hundredths rounded half up; null if there are none. */
  | {
      readonly in: 'average';
      readonly of: string;
      readonly averaged: string;
      readonly where?: Readonly<Record<string, Value>>;
    }
  /**
   * Texts of this record, and sequences of texts in one record of another resource that is a part of this one, joined by
   * a space. Used by partial filters only.
   */
  | {
      readonly in: 'texts';
      readonly own: readonly string[];
      readonly of: string;
      readonly joined: readonly (readonly string[])[];
    }
  /** The sum of an integer of the parts; those that inherit it add the value of this record once. */
  | { readonly in: 'inheritedTotal'; readonly of: string; readonly field: string }
  /** A text of a linked record. The first of these links that is not null names the record. */
  | { readonly in: 'linkedText'; readonly links: readonly string[]; readonly text: string }
  /** The sum of these integer fields, computed on read so that it always matches them. */
  | { readonly in: 'sum'; readonly of: readonly string[] }
  /** Computed on read, by `complete`, from the settings of the server. */
  | { readonly in: 'environment' }
  /** Computed on read from other records and the time, by the declaration's `evaluations`. Only on request. */
  | { readonly in: 'evaluated' }
  /** Not stored: clients send it and rules use it. An action creates a part of its record from it with `creates`. */
  | { readonly in: 'nothing'; readonly creates?: CreatedByAction };

/** What output shows of each record in a set of links. */
export interface LinkedValues {
  /** The field with the set of links. */
  readonly links: string;
  /** By member: a field of the linked record (`id`), or of a record that it links to (`option.value`). */
  readonly members: Readonly<Record<string, string>>;
}

/** A part that an action creates. */
export interface CreatedByAction {
  readonly resource: string;
  /** Input fields of the part that are not accepted here. */
  readonly without: readonly string[];
  /** The input whose part must exist before this one can be checked. */
  readonly after?: string | undefined;
}

/** What happens to a record if its linked record is deleted. With `no action`, rules of the deletion handle it. */
export type OnDelete = 'set null' | 'cascade' | 'restrict' | 'no action';

/** How a field's values are compared in a query string (http.md §8). */
export type FilterKind =
  | 'boolean'
  | 'integer'
  | 'identifier'
  | 'float'
  | 'string'
  | 'timestamp'
  /** The unique text that names a linked record. */
  | 'name'
  /** A name that several linked records may share: whole text, accent- and case-insensitive. */
  | 'sharedName';

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Field {
  /** Name of the kind, for start-up errors. */
  readonly kind: string;
  readonly storage: Storage;
  readonly groups: readonly Group[];
  readonly required: boolean;
  readonly nullable: boolean;
  /** Rules replace null, so output never has it, and a partial update rejects it. */
  readonly isFilled?: boolean;
  readonly default: Value;
  /** A PUT without this field leaves the value unchanged instead of setting the default (http.md §9). */
  readonly preservedOnReplace: boolean;
  /** Restoring an earlier version leaves the value unchanged, because other records change it too, as orders do the stock. */
  readonly preservedOnRestore?: boolean;
  /** `true`: unique within the resource. A name: unique across all fields, of any resource, declared with that name. */
  readonly unique: boolean | string;
  /**
   * `loosely`: a new text must also differ from other records' texts by more than case, outer white space or
   * compatibility forms of characters. Existing near-duplicates remain valid.
   */
  readonly distinct?: 'loosely';
  /** Extends the loose comparison to all fields, of any resource, declared with this name. */
  readonly namespace?: string;
  /** Sorted and searched by a key stored in a separate column. */
  readonly searchable: boolean;
  /** The texts inside its objects that make up the key of a searchable object. */
  readonly searchedMembers?: readonly string[];
  /** A timestamp that the engine sets on creation or on every change. */
  readonly stamped?: 'created' | 'changed';
  /**
   * Internal bookkeeping of the program: a change does not increment the record's version and is not journaled.
   * Responses that show it are not cached.
   */
  readonly unpublished?: boolean;
  /** Shown only in the response to the request that set it, otherwise null. */
  readonly once?: boolean;
  /** Only a hash of the text is stored. Output never contains it. */
  readonly hashed?: boolean;
  /** Computed by rules from other values. If a client sends it back, it is not compared with the current value. */
  readonly sum?: boolean;
  /** The field that rules set from this one, if it is sent instead. */
  readonly standsFor?: string;
  /** Rules find records of these resources by this text: one of these fields equals it. */
  readonly finds?: Readonly<Record<string, readonly string[]>>;
  /** The link to the record that this one is part of. */
  readonly owns?: boolean;
  /** Of such a link: changes of this record are not changes of its owner. */
  readonly isIndependent?: boolean;
  /** Its values vary enough for an index to find few records by one value. */
  readonly selective: boolean;
  /** A link that is only valid within this store: it is ignored in imported records. */
  readonly localOnly?: boolean;
  /** May contain personal data. Returns what remains of a value after its data subject is erased. */
  readonly personal?: (value: Value) => Value;
  /** A scope that writing the field needs, besides that of the record. */
  readonly writtenWith?: string;
  /** The link to the parent record in a tree of one resource. */
  readonly tree?: boolean;
  /** The column names a file in the image store. The file exists as long as a row names it. */
  readonly file?: boolean;
  /** Extracts the file name from a value, or null. Stored in a separate column. */
  readonly fileIn?: (value: Value) => string | null;
  /** Whether the shown value includes everything that the client sent, if rules add to it. */
  readonly covers?: (shown: Value, said: Value) => boolean;
  /** Members of its values that only output has. If sent back, they must equal the output. */
  readonly outputOnly?: readonly string[];
  /** While this flag of the record is true, output shows the owner's field of the same name instead. */
  readonly inheritedWhile?: string;
  /** Name of the owner's field that output shows then, if it differs. */
  readonly inheritedFrom?: string;
  /** Maximum number of elements of a set of links, if it differs from `ELEMENTS_MAX`. */
  readonly elementsMax?: number;
  /** Shown only if the client requests it by name. */
  readonly onRequest?: boolean;
  readonly filter?: FilterKind;
  /** A query parameter of a view that has a value for each of several identifiers, `items[7]=1`. */
  readonly keyed?: { readonly value: Field; readonly countMax: number };
  readonly description?: string;
  readonly synonyms?: readonly string[];
  /** An omitted text becomes the next number of its own sequence, in digits. A sent number advances the sequence. */
  readonly numbered?: boolean;
  /** Parses one JSON value strictly. On failure it adds to `violations` and returns undefined. */
  readonly read: (value: unknown, path: string, violations: Violations, reading: Reading) => Value | undefined;
  /** Merges a sent value into the stored one (null if none). Without it, the sent value replaces the stored one. */
  readonly merge?: (stored: Value, sent: Value) => Value;
  /** Converts the engine's value to JSON, if the two differ. */
  readonly show?: (value: Value, environment: Environment) => Value;
  /** Computes the shown value from the record as shown so far. */
  readonly complete?: (value: Value, record: ShownRecord, environment: Environment, languages: Languages) => Value;
  /** Fields that `complete` reads, in output or not. */
  readonly completedFrom?: readonly string[];
  /** A stored setting that overrides the one in `environment.settings` while `complete` runs, unless it is null. */
  readonly completedWith?: StoredSetting;
  /** Output never has null, because `complete` replaces it. */
  readonly isCompleted?: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly example?: unknown;
  /** The example in output, if a rule sets the value and it differs from the request's example. */
  readonly shownExample?: unknown;
}

export type ShownRecord = Record<string, Value>;

/** A setting that is a field of the only record of a resource. */
export interface StoredSetting {
  readonly resource: string;
  readonly field: string;
  /** Its name in `environment.settings`. */
  readonly name: string;
}

/** Request settings other than the records that determine a response's form. */
export interface Environment {
  /** `http://host:port`, without a trailing slash. */
  readonly baseUrl: string;
  /** The store has further addresses that it does not know. `baseUrl` is the one that this request used. */
  readonly hasOtherAddresses?: boolean;
  /** IANA name. */
  readonly timeZone: string;
  /** The store's settings, for rules. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether webhooks may be sent to an IP address. Undefined: to any. */
  readonly maySendTo?: (address: string) => boolean;
}

/** Request settings that determine how a body is read. */
export interface Reading extends Environment {
  /** Unknown fields are ignored, and values are read in all forms of release 5.5. */
  readonly lenient: boolean;
  /** Seconds since 1970, for dates relative to now. */
  readonly now: number;
  /** The record was created elsewhere and is imported as it was. */
  readonly past?: boolean;
}

/** Options for strict reading, in which no value depends on the time. */
export function strictReading(environment: Environment): Reading {
  return { ...environment, lenient: false, now: 0 };
}

/** The language of the response and the fallback. */
export interface Languages {
  readonly language: string;
  readonly defaultLanguage: string;
}

/** Options of every kind of field. */
export interface FieldOptions {
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly groups?: readonly Group[];
  readonly preservedOnReplace?: boolean;
  readonly preservedOnRestore?: boolean;
  readonly unpublished?: boolean;
  readonly once?: boolean;
  /**
   * May contain personal data, which erasure of the data subject removes. `true` leaves the empty value; a function
   * returns what remains. Parts created in the record declare this on their own members.
   */
  readonly personal?: true | ((value: Value) => Value);
  readonly description?: string;
  /** Names of the field elsewhere, in lower case and without separators. Messages about these names suggest the field. */
  readonly synonyms?: readonly string[];
  readonly example?: unknown;
  readonly shownExample?: unknown;
  readonly complete?: Field['complete'];
  readonly completedFrom?: Field['completedFrom'];
  readonly completedWith?: StoredSetting;
  readonly isCompleted?: boolean;
}

const EVERY_GROUP: readonly Group[] = ['all', 'read', 'insert', 'update'];

/** Creates a field from the options that all kinds share: groups, nullability, defaults. */
export function field(
  options: FieldOptions,
  kind: Pick<Field, 'kind' | 'storage' | 'read' | 'inputSchema' | 'outputSchema'> & Partial<Field>,
): Field {
  const empty = options.nullable ? null : (kind.default ?? '');
  const { personal = kind.personal } = options;
  return {
    groups: options.groups ?? EVERY_GROUP,
    required: options.required ?? false,
    nullable: options.nullable ?? false,
    default: null,
    preservedOnReplace: options.preservedOnReplace ?? false,
    unique: false,
    searchable: false,
    selective: true,
    ...(options.preservedOnRestore ? { preservedOnRestore: true } : {}),
    ...(options.unpublished ? { unpublished: true } : {}),
    ...(options.once ? { once: true } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.synonyms === undefined ? {} : { synonyms: options.synonyms }),
    ...(options.example === undefined ? {} : { example: options.example }),
    ...(options.shownExample === undefined ? {} : { shownExample: options.shownExample }),
    ...(options.complete === undefined ? {} : { complete: options.complete }),
    ...(options.completedFrom === undefined ? {} : { completedFrom: options.completedFrom }),
    ...(options.completedWith === undefined ? {} : { completedWith: options.completedWith }),
    ...(options.isCompleted ? { isCompleted: true } : {}),
    ...kind,
    ...(personal === undefined ? {} : { personal: personal === true ? () => empty : personal }),
  };
}
