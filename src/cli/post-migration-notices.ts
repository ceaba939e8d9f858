/**
 * Notices about existing records that break rules of newer releases. They are not damage and stay unchanged. `purveyor
 * migrate`, the first start after an upgrade and `purveyor check` report how many there are.
 */
import { sql } from 'kysely';
import { type Database, type ModelField, matchColumn, readRows, type Table } from '../engine/index.ts';
import { decimalsOf } from '../pricing/currencies.ts';
import { isFiner } from '../pricing/money.ts';
import { counted } from '../transfer/backup/format.ts';
import { storeModel } from '../wiring/open.ts';

/** The migration since which new records must have distinct names, and totals no finer than the currency. */
const STRICTER_SINCE = '0004-codes-without-twins';

/** Returns one line for each kind of record if this run has applied the stricter migration. */
export async function noticesAfter(migrated: readonly string[], database: Database): Promise<string[]> {
  return migrated.includes(STRICTER_SINCE) ? noticesOn(database) : [];
}

/** Returns one line for each kind of record. The schema must be up to date. */
export async function noticesOn(database: Database): Promise<string[]> {
  const lines: string[] = [];
  for (const { fields } of storeModel().resources.values())
    for (const field of fields.values()) {
      const count = field.field.distinct ? await countDuplicates(database, field) : 0;
      if (count > 0)
        lines.push(
          `${counted(count, field.resource.table)} have the same ${field.name} as another, ignoring case, outer white space and Unicode form. They stay unchanged; no further duplicates are accepted.`,
        );
    }
  const orders = await countFineOrders(database);
  if (orders > 0)
    lines.push(
      `${counted(orders, 'order')} ${orders === 1 ? 'has' : 'have'} totals with more decimal places than the currency. They stay unchanged; new totals are rounded.`,
    );
  return lines;
}

async function countDuplicates(database: Database, field: ModelField): Promise<number> {
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
    if (totals.some((total) => isFiner(total as number, decimalsOf(currency as string)))) count += 1;
  return count;
}
