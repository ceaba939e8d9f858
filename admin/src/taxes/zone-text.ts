/** Describes the addresses of a zone in words. */
import type { Violation, ZoneInput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useCountryName } from '../utils/countries.ts';

type Element = NonNullable<ZoneInput['elements']>[number];

/** An element whose lists are all present, as the form has it. */
export type ZoneElement = Required<Element>;

/** What the store rejected last. */
export interface RejectedElements {
  readonly elements: readonly ZoneElement[];
  readonly violations: readonly Violation[];
}

/** The lists that need exactly one country. */
export const PLACES = ['states', 'zips', 'cities'] as const;

export const isOnlyCountries = (element: Element): boolean => PLACES.every((list) => !element[list]?.length);

/** The member states of the European Union, as of 2026-01-01. */
export const EUROPEAN_UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(
  ' ',
);

/** Names that a sentence lists. The rest is counted. */
const NAMES_MAX = 6;

/** Returns a function that describes the elements of a zone, for example “Germany, Austria; Texas (United States)”. */
export function useZoneText(): (elements: readonly Element[]) => string {
  const translate = useTranslate();
  const countryName = useCountryName();

  function listed(names: readonly string[]): string {
    const shown = names.slice(0, NAMES_MAX).join(', ');
    const others = names.length - NAMES_MAX;
    return others > 0 ? `${shown} ${translate('removal.andMore', { smart_count: others })}` : shown;
  }

  function textOf(element: Element): string {
    const countries = listed(element.countries.map(countryName));
    const places = PLACES.flatMap((list) => {
      const values = element[list] ?? [];
      return values.length === 0 ? [] : [`${translate(`zones.${list}`)}: ${listed(values)}`];
    });
    return places.length === 0 ? countries : `${countries} (${places.join('; ')})`;
  }

  return (elements) => (elements.length === 0 ? translate('zones.everywhere') : elements.map(textOf).join(' · '));
}
