/** Values of checkbox attributes: at most one for yes and one for no on each product. */
import { flag, resource, rules } from '../../engine/vocabulary.ts';
import { modifiers, valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';
import { checkboxValueInUse, USES_OF_VALUES_IN_USE } from '../rules/catalog/variants-in-use.ts';

export const attributeValueCheckbox = resource({
  name: 'AttributeValueCheckbox',
  group: 'Catalog',
  description:
    'A value of a checkbox attribute on a product. If customers can choose, the product has one record for true and one for false.',
  fields: { ...valueOwners(), value: flag(), ...modifiers() },
  routes: [valueRoute('checkbox', { operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] })],
  uniqueTogether: ['product', 'attribute', 'value'],
  rules: rules({ own: [], ...USES_OF_VALUES_IN_USE }, { checkRemoval: checkboxValueInUse }),
});
