/** Whether a product has a checkbox attribute, with what that changes: at most one value for yes and one for no. */
import { flag, resource, rules } from '../../engine/vocabulary.ts';
import { modifiers, valueOwners, valueRoute } from '../rules/catalog/attribute-values.ts';
import { checkboxValueInUse, USES_OF_VALUES_IN_USE } from '../rules/catalog/variants-in-use.ts';

export const attributeValueCheckbox = resource({
  name: 'AttributeValueCheckbox',
  group: 'Catalog',
  description: 'Whether a product has a checkbox attribute; one record for each value that can be chosen.',
  fields: { ...valueOwners(), value: flag(), ...modifiers() },
  routes: [valueRoute('checkbox', { operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] })],
  uniqueTogether: ['product', 'attribute', 'value'],
  rules: rules({ own: [], ...USES_OF_VALUES_IN_USE }, { checkRemoval: checkboxValueInUse }),
});
