/** Describes tax rates in words. */
import type { TaxRateOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useFormat } from '../utils/format.ts';
import { useStoreInfo } from '../utils/use-store-info.ts';

type Dated = Pick<TaxRateOutput, 'enabled' | 'date_range_begin' | 'date_range_end'>;

/** Whether the rate is in use now. */
export function isInUse({ enabled, date_range_begin, date_range_end }: Dated): boolean {
  const now = Date.now();
  const hasBegun = date_range_begin === null || Date.parse(date_range_begin) <= now;
  const hasEnded = date_range_end !== null && Date.parse(date_range_end) <= now;
  return enabled && hasBegun && !hasEnded;
}

export interface RateText {
  /** For example `19 %` or `€2.00`. */
  value(rate: Pick<TaxRateOutput, 'type' | 'value'>): string;
  /** For example “Enabled” or “From 1 Jan 2027”. */
  status(rate: Dated): string;
}

export function useRateText(): RateText {
  const translate = useTranslate();
  const format = useFormat();
  const currency = useStoreInfo()?.currency;
  return {
    value: ({ type, value }) =>
      type === '%'
        ? translate('taxes.percent', { value: format.number(value) })
        : translate('taxes.perUnit', { value: format.money(value, currency) }),
    status({ enabled, date_range_begin, date_range_end }) {
      if (!enabled) return translate('state.disabled');
      const [begin, end] = [date_range_begin, date_range_end].map((date) => date && format.date(date));
      if (begin && end) return translate('taxes.fromUntil', { begin, end });
      if (begin) return translate('taxes.from', { date: begin });
      return end ? translate('taxes.until', { date: end }) : translate('field.enabled');
    },
  };
}
