/** A product as its form has it: one flat object of input values, the texts of other languages beside those of the default one. */
import type { ProductOutput, ProductTranslationOutput } from 'purveyor/client';
import type { Values } from '../store/changes.ts';
import { defaultLanguage, languages, store } from '../store/client.ts';

/** Texts that a product has in each language, in the order in which they are shown. */
export const TEXT_FIELDS = [
  'name',
  'brief_description',
  'description',
  'meta_title',
  'meta_tags',
  'meta_description',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export type Texts = Readonly<Record<string, ProductTranslationOutput>>;

export interface Loaded {
  readonly product: ProductOutput;
  readonly etag: string;
  readonly texts: Texts;
}

/** @throws {StoreProblem} when there is no such product */
export async function loadProduct(id: number): Promise<Loaded> {
  const [read, texts] = await Promise.all([
    store.get('/products/{id}', { id }),
    store.get('/products/{id}/translations', { id }),
  ]);
  return { product: read.data, etag: read.etag!, texts: texts.data };
}

/** The values that emptied fields of the form are sent as; other fields are sent as null, and the store says what it thinks of that. */
export const EMPTIED: Values = {
  sku: '',
  clean_url: '',
  ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, ''])),
};

/** Fields that only the store sets, or that the pictures' tab changes. */
const NOT_INPUT = ['id', 'create_date', 'update_date', 'images', 'og_meta_tags', 'variants_count'];

/** The form's values: links by name, as input takes them; `text:de:name` is a text of another language. */
export function valuesOf({ product, texts }: Pick<Loaded, 'product' | 'texts'>): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(product).filter(([name]) => !NOT_INPUT.includes(name)),
  );
  values.tags = product.tags.map(({ name }) => name);
  values.memberships = product.memberships.map(({ name }) => name);
  values.product_class = product.product_class?.name ?? null;
  values.tax_class = product.tax_class?.name ?? null;
  for (const code of otherLanguages())
    for (const field of TEXT_FIELDS) values[textName(code, field)] = texts[code]?.[field] ?? '';
  return values;
}

export function otherLanguages(): string[] {
  return languages.map(({ code }) => code).filter((code) => code !== defaultLanguage());
}

export const textName = (code: string, field: string): string => `text:${code}:${field}`;

/** The changed fields apart: the product's own with the default language's texts, and those of each other language. */
export function apart(changed: Values): { own: Values; texts: Record<string, Record<string, unknown>> } {
  const own: Record<string, unknown> = {};
  const texts: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(changed)) {
    const [, code, field] = /^text:([^:]+):(.+)$/.exec(name) ?? [];
    if (code === undefined || field === undefined) own[name] = value;
    else texts[code] = { ...texts[code], [field]: value ?? '' };
  }
  return { own, texts };
}

export class TextsRefused extends Error {
  readonly code: string;

  constructor(code: string, cause: unknown) {
    super(`The texts in ${code} were refused.`, { cause });
    this.code = code;
  }
}

/**
 * Sends what changed: the fields first, if the product is still of this tag, then each language's texts.
 * @throws {StoreProblem} when the fields are refused: nothing is saved then
 * @throws {TextsRefused} when the texts of a language are: the fields are saved then
 */
export async function saveProduct(id: number, changed: Values, etag: string): Promise<void> {
  const { own, texts } = apart(changed);
  // Without fields of its own an empty patch still asks whether the product is as the person saw it.
  await store.patch('/products/{id}', { id }, own as never, { ifMatch: etag });
  for (const [language, fields] of Object.entries(texts))
    try {
      await store.patch('/products/{id}', { id }, fields as never, { language });
    } catch (error) {
      throw new TextsRefused(language, error);
    }
}
