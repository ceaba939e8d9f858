/**
 * The parsed content of a product file, before anything is written: product rows with API field names, and skipped rows.
 * These types are independent of the program that exported the file.
 */

/** The input of `PATCH /products/{id}`. Fields that the file does not contain are omitted, so the store's values remain. */
export type ProductInput = {
  sku: string;
  name: string;
  price: number;
  description?: string;
  brief_description?: string;
  meta_title?: string;
  meta_description?: string;
  market_price?: number;
  cost_price?: number;
  weight?: number;
  amount?: number;
  inventory_traceable?: boolean;
  available_for_backorder?: boolean;
  taxable?: boolean;
  enabled?: boolean;
  tags?: string[];
  product_class?: string | null;
};

export interface ProductRow {
  /** The line of the file on which the row begins, from 1. */
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  readonly input: ProductInput;
  /** Additional fields that are set only if the product is created. */
  readonly inputOnCreate: Partial<ProductInput>;
  readonly images: readonly ImageRow[];
  /** Category paths: names from the top level down. */
  readonly categoryPaths: readonly (readonly string[])[];
  /** The options that distinguish the product from its siblings, without duplicates, in file order. */
  readonly options: readonly OptionRow[];
  /** Set if the row is a variant that has not been merged into its product yet. */
  readonly variantOf?: VariantOf;
  /** Set on a product merged from several rows; in file order. */
  readonly variants?: readonly VariantRow[];
}

/** What a row contributes as a variant, in addition to the product fields. */
interface VariantOf {
  /** The same object for all rows of a product. */
  readonly owner: OwnerRow;
  readonly image: ImageRow | undefined;
  /** Its amount is the product's amount. */
  readonly sharesStock: boolean;
  /** Fields that the row sets although only a product can have them. */
  readonly ignoredFields: readonly string[];
}

export interface OwnerRow {
  /** The row that describes the product. */
  readonly row: number;
  readonly sku: string;
  /** Images of the product and its variants, without duplicates. */
  readonly images: readonly ImageRow[];
}

/** One variant of a merged product: its options and its own values. */
export interface VariantRow {
  readonly row: number;
  readonly sku: string;
  readonly input: VariantInput;
  readonly inputOnCreate: Partial<VariantInput>;
  readonly options: readonly OptionRow[];
  readonly image: ImageRow | undefined;
}

/** The input of `PATCH /products/{product_id}/variants/{id}`: per field its own value, or the default of the product. */
export type VariantInput = {
  sku: string;
  price?: number;
  default_price?: true;
  amount?: number;
  default_amount?: true;
  weight?: number;
  default_weight?: true;
};

export interface ImageRow {
  readonly externalUrl: string;
  readonly alt: string;
  readonly position: number;
}

/** `{ name: 'Size', value: 'Large' }` */
export interface OptionRow {
  readonly name: string;
  readonly value: string;
}

export interface SkippedRow {
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  readonly outcome: 'skipped';
  readonly reason: string;
  /** Whether the row is a variant. */
  readonly isVariant?: boolean;
}

/** A part of an imported product that could not be imported. */
export interface PartFailure {
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  readonly part: Part;
  /** Address of an image, path of a category, or name and value of an option. */
  readonly name: string;
  readonly reason: string;
}

export type Part = 'image' | 'category' | 'option';

/** Why the variants of a product are skipped if another row uses the SKU of the product. */
export function ownerSkuTaken(row: number, sku: string): string {
  return `Row ${row} already has the SKU "${sku}", which the product of this variant needs. Change one of them.`;
}

export interface Unreadable {
  readonly readable: false;
  /** For the user: what is wrong with the file and what to do. */
  readonly reason: string;
}

export interface ImportRows {
  readonly readable: true;
  readonly productRows: readonly ProductRow[];
  readonly skipped: readonly SkippedRow[];
  readonly failures: readonly PartFailure[];
  /** Sentences for the report about the whole file. */
  readonly notes: readonly string[];
}
