/**
 * The language of declarations. A resource is declared once; routes, validation, tables, SQL, serialization and OpenAPI
 * are derived from it. This file only defines types; `model/` checks the declarations.
 */
import type { Field, Group } from './field.ts';
import type { ListField } from './list-field.ts';
import type { Value } from './ports.ts';
import type { PrintedPage } from './printed.ts';
import type { Action, Admission, Evaluation, Quote, Reads, Rules, Uses, View } from './rules.ts';

export type Identifier =
  | { readonly kind: 'integer' }
  | { readonly kind: 'uuid' }
  /** The text field `field` is the identifier. `pattern` is its anchored form in a path. */
  | { readonly kind: 'manual'; readonly field: string; readonly pattern: RegExp };

export type Operation = 'read' | 'list' | 'create' | 'replace' | 'patch' | 'remove';

/** A filter of a collection: a field name, or options. */
export type Filter =
  | string
  | {
      readonly field: string;
      /** Matches any part of the text, accent- and case-insensitive. */
      readonly partial?: boolean;
      /** The only permitted values. */
      readonly values?: readonly (string | number)[];
      /** Alternative names for old clients. */
      readonly aliases?: readonly string[];
      /**
       * Without this filter, only records without a value are found, unless a field in `unless` is filtered. `every` is
       * the value that includes all records.
       */
      readonly elseNone?: { readonly every: string; readonly unless?: readonly string[] };
    };

/** How `/lookup` finds records and names them (access.md §5). */
interface Lookup {
  /** Resources with a lower rank come first in the result. */
  readonly rank: number;
  /** The parameter of lists that finds records by a text. */
  readonly by: string;
  /** The field that names a record. */
  readonly title: string;
}

/** The texts that a search reads. All must be searchable. */
export interface Search {
  /** Texts of the record, or of records of another resource that are its parts. Each word must occur in one of them. */
  readonly in: readonly (string | { readonly parts: string; readonly field: string })[];
  /**
   * Default order of results: by the first of these that a record matches, then by identifier. The text equals the
   * search, begins with it, or contains all words, as whole words or anywhere.
   */
  readonly ranks?: readonly { readonly field: string; readonly has: 'equal' | 'begins' | 'words' | 'all' }[];
  /** Instead of ranks: the timestamp by which the newest results come first. */
  readonly newest?: string;
}

type Order = string | { readonly field: string; readonly aliases: readonly string[] };

/** A field of the default order; a name sorts in ascending order. */
type DefaultOrder = string | { readonly field: string; readonly descending: true };

/** One path of a resource and its operations. */
export interface Route {
  /**
   * Path of one record, e.g. `/products/{product_id}/images/{image_id}`; the collection is one segment above. With
   * `single`, the path of the only record below its parents, e.g. `/categories/{category_id}/icon`.
   */
  readonly path: string;
  /** Alternative paths for old clients, with the same parameters. Not in the reference. */
  readonly aliases?: readonly string[];
  readonly operations: readonly Operation[];
  readonly single?: boolean;
  /**
   * POST supports `dry_run` in the query: responds with the record as it would be, without its identifier. The response shows
   * values of these records.
   */
  readonly trial?: Uses;
  /**
   * Maps each parameter before the last to the link field that it sets. A parameter that sets none belongs to the path
   * of a parent. With a `linkedBy` field, the route lists the records linked to the
   * parent.
   */
  readonly parents?: Readonly<Record<string, string>>;
  /** The link or unique text that the record's own parameter names instead of its identifier. */
  readonly item?: string;
  /** Field groups in output, POST, and PUT and PATCH, if other than those of the same names. */
  readonly groups?: { readonly read?: Group; readonly insert?: Group; readonly update?: Group };
  /** Values that all records at this route have, and no records of other routes. */
  readonly fixed?: Readonly<Record<string, Value>>;
  /** Fields excluded from input and output. */
  readonly without?: readonly string[];
  /**
   * Effect of creating a second record on a singleton route: rejected as a conflict or as a duplicate; replaces the
   * first; or updates the sent fields of the first.
   */
  readonly again?: 'conflict' | 'duplicate' | 'replace' | 'keep';
  /** Creating responds with the owner of the new record. */
  readonly respondsWithOwner?: boolean;
  /** Required if the parents' links alone do not determine whether the parents belong together. */
  readonly admission?: Admission;
  /** The problem for an unknown parent: 400 or 404 (http.md §2). */
  readonly unknownParent?: 'invalid-argument' | 'not-found';
  readonly filters?: readonly Filter[];
  readonly orders?: readonly Order[];
}

export interface Resource {
  /** The specification's name, e.g. `ProductImage`. */
  readonly name: string;
  /** The search that counts its results by the values of these filters: linked records, or ranges of a number. */
  readonly facets?: { readonly path: string; readonly by: readonly string[] };
  /** Group in the reference. A resource without a group is not in the reference. */
  readonly group?: string;
  /** The resource under whose tag the reference lists this one's operations, if not its own. */
  readonly tag?: string;
  readonly description: string;
  /** Its family in scopes, if that is not the segment of its collection at the top level. */
  readonly family?: string;
  /** A key of any scope may read it. */
  readonly isOpen?: true;
  /** None of its fields can be masked, because they decide what other records show. */
  readonly unmaskable?: true;
  readonly follows?: Follows;
  /** Writes that need a scope of their own. */
  readonly namedWrite?: NamedWrite;
  /** Records cannot be restored from the audit, because other records refer to what they said. */
  readonly isFinal?: true;
  /** Default: integer `id`. */
  readonly identifier?: Identifier;
  readonly fields: Readonly<Record<string, Field>>;
  /** The unique text that clients name records by. Default: a unique translated `name`, if declared. */
  readonly naming?: string;
  /**
   * For parts without a unique name: the translated text that distinguishes the parts of one record. An object that
   * links to a part may include it next to the id, but it must not name another part.
   */
  readonly label?: string;
  /** Initial records of a new store, as columns. */
  readonly seeds?: readonly Readonly<Record<string, Value>>[];
  /** Bodies may also be multipart forms, in which the file `part` replaces the fields `insteadOf`. Rules process it. */
  readonly upload?: {
    readonly part: string;
    readonly insteadOf: readonly string[];
    readonly description: string;
    /** The file is an attachment, which only POST takes. */
    readonly isAttachment?: true;
  };
  readonly download?: Download;
  /** A missing body means `{}` in POST: the store derives the record from its parent. */
  readonly createsWithoutBody?: boolean;
  /** A printable page made from the record's output. Reading one record offers it as HTML. */
  readonly printed?: PrintedPage;
  /** A worked example in the API reference. */
  readonly tutorial?: Tutorial;
  readonly routes: readonly Route[];
  readonly filters?: readonly Filter[];
  readonly orders?: readonly Order[];
  /** Enables full-text search of collections. */
  readonly search?: Search;
  /** Lets `/lookup` find records. */
  readonly lookup?: Lookup;
  /** Default: `id`. Ties are always broken by ascending id. */
  readonly defaultOrder?: readonly DefaultOrder[];
  readonly rules?: Rules;
  /**
   * A join record: creating, changing or deleting it is published as a change of its owner. A text names that change
   * among the changed fields.
   */
  readonly joins?: true | string;
  /** Internal bookkeeping: changes are not journaled, and responses that show these records are not cached. */
  readonly unpublished?: boolean;
  /** Only few of these unpublished records link to one record, so that its deletion can include them. */
  readonly fewPerRecord?: boolean;
  readonly actions?: readonly Action[];
  readonly views?: readonly View[];
  /** A field of lists at routes without parents. */
  readonly listField?: ListField;
  readonly quote?: Quote;
  /** How the values of `evaluated` fields are computed, by field. */
  readonly evaluations?: Readonly<Record<string, Evaluation>>;
  readonly formerValues?: FormerValues;
  /** Enables bulk writes. */
  readonly bulk?: Bulk;
  readonly secretCheck?: SecretCheck;
  /** Its records are data subjects, named by this text. Erasure deletes the record with its parts. */
  readonly dataSubject?: { readonly named: string };
  /**
   * Its records contain data of a data subject, to whom `link` leads; `named` names the subject if the link is null.
   * Without `named`, records without link belong to no one. They remain after erasure, without the `personal` fields of
   * the records and their parts.
   */
  readonly ofDataSubject?: { readonly link: string; readonly named?: string };
  /** For parts and records of a data subject: each is personal data as a whole and is deleted by erasure. */
  readonly personal?: boolean;
  /**
   * For parts that must be retained by law: erasure skips parts younger than the given number of years. `setting` names
   * the setting with the years, `from` the timestamp field that they are counted from.
   */
  readonly retention?: { readonly setting: string; readonly from: string };
  /** Writes are serialized, because a rule reads other records of the resource. Always the case for trees. */
  readonly serialized?: boolean;
  /** Unique combination of fields. The violation is reported at the last of them. */
  readonly uniqueTogether?: readonly string[];
  /** Combinations of fields by which rules find records. Each has an index. */
  readonly foundTogether?: readonly (readonly string[])[];
  /**
   * Of parts: if the client sets `flag`, each value of the text `source` creates only one part of the same owner, even if
   * that part was deleted since. A repeated POST is a 409 with `message`.
   */
  readonly createdOnce?: { readonly flag: string; readonly source: string; readonly message: string };
  /** Maximum number of records below one parent, or of all records if they have none, and the violation message. */
  readonly siblingsMax?: { readonly count: number; readonly field: string; readonly message: string };
}

/**
 * Earlier identifiers in a set of links. Deleting one of the other records removes it from the sets; this is not stored.
 * `values` are the identifier of the record, and whether its set had the other one.
 */
interface FormerSet {
  readonly field: string;
  /** The resource of the earlier values, which is unpublished, and its link to the identifier that was added or removed. */
  readonly to: string;
  readonly link: string;
}

/**
 * Before one of these fields changes, the values of all of them are stored as a record of another resource, which is
 * unpublished. Its fields `resource`, `until` and `values` are set to the name of this resource, to the time of the change,
 * and to the list of the values.
 */
interface FormerValues {
  /** The other resource. */
  readonly to: string;
  /** Columns and sets of links, in the order of `values`. */
  readonly fields: readonly string[];
  /** A set of links that can be long: for each identifier added or removed, it is stored whether the set had it. */
  readonly long?: FormerSet;
  /** Further fields of the other resource, and the fields of this one that they are set to. */
  readonly named: Readonly<Record<string, string>>;
  /** Whether the values are also stored before a record is deleted, unless one of the records in `named` is deleted too. */
  readonly onRemoval?: boolean;
}

/**
 * The records follow changes of other records. A client sees the fields in `shows`, and the records below, only if it may read
 * everything that the events of the record are about.
 */
interface Follows {
  /** Output fields with lists of events such as `product.updated`, `order.*` or `*`. */
  readonly events: readonly string[];
  /** Output fields whose values depend on what happened to the events. */
  readonly shows: readonly string[];
}

/** Writes of a resource that need the scope `FAMILY:operation` instead of `FAMILY:write`. */
export interface NamedWrite {
  readonly operation: string;
  readonly description: string;
  /**
   * Which part of a body is such a write: all of it, some of it, or none.
   *
   * @param stored output of the record before an update
   * @param action name of the action, if the body is that of one
   */
  readonly covers: (
    sent: Readonly<Record<string, unknown>>,
    stored: Readonly<Record<string, unknown>> | undefined,
    action: string | undefined,
  ) => 'all' | 'some' | 'none';
}

/** A path below each record (`/file`) that returns its file, and a public URL for some of the records. */
export interface Download {
  readonly summary: string;
  readonly file: string;
  readonly filename: string;
  readonly mediaType: string;
  /** Values of the records whose files need no key. */
  readonly openWhere: Readonly<Record<string, Value>>;
}

/** How bulk writes identify records, on every route that creates them. */
export interface Bulk {
  /**
   * The unique text that names a record; the identifier is always accepted too. Only records of the same route match. If
   * it is the identifier, bulk writes create no records.
   */
  readonly by: string;
  /** Existing records are neither changed nor deleted. */
  readonly createsOnly?: boolean;
  /** For parts of several owners: `by` identifies the owner, and the other fields of the key identify the record. */
  readonly collected?: Collected;
}

/** Bulk writes of parts of several owners, at the route that lists the parts of all owners. */
export interface Collected<U extends Uses = Uses> {
  /** Path of that route. */
  readonly path: string;
  /** The fields of the key as input, in order. Fields that are not required may be omitted. */
  readonly key: Readonly<Record<string, Field>>;
  /** Finds the owner and the record of a key. Undefined if the owner does not exist. */
  readonly locate: (key: Readonly<Record<string, Value>>, reads: Reads<U>) => Promise<CollectedRecord | undefined>;
  readonly uses: Uses;
}

export interface CollectedRecord {
  /** Values of the links to the owner, which determine the route of the record. */
  readonly links: Readonly<Record<string, Value>>;
  /** Undefined if the owner has no such record. */
  readonly id: Value | undefined;
}

/** Declares collected bulk writes and the fields that they use. */
export function collected<const U extends Uses>(uses: U, declared: Omit<Collected<NoInfer<U>>, 'uses'>): Collected {
  return { ...(declared as Omit<Collected, 'uses'>), uses };
}

/** A path below the collection (POST) that compares a sent secret with that of a named record. */
export interface SecretCheck {
  /** Last segment of the path. */
  readonly name: string;
  readonly summary: string;
  /** The loosely distinct text that names a record. */
  readonly by: string;
  readonly secret: string;
  /** Values that a record must have for its secret to match. */
  readonly only: Readonly<Record<string, Value>>;
  /** Unpublished timestamps of the first and last successful comparison. */
  readonly first: string;
  readonly last: string;
}

/** A sequence of requests that runs in order on a new store. */
export interface Tutorial {
  readonly title: string;
  readonly steps: readonly {
    /** Introduces the step. Without it, the step belongs to the previous one. */
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
