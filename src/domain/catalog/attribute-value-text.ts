/** The text of a text attribute of a product: one. */
import { flag, resource, text } from '../../engine/vocabulary.ts';
import { valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';

export const attributeValueText = resource({
  name: 'AttributeValueText',
  group: 'Catalog',
  description: 'The text that a product has for a text attribute.',
  fields: { ...valueOwners(), value: text({ translated: true, searchable: true }), editable: flag() },
  routes: [valueRoute('text', { single: true, operations: ['read', 'create', 'replace', 'patch', 'remove'] })],
  uniqueTogether: ['product', 'attribute'],
});
