/** Sale of a product: a fixed sale price or a percentage off (catalog.md §1). */
import type { Draft, Violations } from '../../../engine/vocabulary.ts';
import { afterWrite } from '../after-write.ts';
import { checkPercent } from '../pricing/value.ts';

/** Fields that determine the sale price. */
export const SALE_FIELDS = ['sale_price_value', 'participate_sale', 'discount_type', 'price'] as const;

type SaleDraft = Draft<(typeof SALE_FIELDS)[number]>;

export function checkSale(draft: SaleDraft): void {
  const { values, violations } = draft;
  if (values.discount_type !== undefined || values.sale_price_value !== undefined) {
    const { discount_type, sale_price_value } = afterWrite(draft);
    if (discount_type === 'sale_percent') checkPercent(sale_price_value, 'sale_price_value', violations);
  }
  checkPrice(draft);
}

/**
 * Checks that a fixed sale price does not exceed the regular price, and that a sale price of 0 is sent explicitly. Products
 * that already violate this can still be changed in their other fields.
 */
function checkPrice(draft: SaleDraft): void {
  const { sent, stored, values, violations } = draft;
  const isWritten = SALE_FIELDS.some((name) => values[name] !== undefined && values[name] !== stored?.[name]);
  if (!isWritten) return;
  const { participate_sale, discount_type, sale_price_value, price } = afterWrite(draft);
  if (participate_sale !== true || discount_type !== 'sale_price') return;
  if (typeof sale_price_value !== 'number' || typeof price !== 'number') return;
  const isWrong = violations.list.some(({ propertyPath }) => SALE_FIELDS.some((name) => name === propertyPath));
  if (isWrong) return;
  checkSalePrice(sale_price_value, price, sentOf(sent, SALE_FIELDS), violations);
}

/**
 * Checks a fixed sale price. A price of 0 must be sent, so that no product is given away by mistake.
 * @param sent the names of the sent fields that determine it, the sale price first; a violation is at the first one
 */
export function checkSalePrice(value: number, price: number, sent: readonly string[], violations: Violations): void {
  if (value === 0 && !sent.includes('sale_price_value'))
    violations.add(
      'sale_price_value',
      'required',
      'The sale price would be 0. Send sale_price_value, or an explicit 0 to give the product away.',
    );
  else if (value > price)
    violations.add(
      sent[0] ?? 'sale_price_value',
      'range',
      `The sale price of ${value} must be at most the regular price of ${price}.`,
    );
}

/** The names of the fields that the client sent. */
export function sentOf(sent: Readonly<Record<string, unknown>>, names: readonly string[]): string[] {
  return names.filter((name) => sent[name] !== undefined);
}
