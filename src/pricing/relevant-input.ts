/** Reduces the input of a calculation to what an order stores: no personal data, and no rules without effect (pricing.md §5). */
import type { Input, Line, SaleDiscount, VariantFacts, WholesalePrice } from './input.ts';
import { allowsZones, isActive, isExempt, matchesLink, matchesProduct } from './matching.ts';
import { openSaleDiscounts } from './steps.ts';

/**
 * Reduces an input, so that it can be stored with an order. `calculate` returns the same result for it, but explains fewer
 * rules. The `vat_id` is replaced by the exemption that results from it.
 */
export function relevantInput(input: Input): Input {
  const { buyer, address, time, rules } = input;
  // Included prices contain the taxes for a missing address.
  const zones = new Set([...address, ...rules.missing_address].map(({ id }) => id));
  const products = new Set(input.lines.map(({ product }) => product.id));
  const listed = <D extends { readonly products: readonly number[] }>(discount: D): D => ({
    ...discount,
    products: discount.products.filter((id) => products.has(id)),
  });
  const matchesALine = (discount: SaleDiscount): boolean =>
    input.lines.some(({ product }) => matchesProduct(discount, product));
  const units = input.lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...input,
    lines: input.lines.map((line) => withRelevantRows(line, buyer.membership, units)),
    buyer: { ...buyer, tax_exempt: isExempt(buyer, address, rules.tax_settings), vat_id: '' },
    coupons: input.coupons.map(listed),
    rules: {
      ...rules,
      sale_discounts: openSaleDiscounts(rules, buyer, time).filter(matchesALine).map(listed),
      volume_discounts: rules.volume_discounts.filter(
        (discount) =>
          isActive(discount, time) &&
          matchesLink(discount.membership, buyer.membership) &&
          allowsZones(discount.zones, address),
      ),
      tax_rates: rules.tax_rates.filter(
        (rate) =>
          rate.enabled &&
          isActive(rate, time) &&
          matchesLink(rate.membership, buyer.membership) &&
          (rate.zone === null || zones.has(rate.zone)),
      ),
    },
    explain: false,
  };
}

function withRelevantRows(line: Line, membership: number | null, units: number): Line {
  const relevant = (rows: readonly WholesalePrice[]): readonly WholesalePrice[] => {
    const candidates = rows.filter(
      (row) => row.quantity_range_begin <= units && matchesLink(row.membership, membership),
    );
    // A variant with a row of its own does not use those of its product.
    return candidates.length === 0 ? rows.slice(0, 1) : candidates;
  };
  const reduced = <F extends Pick<VariantFacts, 'wholesale_prices'>>(facts: F): F => ({
    ...facts,
    wholesale_prices: relevant(facts.wholesale_prices),
  });
  return { ...line, product: reduced(line.product), variant: line.variant && reduced(line.variant) };
}
