/**
 * Images that were imported `once`, by product and address: repeating an import creates no duplicates and does not bring
 * back an image that the shop has deleted or replaced. The entries are deleted with the product (catalog.md §2).
 */
import { sql } from 'kysely';
import {
  BindParam,
  isProblem,
  type Problem,
  problem,
  type Reads,
  type Table,
  type Target,
  type Unit,
  type Written,
} from '../engine/index.ts';

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
const PRODUCT = new BindParam('product', 'integer');
const ADDRESS = new BindParam('address', 'text');

/** A create that a resource with `createdOnce` allows only once for each parent and source. */
interface OneTimeImport {
  readonly product: number;
  readonly address: string;
  /** The detail of the 409 for a repeated import. */
  readonly message: string;
}

/** @returns undefined if the body does not ask for a one-time import */
export function oneTimeImport(
  { route, parents }: Target,
  sent: Readonly<Record<string, unknown>>,
): OneTimeImport | undefined {
  const { createdOnce } = route.resource.declaration;
  if (!createdOnce || sent[createdOnce.flag] !== true) return undefined;
  const address = sent[createdOnce.source];
  if (typeof address !== 'string') return undefined;
  return { product: parents[0] as number, address, message: createdOnce.message };
}

/** Checks before anything is downloaded. @returns a 409 if the source was imported before */
export async function rejectRepeatedImport(
  reads: Reads,
  { product, address, message }: OneTimeImport,
): Promise<Problem | undefined> {
  const found = await reads.query(
    'imported image',
    ({ placeholder }) =>
      sql`select 1 from ${TABLE} where product_id = ${placeholder(PRODUCT)} and address = ${placeholder(ADDRESS)}`,
    { product, address },
  );
  return found.length > 0 ? problem('conflict', message) : undefined;
}

/** Runs `write` and records the import in the same unit. @returns a 409 if a concurrent request was first */
export async function writeOnce(
  unit: Unit,
  { product, address, message }: OneTimeImport,
  write: () => Promise<Written | Problem>,
): Promise<Written | Problem> {
  const written = await write();
  if (isProblem(written)) return written;
  const recorded = await unit.query(
    'remember imported image',
    ({ placeholder }) =>
      sql`insert into ${TABLE} (product_id, address) values (${placeholder(PRODUCT)}, ${placeholder(ADDRESS)}) on conflict do nothing returning 1`,
    { product, address },
  );
  return recorded.length > 0 ? written : problem('conflict', message);
}
