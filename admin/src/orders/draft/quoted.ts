/** What an order would be if it was saved now, with or without the store's calculation. */
import type { OrderQuoteOutput } from 'purveyor/client';
import type { useTranslate } from 'react-admin';
import type { OrderTotals } from '../order-items.tsx';

export interface QuotedLine {
  /** That of the variant, if there is one. The calculation has none. */
  readonly sku?: string;
  readonly price: number;
  /** Without sales and wholesale prices; only the calculation has it. */
  readonly regular_price?: number;
  readonly discounted_subtotal: number;
}

export interface Quoted extends OrderTotals {
  readonly items: readonly QuotedLine[];
  /** Ids of the coupons that apply without lowering the price of an item. Only the calculation has them. */
  readonly couponsWithoutAmount?: readonly number[];
}

/** Shows the result of the calculation as the order will show it. */
export function quotedOf(
  { currency, lines, discounts, charges, taxes, totals }: OrderQuoteOutput,
  translate: ReturnType<typeof useTranslate>,
): Quoted {
  const surcharges = [
    ...discounts.map(({ kind, code, value }) => ({
      type: 'discount',
      name:
        kind === 'coupon'
          ? translate('tester.couponOf', { code: code ?? '' })
          : translate('tester.rule.volume_discount'),
      value: value === 0 ? 0 : -value,
      include: false,
    })),
    ...charges.map(({ type, name, value }) => ({ type, name, value, include: false })),
    ...taxes.map(({ name, value, include }) => ({ type: 'tax', name, value, include })),
  ];
  return {
    currency,
    items: lines.map(({ price, regular_price, subtotal }) => ({ price, regular_price, discounted_subtotal: subtotal })),
    couponsWithoutAmount: discounts.flatMap(({ kind, id, value }) => (kind === 'coupon' && value === 0 ? [id] : [])),
    surcharges: surcharges.map((surcharge, id) => ({ id, ...surcharge })),
    sub_total: totals.sub_total,
    total: totals.total,
  };
}
