/** Values of select attributes: the options that a product offers, each at most once. */
import { integer, resource } from '../../engine/vocabulary.ts';
import { chosenOption, modifiers, selectRules, valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';

export const attributeValueSelect = resource({
  name: 'AttributeValueSelect',
  group: 'Catalog',
  description: 'An option of a select attribute that a product offers.',
  fields: {
    ...valueOwners(),
    ...chosenOption(),
    position: integer({ description: 'Sort order among the product’s options of this attribute.' }),
    ...modifiers(),
  },
  routes: [valueRoute('select', { operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] })],
  orders: ['position'],
  uniqueTogether: ['product', 'attribute', 'option'],
  rules: selectRules,
});
