/**
 * Parses the date forms that clients of release 5.5 send and that strict mode rejects (http.md §1): other orders of
 * day, month and year, RFC 2822, and times relative to now. Years, time zones and results are those of `time.ts`.
 */
import type { Reading } from './field.ts';
import { fromLocal, localOf, readTimestamp, SECONDS_PER_DAY, type Timestamp } from './time.ts';

/** The forms of a date-time in strict mode, for messages. */
export const DATE_TIME_FORMS = 'YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, with Z or an offset like +02:00 or without';

const LENIENT_FORMS =
  'YYYY-MM-DD, DD-MM-YYYY or YYYY/MM/DD, each with an optional time, YYYYMMDD, RFC 2822, now, today, yesterday, or a distance such as "-1 day"';

/** What decides which forms of a date-time are accepted, and what they mean. */
export type TimestampReading = Pick<Reading, 'lenient' | 'now' | 'timeZone'>;

/** Returns the accepted forms of a date-time, for messages. */
export function formsFor({ lenient }: TimestampReading): string {
  return lenient ? LENIENT_FORMS : DATE_TIME_FORMS;
}

/** Parses a date or date-time. Undefined if the form is not accepted or the date does not exist. */
export function readTimestampFor({ lenient, now, timeZone }: TimestampReading, text: string): Timestamp | undefined {
  return lenient ? readLenientTimestamp(text, timeZone, now) : readTimestamp(text, timeZone);
}

/**
 * Parses a date or date-time in any form that strict or lenient mode accepts.
 * @param now seconds since 1970, for relative forms
 * @returns undefined if the form is unknown or the date does not exist
 */
function readLenientTimestamp(text: string, timeZone: string, now: number): Timestamp | undefined {
  const upper = text.toUpperCase();
  return (
    readTimestamp(upper, timeZone) ??
    readTimestamp(withYearFirst(upper), timeZone) ??
    readRfc2822(upper, timeZone) ??
    readNamedDay(upper, timeZone, now) ??
    readDistance(upper, timeZone, now)
  );
}

const OTHER_ORDERS = [
  /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})(?<time>[T ].*)?$/,
  /^(?<year>\d{4})\/(?<month>\d\d)\/(?<day>\d\d)(?<time>[T ].*)?$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
];

/** Rewrites a date in another order as `YYYY-MM-DD`. Returns other texts unchanged. */
function withYearFirst(text: string): string {
  for (const order of OTHER_ORDERS) {
    const { year, month, day, time = '' } = order.exec(text)?.groups ?? {};
    if (year) return `${year}-${month}-${day}${time}`;
  }
  return text;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** RFC 2822 §4.3. */
const ZONES: Readonly<Record<string, string>> = {
  UT: 'Z',
  GMT: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
};

const RFC_2822 =
  /^(?:(?<weekday>[A-Z]{3}), *)?(?<day>\d{1,2}) +(?<month>[A-Z]{3}) +(?<year>\d{4}) +(?<time>\d\d:\d\d(?::\d\d)?) +(?<zone>[A-Z]{2,3}|[-+]\d{4})$/;

/** Parses `Fri, 22 Oct 2021 09:30:00 +0200` (RFC 2822 §3.3). */
function readRfc2822(text: string, timeZone: string): Timestamp | undefined {
  const { weekday, day, month, year, time, zone } = RFC_2822.exec(text)?.groups ?? {};
  if (!day) return undefined;
  const date = `${year}-${twoDigits(MONTHS.indexOf(month!) + 1)}-${day.padStart(2, '0')}`;
  const isRightWeekday = weekday === undefined || WEEKDAYS[new Date(date).getUTCDay()] === weekday;
  const offset = /\d/.test(zone!) ? zone : ZONES[zone!];
  return isRightWeekday && offset ? readTimestamp(`${date}T${time}${offset}`, timeZone) : undefined;
}

const DAYS_AGO: Readonly<Record<string, number>> = { TODAY: 0, YESTERDAY: 1 };

function readNamedDay(text: string, timeZone: string, now: number): Timestamp | undefined {
  const daysAgo = Object.hasOwn(DAYS_AGO, text) ? DAYS_AGO[text]! : undefined;
  if (daysAgo === undefined) return undefined;
  const date = new Date((localOf(now, timeZone) - daysAgo * SECONDS_PER_DAY) * 1000);
  const day = readTimestamp(date.toISOString().slice(0, 10), timeZone);
  return day && { ...day, isRelative: true };
}

const DISTANCE = /^(?<number>[-+][1-9]\d{0,3}) ?(?<unit>HOUR|DAY|WEEK|MONTH)S?$/;

/** Parses `now` and distances from it. Days, weeks and months are calendar units; a missing day overflows, as in PHP. */
function readDistance(text: string, timeZone: string, now: number): Timestamp | undefined {
  const { number, unit } = text === 'NOW' ? { number: '0', unit: 'HOUR' } : (DISTANCE.exec(text)?.groups ?? {});
  if (number === undefined) return undefined;
  const distance = Number(number);
  if (unit === 'HOUR') return instant(now + distance * 3600);
  const local = new Date(localOf(now, timeZone) * 1000);
  if (unit === 'MONTH') local.setUTCMonth(local.getUTCMonth() + distance);
  else local.setUTCDate(local.getUTCDate() + distance * (unit === 'WEEK' ? 7 : 1));
  return instant(fromLocal(local.getTime() / 1000, timeZone));
}

function instant(seconds: number): Timestamp {
  return { seconds, dateOnly: false, nextDay: seconds, isRelative: true };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
