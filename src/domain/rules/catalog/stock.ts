/** The stock of a product as clients set it. Orders move it by rules of their own. */
import { type Draft, messages, type Value } from '../../../engine/vocabulary.ts';

/** Not negative, or the negative amount that is stored already: pieces owed to backorders. */
export function checkAmount({ operation, values, stored, violations }: Draft<'amount'>): void {
  const { amount } = values;
  if (operation === 'action' || typeof amount !== 'number' || amount >= 0 || amount === stored?.amount) return;
  violations.add('amount', 'range', messages.notNegative);
}

/** Adds `delta` to the amount, down to zero, or to `-backorder_limit` where backorder is allowed. */
export const STOCK_FIELDS = ['delta', 'amount', 'available_for_backorder', 'backorder_limit'] as const;

export function changeStock(draft: Draft<(typeof STOCK_FIELDS)[number]>): void {
  const after = stockAfter(draft, draft.stored!);
  if (after !== undefined) draft.values.amount = after;
}

/** The pieces that a record has, and how many may be owed. */
type Stock = Readonly<Record<'amount' | 'available_for_backorder' | 'backorder_limit', Value>>;

/** The amount once `delta` is added; undefined where that is refused. */
export function stockAfter(
  { sent, violations }: Pick<Draft<'delta'>, 'sent' | 'violations'>,
  stock: Stock,
): number | undefined {
  const { delta } = sent;
  if (typeof delta !== 'number') return undefined;
  const amount = stock.amount as number;
  const least = stock.available_for_backorder ? -(stock.backorder_limit as number) : 0;
  const sum = amount + delta;
  if (delta === 0) violations.add('delta', 'range', 'This value should not be 0.');
  else if (delta < 0 && sum < least)
    violations.add(
      'delta',
      'range',
      `The stock is ${amount}; this would leave ${sum}, and it may not fall below ${least}.`,
    );
  else if (!Number.isSafeInteger(sum))
    violations.add('delta', 'range', `The stock is ${amount}; this would leave more than ${Number.MAX_SAFE_INTEGER}.`);
  else return sum;
  return undefined;
}
