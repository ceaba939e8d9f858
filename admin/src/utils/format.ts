/** Formats numbers and dates for the page's language. */
import { useLocaleState } from 'react-admin';

export interface Format {
  /** @param currency ISO 4217; without it, only the number with 2 to 4 decimals */
  money(value: number, currency?: string): string;
  number(value: number): string;
  /** @param value 10 for ten percent */
  percent(value: number): string;
  /** @param timestamp ISO 8601 */
  dateTime(timestamp: string | null): string;
  /** The time of the day. @param timestamp ISO 8601 */
  time(timestamp: string): string;
  /** @param timestamp ISO 8601, or a date without a time */
  date(timestamp: string | null): string;
}

const DATE_LENGTH = 'YYYY-MM-DD'.length;

/** Creating a format takes the browser longer than using it a hundred times. */
const formats = new Map<string, Format>();

export function formatFor(locale: string): Format {
  const format = formats.get(locale) ?? createFormat(locale);
  formats.set(locale, format);
  return format;
}

function createFormat(locale: string): Format {
  const currencies = new Map<string, Intl.NumberFormat>();
  const plain = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const percent = new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 4 });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const utcDate = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  function formatOf(currency: string): Intl.NumberFormat {
    const format = currencies.get(currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency });
    currencies.set(currency, format);
    return format;
  }
  return {
    money: (value, currency) => (currency === undefined ? plain : formatOf(currency)).format(value),
    number: (value) => number.format(value),
    percent: (value) => percent.format(value),
    dateTime: (text) => (text === null ? '–' : dateTime.format(new Date(text))),
    time: (text) => time.format(new Date(text)),
    date(text) {
      if (text === null) return '–';
      // JavaScript parses a date without a time as midnight UTC, which is the day before in the Americas.
      return text.length === DATE_LENGTH ? utcDate.format(new Date(text)) : date.format(new Date(text));
    },
  };
}

export function useFormat(): Format {
  return formatFor(useRegionalLocale());
}

/** Returns the browser's variant of the page's language, for example `en-GB` for `en`. */
export function useRegionalLocale(): string {
  const [locale] = useLocaleState();
  return navigator.languages.find((tag) => tag === locale || tag.startsWith(`${locale}-`)) ?? locale;
}

/** Returns a function that formats a number for an input: without grouping, so that it can be edited. */
export function useDecimalFormat(decimals: number): (value: number) => string {
  const format = new Intl.NumberFormat(useRegionalLocale(), {
    useGrouping: false,
    minimumFractionDigits: decimals > 0 ? 2 : 0,
    maximumFractionDigits: decimals,
  });
  return (value) => format.format(value);
}

/** Parses both `19.99` and `19,99`. @returns undefined if the text is not a number */
export function parseNumber(text: string): number | undefined {
  const plain = text.replace(/\s/g, '').replace(',', '.');
  return /^-?\d+(\.\d*)?$/.test(plain) ? Number(plain) : undefined;
}
