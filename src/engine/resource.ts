/**
 * The vocabulary that declarations are written in. A resource is declared once; routes, validation, tables, SQL,
 * serialization and OpenAPI are read off it. Nothing here decides anything: `model/` checks what is declared.
 */
import type { Field, Group, Languages, ShownRecord } from './field.ts';
import type { Value } from './ports.ts';
import type { Printed } from './printed.ts';
import type { Action, Admission, Rules, View } from './rules.ts';

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
export interface Route {
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
  /** The record as a page to print, made of what output shows of it. Reading one record offers it as HTML. */
  readonly printed?: (record: ShownRecord, languages: Languages) => Printed;
  /** A story that the reference tells from start to end. */
  readonly story?: Story;
  readonly routes: readonly Route[];
  readonly filters?: readonly Filter[];
  readonly orders?: readonly Order[];
  /** Collections are searched for words. */
  readonly search?: Search;
  /** `id` when not declared; id ascending always breaks ties. */
  readonly defaultOrder?: readonly string[];
  readonly rules?: Rules;
  /** The record only joins its owner to another one: to make, change or delete it is a change of the owner. */
  readonly joins?: boolean;
  /** The program's own notes: no journal tells a change of these records, and nothing that shows them is kept. */
  readonly unpublished?: boolean;
  readonly actions?: readonly Action[];
  readonly views?: readonly View[];
  /** Many records are written with one request. */
  readonly bulk?: Bulk;
  readonly secretCheck?: SecretCheck;
  /** Its records are persons, whom this text names: one that is to be forgotten goes, with its parts. */
  readonly dataSubject?: { readonly named: string };
  /**
   * Its records tell of a person, whom this link leads to, or whom this text names where it leads nowhere. They stay when the
   * person is to be forgotten, and what is declared `personal` of them and of their parts goes.
   */
  readonly ofDataSubject?: { readonly link: string; readonly named: string };
  /** Of parts: each is about a person as a whole, and goes when that person is to be forgotten. */
  readonly personal?: boolean;
  /**
   * Of parts that somebody has to keep: younger ones stay as they are when a person is to be forgotten. The age is in years, in
   * this setting, from the moment in this field.
   */
  readonly retention?: { readonly setting: string; readonly from: string };
  /** Writes take turns, because a rule looks at other records of the resource. Those of a tree always do. */
  readonly takesTurns?: boolean;
  /** No two records have the same values in all of these fields; a duplicate is told at the last of them. */
  readonly uniqueTogether?: readonly string[];
  /**
   * Of parts: if the client sets `flag`, each value of the text `source` creates only one part of the same owner, even if
   * that part was deleted since. A repeated POST is a 409 with `message`.
   */
  readonly createdOnce?: { readonly flag: string; readonly source: string; readonly message: string };
  /** Fewer records than this below one parent, with the sentence for one too many. */
  readonly siblingsMax?: { readonly count: number; readonly field: string; readonly message: string };
}

/** How one of many records is found that are written with one request, at each place where records are made. */
export interface Bulk {
  /** The unique text that names it; its identifier may do so too. One of another place is not found there. */
  readonly by: string;
  /** A record that is there already is not changed, and not deleted. */
  readonly createsOnly?: boolean;
}

/** A path below the collection (POST) where a secret is compared with the one of the record that a text names. */
export interface SecretCheck {
  /** The path's last segment. */
  readonly name: string;
  readonly summary: string;
  /** The text, which no two records have loosely alike. */
  readonly by: string;
  readonly secret: string;
  /** The values of records whose secret counts. */
  readonly only: Readonly<Record<string, Value>>;
  /** Fields that keep the moments at which the secret was right first and last, as notes beside the record. */
  readonly first: string;
  readonly last: string;
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
