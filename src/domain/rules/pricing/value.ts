/** Values of discounts and prices: percentages, and amounts of the store's currency (pricing.md §§1 and 2). */
import type { Draft, Value, Violations } from '../../../engine/vocabulary.ts';
import { decimalsOf } from '../../../pricing/currencies.ts';
import { isFiner } from '../../../pricing/money.ts';
import { afterWrite } from '../after-write.ts';

const PERCENT_MAX = 100;

export const PERCENT = '%';
export const MONEY = '$';

/** Checks that a percentage is at most 100. @param name of its field */
export function checkPercent(value: Value | undefined, name: string, violations: Violations): void {
  if (typeof value === 'number' && value > PERCENT_MAX)
    violations.add(name, 'range', `A percentage must be at most ${PERCENT_MAX}.`);
}

/** Checks that an amount of money can be paid in the store's currency. */
export function checkMoney(
  value: Value | undefined,
  name: string,
  { environment: { settings }, violations }: Pick<Draft, 'environment' | 'violations'>,
): void {
  const currency = settings.currency ?? '';
  const decimals = decimalsOf(currency);
  if (typeof value === 'number' && isFiner(value, decimals))
    violations.add(name, 'decimals', `An amount in ${currency} should have at most ${decimals} decimals.`);
}

export const DATE_RANGE = ['date_range_begin', 'date_range_end'] as const;

/** Checks that the end of a date range is after its begin. Null is open. */
export function checkDateRange(draft: Draft<(typeof DATE_RANGE)[number]>): void {
  const { violations } = draft;
  const { date_range_begin: begin, date_range_end: end } = afterWrite(draft);
  if (typeof begin === 'number' && typeof end === 'number' && end <= begin)
    violations.add('date_range_end', 'conflict', 'The end must be after date_range_begin. Send null for no end.');
}
