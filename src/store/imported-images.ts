/**
 * Remembers the addresses of images created with `once`, so that repeating an import creates no duplicates. Images that
 * were deleted or replaced since are not restored. The addresses are deleted with their product.
 */
import { sql } from 'kysely';
import {
  BindParam,
  committed,
  isProblem,
  type Problem,
  problem,
  type Reads,
  type RequestOptions,
  type Service,
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

/** Runs the save within its unit, together with the caller's own statements. */
type Within = (unit: Unit, saved: () => Promise<Written | Problem>) => Promise<Written | Problem>;

/**
 * Runs a create whose body may contain `once` (catalog.md §2). If the product already got an image from this address,
 * the result is a conflict and nothing is downloaded. Image and address are saved in one unit.
 */
export async function onlyOnce<T>(
  service: Service,
  requestOptions: RequestOptions,
  { route, parents }: Target,
  { once, externalUrl: address }: Readonly<Record<string, unknown>>,
  create: (within: Within) => Promise<T | Problem>,
): Promise<T | Problem> {
  if (route.resource.name !== 'ProductImage' || once !== true || typeof address !== 'string')
    return create((_, saved) => saved());
  const [product] = parents as [number];
  if (await isImported(committed(service, requestOptions), product, address)) return alreadyImported();
  return create(async (unit, saved) => {
    const made = await saved();
    if (isProblem(made)) return made;
    return (await rememberImport(unit, product, address)) ? made : alreadyImported();
  });
}

function alreadyImported(): Problem {
  return problem('conflict', 'This product already got an image from this address. Leave out “once” to add it again.');
}

async function isImported(reads: Reads, product: number, address: string): Promise<boolean> {
  const known = await reads.ask(
    'imported image',
    ({ placeholder }) =>
      sql`select 1 from ${TABLE} where product_id = ${placeholder(PRODUCT)} and address = ${placeholder(ADDRESS)}`,
    { product, address },
  );
  return known.length > 0;
}

/** @returns false if a concurrent request was faster */
async function rememberImport(unit: Reads, product: number, address: string): Promise<boolean> {
  const remembered = await unit.ask(
    'remember imported image',
    ({ placeholder }) =>
      sql`insert into ${TABLE} (product_id, address) values (${placeholder(PRODUCT)}, ${placeholder(ADDRESS)}) on conflict do nothing returning 1`,
    { product, address },
  );
  return remembered.length > 0;
}
