/** The category tree (catalog.md §4). */
import {
  action,
  flag,
  integer,
  linkedBy,
  links,
  part,
  reference,
  resource,
  rules,
  text,
  timestamp,
  treePath,
  view,
} from '../../engine/vocabulary.ts';
import { checkBranch, moveCategory } from '../rules/catalog/category-tree.ts';
import { cleanUrl, deriveCleanUrl } from '../rules/catalog/clean-url.ts';
import { IMAGE_SHOWN } from '../rules/catalog/image.ts';
import { recordOldUrl, USES_OF_OLD_URLS } from '../rules/catalog/old-urls.ts';
import { deriveAutomaticTexts, openGraphMarkup, PAGE_TEXT_FIELDS, textType } from '../rules/catalog/page-texts.ts';
import { FORMER_CATEGORY } from '../rules/pricing/former-values.ts';
import { categoryNamed, USES_OF_CATEGORY_RULES } from '../rules/pricing/named-records.ts';
import { SHOP_URL } from '../rules/store/store-info.ts';

const EVERY_LEVEL = 'all';

export const category = resource({
  name: 'Category',
  group: 'Catalog',
  description:
    'A category in the tree that organizes the shop’s products. Deleting it also deletes the categories below it, but no products.',
  fields: {
    name: text({
      synonyms: ['title'],
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      searchable: true,
      example: 'Shirts',
    }),
    enabled: flag({
      synonyms: ['active', 'published', 'visible'],
      default: true,
      description: 'Whether shops show the category.',
    }),
    show_title: flag({ default: true, description: 'Whether the category page shows the name as its title.' }),
    position: integer({ description: 'Sort order among siblings.' }),
    memberships: links({ to: 'Membership', shown: 'records', description: 'Memberships that the category is for.' }),
    parent: reference({
      to: 'Category',
      tree: true,
      nullable: true,
      preservedOnReplace: true,
      onDelete: 'no action',
      description: 'Id of the parent category; null for the top level.',
    }),
    clean_url: cleanUrl({ example: 'shirts', searchable: true }),
    description: text({ translated: true, description: 'Text or HTML, stored as sent.' }),
    meta_tags: text({ translated: true, lengthMax: 255, description: 'Keywords of the page.' }),
    meta_description: text({ translated: true, description: 'Meta description of the page.' }),
    meta_description_type: textType('meta_description'),
    meta_title: text({ translated: true, lengthMax: 255, description: 'Title of the page.' }),
    og_meta_tags: text({
      translated: true,
      description: 'Open Graph markup of the page. If it is empty, output shows markup generated from the category.',
      complete: openGraphMarkup('category'),
      completedFrom: ['name', 'clean_url', 'meta_description', 'description'],
      completedWith: SHOP_URL,
    }),
    og_meta_tags_type: textType('og_meta_tags'),
    icon: part('CategoryIcon', IMAGE_SHOWN),
    banner: part('CategoryBanner', IMAGE_SHOWN),
    path: treePath('Category', ['id', 'name'], {
      description: 'Categories from the top level down to this one.',
    }),
    create_date: timestamp({ stamped: 'created', default: 0 }),
    update_date: timestamp({
      stamped: 'changed',
      default: 0,
      description: 'Time of the last change of the category, its images, texts or links.',
    }),
    flyout_columns: integer({
      min: 0,
      preservedOnReplace: true,
      description: 'Number of columns of the category’s menu. Stored for the shop.',
    }),
    product: linkedBy('CategoryProduct', 'category', 'product_id'),
  },
  formerValues: FORMER_CATEGORY,
  bulk: { by: 'clean_url' },
  routes: [
    { path: '/categories/{category_id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] },
    {
      path: '/products/{product_id}/categories/{category_id}',
      parents: { product_id: 'product' },
      operations: ['list'],
    },
  ],
  filters: [
    // Clients that search for a specific category need every level; clients that browse start at the top.
    { field: 'parent', elseNone: { every: EVERY_LEVEL, unless: ['id', 'clean_url', 'name', 'product'] } },
    'enabled',
    { field: 'name', partial: true },
    'clean_url',
    'product',
    'memberships',
  ],
  orders: ['name', 'clean_url'],
  defaultOrder: ['position'],
  lookup: { rank: 2, by: 'name', title: 'name' },
  rules: rules(
    { own: ['name', 'clean_url', 'parent', ...PAGE_TEXT_FIELDS], ...USES_OF_CATEGORY_RULES, ...USES_OF_OLD_URLS },
    {
      async derive(draft, unit) {
        deriveAutomaticTexts(draft, ['meta_description', 'og_meta_tags']);
        await deriveCleanUrl(draft, unit, 'category');
      },
      check: checkBranch,
      within: (draft, unit, id) => recordOldUrl(draft, unit, id, 'category'),
      checkRemoval: categoryNamed,
    },
  ),
  actions: [
    action(
      { own: ['parent', 'position'] },
      {
        name: 'move',
        method: 'PUT',
        summary: 'Move a category in the tree',
        input: {
          parent: reference({
            to: 'Category',
            nullable: true,
            onDelete: 'no action',
            description: 'Id of the new parent; null for the top level. Unchanged if omitted.',
            example: null,
          }),
          position: integer({ transient: true, description: 'New sort order. Unchanged if omitted.', example: 1 }),
        },
        run: moveCategory,
      },
    ),
  ],
  views: [
    view(
      { Category: ['parent', 'enabled'], CategoryProduct: ['category'] },
      {
        name: 'stats',
        summary: 'Count the contents of a category',
        description: 'Returns current counts.',
        output: {
          subcategories_count_all: integer({ description: 'Number of direct children.' }),
          subcategories_count_enabled: integer({ description: 'Number of enabled direct children.' }),
          products_count: integer({ description: 'Number of products linked to the category itself.' }),
        },
        read: async (id, reads) => ({
          subcategories_count_all: await reads.count('Category', { parent: id }),
          subcategories_count_enabled: await reads.count('Category', { parent: id, enabled: true }),
          products_count: await reads.count('CategoryProduct', { category: id }),
        }),
      },
    ),
  ],
});
