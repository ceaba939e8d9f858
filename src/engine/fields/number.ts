/** Integers and exact decimals. Compared by value (`1.0` is the integer 1), never coerced or rounded. */
import { roundDecimal, significantDigits } from '../decimal-text.ts';
import { messages, type Violations } from '../errors.ts';
import { type Field, type FieldOptions, field } from '../field.ts';
import { LossyNumber } from '../json.ts';
import type { Value } from '../ports.ts';

interface NumberOptions extends FieldOptions {
  readonly default?: number | null;
  readonly min?: number;
  readonly max?: number;
  /** Available to rules only; not stored. */
  readonly transient?: boolean;
  /** The field that rules set from this one, if it is sent instead. */
  readonly standsFor?: string;
  /** Computed by rules from other values. */
  readonly sum?: boolean;
  /** 0 means null, as clients of release 5.5 send it. */
  readonly zeroIsNull?: boolean;
  /** The minimum in imported records, if different. */
  readonly importMin?: number;
  /** While this flag of the record is true, output shows its owner's field of the same name. */
  readonly inheritedWhile?: string;
}

/** Money, weights and modifiers: 14 digits, 4 of them decimals. A double represents each exactly as text. */
export const DECIMAL_MAX = 9999999999.9999;
export const DECIMAL_PLACES = 4;

export function integer(options: NumberOptions = {}): Field {
  const min = options.min ?? Number.MIN_SAFE_INTEGER;
  const max = options.max ?? Number.MAX_SAFE_INTEGER;
  return field(options, {
    kind: 'integer',
    storage: options.transient ? { in: 'nothing' } : { in: 'column', type: 'integer' },
    ...(options.standsFor === undefined ? {} : { standsFor: options.standsFor }),
    ...(options.sum ? { sum: true } : {}),
    ...(options.inheritedWhile === undefined ? {} : { inheritedWhile: options.inheritedWhile }),
    default: defaultOf(options),
    filter: 'integer',
    inputSchema: { type: 'integer', minimum: min, maximum: max },
    outputSchema: { type: 'integer' },
    read: (value, path, violations, { past }) => {
      const least = (past ? options.importMin : undefined) ?? min;
      if (value instanceof LossyNumber && !value.isWhole) return rejectType('integer', path, violations);
      if (value instanceof LossyNumber) return rejectRange(Number(value.text), least, max, path, violations);
      if (typeof value !== 'number' || !Number.isInteger(value)) return rejectType('integer', path, violations);
      if (value < least || value > max) return rejectRange(value, least, max, path, violations);
      if (value === 0) return options.zeroIsNull ? null : 0;
      return value;
    },
  });
}

/** The sum of whole numbers of the record; no input sets it. */
export function sumOf(of: readonly string[], options: Pick<FieldOptions, 'description' | 'shownExample'>): Field {
  return field(
    { ...options, groups: ['all', 'read'] },
    {
      kind: 'sumOf',
      sum: true,
      storage: { in: 'sum', of },
      default: 0,
      inputSchema: {},
      outputSchema: { type: 'integer' },
      read: () => undefined,
    },
  );
}

export function decimal(options: NumberOptions = {}): Field {
  const min = options.min ?? -DECIMAL_MAX;
  const max = options.max ?? DECIMAL_MAX;
  return field(options, {
    kind: 'decimal',
    storage: options.transient ? { in: 'nothing' } : { in: 'column', type: 'decimal' },
    ...(options.sum ? { sum: true } : {}),
    ...(options.inheritedWhile === undefined ? {} : { inheritedWhile: options.inheritedWhile }),
    default: defaultOf(options),
    filter: 'float',
    inputSchema: { type: 'number', minimum: min, maximum: max },
    outputSchema: { type: 'number' },
    read: (value, path, violations, { lenient }) => {
      const number = value instanceof LossyNumber ? Number(value.text) : value;
      if (typeof number !== 'number') return rejectType('number', path, violations);
      const stored = isFarOut(number) ? number : storedDecimal(value as number | LossyNumber, lenient);
      const checked = stored ?? number;
      if (checked < min || checked > max) return rejectRange(checked, min, max, path, violations);
      if (stored === undefined)
        violations.add(path, 'decimals', `This value should have at most ${DECIMAL_PLACES} decimals.`);
      return stored;
    },
  });
}

/** Whether the number is out of the range of every field. */
function isFarOut(number: number): boolean {
  return Math.abs(number) > DECIMAL_MAX + 1;
}

/** The noise of calculations with doubles: its digits, and how much of the number it may be (http.md §9). */
const NOISE_DIGITS_MIN = 15;
const NOISE_RATIO_MAX = 1e-9;

/** @returns undefined if the number has more decimals than the field; lenient mode rounds it instead */
function storedDecimal(value: number | LossyNumber, lenient: boolean): number | undefined {
  const text = value instanceof LossyNumber ? value.text : String(value);
  const number = Number(text);
  const rounded = roundDecimal(text, DECIMAL_PLACES);
  const isExact = rounded === number && !(value instanceof LossyNumber);
  return isExact || lenient || isNoise(number) ? rounded : undefined;
}

function isNoise(number: number): boolean {
  const rounded = roundDecimal(String(number), DECIMAL_PLACES);
  const difference = Math.abs(rounded - number);
  return significantDigits(number) >= NOISE_DIGITS_MIN && difference < NOISE_RATIO_MAX * Math.abs(number);
}

function defaultOf(options: NumberOptions): number | null {
  if (options.default !== undefined) return options.default;
  return options.nullable ? null : 0;
}

function rejectType(type: string, path: string, violations: Violations): Value | undefined {
  violations.add(path, 'type', messages.type(type));
  return undefined;
}

function rejectRange(number: number, min: number, max: number, path: string, violations: Violations): undefined {
  violations.add(path, 'range', number > max ? `This value should be at most ${max}.` : belowMessage(min));
}

function belowMessage(min: number): string {
  if (min === 0) return messages.notNegative;
  return min === 1 ? messages.positive : `This value should be at least ${min}.`;
}
