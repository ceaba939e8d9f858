/** The text of a text attribute of a product: one. */
import { flag } from '../engine/fields/flag.ts';
import { text } from '../engine/fields/text.ts';
import { resource } from '../engine/resource.ts';
import { valueOwners, valuePlace } from './rules/attribute-values.ts';

export const attributeValueText = resource({
  name: 'AttributeValueText',
  group: 'Catalog',
  description: 'The text that a product has for a text attribute.',
  fields: { ...valueOwners(), value: text({ translated: true, searchable: true }), editable: flag() },
  places: [valuePlace('text', { single: true, operations: ['read', 'create', 'replace', 'patch', 'remove'] })],
  uniqueTogether: ['product', 'attribute'],
});
