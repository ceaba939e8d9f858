/** Describes the ranges of rates, and of orders without a rate, in words. */
import type { ShippingRateOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { type Format, useFormat } from '../utils/format.ts';
import { useStoreInfo } from '../utils/use-store-info.ts';
import { type Bounds, MEASURES, type Measure } from './records.ts';

type Translate = ReturnType<typeof useTranslate>;

/** One end of a range. */
interface End {
  readonly value: number;
  /** Whether the range only begins after the value, or ends before it. */
  readonly isOutside: boolean;
}

interface Range {
  readonly low: End | undefined;
  readonly high: End | undefined;
}

interface RangeTexts {
  /** The range of a rate for one measure, for example “from 5 kg to 10 kg”; undefined if every order is in it. */
  range(bounds: Bounds, measure: Measure): string | undefined;
  /** All ranges of a rate that exclude orders. */
  ranges(bounds: Bounds): string;
  /**
   * The ranges of orders without a rate, which begin or end where the rates of the zone end or begin.
   * @param rates of the zone
   */
  hole(bounds: Bounds, rates: readonly Bounds[]): string;
  /** What a rate costs, for example “€4.90 + €0.50 per item”. */
  cost(rate: ShippingRateOutput): string;
}

/** The smallest difference of two values (docs/contract/shipping.md §3), of items one. */
const stepOf = (measure: Measure): number => (measure === 'items' ? 1 : 0.0001);

/** Removes the error of binary fractions. */
const exact = (value: number): number => Number(value.toFixed(4));

/** An order has at least one item. */
const smallestOf = (measure: Measure): number => (measure === 'items' ? 1 : 0);

/** @param rates those that the range is next to; without them, both ends belong to it */
function rangeOf(bounds: Bounds, measure: Measure, rates: readonly Bounds[] = []): Range {
  const [min, max] = [bounds[`min_${measure}`], bounds[`max_${measure}`]];
  const isCount = measure === 'items';
  const before = exact(min - stepOf(measure));
  const after = max === null ? null : exact(max + stepOf(measure));
  const isAfterRate = !isCount && rates.some((rate) => rate[`max_${measure}`] === before);
  const isBeforeRate = !isCount && after !== null && rates.some((rate) => rate[`min_${measure}`] === after);
  return {
    low: min <= smallestOf(measure) ? undefined : { value: isAfterRate ? before : min, isOutside: isAfterRate },
    high: max === null ? undefined : { value: isBeforeRate ? after! : max, isOutside: isBeforeRate },
  };
}

function textOf({ low, high }: Range, shown: (value: number) => string, translate: Translate): string | undefined {
  if (low && high && !low.isOutside && !high.isOutside)
    return low.value === high.value
      ? translate('shipping.range.exactly', { value: shown(low.value) })
      : translate('shipping.range.between', { min: shown(low.value), max: shown(high.value) });
  const begin = low && translate(`shipping.range.${low.isOutside ? 'over' : 'from'}`, { value: shown(low.value) });
  const end = high && translate(`shipping.range.${high.isOutside ? 'under' : 'upTo'}`, { value: shown(high.value) });
  return begin && end ? translate('shipping.range.both', { begin, end }) : (begin ?? end);
}

function useShown(translate: Translate, format: Format): (measure: Measure) => (value: number) => string {
  const store = useStoreInfo();
  return (measure) => (value) => {
    if (measure === 'weight') return `${format.number(value)} ${store?.weight_unit ?? ''}`.trim();
    if (measure === 'items')
      return translate('shipping.itemCount', { smart_count: value, count: format.number(value) });
    return format.money(value, store?.currency);
  };
}

export function useRangeTexts(): RangeTexts {
  const translate = useTranslate();
  const format = useFormat();
  const shown = useShown(translate, format);
  const store = useStoreInfo();

  function joined(bounds: Bounds, rates?: readonly Bounds[]): string {
    const texts = MEASURES.flatMap((measure) => {
      const range = textOf(rangeOf(bounds, measure, rates), shown(measure), translate);
      return range === undefined ? [] : [translate(`shipping.with.${measure}`, { range })];
    });
    return texts.join(', ');
  }

  return {
    range: (bounds, measure) => textOf(rangeOf(bounds, measure), shown(measure), translate),
    ranges: (bounds) => joined(bounds) || translate('shipping.everyOrder'),
    hole: joined,
    cost(rate) {
      const money = (value: number): string => format.money(value, store?.currency);
      const parts = [
        ...(rate.markup_flat === 0 ? [] : [money(rate.markup_flat)]),
        ...(rate.markup_percent === 0
          ? []
          : [translate('shipping.cost.percent', { value: format.percent(rate.markup_percent) })]),
        ...(rate.markup_per_item === 0
          ? []
          : [translate('shipping.cost.perItem', { value: money(rate.markup_per_item) })]),
        ...(rate.markup_per_weight === 0
          ? []
          : [
              translate('shipping.cost.perWeight', {
                value: money(rate.markup_per_weight),
                unit: store?.weight_unit ?? '',
              }),
            ]),
      ];
      return parts.length === 0 ? translate('shipping.cost.free') : parts.join(' + ');
    },
  };
}
