/** Which picture an import made of which address, so that the same import again makes no second one. */
import { sql } from 'kysely';
import { type Reads, Slot, type Table } from '../engine/index.ts';

export const IMPORTED_IMAGES: Table = {
  name: 'imported_image',
  columns: [
    { name: 'product_id', type: 'integer', nullable: false, references: { table: 'product', onDelete: 'cascade' } },
    { name: 'address', type: 'text', nullable: false },
  ],
  primaryKey: ['product_id', 'address'],
  counted: false,
};

const TABLE = sql.table('imported_image');
const PRODUCT = new Slot('product', 'integer');
const ADDRESS = new Slot('address', 'text');

/** Whether the product's picture of this address was made already. */
export async function isImported(reads: Reads, product: number, address: string): Promise<boolean> {
  const known = await reads.ask(
    'imported image',
    ({ place }) => sql`select 1 from ${TABLE} where product_id = ${place(PRODUCT)} and address = ${place(ADDRESS)}`,
    { product, address },
  );
  return known.length > 0;
}

/** In the unit that makes the picture. */
export async function rememberImport(unit: Reads, product: number, address: string): Promise<void> {
  await unit.ask(
    'remember imported image',
    ({ place }) =>
      sql`insert into ${TABLE} (product_id, address) values (${place(PRODUCT)}, ${place(ADDRESS)}) on conflict do nothing`,
    { product, address },
  );
}
