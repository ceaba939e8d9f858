/** `GET /products?price_for[membership]=3`: the price of each product of a list for a buyer (pricing.md §5, *Lists*). */
import {
  decimal,
  integer,
  type ListField,
  type ListFieldValues,
  listField,
  type Reads,
  reference,
  type Stored,
  type Value,
} from '../../../engine/vocabulary.ts';
import {
  type Buyer,
  createPriceList,
  type ListedProduct,
  nextChange,
  type PreparedDiscount,
  prepareDiscount,
  type SaleDiscount,
} from '../../../pricing/index.ts';
import { DATE_RANGE } from './value.ts';
import { ownerKey } from './wholesale-price.ts';

const USES = {
  basis: {
    SaleDiscount: [
      ...(['enabled', 'value', ...DATE_RANGE, 'specific_products', 'product_classes'] as const),
      ...(['categories', 'memberships', 'apply_to_wholesale'] as const),
    ],
    Membership: ['enabled'],
    Category: ['parent'],
    // A deleted class is removed from the discounts without a change of them.
    ProductClass: [],
  },
  values: {
    Product: [
      ...(['price', 'participate_sale', 'discount_type', 'sale_price_value'] as const),
      ...(['apply_sale_to_wholesale', 'product_class'] as const),
    ],
    WholesalePrice: ['owner_key', 'membership_key', 'type', 'price', 'quantity_range_begin', 'membership'],
    CategoryProduct: ['category', 'product_id'],
    SaleDiscount: ['products'],
  },
} as const;

/** What the prices of all products have in common. */
interface Basis {
  readonly discounts: readonly PreparedDiscount[];
  readonly memberships: ReadonlySet<Value>;
}

export const priceFor: ListField = listField(USES, {
  name: 'price_for',
  field: decimal({
    description: 'Unit price for the buyer and quantity in `price_for`, without options, coupons and conversion.',
    example: 19.99,
  }),
  parameters: {
    membership: reference({
      to: 'Membership',
      required: true,
      nullable: true,
      zeroIsNull: true,
      onDelete: 'no action',
      description:
        'Adds `price_for` to each product: its unit price for a buyer with the membership of this id. 0 or a disabled membership means none.',
      example: 0,
    }),
    quantity: integer({
      min: 1,
      max: 1_000_000,
      default: 1,
      description: 'Number of units for `price_for`.',
    }),
  },
  basis: readBasis,
  values: pricesFor,
});

async function readBasis(reads: Reads<typeof USES.basis>): Promise<Basis> {
  const stored = await reads.list('SaleDiscount', { enabled: true }, { only: USES.basis.SaleDiscount });
  const discounts = stored as unknown as Omit<SaleDiscount, 'products'>[];
  const memberships = await reads.list('Membership', { enabled: true }, { only: ['enabled'] });
  const isByCategory = discounts.some(({ categories }) => categories.length > 0);
  const categories = isByCategory ? await reads.list('Category', {}, { only: ['parent'] }) : [];
  const children = Map.groupBy(categories, ({ parent }) => parent);
  return {
    discounts: discounts.map((discount) => prepareDiscount(discount, (roots) => subtreesOf(roots, children))),
    memberships: new Set(memberships.map(({ id }) => id)),
  };
}

/** Returns these categories and all below them. */
function subtreesOf(
  roots: readonly number[],
  children: ReadonlyMap<Value, readonly Stored<'parent'>[]>,
): ReadonlySet<number> {
  const found = new Set(roots);
  // The set grows during the loop.
  for (const id of found) for (const child of children.get(id) ?? []) found.add(child.id as number);
  return found;
}

function pricesFor(
  { discounts, memberships }: Basis,
  reads: Reads<typeof USES.values>,
  { parameters, environment, now }: Parameters<ListField['values']>[2],
): ListFieldValues {
  const { membership: id = null, quantity } = parameters;
  const membership = memberships.has(id) ? (id as number) : null;
  const buyer: Buyer = { membership, tax_exempt: false, vat_id: '' };
  const currency = environment.settings.currency!;
  const { specific, priceOf } = createPriceList(discounts, {
    buyer,
    time: now,
    quantity: quantity as number,
    currency,
  });
  const isByCategory = discounts.some(({ categories }) => categories !== undefined);
  return {
    endsAt: nextChange(discounts, { buyer, time: now }),
    async of(ids) {
      const products = await readListed(reads, ids, { membership, isByCategory, specific });
      return new Map(products.map((product) => [product.id, priceOf(product)]));
    },
  };
}

interface ListedFacts {
  readonly membership: number | null;
  readonly isByCategory: boolean;
  /** Identifiers of the discounts that name products. */
  readonly specific: readonly number[];
}

/** Reads the facts of products. The number of statements does not depend on how many there are. */
async function readListed(
  reads: Reads<typeof USES.values>,
  ids: readonly Value[],
  { membership, isByCategory, specific }: ListedFacts,
): Promise<ListedProduct[]> {
  if (ids.length === 0) return [];
  const products = await reads.list('Product', { id: [...ids] }, { only: USES.values.Product });
  const rows = await reads.list(
    'WholesalePrice',
    { owner_key: ids.map((id) => ownerKey(id, null)), membership_key: membership === null ? [0] : [0, membership] },
    { only: USES.values.WholesalePrice },
  );
  const links = isByCategory
    ? await reads.list('CategoryProduct', { product_id: [...ids] }, { only: USES.values.CategoryProduct })
    : [];
  const rowsOf = Map.groupBy(rows, ({ owner_key }) => owner_key);
  const discountsOf = await readNaming(reads, ids, specific);
  const linksOf = Map.groupBy(links, ({ product_id }) => product_id);
  return products.map(
    (product) =>
      ({
        ...product,
        wholesale_prices: rowsOf.get(ownerKey(product.id, null)) ?? [],
        sale_discounts: discountsOf.get(product.id) ?? NONE,
        categories: (linksOf.get(product.id) ?? []).map(({ category }) => category),
      }) as unknown as ListedProduct,
  );
}

const NONE: ReadonlySet<number> = new Set();

/** Reads which of the discounts name each of the products. Their other products, which can be many, are not read. */
async function readNaming(
  reads: Reads<typeof USES.values>,
  products: readonly Value[],
  discounts: readonly number[],
): Promise<ReadonlyMap<Value, ReadonlySet<number>>> {
  const discountsOf = new Map<Value, Set<number>>();
  if (discounts.length === 0) return discountsOf;
  const where = { id: [...discounts] };
  const options = { only: USES.values.SaleDiscount, among: { products: [...products] } };
  for (const { id, products: named } of await reads.list('SaleDiscount', where, options))
    for (const product of named as readonly number[]) {
      const naming = discountsOf.get(product) ?? new Set();
      discountsOf.set(product, naming.add(id as number));
    }
  return discountsOf;
}
