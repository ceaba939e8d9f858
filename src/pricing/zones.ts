/** Which zones an address is in, and how specific each is (pricing.md §4). */
import { searchKey } from '../engine/text-forms.ts';

/** A zone (pricing.md §3). */
export interface Zone {
  readonly id: number;
  /** `[]` matches every address. */
  readonly elements: readonly ZoneElement[];
}

/** Matches an address if every list that is not empty matches (pricing.md §4). */
export interface ZoneElement {
  readonly countries: readonly string[];
  readonly states: readonly string[];
  readonly zips: readonly string[];
  readonly cities: readonly string[];
}

/** The members of a postal address that zones compare (orders.md §1). */
export interface PostalAddress {
  readonly country_code: string | null;
  readonly state_name: string | null;
  readonly zipcode: string | null;
  readonly city: string | null;
}

/** A zone that matches an address. */
export interface MatchedZone {
  readonly id: number;
  /** How specific the zone's most specific matching element is, from 0 (`elements: []`) to 4 (zips). */
  readonly specificity: number;
}

/** How specific an element is, by its most specific list (pricing.md §4). */
const SPECIFICITY = { none: 0, countries: 1, states: 2, cities: 3, zips: 4 } as const;

/**
 * Finds the zones of an address (pricing.md §4).
 *
 * @param address null, or one without `country_code`, is a missing address: it is only in zones with `elements: []`, and in
 * the default zone
 * @param defaultZone id of `default_zone` of the tax settings
 * @returns the most specific zone first, ties by ascending id
 */
export function matchedZones(
  zones: readonly Zone[],
  address: PostalAddress | null,
  defaultZone: number | null,
): MatchedZone[] {
  const matched = zones.flatMap((zone) => {
    const specificity = address?.country_code
      ? specificityFor(zone, address)
      : specificityForMissing(zone, zone.id === defaultZone);
    return specificity === undefined ? [] : [{ id: zone.id, specificity }];
  });
  return matched.sort((one, other) => other.specificity - one.specificity || one.id - other.id);
}

/**
 * Chooses the address for taxes and discounts (pricing.md §3).
 *
 * @param setting `address` of the tax settings
 */
export function addressForTaxes<A>(setting: 'shipping' | 'billing', shipping: A | null, billing: A | null): A | null {
  return setting === 'shipping' ? (shipping ?? billing) : (billing ?? shipping);
}

/** @returns undefined if the zone does not match */
function specificityFor(zone: Zone, address: PostalAddress): number | undefined {
  if (zone.elements.length === 0) return SPECIFICITY.none;
  const matching = zone.elements.filter((element) => matchesElement(element, address));
  return matching.length === 0 ? undefined : Math.max(...matching.map(specificityOf));
}

function specificityForMissing(zone: Zone, isDefault: boolean): number | undefined {
  if (isDefault) return SPECIFICITY.countries;
  return zone.elements.length === 0 ? SPECIFICITY.none : undefined;
}

function specificityOf(element: ZoneElement): number {
  if (element.zips.length > 0) return SPECIFICITY.zips;
  if (element.cities.length > 0) return SPECIFICITY.cities;
  return element.states.length > 0 ? SPECIFICITY.states : SPECIFICITY.countries;
}

function matchesElement({ countries, states, zips, cities }: ZoneElement, address: PostalAddress): boolean {
  return (
    (countries.length === 0 || countries.includes(address.country_code!.toUpperCase())) &&
    (states.length === 0 || hasName(states, address.state_name)) &&
    (cities.length === 0 || hasName(cities, address.city)) &&
    (zips.length === 0 || zips.some((zip) => matchesZip(zip, address.zipcode ?? '')))
  );
}

/** Compares names after folding: case and accents have no effect (http.md §8). */
function hasName(names: readonly string[], name: string | null): boolean {
  const key = searchKey(name ?? '');
  return key !== '' && names.some((each) => searchKey(each) === key);
}

/** Whether a pattern of `zips` matches: exact, prefix (`787*`) or range (`75000-79999`) (pricing.md §4). */
function matchesZip(pattern: string, zipcode: string): boolean {
  const zip = folded(zipcode);
  if (zip === '') return false;
  const range = rangeOf(pattern);
  if (range) {
    const digits = zip.slice(0, range.first.length);
    return (
      /^\d+$/.test(digits) && digits.length === range.first.length && digits >= range.first && digits <= range.last
    );
  }
  if (pattern.trim().endsWith('*')) return zip.startsWith(folded(pattern.trim().slice(0, -1)));
  return zip === folded(pattern);
}

/** Converts to upper case, without spaces and hyphens (pricing.md §4). */
function folded(zipcode: string): string {
  return zipcode.toUpperCase().replace(/[\s-]/g, '');
}

/** @returns the ends of a range: digits of equal length, ascending; undefined for another pattern */
function rangeOf(pattern: string): { readonly first: string; readonly last: string } | undefined {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(pattern.replace(/\s/g, '')) ?? [];
  if (first === undefined || last === undefined || first.length !== last.length || first > last) return undefined;
  return { first, last };
}
