/** Removes a product's values of its old class's attributes when the product changes its class (catalog.md §1). */
import type { Draft, UnitOfWork } from '../../../engine/vocabulary.ts';

const VALUES = [
  'AttributeValueCheckbox',
  'AttributeValueSelect',
  'AttributeValueText',
  'AttributeValueHidden',
] as const;

const OWNERS = ['product', 'attribute'] as const;

export const USES_OF_OLD_CLASS = {
  Attribute: ['product_class'],
  AttributeValueCheckbox: OWNERS,
  AttributeValueSelect: OWNERS,
  AttributeValueText: OWNERS,
  AttributeValueHidden: OWNERS,
} as const;

export async function dropValuesOfOldClass(
  { values, stored }: Draft<'product_class'>,
  unit: UnitOfWork<typeof USES_OF_OLD_CLASS>,
): Promise<void> {
  const old = stored?.product_class ?? null;
  if (!stored || old === null || values.product_class === undefined || values.product_class === old) return;
  const attributes = await unit.find('Attribute', 'product_class', old);
  for (const resource of VALUES) await unit.remove(resource, { product: stored.id, attribute: attributes });
}
