/**
 * Statistics for the dashboard: orders and totals by day, orders to ship, low stock, failing webhooks (http.md §21).
 * One statement, so all values come from one snapshot. Totals are exact, because the database adds decimals.
 */
import { type RawBuilder, sql } from 'kysely';
import { BindParam, formatTimestamp, type Row, readTimestamp, type Service, type Statement } from '../engine/index.ts';

/** Orders of one or several days. */
interface Sales {
  /** First day. */
  readonly date: string;
  readonly orders: number;
  /** The store's currency first, then others sorted by code. */
  readonly totals: readonly { readonly currency: string; readonly total: unknown }[];
}

/** A product, or a variant with its own stock, with few units left. */
interface LowItem {
  readonly product_id: number;
  readonly variant_id: number | null;
  readonly sku: string;
  readonly amount: number;
}

type Statistics = {
  readonly time_zone: string;
  readonly today: Sales;
  readonly week: Sales;
  readonly days: readonly Sales[];
  readonly to_ship: number;
  readonly low_stock: { readonly limit: number; readonly count: number; readonly items: readonly LowItem[] };
  readonly webhooks: { readonly failing: number; readonly paused: number };
};

const STATISTICS_DAYS = 30;
export const LOW_STOCK_DEFAULT = 5;
const LOW_ITEMS_MAX = 10;

/** Payment statuses of orders that will not be paid or were refunded. They are not sales (orders.md §2). */
const NOT_SOLD = ['C', 'D', 'R'];
const PAID = ['P'];
const NOT_SHIPPED = ['N', 'NBA', 'P'];

/** The UTC offset of every time zone is a multiple of this. */
const QUARTER_SECONDS = 900;
const MILLISECONDS_PER_DAY = 86_400_000;

/** @param lowStock maximum number of units of a product with low stock */
export async function readStatistics(service: Service, lowStock: number): Promise<Statistics> {
  const { timeZone, settings } = service.environment;
  const days = lastDays(service.clock.now(), timeZone);
  const values = { from: days[0]!.from, until: days.at(-1)!.until, limit: lowStock, one: 1 };
  const [row] = await service.database.search(statisticsStatement(service), values);
  const [sold, one, toShip, lowCount, lowest, failing, paused] = row!;
  const rowsOf = (raw: unknown): Row[] => service.database.dialect.decode.json(raw as never) as unknown as Row[];
  const byDay: Counted[][] = days.map(() => []);
  for (const [quarter, currency, orders, total] of rowsOf(sold)) {
    const startsAt = Number(quarter) * QUARTER_SECONDS;
    const day = Math.max(
      0,
      days.findLastIndex(({ from }) => from <= startsAt),
    );
    byDay[day]!.push({
      currency: currency as string,
      orders: Number(orders),
      total: ratio(total as string, one as string),
    });
  }
  const ofDays = (first: number): Sales => salesOf(days[first]!.date, byDay.slice(first).flat(), settings.currency!);
  const today = days.length - 1;
  return {
    time_zone: timeZone,
    today: ofDays(today),
    week: ofDays(today - daysSinceMonday(days[today]!.date)),
    days: days.map(({ date }, day) => salesOf(date, byDay[day]!, settings.currency!)),
    to_ship: Number(toShip),
    low_stock: { limit: lowStock, count: Number(lowCount), items: rowsOf(lowest).map(lowItem) },
    webhooks: { failing: Number(failing), paused: Number(paused) },
  };
}

interface Day {
  readonly date: string;
  /** Midnights in the store's time zone, in seconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Returns the last days of the store's calendar up to today, oldest first. */
function lastDays(now: number, timeZone: string): Day[] {
  const today = Date.parse(formatTimestamp(now, timeZone).slice(0, 10));
  return Array.from({ length: STATISTICS_DAYS }, (_, index) => {
    const date = new Date(today - (STATISTICS_DAYS - 1 - index) * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
    const { seconds, nextDay } = readTimestamp(date, timeZone)!;
    return { date, from: seconds, until: nextDay };
  });
}

/** A week starts on Monday (ISO 8601). */
function daysSinceMonday(date: string): number {
  return (new Date(date).getUTCDay() + 6) % 7;
}

interface Counted {
  readonly currency: string;
  readonly orders: number;
  /** In ten-thousandths. */
  readonly total: bigint;
}

function salesOf(date: string, counted: readonly Counted[], ownCurrency: string): Sales {
  const totals = new Map<string, bigint>([[ownCurrency, 0n]]);
  for (const { currency, total } of counted) totals.set(currency, (totals.get(currency) ?? 0n) + total);
  const [own, ...others] = [...totals];
  others.sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    date,
    orders: counted.reduce((count, { orders }) => count + orders, 0),
    totals: [own!, ...others].map(([currency, total]) => ({ currency, total: exactNumber(total) })),
  };
}

const SCALE = 10_000n;

/** Scales a total by what the database writes for 1: one database stores ten-thousandths, the other decimals. */
function ratio(total: string, one: string): bigint {
  return (scaled(total) * SCALE) / scaled(one);
}

function scaled(text: string): bigint {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  return BigInt(whole + fraction.padEnd(4, '0'));
}

/** Returns a JSON number with all digits, even beyond the precision of a double. */
function exactNumber(tenThousandths: bigint): unknown {
  const sign = tenThousandths < 0n ? '-' : '';
  const digits = String(tenThousandths < 0n ? -tenThousandths : tenThousandths).padStart(5, '0');
  let fraction = digits.slice(-4);
  while (fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  const text = `${sign}${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`;
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

function lowItem([product, variant, sku, amount]: Row): LowItem {
  return {
    ...{ product_id: Number(product), variant_id: variant === null ? null : Number(variant) },
    ...{ sku: sku as string, amount: Number(amount) },
  };
}

function statisticsStatement({ database: { dialect }, statements }: Service): Statement {
  return statements.get('statistics', ({ placeholder }) => {
    const orders = sql.table('order');
    const [from, until] = [new BindParam('from', 'timestamp'), new BindParam('until', 'timestamp')];
    const quarter = sql`create_date / ${sql.lit(QUARTER_SECONDS)}`;
    const sold = sql`select ${quarter} as quarter, currency, count(*) as orders, cast(sum(total) as text) as sum
      from ${orders} where create_date >= ${placeholder(from)} and create_date < ${placeholder(until)}
      and payment_status_id not in (${statusesOf('payment_status', NOT_SOLD)}) group by ${quarter}, currency`;
    const columns = (...names: string[]) => dialect.jsonArray(names.map((name) => sql.id(name)));
    // Adding 0 disables this index in favor of the one on shipping: nearly all orders are paid, and few are to be
    // shipped.
    const toShip = sql`select count(*) from ${orders}
      where shipping_status_id in (${statusesOf('shipping_status', NOT_SHIPPED)})
      and payment_status_id + 0 in (${statusesOf('payment_status', PAID)})`;
    const order = sql`amount, product_id, coalesce(variant_id, 0)`;
    const lowest = sql`select ${dialect.jsonAggregate(columns('product_id', 'variant_id', 'sku', 'amount'), order)}
      from (select * from low order by ${order} limit ${sql.lit(LOW_ITEMS_MAX)}) as lowest`;
    const webhooks = (status: string) =>
      sql`select count(*) from ${sql.table('webhook')} where enabled and status = ${sql.lit(status)}`;
    return sql`with low as (${lowStock(placeholder(new BindParam('limit', 'integer')))}) select
      (select ${dialect.jsonAggregate(columns('quarter', 'currency', 'orders', 'sum'), sql`quarter`)} from (${sold}) as sold),
      cast(${placeholder(new BindParam('one', 'decimal'))} as text),
      (${toShip}), (select count(*) from low), (${lowest}), (${webhooks('failing')}), (${webhooks('paused')})`;
  });
}

function statusesOf(table: 'payment_status' | 'shipping_status', codes: readonly string[]): RawBuilder<unknown> {
  return sql`select id from ${sql.table(table)} where code in (${sql.join(codes.map((code) => sql.lit(code)))})`;
}

/** If all variants of a product have their own stock, only the stock of the variants counts. */
function lowStock(limit: RawBuilder<unknown>): RawBuilder<unknown> {
  const isCounted = sql`p.enabled and p.inventory_traceable`;
  const variants = sql`select 1 from variant as own where own.product_id = p.id`;
  return sql`select p.id as product_id, null as variant_id, p.sku as sku, p.amount as amount from product as p
      where p.amount <= ${limit} and ${isCounted}
      and (not exists (${variants}) or exists (${variants} and own.default_amount))
    union all select p.id, v.id, coalesce(v.sku, p.sku), v.amount from variant as v join product as p on p.id = v.product_id
      where v.amount <= ${limit} and not v.default_amount and ${isCounted}`;
}
