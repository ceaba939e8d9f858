/** Compares numbers in filters exactly with stored ones, whatever their precision (http.md §8). */
import { scaleDecimal } from '../decimal-text.ts';
import type { FilterKind } from '../field.ts';
import { DECIMAL_MAX, DECIMAL_PLACES } from '../fields/number.ts';

/** The stored values next to a number: the same value twice if the number can be stored itself. */
export interface Neighbors {
  /** The greatest value that is at most the number; undefined if all are greater. */
  readonly below: number | undefined;
  /** The least value that is at least the number; undefined if all are less. */
  readonly above: number | undefined;
}

interface Scale {
  readonly decimals: number;
  readonly unitsMax: bigint;
  readonly form: RegExp;
  readonly expected: string;
}

const SCALES: Readonly<Partial<Record<FilterKind, Scale>>> = {
  integer: {
    decimals: 0,
    unitsMax: BigInt(Number.MAX_SAFE_INTEGER),
    form: /^-?(0|[1-9]\d*)$/,
    expected: 'a whole number',
  },
  float: {
    decimals: DECIMAL_PLACES,
    unitsMax: BigInt(Math.round(DECIMAL_MAX * 10 ** DECIMAL_PLACES)),
    form: /^-?(0|[1-9]\d*)(\.\d+)?$/,
    expected: `a number with at most ${DECIMAL_PLACES} decimals`,
  },
};

/** Lenient mode accepts leading zeros and a sign. A "+" that was not percent-encoded was decoded as a space. */
const LENIENT_FORM = /^[-+ ]?(\d+(\.\d*)?|\.\d+)$/;

/**
 * Parses a number in a filter. Strict mode accepts only numbers that the field can store.
 * @returns the message part that says what is expected, if the text is not accepted
 */
export function readNeighbors(kind: FilterKind, text: string, lenient: boolean): Neighbors | string {
  const scale = SCALES[kind]!;
  if (!(lenient ? LENIENT_FORM : scale.form).test(text)) return lenient ? 'a number' : scale.expected;
  const neighbors = neighborsOf(text, scale);
  const isStorable = neighbors.below === neighbors.above && neighbors.below !== undefined;
  return lenient || isStorable ? neighbors : scale.expected;
}

export function isNumeric(kind: FilterKind): boolean {
  return SCALES[kind] !== undefined;
}

function neighborsOf(text: string, { decimals, unitsMax }: Scale): Neighbors {
  const { isNegative, units, rest } = scaleDecimal(text, decimals);
  const more = rest > 0n ? 1n : 0n;
  const [below, above] = isNegative ? [-units - more, -units] : [units, units + more];
  const fromUnits = (count: bigint): number => Number(count) / 10 ** decimals;
  return {
    below: below < -unitsMax ? undefined : fromUnits(below > unitsMax ? unitsMax : below),
    above: above > unitsMax ? undefined : fromUnits(above < -unitsMax ? -unitsMax : above),
  };
}
