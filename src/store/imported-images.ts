/** Which picture an import made of which address, so that the same import again makes no second one. */
import type { Table } from '../engine/ports.ts';

export const IMPORTED_IMAGES: Table = {
  name: 'imported_image',
  columns: [
    { name: 'product_id', type: 'integer', nullable: false, references: { table: 'product', onDelete: 'cascade' } },
    { name: 'address', type: 'text', nullable: false },
  ],
  primaryKey: ['product_id', 'address'],
  counted: false,
};
