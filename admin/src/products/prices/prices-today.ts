/** What buyers pay today, as the store calculates it (docs/contract/pricing.md §5). */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ProductPriceOutput } from 'purveyor/client';
import { readRecord } from '../../api/runtime-requests.ts';
import type { Owner } from './wholesale.ts';

interface Buyer {
  readonly quantity: number;
  readonly membership: number | null;
}

async function readPrice(
  { product_id, variant_id }: Owner,
  { quantity, membership }: Buyer,
  explain = false,
): Promise<ProductPriceOutput> {
  const filter = { quantity, ...(membership === null ? {} : { membership }), ...(explain ? { explain } : {}) };
  const read =
    variant_id === null
      ? readRecord('/products/{id}/price', { id: product_id }, { filter })
      : readRecord('/products/{product_id}/variants/{id}/price', { product_id, id: variant_id }, { filter });
  return (await read).data;
}

/** The beginning of the keys of all prices of a product. */
export const priceQueries = (product_id: number) => ['price-today', product_id] as const;

/** Reads the price of a quantity with its explanation. */
export function useExplainedPrice(owner: Owner, buyer: Buyer, isValid: boolean) {
  return useQuery({
    queryKey: [...priceQueries(owner.product_id), 'explained', owner.variant_id, buyer],
    queryFn: () => readPrice(owner, buyer, true),
    enabled: isValid,
    placeholderData: (before) => before,
    retry: false,
  });
}

/** Returns a function for the unit price of a quantity for buyers of a membership; undefined while it is not known. */
export function usePricesToday(owner: Owner, memberships: readonly (number | null)[]) {
  const prices = useQueries({
    queries: memberships.map((membership) => ({
      queryKey: [...priceQueries(owner.product_id), owner.variant_id, membership],
      queryFn: () => readPrice(owner, { quantity: 1, membership }),
      retry: false,
    })),
  });
  return ({ quantity, membership }: Buyer): number | undefined =>
    prices[memberships.indexOf(membership)]?.data?.tiers.findLast((tier) => tier.quantity <= quantity)?.price;
}
