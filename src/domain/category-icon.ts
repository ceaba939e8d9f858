/** The icon of a category (catalog.md §5). */
import { categoryPicture } from './rules/category-picture.ts';

export const categoryIcon = categoryPicture('CategoryIcon', 'icon');
