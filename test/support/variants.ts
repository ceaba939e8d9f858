/** Creates products with variants, by default a shirt in sizes and colors. */
import type { HttpResponse } from './client.ts';
import type { Json, Store } from './store.ts';

/** A product with values of select attributes, by option. */
export interface ProductWithOptions {
  readonly product: HttpResponse['json'];
  /** `/api/products/1` */
  readonly path: string;
  /** `/api/products/1/variants` */
  readonly variants: string;
  /** The attributes' ids, by name. */
  readonly attributes: Readonly<Record<string, number>>;
  /** The values' ids, by option. */
  readonly values: Readonly<Record<string, number>>;
}

const SHIRT = { Size: ['S', 'M'], Colour: ['red', 'blue'] };

/** @param scope path of the attributes: `/api` for global ones, by default the product */
export async function varied(
  store: Store,
  fields: Json = {},
  options: Readonly<Record<string, readonly string[]>> = SHIRT,
  scope?: string,
): Promise<ProductWithOptions> {
  const product = await store.product(fields);
  const path = `/api/products/${product.id}`;
  const attributes: Record<string, number> = {};
  const values: Record<string, number> = {};
  for (const [name, all] of Object.entries(options)) {
    const at = `${scope ?? path}/attributes_select`;
    const attribute = (await store.made(at, { name })).id;
    attributes[name] = attribute;
    for (const value of all) {
      const option = await store.made(`${at}/${attribute}/options`, { value });
      const body = { option_id: option.id };
      values[value] = (await store.made(`${path}/attributes_select/${attribute}/values`, body)).id;
    }
  }
  return { product, path, variants: `${path}/variants`, attributes, values };
}

/** Creates the variant with the values of these options. @returns its output */
export function madeVariant(
  store: Store,
  { variants, values }: ProductWithOptions,
  options: readonly string[],
  fields: Json = {},
): Promise<HttpResponse['json']> {
  return store.made(variants, { attribute_select_values: options.map((option) => values[option]), ...fields });
}
