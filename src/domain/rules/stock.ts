/** The stock of a product as clients set it. Orders move it by rules of their own. */
import { type Draft, messages } from '../../engine/vocabulary.ts';

/** Not negative, or the negative amount that is stored already: pieces owed to backorders. */
export function checkAmount({ operation, values, stored, violations }: Draft<'amount'>): void {
  const { amount } = values;
  if (operation === 'action' || typeof amount !== 'number' || amount >= 0 || amount === stored?.amount) return;
  violations.add('amount', 'range', messages.notNegative);
}

/** Adds `delta` to the amount, down to zero, or to `-backorder_limit` where backorder is allowed. */
export const STOCK_FIELDS = ['delta', 'amount', 'available_for_backorder', 'backorder_limit'] as const;

export function changeStock({ sent, values, stored, violations }: Draft<(typeof STOCK_FIELDS)[number]>): void {
  const { delta } = sent;
  if (typeof delta !== 'number') return;
  const amount = stored!.amount as number;
  const least = stored!.available_for_backorder ? -(stored!.backorder_limit as number) : 0;
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
  else values.amount = sum;
}
