/** Which options of a select attribute a product offers, each once, with what it changes. */
import { integer, resource } from '../../engine/vocabulary.ts';
import { chosenOption, modifiers, selectRules, valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';

export const attributeValueSelect = resource({
  name: 'AttributeValueSelect',
  group: 'Catalog',
  description: 'An option of a select attribute that a product offers.',
  fields: { ...valueOwners(), ...chosenOption(), position: integer(), ...modifiers() },
  routes: [valueRoute('select', { operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] })],
  orders: ['position'],
  uniqueTogether: ['product', 'attribute', 'option'],
  rules: selectRules,
});
