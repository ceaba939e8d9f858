/** Coupons that make the shipping of an order free. The charges of an order are those of the request, so the page sends 0. */
import { useQuery } from '@tanstack/react-query';
import { store } from '../../api/client.ts';
import type { DraftSurcharge } from './draft.ts';

interface FreeShipping {
  /** Whether the types of all coupons are known. */
  readonly isKnown: boolean;
  readonly isFree: boolean;
}

/** @param coupons ids of those that apply without lowering the price of an item */
export function useFreeShipping(coupons: readonly number[]): FreeShipping {
  const { data } = useQuery({
    queryKey: ['coupon types', coupons],
    queryFn: () => Promise.all(coupons.map(async (id) => (await store.get('/coupons/{id}', { id })).data.type)),
    enabled: coupons.length > 0,
    retry: false,
  });
  if (coupons.length === 0) return { isKnown: true, isFree: false };
  return { isKnown: data !== undefined, isFree: data?.includes('S') ?? false };
}

export function withFreeShipping(surcharges: readonly DraftSurcharge[]): readonly DraftSurcharge[] {
  return surcharges.map((surcharge) => (surcharge.type === 'shipping' ? { ...surcharge, value: '0' } : surcharge));
}
