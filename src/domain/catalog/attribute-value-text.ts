/** Values of text attributes: one text on each product. */
import { flag, resource, text } from '../../engine/vocabulary.ts';
import { valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';

export const attributeValueText = resource({
  name: 'AttributeValueText',
  group: 'Catalog',
  description: 'The text of a text attribute on a product.',
  fields: {
    ...valueOwners(),
    value: text({ translated: true, searchable: true }),
    editable: flag({ description: 'Whether customers can replace the text in their orders.' }),
  },
  routes: [valueRoute('text', { single: true, operations: ['read', 'create', 'replace', 'patch', 'remove'] })],
  uniqueTogether: ['product', 'attribute'],
});
