/** The counters of an order's line, and what always holds between them (orders.md §10). */
import type { Draft, Value } from '../../../engine/vocabulary.ts';

/** Each with the one that it never exceeds. */
const AT_MOST = [
  ['shipped_amount', 'amount'],
  ['returned_amount', 'shipped_amount'],
  ['restocked_amount', 'returned_amount'],
] as const;

/** The counters of a line that was sold elsewhere are as it says, if they can be. */
export function checkCounters(
  item: Readonly<Record<string, Value>>,
  path: string,
  violations: Draft['violations'],
): void {
  for (const [less, more] of AT_MOST) {
    const [count, most] = [item[less] ?? 0, item[more] ?? 0] as [number, number];
    if (count > most)
      violations.add(`${path}.${less}`, 'range', `This value should be at most ${more}, which is ${most}.`);
  }
}
