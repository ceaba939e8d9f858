/**
 * Which picture was made of which address with `once`, so that the same import again makes no second one. An image that the
 * shop has deleted or replaced since is not brought back. The memory ends with the product.
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

/** Does the saving in its unit, and what goes with it. */
type Within = (unit: Unit, saved: () => Promise<Written | Problem>) => Promise<Written | Problem>;

/**
 * A create whose body may say `once` (catalog.md §2): an address that the product was given before is a conflict, and nothing is
 * downloaded. Picture and memory are written together, or neither.
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
  if (await isImported(committed(service, requestOptions), product, address)) return known();
  return create(async (unit, saved) => {
    const made = await saved();
    if (isProblem(made)) return made;
    return (await rememberImport(unit, product, address)) ? made : known();
  });
}

function known(): Problem {
  return problem(
    'conflict',
    'This product was given the image of this address before; leave out “once” to add it again.',
  );
}

async function isImported(reads: Reads, product: number, address: string): Promise<boolean> {
  const known = await reads.query(
    'imported image',
    ({ placeholder }) =>
      sql`select 1 from ${TABLE} where product_id = ${placeholder(PRODUCT)} and address = ${placeholder(ADDRESS)}`,
    { product, address },
  );
  return known.length > 0;
}

/** @returns false where somebody else was faster */
async function rememberImport(unit: Reads, product: number, address: string): Promise<boolean> {
  const remembered = await unit.query(
    'remember imported image',
    ({ placeholder }) =>
      sql`insert into ${TABLE} (product_id, address) values (${placeholder(PRODUCT)}, ${placeholder(ADDRESS)}) on conflict do nothing returning 1`,
    { product, address },
  );
  return remembered.length > 0;
}
