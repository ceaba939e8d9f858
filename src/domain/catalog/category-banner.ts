/** The banner of a category (catalog.md §5). */
import { categoryImage } from '../rules/catalog/category-image.ts';

export const categoryBanner = categoryImage('CategoryBanner', 'banner');
