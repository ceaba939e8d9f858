/** The sale of a product: a price of its own, or so many percent off (catalog.md §1). */
import type { Draft, Value } from '../../../engine/vocabulary.ts';

const PERCENT_MAX = 100;

/** Fields that make the price of a sale. */
export const SALE_FIELDS = ['sale_price_value', 'participate_sale', 'discount_type', 'price'] as const;

type SaleDraft = Draft<(typeof SALE_FIELDS)[number]>;

export function checkSale(draft: SaleDraft): void {
  checkPercent(draft);
  checkPrice(draft);
}

/** As a percentage, the sale takes off at most everything. */
function checkPercent(draft: SaleDraft): void {
  const { discount_type, sale_price_value } = after(draft);
  if (discount_type === 'sale_percent' && typeof sale_price_value === 'number' && sale_price_value > PERCENT_MAX)
    draft.violations.add(
      'sale_price_value',
      'range',
      `While discount_type is sale_percent, this value should be at most ${PERCENT_MAX}.`,
    );
}

/**
 * A price of its own is not above the usual one, and it is 0 only where the same body says so. Products that were otherwise
 * before can be changed in everything else.
 */
function checkPrice(draft: SaleDraft): void {
  const { sent, stored, values, violations } = draft;
  const { participate_sale, discount_type, sale_price_value, price } = after(draft);
  const isWritten = SALE_FIELDS.some((name) => values[name] !== undefined && values[name] !== stored?.[name]);
  if (!isWritten || participate_sale !== true || discount_type !== 'sale_price') return;
  if (typeof sale_price_value !== 'number' || typeof price !== 'number') return;
  const isWrong = violations.list.some(({ propertyPath }) => SALE_FIELDS.some((name) => name === propertyPath));
  if (isWrong) return;
  if (sale_price_value === 0 && sent.sale_price_value === undefined)
    violations.add(
      'sale_price_value',
      'required',
      'The sale would give the product away: send its price, or 0 if that is meant.',
    );
  else if (sale_price_value > price)
    violations.add(
      SALE_FIELDS.find((name) => sent[name] !== undefined)!,
      'range',
      `In a sale with a price of its own, that price should be at most the product’s: it would be ${sale_price_value}, and the product’s ${price}.`,
    );
}

/** The record as it will be. */
function after({ stored, values }: SaleDraft): Readonly<Partial<Record<(typeof SALE_FIELDS)[number], Value>>> {
  return { ...stored, ...values };
}
