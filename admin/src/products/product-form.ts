/** A product as flat form values, including the texts of other languages, and how to save them. */
import type { ProductOutput } from 'purveyor/client';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { splitTexts, type Texts, textValues } from '../forms/translated-texts.ts';

/** The translatable texts of a product, in display order. */
export const TEXT_FIELDS = [
  'name',
  'brief_description',
  'description',
  'meta_title',
  'meta_tags',
  'meta_description',
] as const;
export interface LoadedProduct {
  readonly product: ProductOutput;
  readonly etag: string;
  readonly texts: Texts;
}

/** @throws {StoreProblem} if the product does not exist */
export async function loadProduct(id: number): Promise<LoadedProduct> {
  const [read, texts] = await Promise.all([
    store.get('/products/{id}', { id }),
    store.get('/products/{id}/translations', { id }),
  ]);
  return { product: read.data, etag: read.etag!, texts: texts.data as unknown as Texts };
}

/** What to send for emptied fields. Others are sent as null; the store rejects that for required fields. */
export const EMPTY_VALUES: Values = {
  sku: '',
  clean_url: '',
  ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, ''])),
};

/** Fields that the store sets, and the images, which have a tab of their own. */
const READ_ONLY_FIELDS = ['id', 'create_date', 'update_date', 'images', 'og_meta_tags', 'variants_count'];

/** Returns the form's values: links by name, as the API accepts them; `text:de:name` is a text of another language. */
export function valuesOf({ product, texts }: Pick<LoadedProduct, 'product' | 'texts'>): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(product).filter(([name]) => !READ_ONLY_FIELDS.includes(name)),
  );
  // Links that the session cannot read are absent.
  values.tags = product.tags?.map(({ name }) => name) ?? [];
  values.memberships = product.memberships?.map(({ name }) => name) ?? [];
  values.product_class = product.product_class?.name ?? null;
  values.tax_class = product.tax_class?.name ?? null;
  return { ...values, ...textValues(texts, TEXT_FIELDS) };
}

export class TextsRejected extends Error {
  readonly language: string;

  constructor(language: string, cause: unknown) {
    super(`The store rejected the texts in ${language}.`, { cause });
    this.language = language;
  }
}

/**
 * Sends the changed fields if the product still has this ETag, then the texts of each language.
 * @throws {StoreProblem} if the store rejects the fields; no field is saved
 * @throws {TextsRejected} if the store rejects the texts of a language: the fields are saved
 */
export async function saveProduct(id: number, changed: Values, etag: string): Promise<void> {
  const { own, texts } = splitTexts(changed);
  // Without changed fields, the empty patch still checks the ETag before the texts are sent.
  await store.patch('/products/{id}', { id }, own as never, { ifMatch: etag });
  for (const [language, fields] of Object.entries(texts))
    try {
      await store.patch('/products/{id}', { id }, fields as never, { language });
    } catch (error) {
      throw new TextsRejected(language, error);
    }
}
