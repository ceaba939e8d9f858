/** Values that tell variants apart cannot go while a variant has them (catalog.md §12). */
import type { Draft, Stored, UnitOfWork, Value } from '../../../engine/vocabulary.ts';

/** Variants that a refusal names. */
const NAMED_MAX = 5;

export const USES_OF_VALUES_IN_USE = {
  Attribute: ['product_class'],
  AttributeValueCheckbox: ['product', 'attribute'],
  AttributeValueSelect: ['product', 'attribute', 'option'],
  Variant: ['product_id', 'attribute_checkbox_values', 'attribute_select_values'],
} as const;

type Unit = UnitOfWork<typeof USES_OF_VALUES_IN_USE>;
type Record = Stored<never>;

export const checkboxValueInUse = ({ id }: Record, unit: Unit) => refusalOf(unit, [id], []);

export const selectValueInUse = ({ id }: Record, unit: Unit) => refusalOf(unit, [], [id]);

/** With an option go the values that use it. */
export async function optionInUse({ id }: Record, unit: Unit): Promise<string | undefined> {
  const values = await unit.list('AttributeValueSelect', { option: id });
  return refusalOf(unit, [], values.map(idOf));
}

/** With an attribute go its values. */
export const attributeInUse = ({ id }: Record, unit: Unit) => refusalOfAttributes(unit, [id]);

/** With a class go its attributes. They are held, so that nobody adds a value to one meanwhile. */
export async function classInUse({ id }: Record, unit: Unit): Promise<string | undefined> {
  const attributes = await unit.find('Attribute', 'product_class', id);
  await unit.hold('Attribute', attributes);
  return refusalOfAttributes(unit, attributes);
}

/** A product that leaves its class leaves the values of that class's attributes. */
export async function checkClassLeft({ values, stored, conflicts }: Draft<'product_class'>, unit: Unit): Promise<void> {
  const old = stored?.product_class ?? null;
  if (!stored || old === null || values.product_class === undefined || values.product_class === old) return;
  const attributes = await unit.find('Attribute', 'product_class', old);
  const refusal = await refusalOfAttributes(unit, attributes, { product: stored.id });
  if (refusal !== undefined) conflicts.push(refusal);
}

async function refusalOfAttributes(
  unit: Unit,
  attributes: readonly Value[],
  of: { readonly product?: Value } = {},
): Promise<string | undefined> {
  if (attributes.length === 0) return undefined;
  const where = { attribute: [...attributes], ...of };
  const checkboxes = await unit.list('AttributeValueCheckbox', where);
  const selects = await unit.list('AttributeValueSelect', where);
  return refusalOf(unit, checkboxes.map(idOf), selects.map(idOf));
}

/** The values are held, so a variant that takes one meanwhile is seen here, or finds it gone. */
async function refusalOf(
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
  return `Variants are told apart by it: ${paths.join(', ')}${others}. Delete them first.`;
}

const idOf = ({ id }: { readonly id: Value }): Value => id;
