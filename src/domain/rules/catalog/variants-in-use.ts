/** Prevents the deletion of attribute values that variants use (catalog.md §12). */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

/** Variants listed in a message. */
const NAMED_MAX = 5;

export const USES_OF_VALUES_IN_USE = {
  Attribute: ['product_class'],
  AttributeValueCheckbox: ['product', 'attribute'],
  AttributeValueSelect: ['product', 'attribute', 'option'],
  Variant: ['product_id', 'attribute_checkbox_values', 'attribute_select_values'],
} as const;

type Unit = UnitOfWork<typeof USES_OF_VALUES_IN_USE>;
type Record = Stored<never>;

export const checkboxValueInUse = ({ id }: Record, unit: Unit) => conflictOfValues(unit, [id], []);

export const selectValueInUse = ({ id }: Record, unit: Unit) => conflictOfValues(unit, [], [id]);

/** Deleting an option deletes the values that use it. */
export async function optionInUse({ id }: Record, unit: Unit): Promise<string | undefined> {
  const values = await unit.list('AttributeValueSelect', { option: id });
  return conflictOfValues(unit, [], values.map(idOf));
}

/** Deleting an attribute deletes its values. */
export const attributeInUse = ({ id }: Record, unit: Unit) => conflictOfAttributes(unit, [id]);

/** Deleting a class deletes its attributes. The lock prevents that a value is added to one meanwhile. */
export async function classInUse({ id }: Record, unit: Unit): Promise<string | undefined> {
  const attributes = await unit.find('Attribute', 'product_class', id);
  await unit.hold('Attribute', attributes);
  return conflictOfAttributes(unit, attributes);
}

/** Adds a conflict if a product changes its class while its variants use values of the old class's attributes. */
export async function checkClassLeft({ values, stored, conflicts }: Draft<'product_class'>, unit: Unit): Promise<void> {
  const old = stored?.product_class ?? null;
  if (!stored || old === null || values.product_class === undefined || values.product_class === old) return;
  const attributes = await unit.find('Attribute', 'product_class', old);
  const conflict = await conflictOfAttributes(unit, attributes, { product: stored.id });
  if (conflict !== undefined) conflicts.push(conflict);
}

async function conflictOfAttributes(
  unit: Unit,
  attributes: readonly Value[],
  of: { readonly product?: Value } = {},
): Promise<string | undefined> {
  if (attributes.length === 0) return undefined;
  const where = { attribute: [...attributes], ...of };
  const checkboxes = await unit.list('AttributeValueCheckbox', where);
  const selects = await unit.list('AttributeValueSelect', where);
  return conflictOfValues(unit, checkboxes.map(idOf), selects.map(idOf));
}

/** Locks the values, so a concurrent new variant either is found here or no longer finds its value. */
async function conflictOfValues(
  unit: Unit,
  checkboxes: readonly Value[],
  selects: readonly Value[],
): Promise<string | undefined> {
  await unit.hold('AttributeValueCheckbox', checkboxes);
  await unit.hold('AttributeValueSelect', selects);
  const users = new Set([
    ...(await unit.linking('Variant', 'attribute_checkbox_values', checkboxes)),
    ...(await unit.linking('Variant', 'attribute_select_values', selects)),
  ]);
  if (users.size === 0) return undefined;
  const named = await unit.list('Variant', { id: [...users].slice(0, NAMED_MAX) });
  const paths = named.map(({ id, product_id }) => `/products/${product_id}/variants/${id}`);
  const others = users.size > named.length ? ` and ${users.size - named.length} more` : '';
  return `Variants use it: ${paths.join(', ')}${others}. Delete these variants first.`;
}

const idOf = ({ id }: { readonly id: Value }): Value => id;
