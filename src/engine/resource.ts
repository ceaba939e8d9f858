/**
 * The vocabulary that declarations are written in. A resource is declared once; routes, validation, tables, SQL,
 * serialization and OpenAPI are read off it. Nothing here decides anything: `model.ts` checks what is declared.
 */
import type { Problem, Violations } from './errors.ts';
import type { ColumnType, Picture, PictureFile, Pictures, Upload, Value } from './ports.ts';

/** Serialization groups (spec.md §2). A field belongs to all four unless its declaration says otherwise. */
export type Group = 'all' | 'read' | 'insert' | 'update';

/** Where a field's value is kept. A closed set: `query.ts`, `tables.ts` and `operations/` switch over it. */
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
  readonly kept: boolean;
  /** `true`: no two records share it. A name: no two fields that are declared with this name share it, on any resource. */
  readonly unique: boolean | string;
  /**
   * `loosely`: nor may a text that is sent differ from another record's only by case, outer white space or compatible forms
   * of characters. Records that did so before keep theirs.
   */
  readonly distinct?: 'loosely';
  /** Sorted and searched by a key stored beside the text. */
  readonly searchable: boolean;
  /** A moment that the engine sets: when the record is made, or whenever it changes. */
  readonly stamped?: 'created' | 'changed';
  /** Rules add it up from other values: sent back, it is not compared with what it has become since. */
  readonly sum?: boolean;
  /** The link names the record that this one is a part of. */
  readonly owns?: boolean;
  /** Its values differ so much that an index finds few records by one. */
  readonly selective: boolean;
  /** The record above this one in a tree of one resource. */
  readonly tree?: boolean;
  /** The column names a file in the image store, and the file lives as long as a row names it. */
  readonly file?: boolean;
  readonly filter?: FilterKind;
  readonly description?: string;
  /** A text that is left out is the next number of a sequence of its own, in digits; one in digits raises the sequence. */
  readonly numbered?: boolean;
  /** Reads one JSON value strictly; adds what is wrong to `violations` and then gives undefined. */
  readonly read: (value: unknown, path: string, violations: Violations, reading: Reading) => Value | undefined;
  /** Merges a sent value into the stored one (null: there is none), where the sent one does not simply replace it. */
  readonly merge?: (stored: Value, sent: Value) => Value;
  /** Engine value → JSON value, where the two differ. */
  readonly show?: (value: Value, world: World) => Value;
  /** The value shown instead, made from the whole record as shown so far. */
  readonly complete?: (value: Value, record: ShownRecord, world: World, languages: Languages) => Value;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly example?: unknown;
  /** The value in the reference's output, where a rule fills it in and it differs from the request's example. */
  readonly shownExample?: unknown;
}

export type ShownRecord = Record<string, Value>;

/** The circumstances that decide the form of answers, beside the records. */
export interface World {
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
export interface Reading extends World {
  /** Unknown fields are passed over. */
  readonly lenient: boolean;
}

/** The language that a request is answered in, and the one that stands in for it. */
export interface Languages {
  readonly language: string;
  readonly defaultLanguage: string;
}

/** The client that asks. */
export interface Visitor {
  /** The name of the API key. */
  readonly keyName: string;
  /** IP address. */
  readonly address: string;
}

export type Identifier =
  | { readonly kind: 'integer' }
  | { readonly kind: 'uuid' }
  /** The identifier is the text field `field`; `pattern` is its form in a path, anchored. */
  | { readonly kind: 'manual'; readonly field: string; readonly pattern: RegExp };

export type Operation = 'read' | 'list' | 'create' | 'replace' | 'patch' | 'remove';

/** One filter of a collection: a field's name, or more about it. */
export type Filter =
  | string
  | {
      readonly field: string;
      /** Any part of the text matches, accents and case aside. */
      readonly partial?: boolean;
      /** Only these values may be asked for. */
      readonly values?: readonly (string | number)[];
      /** Further names under which old clients know it. */
      readonly aliases?: readonly string[];
      /**
       * Without this filter only records that have no value here are found, unless there is a filter on one of these
       * fields; `every` names the value that asks for all.
       */
      readonly elseNone?: { readonly every: string; readonly unless?: readonly string[] };
    };

/** Where words are looked for; all these texts are searchable. */
export interface Search {
  /** Every word is in one of them: a text of the record, or of the records of another resource that are parts of it. */
  readonly in: readonly (string | { readonly parts: string; readonly field: string })[];
  /**
   * Without an order, records come by the first of these that they meet, then by identifier. The text is what is searched,
   * or begins with it; or all words are in it, as whole words or anywhere.
   */
  readonly ranks: readonly { readonly field: string; readonly has: 'equal' | 'begins' | 'words' | 'all' }[];
}

type Order = string | { readonly field: string; readonly aliases: readonly string[] };

/** One path under which a resource is reached, with what can be done there. */
export interface Place {
  /**
   * The path of one record, e.g. `/products/{product_id}/images/{image_id}`; the collection is the path above it. Where
   * there is only one below its parents (`single`), the path of that, e.g. `/categories/{category_id}/icon`.
   */
  readonly path: string;
  /** Further paths of the same form that answer alike, for old clients; the reference leaves them out. */
  readonly aliases?: readonly string[];
  readonly operations: readonly Operation[];
  readonly single?: boolean;
  /**
   * For parameters before the last: the link field of this resource that each fills in. A parameter that fills in none
   * belongs to the path of the parent, which is then looked for at that path. Through a field `linkedBy` others, the place
   * lists the records that they link to the parent.
   */
  readonly parents?: Readonly<Record<string, string>>;
  /** The link or the unique text that the record's own parameter names, instead of its identifier. */
  readonly item?: string;
  /** Which groups' fields this place shows, takes in POST, and takes in PUT and PATCH, where not those of the same names. */
  readonly groups?: { readonly read?: Group; readonly insert?: Group; readonly update?: Group };
  /** Values that every record at this place has, and no record elsewhere. */
  readonly fixed?: Readonly<Record<string, Value>>;
  /** Fields that are neither taken nor shown here. */
  readonly without?: readonly string[];
  /**
   * The effect of creating a second one: a refusal as a conflict, or as a duplicate; the first is replaced; or its sent
   * fields change and the others stay.
   */
  readonly again?: 'conflict' | 'duplicate' | 'replace' | 'keep';
  /** Creating answers with the record that this one is part of. */
  readonly answersOwner?: boolean;
  /** Where the parents' links alone do not say whether they belong together. */
  readonly admission?: Admission;
  /** The answer for an unknown parent: a 400, or a 404 (http.md §2). */
  readonly unknownParent?: 'invalid-argument' | 'not-found';
  readonly filters?: readonly Filter[];
  readonly orders?: readonly Order[];
}

/** Values of fields, as far as there are any. */
type Values<F extends string> = string extends F ? Record<string, Value> : Partial<Record<F, Value>>;

/** A rule's view of the write that it takes part in. */
export interface Draft<F extends string = string> {
  readonly operation: 'create' | 'replace' | 'patch' | 'action';
  /** The client's values in their stored form; fields left out are not in it. */
  readonly sent: Readonly<Values<F>>;
  /** The values that will be stored; a field that is not in it stays as it is. Rules write here. */
  readonly values: Values<F>;
  /** Fields to store as sent even where output shows the same without its being stored. */
  readonly literal: Set<string>;
  /** The record before the write: its columns, its texts in the request's language, the ids of its links. */
  readonly stored: Stored<F> | undefined;
  /** The record before the write as a client sees it. */
  readonly shown: ShownRecord | undefined;
  /** The client's picture, as `prepare` made it, if the client sent one. */
  readonly picture: PictureFile | undefined;
  readonly language: string;
  readonly defaultLanguage: string;
  /** Seconds since 1970. */
  readonly now: number;
  readonly settings: World['settings'];
  readonly visitor: Visitor;
  /** The record was made elsewhere and is only taken down here: what its making would set off happened then. */
  readonly past: boolean;
  /** Whether the store ignores input of older clients that it would refuse otherwise. */
  readonly lenient: boolean;
  readonly violations: Violations;
  /** Sentences that say how the state of the store forbids the write (409); told when there is no violation. */
  readonly conflicts: string[];
}

/** A record that is being deleted, for rules. */
export interface Removal<F extends string = string> {
  readonly stored: Stored<F>;
  readonly now: number;
  readonly visitor: Visitor;
}

/**
 * The fields that rules name, by resource; `own` are those of the rules' own resource, and what its input is called. Rules
 * cannot name others (the compiler checks), and every one of them is declared (the start checks).
 */
export type Uses = Readonly<Record<string, readonly string[]>>;

/** The resources and fields that rules may name. */
type ResourceOf<U extends Uses> = Exclude<keyof U, 'own'> & string;
type FieldOf<U extends Uses, R extends keyof U> = U[R][number];

/** A record as it is kept: its columns, its texts in the request's language, links as identifiers. */
export type Stored<F extends string = string> = string extends F
  ? Readonly<Record<string, Value>>
  : Readonly<Record<F | 'id', Value>>;

/** Values that records have; an array stands for any of its values. */
type Where<F extends string> = string extends F ? Readonly<Record<string, Value>> : Readonly<Partial<Record<F, Value>>>;

/** The questions that rules may ask of the store. */
export interface Reads<U extends Uses = Uses> {
  /** Which of the texts are used already under the shared unique name. */
  used(name: string, texts: readonly string[]): Promise<Set<string>>;
  /** Identifiers of the records whose column holds the value. */
  find<R extends ResourceOf<U>>(resource: R, field: FieldOf<U, R>, value: Value): Promise<Value[]>;
  /** Whether any text of any record is written in this language. */
  hasTexts(language: string): Promise<boolean>;
  /** Identifiers by the values of a unique column; a value that no record has is not in it. */
  identify<R extends ResourceOf<U>>(
    resource: R,
    field: FieldOf<U, R>,
    values: readonly Value[],
  ): Promise<ReadonlyMap<Value, Value>>;
  /** One record; undefined when there is none. */
  read<R extends ResourceOf<U>>(resource: R, id: Value): Promise<Stored<FieldOf<U, R>> | undefined>;
  /** The records that have these values, by identifier. */
  list<R extends ResourceOf<U>>(resource: R, where: Where<FieldOf<U, R> | 'id'>): Promise<Stored<FieldOf<U, R>>[]>;
  /** The records' own texts by language, by identifier. */
  texts<R extends ResourceOf<U>>(
    resource: R,
    ids: readonly Value[],
    field: FieldOf<U, R>,
  ): Promise<ReadonlyMap<Value, Readonly<Record<string, string>>>>;
  /** The identifiers above this one in the resource's tree, itself first. */
  ancestors(resource: ResourceOf<U>, id: Value): Promise<Value[]>;
  /** Counts records. */
  count<R extends ResourceOf<U>>(resource: R, where: Where<FieldOf<U, R>>): Promise<number>;
}

/** The records that rules may read and change inside the transaction of the write that they take part in. */
export interface UnitOfWork<U extends Uses = Uses> extends Reads<U> {
  /** As `list` by identifiers, and no other transaction changes them until this one ends. */
  hold<R extends ResourceOf<U>>(resource: R, ids: readonly Value[]): Promise<Stored<FieldOf<U, R>>[]>;
  /** Makes a record. @returns its identifier */
  insert<R extends ResourceOf<U>>(resource: R, values: Where<FieldOf<U, R>>): Promise<Value>;
  /** Changes fields of another record. */
  update<R extends ResourceOf<U>>(resource: R, id: Value, values: Where<FieldOf<U, R>>): Promise<void>;
  /** Sets the same columns of many records, each to values of its own. */
  updateAll<R extends ResourceOf<U>>(resource: R, changes: ReadonlyMap<Value, Where<FieldOf<U, R>>>): Promise<void>;
  /** Deletes the records that have these values, and all that goes with them. */
  remove<R extends ResourceOf<U>>(resource: R, where: Where<FieldOf<U, R>>): Promise<void>;
  /** Keeps other transactions that lock the same name waiting until this one ends. */
  lock(name: string): Promise<void>;
}

/** The tools of a rule before the transaction begins. */
export interface Preparation {
  readonly operation: Draft['operation'];
  readonly sent: Readonly<Record<string, Value>>;
  /** Fields that the body has; those that `sent` lacks were in a wrong form, which is told already. */
  readonly mentioned: ReadonlySet<string>;
  readonly violations: Violations;
  readonly pictures: Pictures;
  /** The body came as a form; `upload` is its file, where it has one. */
  readonly form: { readonly upload: Upload | undefined } | undefined;
}

/**
 * Behaviour beyond CRUD, in the order in which it runs. Of a part that is made together with its record: `prepare`, `derive`
 * and `check`. `check` takes the result of `derive`, and `within` that of `check`.
 */
export interface Rules<U extends Uses = Uses, Derived = unknown, Checked = unknown> {
  /** Outside the transaction: slow work, like a download. The engine keeps the picture's file if the write succeeds. */
  readonly prepare?: (preparation: Preparation) => Promise<Picture | Problem | undefined>;
  /** Fills in values before the checks. */
  readonly derive?: (draft: Draft<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Derived | Promise<Derived>;
  /** Refuses, across fields or records. */
  readonly check?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    derived: Derived | undefined,
  ) => Checked | Promise<Checked>;
  /** More writes in the same transaction, once the record with this identifier is written. */
  readonly within?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    id: Value,
    checked: Checked | undefined,
  ) => Promise<void>;
  /** More writes in the transaction that deletes a record. */
  readonly withinRemoval?: (removal: Removal<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Promise<void>;
  /** A sentence that says why this record cannot be deleted now. */
  readonly checkRemoval?: (stored: Stored<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Promise<string | undefined>;
  /** The names that `rules` was given. */
  readonly uses?: Uses;
}

/** Rules, and the fields that they name. */
export function rules<const U extends Uses, Derived = void, Checked = void>(
  uses: U,
  behaviour: Rules<NoInfer<U>, Derived, Checked>,
): Rules {
  return { ...(behaviour as Rules), uses };
}

/** An operation of one record with a path of its own (`/products/{id}/stock`). */
export interface Action<U extends Uses = Uses> {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly summary: string;
  /** The answer is the record that this field shows, instead of the whole one. */
  readonly shows?: string;
  /** Where the reference lists it, when not with its resource. */
  readonly tag?: Tag;
  readonly input: Readonly<Record<string, Field>>;
  /** Values in the reference's example of the record that differ once the action's example was sent. */
  readonly exampleShows?: Readonly<Record<string, unknown>>;
  /** Sets `draft.values` from `draft.sent` and `draft.stored`, or adds violations. */
  readonly run: (draft: Draft<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => void | Promise<void>;
  /** The names that `action` was given. */
  readonly uses?: Uses;
}

/** An action, and the fields that it names. */
export function action<const U extends Uses>(uses: U, declared: Action<NoInfer<U>>): Action {
  return { ...(declared as Action), uses };
}

/** Something to be read of one record, with a path of its own (`/categories/{id}/stats`). */
export type View<U extends Uses = Uses> = {
  readonly name: string;
  readonly summary: string;
  /** Where the reference lists it, when not with its resource. */
  readonly tag?: Tag;
  /** The names that `view` was given. */
  readonly uses?: Uses;
} & (
  | {
      readonly output: Readonly<Record<string, JsonSchema>>;
      readonly read: (id: Value, reads: Reads<U>) => Promise<Record<string, Value>>;
    }
  /** The record that this field shows. */
  | { readonly shows: string }
);

/** A view, and the fields that it names. */
export function view<const U extends Uses>(uses: U, declared: View<NoInfer<U>>): View {
  return { ...(declared as View), uses };
}

/** Whether parents belong together, where their links alone do not say so. */
export interface Admission<U extends Uses = Uses> {
  readonly admits: (parents: Readonly<Record<string, Value>>, reads: Reads<U>) => Promise<boolean>;
  readonly uses: Uses;
}

/** An admission, and the fields that it names. */
export function admission<const U extends Uses>(uses: U, admits: Admission<NoInfer<U>>['admits']): Admission {
  return { admits: admits as Admission['admits'], uses };
}

/** A name under which the reference lists operations that belong to another resource's record. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface Resource {
  /** The specification's name, e.g. `ProductImage`. */
  readonly name: string;
  /** Where the reference lists it; a resource without a group is left out of the reference. */
  readonly group?: string;
  /** The resource under whose tag the reference lists this one's operations, when it is none of its own. */
  readonly tag?: string;
  readonly description: string;
  /** Integer `id` when not declared. */
  readonly identifier?: Identifier;
  readonly fields: Readonly<Record<string, Field>>;
  /** The unique text that clients name records by; else a unique translated `name`, where there is one. */
  readonly naming?: string;
  /**
   * Of parts that have no such name: the translated text that tells those of one record apart. An object that links to a
   * part may call it so beside its id, but not as another part is called.
   */
  readonly called?: string;
  /** Columns of the records that a store begins with. */
  readonly seeds?: readonly Readonly<Record<string, Value>>[];
  /** Its bodies may also be forms, where the file in this part stands for these fields. Rules prepare it. */
  readonly upload?: { readonly part: string; readonly insteadOf: readonly string[]; readonly description: string };
  /** A story that the reference tells from start to end. */
  readonly story?: Story;
  readonly places: readonly Place[];
  readonly filters?: readonly Filter[];
  readonly orders?: readonly Order[];
  /** Collections are searched for words. */
  readonly search?: Search;
  /** `id` when not declared; id ascending always breaks ties. */
  readonly defaultOrder?: readonly string[];
  readonly rules?: Rules;
  /** The record only joins its owner to another one: to make, change or delete it is a change of the owner. */
  readonly joins?: boolean;
  readonly actions?: readonly Action[];
  readonly views?: readonly View[];
  /** Writes take turns, because a rule looks at other records of the resource. Those of a tree always do. */
  readonly takesTurns?: boolean;
  /** No two records have the same values in all of these fields; a duplicate is told at the last of them. */
  readonly uniqueTogether?: readonly string[];
  /** Fewer records than this below one parent, with the sentence for one too many. */
  readonly siblingsMax?: { readonly count: number; readonly field: string; readonly message: string };
}

/** Requests that belong together; on a fresh store they run one after the other. */
export interface Story {
  readonly title: string;
  readonly steps: readonly {
    /** Stands before the step; without one, it goes with the step before it. */
    readonly text?: string;
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, unknown>>;
  }[];
}

export function resource(declaration: Resource): Resource {
  return declaration;
}

/** Options that every kind of field takes. */
export interface FieldOptions {
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly groups?: readonly Group[];
  readonly kept?: boolean;
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
  return {
    groups: options.groups ?? EVERY_GROUP,
    required: options.required ?? false,
    nullable: options.nullable ?? false,
    default: null,
    kept: options.kept ?? false,
    unique: false,
    searchable: false,
    selective: true,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
    ...(options.shownExample === undefined ? {} : { shownExample: options.shownExample }),
    ...(options.complete === undefined ? {} : { complete: options.complete }),
    ...kind,
  };
}
