/** Categories: the tree in which a shop shows its products (catalog.md §4). */
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
import { deriveAutomaticTexts, madeMarkup, PAGE_TEXT_FIELDS, textType } from '../rules/catalog/page-texts.ts';

const EVERY_LEVEL = 'all';

export const category = resource({
  name: 'Category',
  group: 'Catalog',
  description:
    'A place in the tree in which a shop shows its products. Deleting one takes all below it; products stay.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      searchable: true,
      example: 'Shirts',
    }),
    enabled: flag({ default: true }),
    show_title: flag({ default: true }),
    position: integer({ description: 'Order among siblings.' }),
    memberships: links({ to: 'Membership', shown: 'records' }),
    parent: reference({
      to: 'Category',
      tree: true,
      nullable: true,
      preservedOnReplace: true,
      onDelete: 'no action',
      description: 'The category above; null is the top level.',
    }),
    clean_url: cleanUrl({ example: 'shirts', searchable: true }),
    description: text({ translated: true, description: 'Text or HTML, kept as written.' }),
    meta_tags: text({ translated: true, lengthMax: 255 }),
    meta_description: text({ translated: true }),
    meta_description_type: textType('meta_description'),
    meta_title: text({ translated: true, lengthMax: 255 }),
    og_meta_tags: text({
      translated: true,
      description: 'Markup. While it is empty, output shows markup made from the category.',
      complete: madeMarkup,
    }),
    og_meta_tags_type: textType('og_meta_tags'),
    icon: part('CategoryIcon', IMAGE_SHOWN),
    banner: part('CategoryBanner', IMAGE_SHOWN),
    path: treePath('Category', ['id', 'name'], {
      description: 'From the top level down to the category itself, which is the last.',
    }),
    create_date: timestamp({ stamped: 'created', default: 0 }),
    update_date: timestamp({
      stamped: 'changed',
      default: 0,
      description: 'Changes of its pictures, texts and links count too.',
    }),
    product: linkedBy('CategoryProduct', 'category', 'product_id'),
  },
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
    // A client that names a category knows which one; a client that browses begins at the top.
    { field: 'parent', elseNone: { every: EVERY_LEVEL, unless: ['id', 'clean_url', 'name', 'product'] } },
    'enabled',
    { field: 'name', partial: true },
    'clean_url',
    'product',
    'memberships',
  ],
  orders: ['name', 'clean_url'],
  defaultOrder: ['position'],
  rules: rules(
    { own: ['name', 'clean_url', 'parent', ...PAGE_TEXT_FIELDS], Category: ['parent'] },
    {
      async derive(draft, unit) {
        deriveAutomaticTexts(draft, ['meta_description', 'og_meta_tags']);
        await deriveCleanUrl(draft, unit, 'category');
      },
      check: checkBranch,
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
            description: 'Left out, it stays.',
            example: null,
          }),
          position: integer({ transient: true, description: 'Left out, it stays.', example: 1 }),
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
        summary: 'Count what is in a category',
        output: {
          subcategories_count_all: { type: 'integer', description: 'Direct children.' },
          subcategories_count_enabled: { type: 'integer', description: 'Direct children that are enabled.' },
          products_count: { type: 'integer', description: 'Products linked to the category itself.' },
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
