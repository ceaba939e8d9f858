/** The banner of a category (catalog.md §5). */
import { categoryPicture } from '../rules/catalog/category-image.ts';

export const categoryBanner = categoryPicture('CategoryBanner', 'banner');
