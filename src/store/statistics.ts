/**
 * Statistics for the dashboard: orders and totals by day, orders to ship, low stock, failing webhooks (http.md §21).
 * One statement, so all values come from one snapshot. Totals are exact, because the database adds decimals.
 */
import { type RawBuilder, sql } from 'kysely';
import {
  BindParam,
  formatTimestamp,
  type RequestOptions,
  type Row,
  readTimestamp,
  type Service,
  type Statement,
} from '../engine/index.ts';

/** The store's currency first, then others sorted by code. */
type Totals = readonly { readonly currency: string; readonly total: unknown }[];

/** Orders of one or several days. */
interface Sales {
  /** First day. */
  readonly date: string;
  readonly orders: number;
  readonly totals: Totals;
}

/** With the number of units sold. */
type WithUnits<T> = T & { readonly units: number };

/** A product by the units sold; a deleted product has no identifier. */
interface BestSeller {
  readonly product_id: number | null;
  readonly sku: string;
  readonly name: string;
  readonly units: number;
  readonly totals: Totals;
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
  readonly days: readonly WithUnits<Sales>[];
  /** As many days before the first one. */
  readonly previous: WithUnits<Omit<Sales, 'date'>>;
  readonly best_sellers: readonly BestSeller[];
  readonly to_ship: number;
  readonly backordered: number;
  readonly low_stock: { readonly limit: number; readonly count: number; readonly items: readonly LowItem[] };
  readonly webhooks: { readonly failing: number; readonly paused: number };
};

export const STATISTICS_DAYS: readonly number[] = [7, 30, 90];

/** What a client chooses. */
export interface StatisticsQuery {
  /** Maximum number of units of a product with low stock. */
  readonly lowStock: number;
  /** Number of days, one of `STATISTICS_DAYS`. */
  readonly days: number;
}

export const STATISTICS_QUERY_DEFAULT: StatisticsQuery = { lowStock: 5, days: 30 };

const LOW_ITEMS_MAX = 10;
const BEST_SELLERS_MAX = 10;

/** Payment statuses of orders that will not be paid or were refunded. They are not sales (orders.md §2). */
const NOT_SOLD = ['C', 'D', 'R'];
const PAID = ['P'];
const NOT_SHIPPED = ['N', 'P'];
const BACKORDERED = ['NBA'];

/** The UTC offset of every time zone is a multiple of this. */
const QUARTER_SECONDS = 900;
const MILLISECONDS_PER_DAY = 86_400_000;

/** @param languages of the names of best sellers */
export async function readStatistics(
  service: Service,
  { lowStock, days: count }: StatisticsQuery,
  { language, defaultLanguage }: Pick<RequestOptions, 'language' | 'defaultLanguage'>,
): Promise<Statistics> {
  const { timeZone, settings } = service.environment;
  const currency = settings.currency!;
  // Those that are compared come before those that are shown.
  const days = lastDays(2 * count, service.clock.now(), timeZone);
  const values = {
    ...{ from: days[0]!.from, since: days[count]!.from, until: days.at(-1)!.until, limit: lowStock, one: 1 },
    ...{ language, default_language: defaultLanguage },
  };
  const [row] = await service.database.search(statisticsStatement(service), values);
  const [sold, one, bestSold, toShip, backordered, lowCount, lowest, failing, paused] = row!;
  const rowsOf = (raw: unknown): Row[] => service.database.dialect.decode.json(raw as never) as unknown as Row[];
  const byDay: Counted[][] = days.map(() => []);
  for (const [quarter, code, orders, units, total] of rowsOf(sold)) {
    const startsAt = Number(quarter) * QUARTER_SECONDS;
    const day = Math.max(
      0,
      days.findLastIndex(({ from }) => from <= startsAt),
    );
    byDay[day]!.push({
      ...{ currency: code as string, orders: Number(orders), units: Number(units) },
      total: ratio(total as string, one as string),
    });
  }
  const ofDays = (first: number, end?: number): Sales => ({
    date: days[first]!.date,
    ...salesOf(byDay.slice(first, end).flat(), currency),
  });
  const unitsOf = (first: number, end: number) => ({ units: sumOf(byDay.slice(first, end).flat(), 'units') });
  const today = days.length - 1;
  return {
    time_zone: timeZone,
    today: ofDays(today),
    week: ofDays(today - daysSinceMonday(days[today]!.date)),
    days: days.slice(count).map((_, index) => {
      const range = [count + index, count + index + 1] as const;
      return { ...ofDays(...range), ...unitsOf(...range) };
    }),
    previous: { ...salesOf(byDay.slice(0, count).flat(), currency), ...unitsOf(0, count) },
    best_sellers: bestSellers(rowsOf(bestSold), one as string, currency),
    to_ship: Number(toShip),
    backordered: Number(backordered),
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
function lastDays(count: number, now: number, timeZone: string): Day[] {
  const today = Date.parse(formatTimestamp(now, timeZone).slice(0, 10));
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(today - (count - 1 - index) * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
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
  readonly units: number;
  /** In ten-thousandths. */
  readonly total: bigint;
}

function salesOf(counted: readonly Counted[], ownCurrency: string): Omit<Sales, 'date'> {
  return { orders: sumOf(counted, 'orders'), totals: totalsOf(counted, ownCurrency) };
}

function sumOf(counted: readonly Counted[], member: 'orders' | 'units'): number {
  return counted.reduce((sum, each) => sum + each[member], 0);
}

function totalsOf(counted: readonly Pick<Counted, 'currency' | 'total'>[], ownCurrency: string): Totals {
  const totals = new Map<string, bigint>([[ownCurrency, 0n]]);
  for (const { currency, total } of counted) totals.set(currency, (totals.get(currency) ?? 0n) + total);
  const [own, ...others] = [...totals];
  others.sort(([one], [other]) => (one < other ? -1 : 1));
  return [own!, ...others].map(([currency, total]) => ({ currency, total: exactNumber(total) }));
}

/** @param rows one for each product and currency, sorted by product */
function bestSellers(rows: readonly Row[], one: string, ownCurrency: string): BestSeller[] {
  const products = Map.groupBy(rows, ([position]) => position);
  return [...products.values()].map((sold) => {
    const [, product, sku, name, units] = sold[0]!;
    const counted = sold.map(([, , , , , currency, total]) => ({
      currency: currency as string,
      total: ratio(total as string, one),
    }));
    return {
      ...{ product_id: product === null ? null : Number(product), sku: sku as string, name: name as string },
      ...{ units: Number(units), totals: totalsOf(counted, ownCurrency) },
    };
  });
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

const [ORDER_ITEM, PRODUCT, VARIANT] = [sql.table('order_item'), sql.table('product'), sql.table('variant')];

function statisticsStatement({ database: { dialect }, statements }: Service): Statement {
  return statements.get('statistics', ({ placeholder }) => {
    const orders = sql.table('order');
    const [from, until] = [new BindParam('from', 'timestamp'), new BindParam('until', 'timestamp')];
    const quarter = sql`create_date / ${sql.lit(QUARTER_SECONDS)}`;
    const isSold = (first: BindParam) => sql`o.create_date >= ${placeholder(first)}
      and o.create_date < ${placeholder(until)}
      and o.payment_status_id not in (${statusesOf('payment_status', NOT_SOLD)})`;
    const units = sql`(select coalesce(sum(i.amount), 0) from ${ORDER_ITEM} as i where i.order_id = o.id)`;
    const sold = sql`select ${quarter} as quarter, currency, count(*) as orders, cast(sum(${units}) as text) as units,
      cast(sum(total) as text) as sum from ${orders} as o where ${isSold(from)} group by ${quarter}, currency`;
    const best = bestSold(isSold(new BindParam('since', 'timestamp')), placeholder);
    const columns = (...names: string[]) => dialect.jsonArray(names.map((name) => sql.id(name)));
    // Adding 0 disables this index in favor of the one on shipping: nearly all orders are paid, and few are to be
    // shipped.
    const paidWith = (codes: readonly string[]) => sql`select count(*) from ${orders}
      where shipping_status_id in (${statusesOf('shipping_status', codes)})
      and payment_status_id + 0 in (${statusesOf('payment_status', PAID)})`;
    const order = sql`amount, product_id, coalesce(variant_id, 0)`;
    const lowest = sql`select ${dialect.jsonAggregate(columns('product_id', 'variant_id', 'sku', 'amount'), order)}
      from (select * from low order by ${order} limit ${sql.lit(LOW_ITEMS_MAX)}) as lowest`;
    const webhooks = (status: string) =>
      sql`select count(*) from ${sql.table('webhook')} where enabled and status = ${sql.lit(status)}`;
    const ofProducts = columns('position', 'product', 'sku', 'name', 'units', 'currency', 'total');
    return sql`with low as (${lowStock(placeholder(new BindParam('limit', 'integer')))}), ${best.tables} select
      (select ${dialect.jsonAggregate(columns('quarter', 'currency', 'orders', 'units', 'sum'), sql`quarter`)}
        from (${sold}) as sold),
      cast(${placeholder(new BindParam('one', 'decimal'))} as text),
      (select ${dialect.jsonAggregate(ofProducts, sql`position, currency`)} from (${best.rows}) as best_sold),
      (${paidWith(NOT_SHIPPED)}), (${paidWith(BACKORDERED)}), (select count(*) from low), (${lowest}), (${webhooks('failing')}), (${webhooks('paused')})`;
  });
}

function statusesOf(table: 'payment_status' | 'shipping_status', codes: readonly string[]): RawBuilder<unknown> {
  return sql`select id from ${sql.table(table)} where code in (${sql.join(codes.map((code) => sql.lit(code)))})`;
}

/**
 * The products with the most units in the orders that meet the condition: one row for each product and currency. A product
 * has its current SKU and name; a deleted one is identified by its SKU and has the name of its last sale.
 */
function bestSold(isSold: RawBuilder<unknown>, placeholder: Service['database']['dialect']['placeholder']) {
  const tables = sql`sold_item as (
      select coalesce(i.product_id, 0) as product, case when i.product_id is null then i.sku else '' end as sold_sku,
        o.currency, sum(i.amount) as units, cast(sum(i.discounted_subtotal) as text) as total, max(i.id) as last
      from ${sql.table('order')} as o join ${ORDER_ITEM} as i on i.order_id = o.id where ${isSold} group by 1, 2, 3
    ), best as (
      select product, sold_sku, sum(units) as units, max(last) as last,
        row_number() over (order by sum(units) desc, product, sold_sku) as position
      from sold_item group by product, sold_sku having sum(units) > 0
    )`;
  const nameIn = (language: string) => sql`(select t.name from ${sql.table('product_text')} as t
    where t.product_id = p.id and t.language = ${placeholder(new BindParam(language, 'text'))})`;
  const rows = sql`select best.position, p.id as product, coalesce(p.sku, l.sku) as sku,
      coalesce(${nameIn('language')}, ${nameIn('default_language')}, l.name) as name,
      cast(best.units as text) as units, s.currency, s.total
    from best join sold_item as s on s.product = best.product and s.sold_sku = best.sold_sku
    join ${ORDER_ITEM} as l on l.id = best.last left join ${PRODUCT} as p on p.id = best.product
    where best.position <= ${sql.lit(BEST_SELLERS_MAX)}`;
  return { tables, rows };
}

/** If all variants of a product have their own stock, only the stock of the variants counts. */
function lowStock(limit: RawBuilder<unknown>): RawBuilder<unknown> {
  const isCounted = sql`p.enabled and p.inventory_traceable`;
  const variants = sql`select 1 from ${VARIANT} as own where own.product_id = p.id`;
  return sql`select p.id as product_id, null as variant_id, p.sku as sku, p.amount as amount from ${PRODUCT} as p
      where p.amount <= ${limit} and ${isCounted}
      and (not exists (${variants}) or exists (${variants} and own.default_amount))
    union all select p.id, v.id, coalesce(v.sku, p.sku), v.amount from ${VARIANT} as v
      join ${PRODUCT} as p on p.id = v.product_id
      where v.amount <= ${limit} and not v.default_amount and ${isCounted}`;
}
