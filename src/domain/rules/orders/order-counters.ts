/** Counters of an order's items and their invariants (orders.md §10). */
import type { Draft, Value } from '../../../engine/vocabulary.ts';

/** Each counter never exceeds the second one. */
const AT_MOST = [
  ['shipped_amount', 'amount'],
  ['returned_amount', 'shipped_amount'],
  ['restocked_amount', 'returned_amount'],
] as const;

/** Checks the counters of an item of a past order, which are stored as sent. */
export function checkCounters(
  item: Readonly<Record<string, Value>>,
  path: string,
  violations: Draft['violations'],
): void {
  for (const [less, more] of AT_MOST) {
    const [count, most] = [item[less] ?? 0, item[more] ?? 0] as [number, number];
    if (count > most)
      violations.add(`${path}.${less}`, 'range', `The value must be at most ${more}, which is ${most}.`);
  }
}
