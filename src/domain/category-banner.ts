/** The banner of a category (catalog.md §5). */
import { categoryPicture } from './rules/category-picture.ts';

export const categoryBanner = categoryPicture('CategoryBanner', 'banner');
