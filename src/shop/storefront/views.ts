/** All storefront views, in the order of the OpenAPI document (storefront.md §2). */
import { ATTRIBUTES, CATEGORIES, TAGS } from './categories.ts';
import { PRODUCTS } from './products.ts';
import { VARIANTS } from './variants.ts';
import type { ShopView } from './view.ts';

export const VIEWS: readonly ShopView[] = [PRODUCTS, VARIANTS, CATEGORIES, TAGS, ATTRIBUTES];
