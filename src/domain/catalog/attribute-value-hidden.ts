/** The option of a hidden attribute that a product has: one. */
import { resource } from '../../engine/vocabulary.ts';
import { chosenOption, optionRules, valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';

export const attributeValueHidden = resource({
  name: 'AttributeValueHidden',
  group: 'Catalog',
  description: 'The option that a product has for a hidden attribute.',
  fields: { ...valueOwners(), ...chosenOption() },
  routes: [valueRoute('hidden', { single: true, operations: ['read', 'create', 'replace', 'patch', 'remove'] })],
  uniqueTogether: ['product', 'attribute'],
  rules: optionRules,
});
