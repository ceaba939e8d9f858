/** What shoppers see of categories, tags and attributes (storefront.md §2). */
import type { Value } from '../../engine/index.ts';
import { shownTexts } from '../feed-details.ts';
import { NO_FACTS, recordsOf, type ShopView, same, shopView, shownImage } from './view.ts';
import { categoriesOfMembers, tagsForAll, tagsOfMembers, VISIBLE, visibleCategories } from './visible.ts';

const IMAGE = ['alt', 'url', 'width', 'height'];

export const CATEGORIES: ShopView = shopView({
  resource: 'Category',
  path: '/categories',
  about: 'Enabled categories whose ancestors are enabled, except those for members only.',
  hasRecords: true,
  reads: ['Category', 'Product', 'Membership'],
  conditions: VISIBLE,
  among: async ({ reads }) => [...(await visibleCategories({ reads, membership: null }))],
  restricted: categoriesOfMembers,
  fields: {
    id: same('id', 'Id of the category.'),
    name: same('name', 'Name of the category.'),
    parent: same('parent'),
    path: {
      ...same('path'),
      described: recordsOf('Category', ['id', 'name'], 'Categories from the top level to this one.'),
    },
    position: same('position'),
    description: same('description'),
    meta_title: same('meta_title'),
    meta_description: same('meta_description'),
    meta_tags: same('meta_tags'),
    clean_url: same('clean_url', 'Last segment of the address of the category page.'),
    show_title: same('show_title'),
    icon: {
      from: ['icon'],
      value: ({ icon }) => shownImage(icon, IMAGE),
      described: recordsOf('ProductImage', IMAGE, 'Icon, or null.', false),
    },
    banner: {
      from: ['banner'],
      value: ({ banner }) => shownImage(banner, IMAGE),
      described: recordsOf('ProductImage', IMAGE, 'Banner, or null.', false),
    },
  },
  filters: {
    id: { as: 'id' },
    name: { as: 'name' },
    clean_url: { as: 'clean_url' },
    parent: { as: 'parent' },
    product: { as: 'product', operators: [undefined, ''], idsOf: 'Product' },
  },
  orders: {},
  facts: NO_FACTS,
});

export const TAGS: ShopView = shopView({
  resource: 'Tag',
  path: '/tags',
  about: 'The tags of visible products.',
  reads: ['Product', 'Membership'],
  conditions: [],
  among: tagsForAll,
  restricted: tagsOfMembers,
  fields: { id: same('id', 'Id of the tag.'), name: same('name', 'Name of the tag.') },
  filters: { id: { as: 'id' }, name: { as: 'name' } },
  orders: {},
  facts: NO_FACTS,
});

interface AttributeFacts {
  /** By attribute. */
  readonly options: ReadonlyMap<Value, readonly { readonly id: Value; readonly value: string }[]>;
}

/** Shoppers see the kinds without `hidden`. */
const SHOWN_KINDS = ['text', 'select', 'checkbox'];

export const ATTRIBUTES: ShopView = shopView<AttributeFacts>({
  resource: 'Attribute',
  path: '/attributes',
  about: 'The global attributes, without hidden ones.',
  reads: ['Attribute', 'AttributeOption'],
  conditions: [],
  async among({ reads }) {
    const found = await reads.list('Attribute', { kind: SHOWN_KINDS }, { only: [] });
    return found.map(({ id }) => id!);
  },
  fields: {
    id: same('id', 'Id of the attribute.'),
    name: same('name', 'Name of the attribute.'),
    kind: {
      from: ['kind'],
      value: ({ kind }) => kind,
      described: {
        schema: { type: 'string', enum: SHOWN_KINDS, description: 'Kind of the attribute.' },
        example: 'select',
      },
    },
    options: {
      from: ['kind'],
      needs: ['options'],
      value: ({ id }, { options }) => options.get(id!) ?? [],
      described: {
        schema: {
          type: 'array',
          description: 'Options of a select attribute in their order; otherwise empty.',
          items: {
            type: 'object',
            properties: {
              id: { type: 'integer', format: 'int64', description: 'Id of the option.' },
              value: { type: 'string', description: 'Text of the option.' },
            },
            required: ['id', 'value'],
          },
        },
        example: [
          { id: 1, value: 'Large' },
          { id: 2, value: 'Small' },
        ],
      },
    },
  },
  filters: {},
  orders: {},
  async facts({ reads }, records, needs) {
    if (!needs.has('options')) return { options: new Map() };
    const attribute = records.filter(({ kind }) => kind === 'select').map(({ id }) => id!);
    const rows = attribute.length === 0 ? [] : await reads.list('AttributeOption', { attribute });
    const sorted = rows.toSorted((one, other) => Number(one.position) - Number(other.position));
    const texts = await shownTexts(
      reads,
      'AttributeOption',
      rows.map(({ id }) => id!),
    );
    const byAttribute = Map.groupBy(sorted, (row) => row.attribute!);
    return {
      options: new Map(
        [...byAttribute].map(([id, all]) => [id, all.map((row) => ({ id: row.id!, value: texts.get(row.id!) ?? '' }))]),
      ),
    };
  },
});
