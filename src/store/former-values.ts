/** Deletes earlier values of products and pricing rules after their retention (pricing.md §6). */
import { sql } from 'kysely';
import { BindParam, inUnit, type RequestOptions, type Service, type Unit, type Value } from '../engine/index.ts';

/** Products per unit, so that no write waits long. */
const PRODUCTS_AT_ONCE = 100;

/** Earlier values of rules affect all products, so they are deleted at most once in this time. */
const RULES_INTERVAL_SECONDS = 30 * 86_400;

/** What the domain knows about earlier values. */
export interface FormerValueRetention {
  readonly days: number;
  /** Deletes the values of these products that were in force only until `before`. */
  expire(
    unit: Unit,
    products: readonly Value[],
    expiry: {
      readonly now: number;
      readonly before: number;
      readonly onlyByRules: boolean;
      readonly pause: () => Promise<void>;
    },
  ): Promise<void>;
}

export async function forgetFormerValues(
  service: Service,
  requestOptions: RequestOptions,
  { days, expire }: FormerValueRetention,
  stopped: AbortSignal,
): Promise<void> {
  const now = service.clock.now();
  const before = now - days * 86_400;
  const pause = () => service.clock.pause(0);
  const expireIn = (products: readonly Value[], onlyByRules: boolean) =>
    inUnit(service, requestOptions, (unit) => expire(unit, products, { now, before, onlyByRules, pause }));
  for (let after: Value = 0; !stopped.aborted; ) {
    const products = await productsWithExpired(service, before, after);
    if (products.length === 0) break;
    await expireIn(products, false);
    after = products.at(-1)!;
  }
  if ((await expiredRules(service, before - RULES_INTERVAL_SECONDS)).length === 0) return;
  const rules = await expiredRules(service, before);
  for (let after: Value = 0; !stopped.aborted; ) {
    const products = await productsAfter(service, after);
    if (products.length === 0)
      return inUnit(service, requestOptions, (unit) => unit.remove('RuleFormerValue', { id: rules }));
    await expireIn(products, true);
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
