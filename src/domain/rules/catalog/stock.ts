/** Stock of a product as set by clients. `order-stock.ts` has the stock movements of orders. */
import { type Draft, messages, type Value } from '../../../engine/vocabulary.ts';

/** Rejects a negative amount, unless it is the stored one: backorders can make the stock negative. */
export function checkAmount({ operation, values, stored, violations }: Draft<'amount'>): void {
  const { amount } = values;
  if (operation === 'action' || typeof amount !== 'number' || amount >= 0 || amount === stored?.amount) return;
  violations.add('amount', 'range', messages.notNegative);
}

export const STOCK_FIELDS = ['delta', 'amount', 'available_for_backorder', 'backorder_limit'] as const;

/** Adds `delta` to the amount, down to zero, or to `-backorder_limit` if backorders are allowed. */
export function changeStock(draft: Draft<(typeof STOCK_FIELDS)[number]>): void {
  const after = stockAfter(draft, draft.stored!);
  if (after !== undefined) draft.values.amount = after;
}

/** Amount and backorder settings of a record. */
type Stock = Readonly<Record<'amount' | 'available_for_backorder' | 'backorder_limit', Value>>;

/** Computes the amount after adding `delta`. @returns undefined, with a violation, if the result is not allowed */
export function stockAfter(
  { sent, violations }: Pick<Draft<'delta'>, 'sent' | 'violations'>,
  stock: Stock,
): number | undefined {
  const { delta } = sent;
  if (typeof delta !== 'number') return undefined;
  const amount = stock.amount as number;
  const least = stock.available_for_backorder ? -(stock.backorder_limit as number) : 0;
  const sum = amount + delta;
  if (delta === 0) violations.add('delta', 'range', 'The value must not be 0.');
  else if (delta < 0 && sum < least)
    violations.add(
      'delta',
      'range',
      `The stock is ${amount} and would become ${sum}. It must not fall below ${least}.`,
    );
  else if (!Number.isSafeInteger(sum))
    violations.add('delta', 'range', `The stock is ${amount} and would exceed ${Number.MAX_SAFE_INTEGER}.`);
  else return sum;
  return undefined;
}
