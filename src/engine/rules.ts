/** The vocabulary of behaviour beyond CRUD: rules, actions, views, and what these may ask and change. */
import type { Problem, Violations } from './errors.ts';
import type { Environment, Field, JsonSchema, ShownRecord } from './field.ts';
import type { DecodedImage, ImageDecoder, ImageFile, Upload, Value } from './ports.ts';

/** The client that asks. */
export interface Actor {
  /** The name of the API key. */
  readonly keyName: string;
  /** IP address. */
  readonly address: string;
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
  readonly imageFile: ImageFile | undefined;
  readonly language: string;
  readonly defaultLanguage: string;
  /** Seconds since 1970. */
  readonly now: number;
  /** The store and its owner’s settings. */
  readonly environment: Environment;
  readonly actor: Actor;
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
  readonly actor: Actor;
}

/**
 * The fields that rules name, by resource; `own` are those of the rules' own resource, and what its input is called. Rules
 * cannot name others (the compiler checks), and every one of them is declared (the start checks).
 */
export type Uses = Readonly<Record<string, readonly string[]>>;

/** The resources and fields that rules may name. */
type ResourceOf<U extends Uses> = Exclude<keyof U, 'own'> & string;
type FieldOf<U extends Uses, R extends keyof U> = U[R][number];

/** A record as it is kept: its columns, its texts in the request's language (null: never written), links as identifiers. */
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
  /** Identifiers of the records whose set of links has one of these. */
  linking<R extends ResourceOf<U>>(resource: R, field: FieldOf<U, R>, ids: readonly Value[]): Promise<Value[]>;
  /** Those of the identifiers to which the link of a record leads. */
  linkedTo<R extends ResourceOf<U>>(resource: R, field: FieldOf<U, R>, ids: readonly Value[]): Promise<Set<Value>>;
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
  /**
   * The place in the change feed that a cursor names, or a moment, as a cursor; `gone` where the journal does not tell all behind it
   * any more, `ahead` where the reader has not come so far, undefined for any other text.
   * @param reader its own place; an empty one is that of `since`, in seconds
   */
  cursorAfter(
    text: string,
    reader: { readonly cursor: string; readonly since: number },
  ): Promise<{ readonly cursor: string } | 'gone' | 'ahead' | undefined>;
  /** The resources whose changes the journal tells, as `tax_class`. */
  told(): readonly string[];
  /** Counts records. */
  count<R extends ResourceOf<U>>(resource: R, where: Where<FieldOf<U, R>>): Promise<number>;
}

/** The records that rules may read and change inside the transaction of the write that they take part in. */
export interface UnitOfWork<U extends Uses = Uses> extends Reads<U> {
  /** As `list` by identifiers, and no other transaction changes them until this one ends. */
  hold<R extends ResourceOf<U>>(resource: R, ids: readonly Value[]): Promise<Stored<FieldOf<U, R>>[]>;
  /** Makes a record. @returns its identifier */
  insert<R extends ResourceOf<U>>(resource: R, values: Where<FieldOf<U, R>>): Promise<Value>;
  /** Makes many records. @returns their identifiers, in order */
  insertAll<R extends ResourceOf<U>>(resource: R, all: readonly Where<FieldOf<U, R>>[]): Promise<Value[]>;
  /** Changes fields of another record. */
  update<R extends ResourceOf<U>>(resource: R, id: Value, values: Where<FieldOf<U, R>>): Promise<void>;
  /** Sets the same columns of many records, each to values of its own. */
  updateAll<R extends ResourceOf<U>>(resource: R, changes: ReadonlyMap<Value, Where<FieldOf<U, R>>>): Promise<void>;
  /** Deletes the records that have these values, and all that goes with them. */
  remove<R extends ResourceOf<U>>(resource: R, where: Where<FieldOf<U, R> | 'id'>): Promise<void>;
  /** Keeps other transactions that lock the same name waiting until this one ends. */
  lock(name: string): Promise<void>;
  /** So many bytes that nobody can guess, in base64. */
  randomToken(bytes: number): string;
}

/** The tools of a rule before the transaction begins. */
export interface Preparation {
  readonly operation: Draft['operation'];
  readonly sent: Readonly<Record<string, Value>>;
  /** Fields that the body has; those that `sent` lacks were in a wrong form, which is told already. */
  readonly mentioned: ReadonlySet<string>;
  readonly violations: Violations;
  readonly imageDecoder: ImageDecoder;
  /** The body came as a form; `upload` is its file, where it has one. */
  readonly form: { readonly upload: Upload | undefined } | undefined;
}

/**
 * Behaviour beyond CRUD, in the order in which it runs. Of a part that is made together with its record: `prepare`, `derive`
 * and `check`. `check` takes the result of `derive`, and `within` that of `check`.
 */
export interface Rules<U extends Uses = Uses, Derived = unknown, Checked = unknown> {
  /** Outside the transaction: slow work, like a download. The engine keeps the picture's file if the write succeeds. */
  readonly prepare?: (preparation: Preparation) => Promise<DecodedImage | Problem | undefined>;
  /** Fills in values before the checks. */
  readonly derive?: (draft: Draft<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Derived | Promise<Derived>;
  /** Refuses, across fields or records. */
  readonly check?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    derived: Derived | undefined,
  ) => Checked | Promise<Checked>;
  /** `check` may find that the state of the store forbids a change of a record (409). */
  readonly mayConflict?: boolean;
  /** More writes in the same transaction, once the record with this identifier is written. */
  readonly within?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    id: Value,
    checked: Checked | undefined,
  ) => Promise<void>;
  /** More writes in the transaction that deletes a record, before it goes with its parts. */
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
export interface Action<U extends Uses = Uses, Decided = unknown> {
  readonly name: string;
  readonly method: 'POST' | 'PUT';
  readonly summary: string;
  /** The answer is the record that this field shows, instead of the whole one. */
  readonly shows?: string;
  /** Where the reference lists it, when not with its resource. */
  readonly tag?: Tag;
  readonly input: Readonly<Record<string, Field>>;
  /** Many are done with one request, where the resource has a bulk. */
  readonly bulk?: {
    /** Fields of the record that may be set in place of the input. */
    readonly instead: readonly string[];
  };
  /** Values in the reference's example of the record that differ once the action's example was sent. */
  readonly exampleShows?: Readonly<Record<string, unknown>>;
  /** With `dry_run` in the query it answers as it would, and nothing of it is kept. */
  readonly trial?: boolean;
  /** Sets `draft.values` from `draft.sent` and `draft.stored`, or adds violations. */
  readonly run: (draft: Draft<FieldOf<U, 'own'>>, unit: UnitOfWork<U>) => Decided | Promise<Decided>;
  /** More writes, once nothing refuses the action; takes the result of `run`. */
  readonly within?: (
    draft: Draft<FieldOf<U, 'own'>>,
    unit: UnitOfWork<U>,
    id: Value,
    decided: Decided,
  ) => Promise<void>;
  /** The names that `action` was given. */
  readonly uses?: Uses;
}

/** An action, and the fields that it names. */
export function action<const U extends Uses, Decided = void>(uses: U, declared: Action<NoInfer<U>, Decided>): Action {
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
