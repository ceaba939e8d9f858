/** Numbers and moments as the person's language writes them. */
import { useLocaleState } from 'react-admin';

export interface Writer {
  /** @param currency ISO 4217; left out, the number alone with 2 to 4 decimals */
  money(value: number, currency?: string): string;
  number(value: number): string;
  /** @param moment as the store shows it */
  moment(moment: string | null): string;
  day(moment: string | null): string;
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;

export function writerOf(locale: string): Writer {
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const bareDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    money: (value, currency) =>
      currency === undefined
        ? plain.format(value)
        : new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value),
    number: (value) => number.format(value),
    moment: (text) => (text === null ? '–' : moment.format(new Date(text))),
    day(text) {
      if (text === null) return '–';
      // A bare date is a day, and not a moment that another zone has on the day before.
      return text.length === DATE_LENGTH ? bareDay.format(new Date(text)) : day.format(new Date(text));
    },
  };
}

export function useWriter(): Writer {
  return writerOf(useRegion());
}

/** The page's language as the browser's country writes it: `en-GB` where the page speaks `en`. */
export function useRegion(): string {
  const [locale] = useLocaleState();
  return navigator.languages.find((tag) => tag === locale || tag.startsWith(`${locale}-`)) ?? locale;
}
