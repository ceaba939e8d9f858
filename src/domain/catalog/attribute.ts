/** Attributes, in four kinds and three scopes (catalog.md §7). The path determines both kind and scope. */

import {
  choice,
  type Draft,
  integer,
  type Operation,
  type Reads,
  type Route,
  reference,
  resource,
  rules,
  text,
} from '../../engine/vocabulary.ts';
import { KINDS, SCOPES } from '../rules/catalog/attribute-scopes.ts';
import { attributeInUse, USES_OF_VALUES_IN_USE } from '../rules/catalog/variants-in-use.ts';

const ALL: readonly Operation[] = ['list', 'create', 'read', 'replace', 'patch', 'remove'];

const USES = {
  ...USES_OF_VALUES_IN_USE,
  own: ['groupId', 'product_class'],
  AttributeGroup: ['product_class'],
} as const;

export const attribute = resource({
  name: 'Attribute',
  family: 'attributes',
  group: 'Catalog',
  description:
    'A custom property of products, such as a size or a color. Deleting it also deletes its options, values and properties.',
  fields: {
    kind: choice(KINDS, { groups: ['all', 'read'], default: 'text', description: 'Kind of the attribute.' }),
    name: text({ required: true, notBlank: true, lengthMax: 255, translated: true, searchable: true, example: 'Size' }),
    position: integer({ description: 'Sort order.' }),
    groupId: reference({
      to: 'AttributeGroup',
      nullable: true,
      zeroIsNull: true,
      onDelete: 'set null',
      description: 'Attribute group of the same scope and product class. 0 is stored as null.',
    }),
    displayMode: choice(['S', 'B'], {
      default: 'S',
      description: 'How shops show the options: `S` as a list, `B` as blocks.',
    }),
    product_class: reference({ to: 'ProductClass', nullable: true, groups: [], onDelete: 'cascade' }),
    product: reference({ to: 'Product', nullable: true, groups: [], onDelete: 'cascade' }),
  },
  routes: [
    {
      path: '/attributes/{id}',
      operations: ['list'],
      fixed: { product_class: null, product: null },
    },
    ...SCOPES.flatMap(({ prefix, parents, fixed, kinds, hasGroups }) =>
      kinds.map(
        (kind): Route => ({
          path: `${prefix}/attributes_${kind}/{id}`,
          operations: ALL,
          parents,
          fixed: { ...fixed, kind },
          without: ['kind', ...(kind === 'select' ? [] : ['displayMode']), ...(hasGroups ? [] : ['groupId'])],
        }),
      ),
    ),
  ],
  filters: [{ field: 'name', partial: true }, 'groupId'],
  orders: ['position', 'name'],
  defaultOrder: ['position'],
  rules: rules(USES, { check: checkGroup, checkRemoval: attributeInUse }),
});

/** Checks that the group has the attribute's scope and product class. */
async function checkGroup(
  { values, stored, violations }: Draft<(typeof USES.own)[number]>,
  reads: Reads<typeof USES>,
): Promise<void> {
  const { groupId } = values;
  if (typeof groupId !== 'number' || groupId === stored?.groupId) return;
  const group = await reads.read('AttributeGroup', groupId);
  const ownClass = values.product_class ?? stored?.product_class ?? null;
  if (group && group.product_class !== ownClass)
    violations.add(
      'groupId',
      'unknown_link',
      'The group belongs to another scope or product class than the attribute.',
    );
}
