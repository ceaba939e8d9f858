/** Options of select and hidden attributes (catalog.md §8). Deleting an option deletes the values that use it. */
import { integer, partOf, resource, rules, text } from '../../engine/vocabulary.ts';
import { SCOPES } from '../rules/catalog/attribute-scopes.ts';
import { optionInUse, USES_OF_VALUES_IN_USE } from '../rules/catalog/variants-in-use.ts';

const WITH_OPTIONS: readonly string[] = ['select', 'hidden'];

export const attributeOption = resource({
  name: 'AttributeOption',
  group: 'Catalog',
  description:
    'One of the options of an attribute, such as “Large”. Deleting it also deletes the product values that use it.',
  fields: {
    attribute: partOf('Attribute'),
    position: integer({ description: 'Sort order.' }),
    value: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      searchable: true,
      example: 'Large',
    }),
  },
  label: 'value',
  routes: SCOPES.flatMap(({ prefix, kinds }) =>
    kinds
      .filter((kind) => WITH_OPTIONS.includes(kind))
      .map((kind) => ({
        path: `${prefix}/attributes_${kind}/{attribute_id}/options/{id}`,
        parents: { attribute_id: 'attribute' },
        operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] as const,
      })),
  ),
  filters: [{ field: 'value', partial: true }],
  orders: ['position', 'value'],
  defaultOrder: ['position'],
  rules: rules({ own: [], ...USES_OF_VALUES_IN_USE }, { checkRemoval: optionInUse }),
});
