/** Values of hidden attributes: one option on each product. */
import { resource } from '../../engine/vocabulary.ts';
import { chosenOption, optionRules, valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';

export const attributeValueHidden = resource({
  name: 'AttributeValueHidden',
  group: 'Catalog',
  description: 'The option of a hidden attribute on a product.',
  fields: { ...valueOwners(), ...chosenOption() },
  routes: [valueRoute('hidden', { single: true, operations: ['read', 'create', 'replace', 'patch', 'remove'] })],
  uniqueTogether: ['product', 'attribute'],
  rules: optionRules,
});
