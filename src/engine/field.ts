/** The vocabulary of fields: how a value is kept, read, shown and described. `fields/` has the kinds of them. */
import type { Violations } from './errors.ts';
import type { ColumnType, Value } from './ports.ts';

/** Serialization groups (spec.md §2). A field belongs to all four unless its declaration says otherwise. */
export type Group = 'all' | 'read' | 'insert' | 'update';

/** Where a field's value is kept. A closed set: `model/tables.ts`, `sql/selection.ts` and `unit/` switch over it. */
export type Storage =
  | {
      readonly in: 'column';
      readonly type: ColumnType;
      readonly name?: string;
    }
  /**
   * A text of its own for each language. `fallback`: the column, of this field's name, that is read where neither the
   * request's language nor the store's default has one.
   */
  | { readonly in: 'translation'; readonly fallback?: string }
  /** A column that holds the identifier of one other record; `embedded` shows that record instead of its id. */
  | {
      readonly in: 'link';
      readonly to: string;
      readonly onDelete: OnDelete;
      readonly embedded: boolean;
    }
  /** A table of pairs. `made` makes a record for a name that nothing has yet. */
  | { readonly in: 'links'; readonly to: string; readonly embedded: boolean; readonly made: boolean }
  /** The records of another resource that link to this one, shown inside it; `written`: they are made together with it. */
  | {
      readonly in: 'parts';
      readonly of: string;
      readonly written?: { readonly countMin: number; readonly countMax: number };
    }
  /** The one record of another resource that is part of this one, shown inside it with some of its fields, or null. */
  | { readonly in: 'part'; readonly of: string; readonly shown: readonly string[] }
  /** The records from the root of the resource's tree to this one, shown with some of their fields. */
  | { readonly in: 'path'; readonly of: string; readonly shown: readonly string[] }
  /** Records of `through` link this one (by its field `by`) to others (by its field `to`); only filters use it. */
  | { readonly in: 'linked'; readonly through: string; readonly by: string; readonly to: string }
  /** How many records of another resource are parts of this one. */
  | { readonly in: 'count'; readonly of: string }
  /** The sum of these whole numbers of the record, so that no two of them can disagree. */
  | { readonly in: 'sum'; readonly of: readonly string[] }
  /** Not kept: the client says it, rules use it. */
  | { readonly in: 'nothing' };

/** The fate of a record whose linked record is deleted; `no action`: the deletion takes care of it itself. */
export type OnDelete = 'set null' | 'cascade' | 'restrict' | 'no action';

/** How a field's values are compared in a query string (http.md §8). */
export type FilterKind =
  | 'boolean'
  | 'integer'
  | 'identifier'
  | 'float'
  | 'string'
  | 'timestamp'
  /** The text that a linked record is named by. */
  | 'name'
  /** A name of linked records that several may have: whole, accents and case aside. */
  | 'sharedName';

export type JsonSchema = { readonly [keyword: string]: unknown };

export interface Field {
  /** The kind's name, for messages at start. */
  readonly kind: string;
  readonly storage: Storage;
  readonly groups: readonly Group[];
  readonly required: boolean;
  readonly nullable: boolean;
  readonly default: Value;
  /** Left out of a PUT it stays as it is, instead of taking its default (http.md §9). */
  readonly preservedOnReplace: boolean;
  /** `true`: no two records share it. A name: no two fields that are declared with this name share it, on any resource. */
  readonly unique: boolean | string;
  /**
   * `loosely`: nor may a text that is sent differ from another record's only by case, outer white space or compatible forms
   * of characters. Records that did so before keep theirs.
   */
  readonly distinct?: 'loosely';
  /** Nor may it differ only so from a text of another field that is declared with this name, on any resource. */
  readonly namespace?: string;
  /** Sorted and searched by a key stored beside the text. */
  readonly searchable: boolean;
  /** A moment that the engine sets: when the record is made, or whenever it changes. */
  readonly stamped?: 'created' | 'changed';
  /**
   * The program's own note beside the record: a change of it is none of the record, so its version stays and no journal
   * tells it. Nothing that shows it is kept.
   */
  readonly unpublished?: boolean;
  /** Shown only in the answer of the request that set it; null in every other. */
  readonly once?: boolean;
  /** Only a hash of the text is stored, which output never has. */
  readonly hashed?: boolean;
  /** Rules add it up from other values: sent back, it is not compared with what it has become since. */
  readonly sum?: boolean;
  /** The link names the record that this one is a part of. */
  readonly owns?: boolean;
  /** Its values differ so much that an index finds few records by one. */
  readonly selective: boolean;
  /** A link to a record of this very store: of a record that was made elsewhere it says nothing. */
  readonly onlyHere?: boolean;
  /** It may tell of a person: what stays of a value once that person is to be forgotten. */
  readonly personal?: (value: Value) => Value;
  /** The record above this one in a tree of one resource. */
  readonly tree?: boolean;
  /** The column names a file in the image store, and the file lives as long as a row names it. */
  readonly file?: boolean;
  /** The name of the file in a value of this field, or null; a column of its own keeps it beside the value. */
  readonly fileIn?: (value: Value) => string | null;
  /** Whether output shows everything that a client said, where rules make more of it. */
  readonly tells?: (shown: Value, said: Value) => boolean;
  /** Members of its values that only output has: sent back, they are what output shows. */
  readonly unwritten?: readonly string[];
  /** Output shows what the owner has in its field of this name while this flag of the record is true. */
  readonly ownersWhile?: string;
  /** Output shows it only where a client asks for it by name. */
  readonly asked?: boolean;
  readonly filter?: FilterKind;
  readonly description?: string;
  /** A text that is left out is the next number of a sequence of its own, in digits; one in digits raises the sequence. */
  readonly numbered?: boolean;
  /** Reads one JSON value strictly; adds what is wrong to `violations` and then gives undefined. */
  readonly read: (value: unknown, path: string, violations: Violations, reading: Reading) => Value | undefined;
  /** Merges a sent value into the stored one (null: there is none), where the sent one does not simply replace it. */
  readonly merge?: (stored: Value, sent: Value) => Value;
  /** Engine value → JSON value, where the two differ. */
  readonly show?: (value: Value, environment: Environment) => Value;
  /** The value shown instead, made from the whole record as shown so far. */
  readonly complete?: (value: Value, record: ShownRecord, environment: Environment, languages: Languages) => Value;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly example?: unknown;
  /** The value in the reference's output, where a rule fills it in and it differs from the request's example. */
  readonly shownExample?: unknown;
}

export type ShownRecord = Record<string, Value>;

/** The circumstances that decide the form of answers, beside the records. */
export interface Environment {
  /** `http://host:port`, without a slash at the end. */
  readonly baseUrl: string;
  /** The store has more addresses, which it does not know: `baseUrl` is the one that this request asks by. */
  readonly hasOtherAddresses?: boolean;
  /** IANA name. */
  readonly timeZone: string;
  /** The owner's settings, for rules. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The circumstances that decide how a body is read. */
export interface Reading extends Environment {
  /** Unknown fields are passed over. */
  readonly lenient: boolean;
  /** The record was made elsewhere and is only taken down here. */
  readonly past?: boolean;
}

/** The language that a request is answered in, and the one that stands in for it. */
export interface Languages {
  readonly language: string;
  readonly defaultLanguage: string;
}

/** Options that every kind of field takes. */
export interface FieldOptions {
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly groups?: readonly Group[];
  readonly preservedOnReplace?: boolean;
  readonly unpublished?: boolean;
  readonly once?: boolean;
  /**
   * It may tell of a person, and is forgotten with him: `true`, so that it is empty then, or what stays of a value. A part that is
   * made in the record says so at its own members.
   */
  readonly personal?: true | ((value: Value) => Value);
  readonly description?: string;
  readonly example?: unknown;
  readonly shownExample?: unknown;
  readonly complete?: Field['complete'];
}

const EVERY_GROUP: readonly Group[] = ['all', 'read', 'insert', 'update'];

/** The part that all kinds of field share: groups, nullability, defaults. */
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
    ...(options.unpublished ? { unpublished: true } : {}),
    ...(options.once ? { once: true } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
    ...(options.shownExample === undefined ? {} : { shownExample: options.shownExample }),
    ...(options.complete === undefined ? {} : { complete: options.complete }),
    ...kind,
    ...(personal === undefined ? {} : { personal: personal === true ? () => empty : personal }),
  };
}
