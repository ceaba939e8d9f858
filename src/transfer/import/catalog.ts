import type { Problems } from '../api/store-api.ts';
import type { ImageRow, ProductInput, VariantInput } from './import-row.ts';

/**
 * The part of a store's API that product imports use. Rejected writes are returned as problems. Methods throw if the store
 * cannot respond; the import then stops, and another run continues from there.
 */
export interface Catalog {
  /** By its exact SKU. */
  findProduct(sku: string): Promise<StoredProduct | undefined>;
  /** Creates or updates products by SKU. Reads inputs in batches and yields outcomes in the same order. */
  saveProducts(inputs: AsyncIterable<ProductInput>): AsyncIterable<SavedProduct>;
  /**
   * Downloads an image, adds it to the product and records its address, atomically. Returns unchanged if an import has
   * already added the image from this address to this product, even if the shop has deleted or replaced it since. May be
   * called concurrently for one product. A problem with the path `externalUrl` concerns the address.
   */
  addImage(productId: number, image: ImageRow): Promise<Saved>;
  /** Reads a whole list in its order. */
  readNames(list: NameList): Promise<NamedRecord[]>;
  /** Adds a record, even if the list already has one of this name. */
  addName(list: NameList, name: string, position: number): Promise<Saved>;
  categoryHas(categoryId: number, productId: number): Promise<boolean>;
  addToCategory(categoryId: number, productId: number): Promise<Saved>;
  /** Reads the product's values of a select attribute; none if the attribute does not apply to the product. */
  readChoices(productId: number, attributeId: number): Promise<Choice[]>;
  addChoice(productId: number, attributeId: number, optionId: number): Promise<Saved>;
  readVariants(productId: number): Promise<StoredVariant[]>;
  /** Creates or updates variants by SKU and yields outcomes in the order of the lines. */
  saveVariants(productId: number, lines: readonly VariantLine[]): AsyncIterable<SavedProduct>;
  /** Changes the SKU of a variant. */
  renameVariant(productId: number, variantId: number, sku: string): Promise<Saved>;
  /** Downloads an image and sets it as the image of the variant. */
  setVariantImage(productId: number, variantId: number, image: ImageRow): Promise<Saved>;
  /** @returns why it was not removed */
  removeChoice(productId: number, attributeId: number, choiceId: number): Promise<Problems | undefined>;
}

/** A list whose records are identified by name. */
export interface NameList {
  readonly kind: NameListKind;
  /** The identifiers in the path of the list. For categories: the parent category, or empty for the top level. */
  readonly parents: readonly number[];
}

/** Only select attributes are supported. */
export type NameListKind =
  | 'categories'
  | 'classes'
  | 'attributes of class'
  | 'attributes of product'
  | 'options of class attribute'
  | 'options of product attribute';

export interface NamedRecord {
  readonly id: number;
  readonly name: string;
  /** 0 if the list has no positions. */
  readonly position: number;
}

export interface Choice {
  readonly id: number;
  readonly optionId: number;
}

export interface StoredVariant {
  readonly id: number;
  readonly sku: string | null;
  /** Identifiers of its select attribute values. */
  readonly values: readonly number[];
  readonly hasImage: boolean;
  /** The record in API output. */
  readonly record: Readonly<Record<string, unknown>>;
}

export interface VariantLine {
  /** The existing variant with this SKU; undefined if the variant is to be created. */
  readonly stored: StoredVariant | undefined;
  readonly input: VariantInput & {
    readonly attribute_select_values?: readonly number[];
    readonly default_variant?: true;
  };
}

export interface StoredProduct {
  readonly id: number;
  /** The output of `GET /products/{id}`, in the store's default language. */
  readonly record: Readonly<Record<string, unknown>>;
}

export type Saved =
  | { readonly ok: true; readonly id: number; readonly changed: boolean }
  | { readonly ok: false; readonly problems: Problems };

export type SavedProduct =
  | { readonly ok: true; readonly id: number; readonly outcome: 'created' | 'updated' | 'unchanged' }
  | { readonly ok: false; readonly problems: Problems };
