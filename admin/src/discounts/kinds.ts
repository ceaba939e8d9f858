/** The three kinds of discounts (docs/contract/pricing.md §2). */
import type { CouponOutput, SaleDiscountOutput, VolumeDiscountOutput } from 'purveyor/client';
import { useResourceContext, useTranslate } from 'react-admin';
import { type Format, useFormat } from '../utils/format.ts';
import { useStoreInfo } from '../utils/use-store-info.ts';

export const KINDS = ['sale_discounts', 'volume_discounts', 'coupons'] as const;
/** Also the name of the resource and the family of its scopes. */
export type Kind = (typeof KINDS)[number];

export type Discount = SaleDiscountOutput | VolumeDiscountOutput | CouponOutput;

/** Returns the kind of the screen. */
export const useKind = (): Kind => useResourceContext() as Kind;

type Status = 'off' | 'ended' | 'usedUp' | 'planned' | 'active';

/** Times are ISO 8601 with an offset. */
export function statusOf(discount: Discount, now = Date.now()): Status {
  const { date_range_begin: begin, date_range_end: end } = discount;
  if ('enabled' in discount && !discount.enabled) return 'off';
  if (end !== null && Date.parse(end) <= now) return 'ended';
  if ('uses' in discount && discount.uses_limit > 0 && discount.uses >= discount.uses_limit) return 'usedUp';
  return begin !== null && Date.parse(begin) > now ? 'planned' : 'active';
}

interface DiscountTexts {
  /** What the discount takes off. */
  amountOf(discount: Discount): string;
  /** The name or code; a volume discount has neither. */
  nameOf(discount: Discount): string;
  /** How many orders use a coupon. */
  usesOf(coupon: CouponOutput): string;
  /** The same for a column with a heading. */
  shortUsesOf(coupon: CouponOutput): string;
}

export function useDiscountTexts(): DiscountTexts {
  const translate = useTranslate();
  const format = useFormat();
  const currency = useStoreInfo()?.currency;

  function amountOf(discount: Discount): string {
    const type = 'type' in discount ? discount.type : '%';
    if (type === 'S') return translate('discounts.freeShipping');
    return type === '%' ? format.percent(discount.value) : format.money(discount.value, currency);
  }

  return {
    amountOf,
    nameOf(discount) {
      if ('code' in discount) return discount.code;
      if ('name' in discount) return discount.name;
      const subtotal = format.money(discount.subtotal_range_begin, currency);
      return translate('discounts.volumeName', { value: amountOf(discount), subtotal });
    },
    shortUsesOf({ uses, uses_limit }) {
      const count = format.number(uses);
      if (uses_limit === 0) return count;
      return translate('discounts.usesShort', { count, limit: format.number(uses_limit) });
    },
    usesOf: (coupon) => usesText(coupon, format, translate),
  };
}

function usesText(
  { uses, uses_limit }: CouponOutput,
  { number }: Format,
  translate: (key: string, names: object) => string,
): string {
  if (uses_limit === 0) return translate('discounts.uses', { smart_count: uses, count: number(uses) });
  return translate('discounts.usesOfLimit', { count: number(uses), limit: number(uses_limit) });
}
