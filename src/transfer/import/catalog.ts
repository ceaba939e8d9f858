import type { Problems } from '../api/store-api.ts';
import type { ImageRow, ProductInput, VariantInput } from './import-row.ts';

/**
 * A store's catalogue, as an import uses it. The store's rules hold behind it: what they refuse comes back as problems.
 * A store that cannot answer raises, and the import ends there; a further run goes on where it stopped.
 */
export interface Catalogue {
  /** By its exact SKU. */
  findProduct(sku: string): Promise<StoredProduct | undefined>;
  /**
   * Makes or changes the product of each input, as the lines of a bulk: inputs are taken a few ahead, and each outcome comes in
   * their order.
   */
  saveProducts(inputs: AsyncIterable<ProductInput>): AsyncIterable<SavedProduct>;
  /**
   * Downloads the image, adds it to the product and remembers the address, both or neither. Not changed: an import once added
   * the image from this address to this product. That stays true when the shop has deleted or replaced the image since:
   * what the shop decided is not undone. Called for several images of a product at once. A problem whose path is `externalUrl`
   * is one of the address.
   */
  addImage(productId: number, image: ImageRow): Promise<Saved>;
  /** Everything that stands in the list, in its order. */
  readNames(list: NameList): Promise<NamedRecord[]>;
  /** Adds one of this name to the list, whether or not it has one already. */
  addName(list: NameList, name: string, position: number): Promise<Saved>;
  categoryHas(categoryId: number, productId: number): Promise<boolean>;
  addToCategory(categoryId: number, productId: number): Promise<Saved>;
  /** The product's choices of a select attribute; none where the attribute is not one of the product's. */
  readChoices(productId: number, attributeId: number): Promise<Choice[]>;
  addChoice(productId: number, attributeId: number, optionId: number): Promise<Saved>;
  readVariants(productId: number): Promise<StoredVariant[]>;
  /** Makes or changes variants by their SKUs; each outcome comes in the order of the lines. */
  saveVariants(productId: number, lines: readonly VariantLine[]): AsyncIterable<SavedProduct>;
  /** Gives the variant another SKU. */
  renameVariant(productId: number, variantId: number, sku: string): Promise<Saved>;
  /** Downloads the picture, and makes it that of the variant. */
  setVariantImage(productId: number, variantId: number, image: ImageRow): Promise<Saved>;
  /** @returns what keeps it, where it stays */
  removeChoice(productId: number, attributeId: number, choiceId: number): Promise<Problems | undefined>;
}

/** A list of the store whose records are known by their names: which kind, and the identifiers in its path. */
export interface NameList {
  readonly kind: NameListKind;
  /** Of categories the one above, or none for the top level. */
  readonly parents: readonly number[];
}

/** Attributes are select attributes. */
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
  /** 0 where the list has no positions. */
  readonly position: number;
}

export interface Choice {
  readonly id: number;
  readonly optionId: number;
}

export interface StoredVariant {
  readonly id: number;
  readonly sku: string | null;
  /** Its values of select attributes. */
  readonly values: readonly number[];
  readonly hasImage: boolean;
  /** As the API shows it. */
  readonly record: Readonly<Record<string, unknown>>;
}

export interface VariantLine {
  /** The variant that has this SKU; undefined of one to be made. */
  readonly stored: StoredVariant | undefined;
  readonly input: VariantInput & {
    readonly attribute_select_values?: readonly number[];
    readonly default_variant?: true;
  };
}

export interface StoredProduct {
  readonly id: number;
  /** As `GET /products/{id}` shows it, in the store's default language. */
  readonly record: Readonly<Record<string, unknown>>;
}

export type Saved =
  | { readonly ok: true; readonly id: number; readonly changed: boolean }
  | { readonly ok: false; readonly problems: Problems };

export type SavedProduct =
  | { readonly ok: true; readonly id: number; readonly outcome: 'created' | 'updated' | 'unchanged' }
  | { readonly ok: false; readonly problems: Problems };
