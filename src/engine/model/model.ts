/** The model: what the declarations add up to, as everything that a request needs of it. `create-model.ts` makes it. */

import type { Field, FilterKind, Storage } from '../field.ts';
import type { ColumnType, Value } from '../ports.ts';
import type { Identifier, Operation, Resource, Route, Search, SecretCheck } from '../resource.ts';
import type { Action, View } from '../rules.ts';

export interface Model {
  readonly resources: ReadonlyMap<string, ModelResource>;
  readonly routes: readonly ModelRoute[];
  /** The names under which texts are unique across resources, with the fields that share each. */
  readonly sharedUnique: ReadonlyMap<string, readonly ModelField[]>;
  /** The names under which texts are distinct loosely across resources, with the fields that share each. */
  readonly namespaces: ReadonlyMap<string, readonly ModelField[]>;
  /** Every column that names a file in the image store. */
  readonly files: readonly Pick<ModelField, 'resource' | 'column'>[];
}

export interface ModelResource {
  readonly name: string;
  readonly declaration: Resource;
  readonly table: string;
  readonly identifier: Identifier;
  /** The output field that shows the identifier, and the column that holds it. */
  readonly identifierField: string;
  readonly identifierType: ColumnType;
  readonly fields: ReadonlyMap<string, ModelField>;
  /** Fields that output shows, in order; the identifier among them. */
  readonly outputs: readonly ModelField[];
  /** Fields that output shows only where they are asked for. */
  readonly asked: readonly ModelField[];
  readonly translations: readonly ModelField[];
  /** The field that a client names records of this resource by, if it has one. */
  readonly naming: ModelField | undefined;
  /** The field that tells the parts of one record apart, where nothing names them. */
  readonly called: ModelField | undefined;
  /** The link to the record that this one is a part of. */
  readonly owner: ModelField | undefined;
  /** The owner's field that shows these parts. */
  readonly shownBy: ModelField | undefined;
  /** A change of a record is told as one of its owner, which shows it or is joined by it to another. */
  readonly isPublishedByOwner: boolean;
  /** No journal tells changes of its records. */
  readonly isUnpublished: boolean;
  /** Output may change without a word in the journal, so that nothing of it can be kept. */
  readonly changesUnpublished: boolean;
  /** Links and sets of links that lead to records of this resource. */
  readonly linkedFrom: readonly ModelField[];
  /** The link to the record above this one, where the records form a tree. */
  readonly tree: ModelField | undefined;
  readonly uniqueTogether: readonly ModelField[];
  readonly search: ModelSearch | undefined;
  readonly defaultOrder: readonly ModelField[];
  readonly bulk: ModelBulk | undefined;
  readonly secretCheck: ModelSecretCheck | undefined;
  readonly routes: readonly ModelRoute[];
  readonly actions: readonly Action[];
  readonly views: readonly View[];
}

/** How one of many records is found that are written with one request, at each place where records are made. */
export interface ModelBulk {
  readonly by: ModelField;
  readonly createsOnly: boolean;
}

/** Where secrets of the resource's records are compared. */
export interface ModelSecretCheck {
  readonly path: string;
  readonly declaration: SecretCheck;
  /** The text that names a record. */
  readonly by: ModelField;
  readonly secret: ModelField;
  /** Of the request: both of them, by the fields' own rules. */
  readonly input: Readonly<Record<string, Field>>;
}

export interface ModelField {
  readonly name: string;
  readonly resource: ModelResource;
  readonly field: Field;
  readonly storage: Storage;
  /** Column in the resource's table or its text table. */
  readonly column: string;
  readonly isIdentifier: boolean;
  /** The resource at the other end of a link, or whose records are the parts. */
  readonly target: ModelResource | undefined;
}

export interface ModelRoute {
  readonly resource: ModelResource;
  readonly path: string;
  /** Where records are listed and made; of a single record its own path. */
  readonly collectionPath: string;
  /** Further paths that answer as these two do. */
  readonly aliases: readonly { readonly path: string; readonly collectionPath: string }[];
  /** The parameter of the record itself; a single one has none. */
  readonly parameter: string | undefined;
  /** The field that the parameter names; a single record is known by its parents. */
  readonly item: ModelField | undefined;
  readonly parents: readonly ModelParent[];
  readonly fixed: ReadonlyMap<ModelField, Value>;
  /** The fields that are taken and shown here. */
  readonly fields: ReadonlyMap<string, ModelField>;
  readonly outputs: readonly ModelField[];
  /** Shown only where they are asked for by name. */
  readonly asked: readonly ModelField[];
  /** The fields written of a record that was made elsewhere. */
  readonly everything: ReadonlySet<ModelField>;
  /** The fields that POST writes here, and those that PUT and PATCH write. */
  readonly inserts: ReadonlySet<ModelField>;
  readonly updates: ReadonlySet<ModelField>;
  /** The fields that each language has for itself here, at paths of their own; none where no record is read. */
  readonly texts: readonly ModelField[];
  readonly declaration: Route;
  readonly unknownParent: 'invalid-argument' | 'not-found';
  readonly operations: ReadonlySet<Operation>;
  readonly filters: ReadonlyMap<string, ModelFilter>;
  readonly orders: ReadonlyMap<string, ModelField>;
}

export interface ModelParent {
  readonly parameter: string;
  readonly target: ModelResource;
  /** The link that it fills in, maybe through others; one without belongs to the path of a parent. */
  readonly field: ModelField | undefined;
  /** Where the parent is looked for: below its own parents, with what is fixed there. */
  readonly at: ModelRoute | undefined;
}

export interface ModelFilter {
  /** Its parameter; old clients may know it under others. */
  readonly name: string;
  readonly field: ModelField;
  /** The kind of its values. */
  readonly kind: FilterKind;
  /** Records at the other end of the field are asked for, so a record may have none. */
  readonly isLink: boolean;
  /** The linked record's field that the parameter says (`tags.id`); without it, its address is taken too. */
  readonly said: ModelField | undefined;
  readonly partial: boolean;
  readonly values: readonly (string | number)[] | undefined;
  readonly elseNone: ElseNone | undefined;
}

export interface ElseNone {
  readonly every: string;
  readonly unless: readonly ModelField[];
}

/** Where words are looked for, and what comes first. */
export interface ModelSearch {
  /** Texts of the resource, and of parts of its records. */
  readonly in: readonly ModelField[];
  readonly ranks: readonly { readonly field: ModelField; readonly has: Search['ranks'][number]['has'] }[];
}

/** The resource whose records a link leads to, whatever is between. */
export function linkedResource({ storage, target }: ModelField): ModelResource {
  return storage.in === 'linked' ? target!.fields.get(storage.to)!.target! : target!;
}

/** `ProductImage` → `product_image`. */
export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}
