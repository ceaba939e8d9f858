/** A product that leaves its class leaves the values that it held for that class's attributes (catalog.md §1). */
import type { Draft, Records } from '../../engine/resource.ts';

const VALUES = ['AttributeValueCheckbox', 'AttributeValueSelect', 'AttributeValueText', 'AttributeValueHidden'];

export async function dropValuesOfOldClass({ values, stored }: Draft, records: Records): Promise<void> {
  const old = stored?.product_class ?? null;
  if (!stored || old === null || values.product_class === undefined || values.product_class === old) return;
  const attributes = await records.find('Attribute', 'product_class', old);
  for (const resource of VALUES) await records.remove(resource, { product: stored.id!, attribute: attributes });
}
