/**
 * The content of a file before anything reaches the store: drafts of products, and the rows that gave none. A draft is
 * in the words of the API; nothing here knows which program exported the file.
 */

/**
 * The input of `PATCH /products/{id}`. A field is left out where the file says nothing about it, so that what the shop
 * entered there itself stays.
 */
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
  /** Where the row begins: a line of the file, counted from 1. */
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  readonly input: ProductInput;
  /** Fields that a new product gets beside `input`, and that a stored one keeps as they are. */
  readonly inputOnCreate: Partial<ProductInput>;
  readonly images: readonly ImageRow[];
  /** Of each category the names from the top level down to it; empty where the file names none. */
  readonly categoryPaths: readonly (readonly string[])[];
  /** The options that tell the product from its sisters, each once, in the order of the file. */
  readonly options: readonly OptionRow[];
  /** Where the row was read as one of the variants of a product, before those are put together. */
  readonly variantOf?: VariantOf;
  /** Where rows were put together to one product, in the order of the file. */
  readonly variants?: readonly VariantRow[];
}

/** A row as a variant: which product it belongs to, and its own beside the fields of a product. */
interface VariantOf {
  /** One and the same object for all rows of a product. */
  readonly owner: OwnerRow;
  readonly image: ImageRow | undefined;
  /** Its amount is that of the product. */
  readonly sharesStock: boolean;
  /** Columns that only a product can have, and in which the row has something of its own. */
  readonly notKept: readonly string[];
}

export interface OwnerRow {
  /** The row that describes the product. */
  readonly row: number;
  readonly sku: string;
  /** Those of the product and of its variants, each once. */
  readonly images: readonly ImageRow[];
}

/** `{ name: 'Size', value: 'Large' }` of each attribute that tells the variants apart, and what the variant has of its own. */
export interface VariantRow {
  readonly row: number;
  readonly sku: string;
  readonly input: VariantInput;
  readonly inputOnCreate: Partial<VariantInput>;
  readonly options: readonly OptionRow[];
  readonly image: ImageRow | undefined;
}

/** The input of `PATCH /products/{product_id}/variants/{id}`: a number of its own, or that of the product. */
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
  /** It would have been a variant. */
  readonly isVariant?: boolean;
}

/** Something beside a product's own fields that could not be brought in; the product itself is. */
export interface PartFailure {
  readonly row: number;
  readonly handle: string;
  readonly sku: string;
  readonly part: Part;
  /** An image by its address, a category by its path, an option by its name and value. */
  readonly name: string;
  readonly reason: string;
}

export type Part = 'image' | 'category' | 'option';

export interface Unreadable {
  readonly readable: false;
  /** One sentence: what is wrong with the file, and the way out. */
  readonly reason: string;
}

export interface ImportRows {
  readonly readable: true;
  readonly productRows: readonly ProductRow[];
  readonly skipped: readonly SkippedRow[];
  readonly failures: readonly PartFailure[];
  /** The report's remarks on the file as a whole, in sentences. */
  readonly notes: readonly string[];
}
