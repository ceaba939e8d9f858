/** The countries that an enabled shipping method ships to (storefront.md §2). */
import type { Reads, Value } from '../../engine/index.ts';

/** The resources that the countries depend on. */
export const RESOURCES_OF_COUNTRIES: readonly string[] = ['ShippingMethod', 'ShippingRate', 'Zone'];

interface ZoneElement {
  readonly countries: readonly string[];
}

/** @returns codes of countries, sorted; null for all countries */
export async function shippedCountries(reads: Reads): Promise<readonly string[] | null> {
  const methods = await reads.list('ShippingMethod', { enabled: true, processor: 'offline' }, { only: [] });
  const method = methods.map(({ id }) => id!);
  const rates = method.length === 0 ? [] : await reads.list('ShippingRate', { method }, { only: ['zone_id'] });
  const ids = [...new Set(rates.map(({ zone_id }) => zone_id as Value))];
  const zones = ids.length === 0 ? [] : await reads.list('Zone', { id: ids }, { only: ['elements'] });
  const elements = zones.map((zone) => zone.elements as unknown as readonly ZoneElement[]);
  // A zone without elements contains every address.
  if (elements.some(({ length }) => length === 0)) return null;
  return [...new Set(elements.flat().flatMap(({ countries }) => countries))].sort();
}
