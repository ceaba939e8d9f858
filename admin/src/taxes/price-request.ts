/** Asks the store for the price of a product and why it is so, and reads the records that the explanation names. */
import type {
  CouponOutput,
  MembershipOutput,
  PathOf,
  ProductPriceOutput,
  SaleDiscountOutput,
  TaxRateOutput,
  VolumeDiscountOutput,
  WholesalePriceOutput,
  ZoneOutput,
} from 'purveyor/client';
import { StoreProblem } from 'purveyor/client';
import { readAll, readRecord } from '../api/runtime-requests.ts';
import type { FoundCustomer } from '../orders/draft/customer-input.tsx';
import type { DraftLine } from '../orders/draft/draft.ts';
import { parseNumber } from '../utils/format.ts';
import { readMemberships, readZones } from './records.ts';

/** Who buys what, as typed. */
export interface Question {
  readonly product: DraftLine | null;
  readonly quantity: string;
  readonly buyer: 'guest' | 'customer' | 'member';
  readonly customer: FoundCustomer | null;
  readonly membership: number | null;
  readonly country: string;
  readonly state_name: string;
  readonly zipcode: string;
  readonly city: string;
  readonly coupon: string;
  /** A local date and time; empty for now. */
  readonly at: string;
}

export const NEW_QUESTION: Question = {
  ...{ product: null, quantity: '1', buyer: 'guest', customer: null, membership: null },
  ...{ country: '', state_name: '', zipcode: '', city: '', coupon: '', at: '' },
};

export type Explained = NonNullable<ProductPriceOutput['explanation']>[number];

/** The records that an explanation names, by their ids. A key may lack the scope to read some of them. */
export interface Records {
  readonly sale_discount: ReadonlyMap<number, SaleDiscountOutput>;
  readonly wholesale_price: ReadonlyMap<number, WholesalePriceOutput>;
  readonly volume_discount: ReadonlyMap<number, VolumeDiscountOutput>;
  readonly coupon: ReadonlyMap<number, CouponOutput>;
  readonly tax_rate: ReadonlyMap<number, TaxRateOutput>;
  readonly membership: ReadonlyMap<number, MembershipOutput>;
  readonly zone: ReadonlyMap<number, ZoneOutput>;
}

export interface Answer {
  readonly product_id: number;
  readonly price: ProductPriceOutput;
  readonly records: Records;
}

/** A request that can be compared as JSON. */
export interface PriceRequest {
  readonly product_id: number;
  readonly variant: number | null;
  readonly filter: Readonly<Record<string, unknown>>;
}

/** @returns undefined until a product is chosen, and a membership if the buyer is a member */
export function requestOf({
  product,
  quantity,
  buyer,
  customer,
  membership,
  at,
  ...rest
}: Question): PriceRequest | undefined {
  if (!product || product.product_id === null || (buyer === 'member' && membership === null)) return undefined;
  const { country, state_name, zipcode, city, coupon } = rest;
  const texts = { coupon, ...(country === '' ? {} : { country, state_name, zipcode, city }) };
  const time = Date.parse(at);
  const filter = {
    // A text that is not a number is sent as it is, so that the store explains what is wrong.
    ...(quantity.trim() === '' ? {} : { quantity: parseNumber(quantity) ?? quantity }),
    ...(buyer === 'customer' && customer ? { customer: customer.id } : {}),
    ...(buyer === 'member' ? { membership } : {}),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
    ),
    ...(Number.isNaN(time) ? {} : { at: new Date(time).toISOString() }),
    explain: true,
  };
  return { product_id: product.product_id, variant: product.variant, filter };
}

export async function readAnswer({ product_id, variant, filter }: PriceRequest): Promise<Answer> {
  const { data: price } =
    variant === null
      ? await readRecord('/products/{id}/price', { id: product_id }, { filter })
      : await readRecord('/products/{product_id}/variants/{id}/price', { product_id, id: variant }, { filter });
  return { product_id, price, records: await readRecords(price.explanation ?? []) };
}

const PATHS = {
  sale_discount: '/sale_discounts',
  wholesale_price: '/wholesale_prices',
  volume_discount: '/volume_discounts',
  coupon: '/coupons',
  tax_rate: '/tax_rates',
} as const satisfies Record<string, PathOf<'list'>>;

const IDS_PER_REQUEST = 100;

async function readRecords(explanation: readonly Explained[]): Promise<Records> {
  const [sales, rows, volume, coupons, rates] = await Promise.all([
    readByIds('sale_discount', explanation),
    readByIds('wholesale_price', explanation),
    readByIds('volume_discount', explanation),
    readByIds('coupon', explanation),
    readByIds('tax_rate', explanation),
  ]);
  const hasMembership = [...rows, ...volume, ...rates].some(({ membership }) => membership !== null);
  const hasZone = rates.some(({ zone }) => zone !== null);
  const [memberships, zones] = await Promise.all([
    hasMembership ? ifAllowed(readMemberships) : [],
    hasZone ? ifAllowed(readZones) : [],
  ]);
  return {
    sale_discount: byId(sales),
    wholesale_price: byId(rows),
    volume_discount: byId(volume),
    coupon: byId(coupons),
    tax_rate: byId(rates),
    membership: byId(memberships),
    zone: byId(zones),
  };
}

const byId = <T extends { readonly id: number }>(records: readonly T[]): ReadonlyMap<number, T> =>
  new Map(records.map((record) => [record.id, record]));

/** A combination names its wholesale price. */
const kindOfRecord = ({ kind }: Explained) => (kind === 'combination' ? 'wholesale_price' : kind);

async function readByIds<K extends keyof typeof PATHS>(kind: K, explanation: readonly Explained[]) {
  const named = explanation.filter((entry) => kindOfRecord(entry) === kind && entry.id !== null);
  const ids = [...new Set(named.map(({ id }) => id!))];
  type Found = Awaited<ReturnType<typeof readAll<(typeof PATHS)[K]>>>;
  const found: Found = [];
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST)
    found.push(...(await ifAllowed(() => readAll(PATHS[kind], {}, { id: ids.slice(start, start + IDS_PER_REQUEST) }))));
  return found;
}

/** Reads records; none if the key may not read them. */
async function ifAllowed<T>(read: () => Promise<T[]>): Promise<T[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreProblem && error.status === 403) return [];
    throw error;
  }
}
