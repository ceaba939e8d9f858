/** Sale of a product: a fixed sale price or a percentage off (catalog.md §1). */
import type { Draft, Value } from '../../../engine/vocabulary.ts';

const PERCENT_MAX = 100;

export const TOO_HIGH_PERCENT = `A percentage off must be at most ${PERCENT_MAX}.`;

/** Fields that determine the sale price. */
export const SALE_FIELDS = ['sale_price_value', 'participate_sale', 'discount_type', 'price'] as const;

type SaleDraft = Draft<(typeof SALE_FIELDS)[number]>;

export function checkSale(draft: SaleDraft): void {
  checkPercent(draft);
  checkPrice(draft);
}

function checkPercent(draft: SaleDraft): void {
  const { discount_type, sale_price_value } = after(draft);
  if (discount_type === 'sale_percent' && typeof sale_price_value === 'number' && sale_price_value > PERCENT_MAX)
    draft.violations.add('sale_price_value', 'range', TOO_HIGH_PERCENT);
}

/**
 * Checks that a fixed sale price does not exceed the regular price, and that a sale price of 0 is sent explicitly. Products
 * that already violate this can still be changed in their other fields.
 */
function checkPrice(draft: SaleDraft): void {
  const { sent, stored, values, violations } = draft;
  const { participate_sale, discount_type, sale_price_value, price } = after(draft);
  const isWritten = SALE_FIELDS.some((name) => values[name] !== undefined && values[name] !== stored?.[name]);
  if (!isWritten || participate_sale !== true || discount_type !== 'sale_price') return;
  if (typeof sale_price_value !== 'number' || typeof price !== 'number') return;
  const isWrong = violations.list.some(({ propertyPath }) => SALE_FIELDS.some((name) => name === propertyPath));
  if (isWrong) return;
  const fault = salePriceFault(sale_price_value, price, sent.sale_price_value !== undefined);
  if (fault)
    violations.add(
      fault.code === 'required' ? 'sale_price_value' : SALE_FIELDS.find((name) => sent[name] !== undefined)!,
      ...([fault.code, fault.message] as const),
    );
}

interface SalePriceFault {
  readonly code: 'required' | 'range';
  readonly message: string;
}

/** @param isSent whether the client sent the sale price. A price of 0 must be sent, so that no product is given away by mistake */
export function salePriceFault(value: number, price: number, isSent: boolean): SalePriceFault | undefined {
  if (value === 0 && !isSent)
    return {
      code: 'required',
      message: 'The sale price would be 0. Send sale_price_value, or an explicit 0 to give the product away.',
    };
  if (value <= price) return undefined;
  return { code: 'range', message: `The sale price of ${value} must be at most the regular price of ${price}.` };
}

/** The record after the write. */
function after({ stored, values }: SaleDraft): Readonly<Partial<Record<(typeof SALE_FIELDS)[number], Value>>> {
  return { ...stored, ...values };
}
