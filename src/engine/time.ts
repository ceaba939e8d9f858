/**
 * Parses and formats date-times (http.md §1). Timestamps are whole seconds since 1970-01-01T00:00:00Z. The time zone is
 * the store's, never the process's. Years 1 to 9999.
 */

export const SECONDS_PER_DAY = 86_400;
const OFFSETS_REMEMBERED_MAX = 100_000;

/** Formats as `2021-10-22T00:00:00+00:00`, always with a numeric offset, never `Z`. */
export function formatTimestamp(seconds: number, timeZone: string): string {
  const offset = offsetSeconds(seconds, timeZone);
  const local = seconds + offset;
  const day = Math.floor(local / SECONDS_PER_DAY);
  const time = local - day * SECONDS_PER_DAY;
  const minutes = Math.floor(time / 60);
  return `${dayText(day)}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[time % 60]}${offset === 0 ? '+00:00' : formatOffset(offset)}`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const DAYS_REMEMBERED_MAX = 10_000;
const days = new Map<number, string>();

/** `2021-10-22T`, cached by day, because creating a Date dominates the cost of formatting and days repeat. */
function dayText(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= DAYS_REMEMBERED_MAX) days.clear();
  const text = new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 11);
  days.set(day, text);
  return text;
}

export interface Timestamp {
  readonly seconds: number;
  /** Written as a bare date, i.e. midnight in the store's time zone. */
  readonly dateOnly: boolean;
  /** The following midnight in the store's time zone, for a bare date that means the whole day. */
  readonly nextDay: number;
  /** Written relative to now, so the same text means another time later. */
  readonly isRelative?: boolean;
}

const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Parses a date or date-time. Undefined if the form is wrong or the date does not exist. */
export function readTimestamp(text: string, timeZone: string): Timestamp | undefined {
  const match = FORM.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return undefined;
  const midnight = date.getTime() / 1000;
  const local = midnight + hour * 3600 + minute * 60 + second;
  const offset = match[7] === undefined ? undefined : readOffset(match[7]);
  if (offset === null) return undefined;
  const seconds = offset === undefined ? fromLocal(local, timeZone) : local - offset;
  if (!isShowable(seconds, timeZone)) return undefined;
  return {
    seconds,
    dateOnly: match[4] === undefined,
    nextDay: fromLocal(midnight + SECONDS_PER_DAY, timeZone),
  };
}

/** Whether the process knows this IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const YEAR_1 = -62_135_596_800;
const YEAR_10000 = 253_402_300_800;

function isShowable(seconds: number, timeZone: string): boolean {
  const local = localOf(seconds, timeZone);
  return local >= YEAR_1 && local < YEAR_10000;
}

/** Seconds east of UTC; null if no such offset exists. */
function readOffset(text: string): number | null {
  if (text === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (text[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Converts a timestamp to local wall time, as seconds since 1970-01-01T00:00:00 on the local clock. */
export function localOf(seconds: number, timeZone: string): number {
  return seconds + offsetSeconds(seconds, timeZone);
}

/** Converts local wall time to a timestamp. A time skipped by a clock change uses the offset before the change. */
export function fromLocal(local: number, timeZone: string): number {
  const guess = local - offsetSeconds(local, timeZone);
  const corrected = local - offsetSeconds(guess, timeZone);
  if (corrected === guess || corrected + offsetSeconds(corrected, timeZone) === local) return corrected;
  return local - offsetSeconds(local - SECONDS_PER_DAY, timeZone);
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** The offset by day, or undefined for a day on which the clock changes. */
const offsets = new Map<string, number | undefined>();

function offsetSeconds(seconds: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  const key = `${day} ${timeZone}`;
  if (!offsets.has(key)) {
    if (offsets.size >= OFFSETS_REMEMBERED_MAX) offsets.clear();
    const first = computeOffset(day * SECONDS_PER_DAY, timeZone);
    const last = computeOffset((day + 1) * SECONDS_PER_DAY - 1, timeZone);
    offsets.set(key, first === last ? first : undefined);
  }
  return offsets.get(key) ?? computeOffset(seconds, timeZone);
}

function computeOffset(seconds: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      era: 'short',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts: Record<string, string> = {};
  for (const part of format.formatToParts(seconds * 1000)) parts[part.type] = part.value;
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year);
  const local = new Date(0);
  local.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  local.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  const offset = local.getTime() / 1000 - seconds;
  // Offsets before standard time have seconds, which `±hh:mm` cannot express, so they are rounded to minutes.
  return Math.round(offset / 60) * 60;
}

function formatOffset(offset: number): string {
  const minutes = Math.abs(offset) / 60;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
