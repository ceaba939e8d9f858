/**
 * Records that a store keeps from before and would not take now. It is no damage, and nothing changes it; whoever
 * upgrades or looks at the whole store is told how much there is.
 */
import { sql } from 'kysely';
import { decimalsOf } from '../domain/rules/orders/currencies.ts';
import { isFiner } from '../domain/rules/orders/money.ts';
import { type Database, type ModelField, matchColumn, readRows, type Table } from '../engine/index.ts';
import { counted } from '../transfer/backup/format.ts';
import { storeModel } from '../wiring/open.ts';

/** The migration behind which new records are held to more. */
const STRICTER_SINCE = '0004-codes-without-twins';

/** One line for each kind, where this very start has brought the store there. */
export async function noticesAfter(migrated: readonly string[], database: Database): Promise<string[]> {
  return migrated.includes(STRICTER_SINCE) ? noticesOn(database) : [];
}

/** One line for each kind. The store has the newest schema. */
export async function noticesOn(database: Database): Promise<string[]> {
  const lines: string[] = [];
  for (const { fields } of storeModel().resources.values())
    for (const field of fields.values()) {
      const count = field.field.distinct ? await countTwins(database, field) : 0;
      if (count > 0)
        lines.push(
          `${counted(count, field.resource.table)} share a ${field.name} but for case, outer white space or the form of characters. They keep it; no further one is taken.`,
        );
    }
  const orders = await countFineOrders(database);
  if (orders > 0)
    lines.push(
      `${counted(orders, 'order')} ${orders === 1 ? 'has' : 'have'} sums finer than the currency. They stay as they are; new ones are rounded.`,
    );
  return lines;
}

async function countTwins(database: Database, field: ModelField): Promise<number> {
  const { dialect } = database;
  const match = sql.id(matchColumn(field));
  const [[count] = []] = await database.query(
    dialect.compile(
      sql`select count(*) from ${sql.table(field.resource.table)} where ${match} in
        (select ${match} from ${sql.table(field.resource.table)} group by ${match} having count(*) > 1)`,
    ),
    {},
  );
  return Number(count);
}

const TOTALS: Table = {
  name: 'order',
  columns: [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'currency', type: 'text', nullable: false },
    { name: 'total', type: 'decimal', nullable: false },
    { name: 'sub_total', type: 'decimal', nullable: false },
  ],
  primaryKey: ['id'],
  counted: false,
};

async function countFineOrders(database: Database): Promise<number> {
  let count = 0;
  for await (const [, currency, ...totals] of readRows(database.dialect, TOTALS, database.query.bind(database)))
    if (totals.some((sum) => isFiner(sum as number, decimalsOf(currency as string)))) count += 1;
  return count;
}
