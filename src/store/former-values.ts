/** Deletes earlier values of products and pricing rules after their retention (pricing.md §6). */
import { sql } from 'kysely';
import {
  BindParam,
  committed,
  inUnit,
  type Reads,
  type RequestOptions,
  type Service,
  type Unit,
  type Value,
} from '../engine/index.ts';

/** Products that are read at once. */
const PRODUCTS_AT_ONCE = 100;

/** Earlier values of rules affect all products, so they are deleted at most once in this time. */
const RULES_INTERVAL_SECONDS = 30 * 86_400;

interface Expiry {
  readonly now: number;
  /** Values that were in force only until this time have expired. */
  readonly before: number;
  readonly pause: () => Promise<void>;
}

/** What the domain knows about earlier values. */
export interface FormerValueRetention {
  readonly days: number;
  /** Divides products into lists for one unit each. */
  perUnit(reads: Reads, products: readonly Value[]): Promise<Value[][]>;
  /** Finds the products whose own values must be replaced before expired values of rules are deleted. */
  changedByRules(reads: Reads, products: readonly Value[], expiry: Expiry): Promise<Value[]>;
  /** Deletes the expired values of these products. */
  expire(unit: Unit, products: readonly Value[], expiry: Expiry): Promise<void>;
}

export async function forgetFormerValues(
  service: Service,
  requestOptions: RequestOptions,
  { days, perUnit, changedByRules, expire }: FormerValueRetention,
  stopped: AbortSignal,
): Promise<void> {
  const now = service.clock.now();
  const before = now - days * 86_400;
  const expiry: Expiry = { now, before, pause: () => service.clock.pause(0) };
  const reads = committed(service, requestOptions);
  const expireAll = async (products: readonly Value[]): Promise<void> => {
    for (const each of products.length === 0 ? [] : await perUnit(reads, products))
      if (!stopped.aborted) await inUnit(service, requestOptions, (unit) => expire(unit, each, expiry));
  };
  for (let after: Value = 0; !stopped.aborted; ) {
    const products = await productsWithExpired(service, before, after);
    if (products.length === 0) break;
    await expireAll(products);
    after = products.at(-1)!;
  }
  if ((await expiredRules(service, before - RULES_INTERVAL_SECONDS)).length === 0) return;
  const rules = await expiredRules(service, before);
  for (let after: Value = 0; !stopped.aborted; ) {
    const products = await productsAfter(service, after);
    if (products.length === 0)
      return inUnit(service, requestOptions, (unit) => unit.remove('RuleFormerValue', { id: rules }));
    // Computed outside a unit, because most products do not change.
    await expireAll(await changedByRules(reads, products, expiry));
    after = products.at(-1)!;
  }
}

const BEFORE = new BindParam('before', 'timestamp');
const AFTER = new BindParam('after', 'integer');

/** Uses `query`, because `scan` would start the process for long searches in each server, soon after its start. */
async function productsWithExpired({ statements, database }: Service, before: number, after: Value): Promise<Value[]> {
  const find = statements.get(
    'products with expired values',
    ({ placeholder }) => sql`select distinct product_id from ${sql.table('product_former_value')}
      where until <= ${placeholder(BEFORE)} and product_id > ${placeholder(AFTER)} and resource <> 'PriceChange' order by product_id limit ${sql.lit(PRODUCTS_AT_ONCE)}`,
  );
  return (await database.query(find, { before, after })).map(([id]) => id as Value);
}

async function expiredRules({ statements, database }: Service, before: number): Promise<Value[]> {
  const find = statements.get(
    'expired rules',
    ({ placeholder }) =>
      sql`select id from ${sql.table('rule_former_value')} where until <= ${placeholder(BEFORE)} order by id`,
  );
  return (await database.query(find, { before })).map(([id]) => id as Value);
}

async function productsAfter({ statements, database }: Service, after: Value): Promise<Value[]> {
  const find = statements.get(
    'products after',
    ({ placeholder }) => sql`select id from ${sql.table('product')} where id > ${placeholder(AFTER)}
      order by id limit ${sql.lit(PRODUCTS_AT_ONCE)}`,
  );
  return (await database.query(find, { after })).map(([id]) => id as Value);
}
