/**
 * The period of a discount. The API shows times in the store's time zone, and reads times without an offset in it. So forms have local
 * times of the store, such as `2026-12-01T00:00`. Shop owners think of whole days: a period that ends at midnight ends with the day
 * before.
 */
import { useTranslate } from 'react-admin';
import { useFormat, useRegionalLocale } from '../utils/format.ts';

const DATE_LENGTH = 'YYYY-MM-DD'.length;
const LOCAL_LENGTH = 'YYYY-MM-DDThh:mm:ss'.length;
const MIDNIGHT = '00:00';

/** @param timestamp as the API shows it @returns the local time of the store, without seconds if they are zero */
export const toLocalTime = (timestamp: string | null): string | null =>
  timestamp === null ? null : timestamp.slice(0, LOCAL_LENGTH).replace(/:00$/, '');

/** A begin or an end as a shop owner enters it. Without a time, the whole day counts. */
export interface Bound {
  readonly day: string;
  readonly time: string;
}

function plusDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, DATE_LENGTH);
}

/** @param local a local time of the store; null is open */
export function splitBound(local: string | null, isEnd: boolean): Bound {
  if (local === null) return { day: '', time: '' };
  const day = local.slice(0, DATE_LENGTH);
  const time = local.slice(DATE_LENGTH + 1);
  if (time !== MIDNIGHT) return { day, time };
  return { day: isEnd ? plusDays(day, -1) : day, time: '' };
}

/** The reverse of `splitBound`. */
export function joinBound({ day, time }: Bound, isEnd: boolean): string | null {
  if (day === '') return null;
  if (time !== '') return `${day}T${time}`;
  return `${isEnd ? plusDays(day, 1) : day}T${MIDNIGHT}`;
}

interface Period {
  readonly date_range_begin: string | null;
  readonly date_range_end: string | null;
}

/** Returns a function that describes a period in the time zone of the store. */
export function usePeriodText(): (period: Period) => string {
  const translate = useTranslate();
  const format = useFormat();
  const clock = new Intl.DateTimeFormat(useRegionalLocale(), { timeStyle: 'short', timeZone: 'UTC' });

  function textOf(timestamp: string | null, isEnd: boolean): string | undefined {
    const { day, time } = splitBound(toLocalTime(timestamp), isEnd);
    if (day === '') return undefined;
    return time === '' ? format.date(day) : `${format.date(day)}, ${clock.format(new Date(`${day}T${time}Z`))}`;
  }

  return ({ date_range_begin, date_range_end }) => {
    const begin = textOf(date_range_begin, false);
    const end = textOf(date_range_end, true);
    if (begin === undefined && end === undefined) return translate('discounts.period.always');
    if (end === undefined) return translate('discounts.period.from', { begin });
    return begin === undefined ? translate('discounts.period.until', { end }) : `${begin} – ${end}`;
  };
}
