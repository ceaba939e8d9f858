/** Declaration of behavior beyond CRUD: rules, actions, views, and the reads and writes available to them. */
import type { Problem, Violations } from './errors.ts';
import type { Environment, Field, Languages, ShownRecord } from './field.ts';
import type { AttachmentReader, ImageDecoder, Upload, Value } from './ports.ts';

/** Who or what writes: an authenticated client, or the program itself. */
export interface Actor {
  /** `user`, `key`, `customer`, `command`, `import`, `webhook`, `job` or `migration`. */
  readonly type: string;
  /** Identifier of the key, user, customer or webhook; name of the command or job. */
  readonly id: string;
  /** Name of the API key or the user. */
  readonly keyName: string;
  /** IP address; empty for the program itself. */
  readonly address: string;
  /** The id of the request that writes. */
  readonly requestId?: string;
  /** Undefined for the program itself. */
  readonly identity?: Identity | undefined;
}

/** The API key of a client, or the user of its session. */
export interface Identity {
  readonly type: string;
  readonly id: string | number;
  readonly name: string;
  /** Seconds since 1970. Set for keys of the store: a later key may have the same name, and so the same id. */
  readonly created?: number | undefined;
}

/** Values of some of the fields. */
type Values<F extends string> = string extends F ? Record<string, Value> : Partial<Record<F, Value>>;

/** A rule's view of the write in progress. */
export interface Draft<F extends string = string> {
  readonly operation: 'create' | 'replace' | 'patch' | 'action';
  /** The client's values in their stored form, without omitted fields. */
  readonly sent: Readonly<Values<F>>;
  /** The values to store. Fields not included remain unchanged. Rules write here. */
  readonly values: Values<F>;
  /** Fields to store as sent even if output already shows the same value from elsewhere. */
  readonly literal: Set<string>;
  /** The record before the write: columns, texts in the request's language, ids of links. */
  readonly stored: Stored<F> | undefined;
  /** The record before the write, as output shows it. */
  readonly shown: ShownRecord | undefined;
  /** The client's file as returned by `prepare`, if the client sent one. */
  readonly file: PreparedFile | undefined;
  readonly language: string;
  readonly defaultLanguage: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** The store and its settings. */
  readonly environment: Environment;
  readonly actor: Actor;
  /** The record is imported from elsewhere, so side effects of its creation must not run. */
  readonly past: boolean;
  /** Whether input of older clients is ignored that would otherwise be rejected. */
  readonly lenient: boolean;
  /** Set in a quote: its query parameters. */
  readonly quote: Readonly<Record<string, boolean>> | undefined;
  readonly violations: Violations;
  /** Reasons why the state of the store forbids the write (409). Reported only if there are no violations. */
  readonly conflicts: string[];
}

/** A record being deleted. */
export interface Removal<F extends string = string> {
  readonly stored: Stored<F>;
  readonly now: number;
  readonly actor: Actor;
}

/**
 * The fields that rules use, by resource. `own` lists fields of the rules' own resource and its input. The compiler
 * rejects other names in rules, and the start rejects names that are not declared.
 */
export type Uses = Readonly<Record<string, readonly string[]>>;

/** The resources and fields that rules may name. */
type ResourceOf<U extends Uses> = Exclude<keyof U, 'own'> & string;
type FieldOf<U extends Uses, R extends keyof U> = U[R][number];

/** A stored record: columns, texts in the request's language (null: never written), links as identifiers. */
export type Stored<F extends string = string> = string extends F
  ? Readonly<Record<string, Value>>
  : Readonly<Record<F | 'id', Value>>;

/** Conditions on field values. An array matches any of its values. */
type Where<F extends string> = string extends F ? Readonly<Record<string, Value>> : Readonly<Partial<Record<F, Value>>>;

/** Reads available to rules. */
export interface Reads<U extends Uses = Uses> {
  /** Returns which of the texts are already used under the shared unique name. */
  used(name: string, texts: readonly string[]): Promise<Set<string>>;
  /** Identifiers of the records whose column holds the value. */
  find<R extends ResourceOf<U>>(resource: R, field: FieldOf<U, R>, value: Value): Promise<Value[]>;
  /** Identifiers of the records whose set of links has one of these. */
  linking<R extends ResourceOf<U>>(resource: R, field: FieldOf<U, R>, ids: readonly Value[]): Promise<Value[]>;
  /** Those of the identifiers to which the link of a record leads. */
  linkedTo<R extends ResourceOf<U>>(resource: R, field: FieldOf<U, R>, ids: readonly Value[]): Promise<Set<Value>>;
  /** Whether any record has a text in this language. */
  hasTexts(language: string): Promise<boolean>;
  /** Identifiers by the values of a unique column. Values without a record are omitted. */
  identify<R extends ResourceOf<U>>(
    resource: R,
    field: FieldOf<U, R>,
    values: readonly Value[],
  ): Promise<ReadonlyMap<Value, Value>>;
  /**
   * Finds records by the field that names them, such as a coupon by its code. Compares names as the check of uniqueness does.
   *
   * @returns identifiers by name, without names that no record has
   */
  named(resource: ResourceOf<U>, names: readonly string[]): Promise<ReadonlyMap<string, Value>>;
  /** Reads one record; undefined if it does not exist. */
  read<R extends ResourceOf<U>>(resource: R, id: Value): Promise<Stored<FieldOf<U, R>> | undefined>;
  /**
   * Records that meet the conditions, by identifier.
   *
   * @param options.only the columns and sets to read, besides the identifier; all if left out
   * @param options.among for sets of links that can be long: the identifiers to read. Others are left out of these sets
   */
  list<R extends ResourceOf<U>>(
    resource: R,
    where: Where<FieldOf<U, R> | 'id'>,
    options?: { readonly only?: readonly FieldOf<U, R>[]; readonly among?: Where<FieldOf<U, R>> },
  ): Promise<Stored<FieldOf<U, R>>[]>;
  /** All translations of one field, by language and identifier. */
  texts<R extends ResourceOf<U>>(
    resource: R,
    ids: readonly Value[],
    field: FieldOf<U, R>,
  ): Promise<ReadonlyMap<Value, Readonly<Record<string, string>>>>;
  /** Identifiers from this record up to the root of its tree, itself first. */
  ancestors(resource: ResourceOf<U>, id: Value): Promise<Value[]>;
  /**
   * Converts a cursor or a timestamp to a cursor of the change feed. Returns `gone` if entries behind it have expired,
   * `ahead` if it is past the reader's position, undefined for any other text.
   * @param reader its position; an empty cursor means that of `since`, in seconds
   */
  cursorAfter(
    text: string,
    reader: { readonly cursor: string; readonly since: number },
  ): Promise<{ readonly cursor: string } | 'gone' | 'ahead' | undefined>;
  /** Resources with change feed entries, in the form `tax_class`. */
  publishedResources(): readonly string[];
  /** Counts records. */
  count<R extends ResourceOf<U>>(resource: R, where: Where<FieldOf<U, R>>): Promise<number>;
}

/** Reads and writes available to rules inside the transaction of their write. */
export interface UnitOfWork<U extends Uses = Uses> extends Reads<U> {
  /** Reads records by identifier and locks them until the transaction ends. */
  hold<R extends ResourceOf<U>>(resource: R, ids: readonly Value[]): Promise<Stored<FieldOf<U, R>>[]>;
  /** Creates a record. @returns its identifier */
  insert<R extends ResourceOf<U>>(resource: R, values: Where<FieldOf<U, R>>): Promise<Value>;
  /** Creates records. @returns their identifiers, in order */
  insertAll<R extends ResourceOf<U>>(resource: R, all: readonly Where<FieldOf<U, R>>[]): Promise<Value[]>;
  /** Changes fields of another record. */
  update<R extends ResourceOf<U>>(resource: R, id: Value, values: Where<FieldOf<U, R>>): Promise<void>;
  /** Sets the same columns of many records, each to its own values. */
  updateAll<R extends ResourceOf<U>>(resource: R, changes: ReadonlyMap<Value, Where<FieldOf<U, R>>>): Promise<void>;
  /** Deletes the records that meet the conditions, including everything that their deletion entails. */
  remove<R extends ResourceOf<U>>(resource: R, where: Where<FieldOf<U, R> | 'id'>): Promise<void>;
  /** Acquires a lock by name until the transaction ends. */
  lock(name: string): Promise<void>;
  /** Returns cryptographically random bytes in base64. */
  randomToken(bytes: number): string;
}

/** A file in the store, and values of the record that describe it. */
export interface PreparedFile {
  readonly name: string;
  readonly properties: Readonly<Record<string, Value>>;
}

/** Context of a rule before the transaction. */
export interface Preparation {
  readonly operation: Draft['operation'];
  readonly sent: Readonly<Record<string, Value>>;
  /** Fields present in the body. Those missing from `sent` are invalid and already reported. */
  readonly mentioned: ReadonlySet<string>;
  readonly violations: Violations;
  readonly imageDecoder: ImageDecoder;
  readonly attachments: AttachmentReader;
  /** Set if the body is a form, with its file if present. */
  readonly form: { readonly upload: Upload | undefined } | undefined;
}

/**
 * Behavior beyond CRUD, in order of execution. Parts created together with their record run `prepare`, `derive` and
 * `check`. `check` receives the result of `derive`, and `within` that of `check`.
 */
export interface Rules<U extends Uses = Uses, Derived = unknown, Checked = unknown> {
  /** Runs outside the transaction, for slow work such as downloads. The file is stored if the write succeeds. */
  readonly prepare?: (
    preparation: Preparation,
  ) => Promise<(PreparedFile & { readonly bytes: Uint8Array }) | Problem | undefined>;
  /** Sets values before the checks. */
  readonly derive?: (draft: Draft<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Derived | Promise<Derived>;
  /** Validates across fields or records. */
  readonly check?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    derived: Derived | undefined,
  ) => Checked | Promise<Checked>;
  /** `check` may report that the state of the store forbids a change (409). */
  readonly mayConflict?: boolean;
  /** Further writes in the same transaction, after the record was written. */
  readonly within?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    id: Value,
    checked: Checked | undefined,
  ) => Promise<void>;
  /** Further writes in the transaction of a deletion, before the record and its parts are deleted. */
  readonly withinRemoval?: (removal: Removal<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Promise<void>;
  /** Returns a sentence if the record cannot be deleted now. */
  readonly checkRemoval?: (stored: Stored<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Promise<string | undefined>;
  /**
   * Prepares the comparison of a bulk line with the record that its key names, in a bulk that only creates. Returns the values
   * that the output must have, or how the two differ.
   */
  readonly compared?: (
    line: BulkLine<FieldOf<U, 'own'>>,
    reads: Reads<U>,
  ) => Promise<{ readonly sent: Readonly<Record<string, Value>> } | { readonly difference: string }>;
  /** Set by `rules`. */
  readonly uses?: Uses;
}

/** A bulk line that names an existing record. */
export interface BulkLine<F extends string = string> {
  readonly id: Value;
  readonly sent: Readonly<Values<F>>;
  /** The record as output shows it. */
  readonly shown: ShownRecord;
}

/** Declares rules and the fields that they use. */
export function rules<const U extends Uses, Derived = void, Checked = void>(
  uses: U,
  behavior: Rules<NoInfer<U>, Derived, Checked>,
): Rules {
  return { ...(behavior as Rules), uses };
}

/** An operation on one record with its own path (`/products/{id}/stock`). */
export interface Action<U extends Uses = Uses, Decided = unknown> {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly summary: string;
  /** Responds with the record in this field instead of the whole record. */
  readonly shows?: string;
  /** Tag in the reference, if not that of the resource. */
  readonly tag?: Tag;
  readonly input: Readonly<Record<string, Field>>;
  /** Enables bulk runs of the action, if the resource supports bulk writes. */
  readonly bulk?: {
    /** Fields of the record that may be sent instead of the input. */
    readonly instead: readonly string[];
  };
  /** Values of the record's example in the reference that differ after the action's example was sent. */
  readonly exampleShows?: Readonly<Record<string, unknown>>;
  /** The change, saved or not, shows values that are calculated from these stored fields. */
  readonly calculatedFrom?: Uses;
  /** Supports `dry_run` in the query: responds as usual, then rolls back. The response shows values of these records. */
  readonly trial?: Uses;
  /** What that response shows in addition if the input has one of these members. */
  readonly trialWith?: Readonly<Record<string, Uses>>;
  /** Sets `draft.values` from `draft.sent` and `draft.stored`, or adds violations. */
  readonly run: (draft: Draft<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Decided | Promise<Decided>;
  /** Further writes if the action is valid. Receives the result of `run`. */
  readonly within?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    id: Value,
    decided: Decided,
  ) => Promise<void>;
  /** Set by `action`. */
  readonly uses?: Uses;
}

/** Declares an action and the fields that it uses. */
export function action<const U extends Uses, Decided = void>(uses: U, declared: Action<NoInfer<U>, Decided>): Action {
  return { ...(declared as Action), uses };
}

/** What a view depends on besides records. */
export interface ViewContext extends Languages {
  /** Values of the query parameters, with their defaults. A parameter without default is missing unless it was sent. */
  readonly parameters: Readonly<Record<string, Value>>;
  /** The store and its settings. */
  readonly environment: Environment;
  /** Seconds since 1970. */
  readonly now: number;
  /** Lets other requests run during a long calculation. */
  readonly pause: () => Promise<void>;
}

/** A read of one record with its own path (`/categories/{id}/stats`). */
export type View<U extends Uses = Uses> = {
  readonly name: string;
  readonly summary: string;
  /** Tag in the reference, if not that of the resource. */
  readonly tag?: Tag;
  /** Set by `view`. */
  readonly uses?: Uses;
} & (
  | {
      /** The members of the response. The reference shows their examples. */
      readonly output: Readonly<Record<string, Field>>;
      /** Query parameters. A reference is sent as an id, which must exist. */
      readonly parameters?: Readonly<Record<string, Field>>;
      /** Whether the response depends on the current time. If so, it is not cached. */
      readonly changesWithTime?: boolean;
      /** The statements of `read` see one snapshot of the store. It has a connection of its own. */
      readonly isInSnapshot?: boolean;
      /** The response is a list of objects with these members, without pages. */
      readonly isList?: boolean;
      /** Description for the reference. */
      readonly description?: string;
      /** Returns the response, or a problem: a 404, or a 400 that names a parameter. */
      readonly read: (
        id: Value,
        reads: Reads<U>,
        context: ViewContext,
      ) => Promise<Record<string, Value> | readonly Record<string, Value>[] | Problem>;
    }
  /** Responds with the record in this field. */
  | { readonly shows: string }
);

/**
 * A POST at `quote` of the collection: checks a body as if it created a record, and responds with what `read` returns for
 * that record, without saving it.
 */
export interface Quote<U extends Uses = Uses> {
  readonly summary: string;
  readonly description: string;
  /** Fields of the body that always have these values. */
  readonly sets: Readonly<Record<string, Value>>;
  /** Required fields that the client may omit in a quote, with the values that are used instead. */
  readonly optional: Readonly<Record<string, Value>>;
  /** The members of the response. Their examples are the result for the example of a new record. */
  readonly output: Readonly<Record<string, Field>>;
  readonly read: (id: Value, reads: Reads<U>) => Promise<Record<string, Value>>;
  /** What the calculation reads, which the response and any record with the values of `sets` show. */
  readonly calculatedFrom: Uses;
  /** Query parameters, which are true or false, with their descriptions. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What the calculation reads in addition if the body has this field, or the quote has this parameter. */
  readonly calculatedWith: Readonly<Record<string, Uses>>;
  /** Set by `quote`. */
  readonly uses?: Uses;
}

/** Declares a quote and the fields that it uses. */
export function quote<const U extends Uses>(uses: U, declared: Quote<NoInfer<U>>): Quote {
  return { ...(declared as Quote), uses };
}

/** Declares a view and the fields that it uses. */
export function view<const U extends Uses>(uses: U, declared: View<NoInfer<U>>): View {
  return { ...(declared as View), uses };
}

/** What the values of an `evaluated` field depend on besides records. */
export type EvaluationContext = Omit<ViewContext, 'parameters'>;

/** Computes the values of an `evaluated` field. */
export interface Evaluation<U extends Uses = Uses> {
  /** Returns values by identifier. A missing value is null. */
  readonly values: (
    ids: readonly Value[],
    reads: Reads<U>,
    context: EvaluationContext,
  ) => Promise<ReadonlyMap<Value, Value>>;
  readonly uses: Uses;
}

/** Declares an evaluation and the fields that it uses. */
export function evaluation<const U extends Uses>(uses: U, values: Evaluation<NoInfer<U>>['values']): Evaluation {
  return { values: values as Evaluation['values'], uses };
}

/** Decides whether parents belong together if their links alone do not determine it. */
export interface Admission<U extends Uses = Uses> {
  readonly admits: (parents: Readonly<Record<string, Value>>, reads: Reads<U>) => Promise<boolean>;
  readonly uses: Uses;
}

/** Declares an admission and the fields that it uses. */
export function admission<const U extends Uses>(uses: U, admits: Admission<NoInfer<U>>['admits']): Admission {
  return { admits: admits as Admission['admits'], uses };
}

/** A tag in the reference for operations on records of other resources. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}
