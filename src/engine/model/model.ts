/** The model: declarations compiled into everything that a request needs. Built by `create-model.ts`. */

import type { Field, FilterKind, Storage } from '../field.ts';
import type { ListField } from '../list-field.ts';
import type { ColumnType, Value } from '../ports.ts';
import type { Collected, Identifier, Operation, Resource, Route, Search, SecretCheck } from '../resource.ts';
import type { Action, View } from '../rules.ts';

export interface Model {
  readonly resources: ReadonlyMap<string, ModelResource>;
  readonly routes: readonly ModelRoute[];
  /** Names under which texts are unique across resources, with the fields of each. */
  readonly sharedUnique: ReadonlyMap<string, readonly ModelField[]>;
  /** Names under which texts are loosely distinct across resources, with the fields of each. */
  readonly namespaces: ReadonlyMap<string, readonly ModelField[]>;
  /** All columns that name files in the image store. */
  readonly files: readonly Pick<ModelField, 'resource' | 'column'>[];
}

export interface ModelResource {
  readonly name: string;
  readonly declaration: Resource;
  readonly table: string;
  readonly identifier: Identifier;
  /** The output field and column of the identifier. */
  readonly identifierField: string;
  readonly identifierType: ColumnType;
  readonly fields: ReadonlyMap<string, ModelField>;
  /** Fields in output, in order, including the identifier. */
  readonly outputs: readonly ModelField[];
  /** Fields in output only on request. */
  readonly onRequest: readonly ModelField[];
  readonly translations: readonly ModelField[];
  /** The field that clients name records by, if any. */
  readonly naming: ModelField | undefined;
  /** The field that distinguishes the parts of one record, if they have no unique name. */
  readonly label: ModelField | undefined;
  /** The link to the record that this one is part of. */
  readonly owner: ModelField | undefined;
  /** Whether a change of the record is also a change of its owner. */
  readonly changesOwner: boolean;
  /** The owner's field that shows these parts. */
  readonly shownBy: ModelField | undefined;
  /** The name of a change of these parts among the changed fields of the owner. */
  readonly changedAs: string | undefined;
  /** Changes are published as changes of the owner, which shows the record or is joined by it to another. */
  readonly isPublishedByOwner: boolean;
  /** Changes of its records are not journaled. */
  readonly isUnpublished: boolean;
  /** Output may change without a journal entry, so responses that show it are not cached. */
  readonly changesUnpublished: boolean;
  /** Links and sets of links that target this resource. */
  readonly linkedFrom: readonly ModelField[];
  /** The link to the parent record, if the records form a tree. */
  readonly tree: ModelField | undefined;
  readonly uniqueTogether: readonly ModelField[];
  readonly foundTogether: readonly (readonly ModelField[])[];
  readonly search: ModelSearch | undefined;
  readonly defaultOrder: readonly ModelOrder[];
  readonly bulk: ModelBulk | undefined;
  readonly secretCheck: ModelSecretCheck | undefined;
  readonly routes: readonly ModelRoute[];
  readonly actions: readonly Action[];
  readonly views: readonly View[];
  readonly listField: ModelListField | undefined;
}

/** A field of lists that is computed for parameters of the request. */
export interface ModelListField {
  readonly declaration: ListField;
  /** Its place among the fields to show. It has no column. */
  readonly field: ModelField;
  /** Kind and operators of its filters. */
  readonly filter: ModelFilter;
}

/** A field that a list is sorted by. */
export interface ModelOrder {
  readonly field: ModelField;
  readonly descending: boolean;
}

/** How bulk writes identify records, on every route that creates them. */
export interface ModelBulk {
  readonly by: ModelField;
  readonly createsOnly: boolean;
  readonly collected: Collected | undefined;
}

/** The endpoint that compares secrets of the resource's records. */
export interface ModelSecretCheck {
  readonly path: string;
  readonly declaration: SecretCheck;
  /** The text that identifies a record. */
  readonly by: ModelField;
  readonly secret: ModelField;
  /** Input fields of the request: both fields with their own validation. */
  readonly input: Readonly<Record<string, Field>>;
}

export interface ModelField {
  readonly name: string;
  readonly resource: ModelResource;
  readonly field: Field;
  readonly storage: Storage;
  /** Column in the resource's table or text table. */
  readonly column: string;
  readonly isIdentifier: boolean;
  /** The target of a link, or the resource of the parts. */
  readonly target: ModelResource | undefined;
}

export interface ModelRoute {
  readonly resource: ModelResource;
  readonly path: string;
  /** The path that lists and creates records. A singleton route uses its own path. */
  readonly collectionPath: string;
  /** Alternative paths with the same behavior. */
  readonly aliases: readonly { readonly path: string; readonly collectionPath: string }[];
  /** The path parameter of the record. Singleton routes have none. */
  readonly parameter: string | undefined;
  /** The field that the parameter names. A singleton is identified by its parents. */
  readonly item: ModelField | undefined;
  readonly parents: readonly ModelParent[];
  readonly fixed: ReadonlyMap<ModelField, Value>;
  /** Fields of this route, in input or output. */
  readonly fields: ReadonlyMap<string, ModelField>;
  readonly outputs: readonly ModelField[];
  /** Fields in output only on request. */
  readonly onRequest: readonly ModelField[];
  /** Fields written by an import. */
  readonly importable: ReadonlySet<ModelField>;
  /** Fields written by POST, and by PUT and PATCH. */
  readonly inserts: ReadonlySet<ModelField>;
  readonly updates: ReadonlySet<ModelField>;
  /** Translated fields with a subresource per language. Empty if records cannot be read here. */
  readonly texts: readonly ModelField[];
  readonly declaration: Route;
  readonly unknownParent: 'invalid-argument' | 'not-found';
  readonly operations: ReadonlySet<Operation>;
  readonly filters: ReadonlyMap<string, ModelFilter>;
  /** Filters whose parameter also names a record: `attributes` of `attributes.12`. They have no key here. */
  readonly keyedFilters: ReadonlyMap<string, ModelFilter>;
  readonly orders: ReadonlyMap<string, ModelField>;
  /** The search with facets of the collection, if it has one. */
  readonly faceted: ModelFaceted | undefined;
  /** The field that its lists can be asked for. */
  readonly listField: ModelListField | undefined;
}

export interface ModelParent {
  readonly parameter: string;
  readonly target: ModelResource;
  /** The link that the parameter sets, possibly through others. Undefined if it belongs to the path of a parent. */
  readonly field: ModelField | undefined;
  /** The route that finds the parent, including its own parents and fixed values. */
  readonly at: ModelRoute | undefined;
}

export interface ModelFilter {
  /** Name of its query parameter; aliases exist for old clients. */
  readonly name: string;
  readonly field: ModelField;
  /** Kind of its values. */
  readonly kind: FilterKind;
  /** The values are records at the other end of the field, or null. */
  readonly isLink: boolean;
  /** The linked record's field in the parameter's name (`tags.id`). Without it, addresses are accepted too. */
  readonly linkedField: ModelField | undefined;
  readonly partial: boolean;
  readonly values: readonly (string | number)[] | undefined;
  readonly elseNone: ElseNone | undefined;
  /** The identifier in the parameter's name, for a keyed filter. */
  readonly key?: number;
}

/** A search that also counts its results by the values of fields. */
interface ModelFaceted {
  readonly path: string;
  /** Fields with links, and numbers with ranges. */
  readonly facets: ReadonlyMap<string, ModelField>;
}

/** A facet of a request. */
export interface FacetUse {
  /** As the client writes it, without ranges. */
  readonly name: string;
  readonly field: ModelField;
  /** The identifier in the name, of a keyed field. */
  readonly key?: number | undefined;
  /** Set if the facet counts ranges of numbers instead of linked records. */
  readonly ranges?: readonly FacetRange[];
}

/** From a number (inclusive) to another (exclusive); null: unlimited. */
export interface FacetRange {
  readonly from: number | null;
  readonly to: number | null;
}

export interface ElseNone {
  readonly every: string;
  readonly unless: readonly ModelField[];
}

type RankCondition = NonNullable<Search['ranks']>[number]['has'];

/** The texts that a search reads, and the ranking of its results. */
export interface ModelSearch {
  /** Texts of the resource, and of parts of its records. */
  readonly in: readonly ModelField[];
  readonly ranks: readonly { readonly field: ModelField; readonly has: RankCondition }[];
  /** Order of the results without an order and ranks. */
  readonly orders: readonly { readonly field: ModelField; readonly descending: boolean }[];
}

/** The resource of the records at the other end of a link, direct or through a third resource. */
export function linkedResource({ storage, target }: ModelField): ModelResource {
  return storage.in === 'linked' ? target!.fields.get(storage.to)!.target! : target!;
}

/** The field that names a record in facets: what texts in input mean, or its name, or its label. */
export function displayedName({ naming, fields, label }: ModelResource): ModelField | undefined {
  return naming ?? fields.get('name') ?? label;
}

/** The filter of a parameter, by its name without brackets. */
export function filterNamed(
  { filters, keyedFilters }: Pick<ModelRoute, 'filters' | 'keyedFilters'>,
  name: string,
): ModelFilter | undefined {
  const [, base = '', key] = /^(\w+)\.([1-9]\d*)$/.exec(name) ?? [];
  const keyed = keyedFilters.get(base);
  return keyed && Number.isSafeInteger(Number(key)) ? { ...keyed, name, key: Number(key) } : filters.get(name);
}

/** The field whose links restrict a keyed field to those that are in use. */
export function usingField({ storage, target }: ModelField): ModelField | undefined {
  const used = storage.in === 'linked' ? storage.keyed?.usedIn : undefined;
  return (
    used && target!.linkedFrom.find(({ resource, name }) => resource.name === used.resource && name === used.links)
  );
}

/** The fields along a path over single links, such as `option.value`; undefined for an unknown one. */
export function fieldsAlong(resource: ModelResource, path: string): readonly (ModelField | undefined)[] {
  let reached: ModelResource | undefined = resource;
  return path.split('.').map((name) => {
    const field = reached?.fields.get(name);
    reached = field?.target;
    return field;
  });
}

/** `ProductImage` → `product_image`. */
export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}
