/** Describes for whom and for which products a discount is, in a list. */
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { readAll } from '../api/runtime-requests.ts';
import type { Discount } from './kinds.ts';

/** Returns a function that names the memberships of the buyers. */
export function useBuyersText(): (discount: Discount) => string {
  const translate = useTranslate();
  const { data = [] } = useQuery({ queryKey: ['membership-names'], queryFn: () => readAll('/memberships') });
  return (discount) => {
    const ids =
      'memberships' in discount ? discount.memberships : discount.membership === null ? [] : [discount.membership];
    const names = ids.map((id) => data.find((membership) => membership.id === id)?.name ?? `${id}`);
    const zones = 'zones' in discount ? discount.zones.length : 0;
    return [
      names.length === 0 ? translate('prices.everyone') : names.join(', '),
      ...(zones === 0 ? [] : [translate('discounts.inZones', { smart_count: zones })]),
    ].join(' · ');
  };
}

const LISTS = ['categories', 'product_classes'] as const;

/** Returns a function that counts the products, categories and classes that a discount is restricted to. */
export function useProductsText(): (discount: Discount) => string {
  const translate = useTranslate();
  return (discount) => {
    if (!('products' in discount)) return '';
    const counts = [
      ...(discount.specific_products
        ? [translate('discounts.count.products', { smart_count: discount.products.length })]
        : []),
      ...LISTS.filter((list) => discount[list].length > 0).map((list) =>
        translate(`discounts.count.${list}`, { smart_count: discount[list].length }),
      ),
    ];
    return counts.length === 0 ? translate('discounts.products.all') : counts.join(' · ');
  };
}
