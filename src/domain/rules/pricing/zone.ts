/** Elements of zones: countries, or states, postcodes and cities of one country (pricing.md §3). */
import { type Draft, type Field, list, texts, type Value } from '../../../engine/vocabulary.ts';

const ELEMENTS_MAX = 500;
const COUNTRIES_MAX = 250;
const PLACES_MAX = 1000;

/** The lists of an element that need exactly one country. */
const PLACES = ['states', 'zips', 'cities'] as const;

/** A name of only white space is not valid. */
const PLACE_NAME = { pattern: /^(?!\s*$)[^\p{Cc}]{1,255}$/u, expected: 'a name of 1 to 255 characters' };

/** Letters and digits, separated by spaces and hyphens; a star at the end of a prefix. */
const ZIP = {
  pattern: /^(?=.{1,32}$)[\p{L}\p{N}][\p{L}\p{N} -]*\*?$/u,
  expected: 'a postcode such as 78701, a prefix such as 787*, or a range such as 75000-79999',
};

export function elementsField(): Field {
  return list(
    {
      countries: texts({
        countMin: 1,
        countMax: COUNTRIES_MAX,
        required: true,
        form: { pattern: /^[A-Z]{2}$/, expected: 'two capital letters such as DE' },
        description: 'ISO 3166 codes. The other lists need exactly one.',
      }),
      states: texts({ countMin: 0, countMax: PLACES_MAX, form: PLACE_NAME, description: 'Names of states.' }),
      zips: texts({
        countMin: 0,
        countMax: PLACES_MAX,
        form: ZIP,
        description: 'Postcodes (`78701`), prefixes (`787*`) and ranges (`75000-79999`).',
      }),
      cities: texts({ countMin: 0, countMax: PLACES_MAX, form: PLACE_NAME, description: 'Names of cities.' }),
    },
    {
      countMax: ELEMENTS_MAX,
      description:
        'The zone contains an address if all non-empty lists of one element match it. Without elements, it contains every address.',
      example: [{ countries: ['US'], states: ['Texas'], zips: [], cities: [] }],
    },
  );
}

export const ZONE_FIELDS = ['elements'] as const;

type Element = Readonly<Record<'countries' | (typeof PLACES)[number], readonly string[]>>;

export function checkZone({ values, violations }: Draft<(typeof ZONE_FIELDS)[number]>): void {
  const elements = (values.elements ?? []) as Value[] as unknown as Element[];
  for (const [index, element] of elements.entries()) {
    const at = `elements[${index}]`;
    for (const name of PLACES)
      if (element[name].length > 0 && element.countries.length !== 1)
        violations.add(
          `${at}.${name}`,
          'conflict',
          'This list needs exactly one country. Use one element for each country.',
        );
    for (const [position, zip] of element.zips.entries())
      if (isDescending(zip))
        violations.add(`${at}.zips[${position}]`, 'format', 'The end of a range must not be below its begin.');
  }
}

/** Whether the text is a range of numbers with equally many digits whose end is below its begin. */
function isDescending(zip: string): boolean {
  const [, begin, end] = /^\s*(\d+)\s*-\s*(\d+)\s*$/.exec(zip) ?? [];
  return begin !== undefined && end !== undefined && begin.length === end.length && end < begin;
}
