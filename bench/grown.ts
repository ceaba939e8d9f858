/** The resources that `growth.ts` measures: their queries, and the tables that it copies. */
import { createClient, type Line } from '../src/client/index.ts';
import { KEY, PRODUCTS } from './constants.ts';

const ITEMS_PER_PAGE = 30;
const CUSTOMERS = 2000;
const START = Date.UTC(2025, 0, 1);
const HOUR_MS = 3_600_000;

/** A kind of read. `query` returns a different page or a different filter for each number. */
export interface Kind {
  readonly title: string;
  readonly query: (number: number, total: number) => string;
}

export interface Grown {
  readonly path: string;
  readonly table: string;
  /** Tables with dependent rows. */
  readonly parts: readonly string[];
  /** Columns with unique values. */
  readonly unique: readonly string[];
  readonly kinds: readonly Kind[];
  /** @returns the body of a PATCH that changes a record */
  readonly change: () => object;
}

const deep = (number: number, total: number): number => Math.floor(total / ITEMS_PER_PAGE / 2) - number;
const last = (number: number, total: number): number => Math.ceil(total / ITEMS_PER_PAGE) - number;
const one: Kind = { title: 'get one', query: (number, total) => `/${(number * 7919) % total || 1}` };
const pages: readonly Kind[] = [
  { title: 'first pages', query: (number) => `?page=${number}` },
  { title: 'middle pages', query: (number, total) => `?page=${deep(number, total)}` },
  { title: 'last pages', query: (number, total) => `?page=${last(number - 1, total)}` },
];

export const GROWN_PRODUCTS: Grown = {
  path: '/api/products',
  table: 'product',
  parts: ['product_text', 'product_tags', 'product_memberships', 'product_image', 'unique_clean_url'],
  unique: ['sku', 'sku_key', 'sku_match', 'clean_url'],
  kinds: [
    one,
    ...pages,
    { title: 'enabled, by date', query: (number) => `?enabled=true&order[update_date]=desc&page=${number}` },
    { title: 'by name', query: (number) => `?order[name]=asc&page=${number}` },
    { title: 'by price, middle', query: (number, total) => `?order[price]=asc&page=${deep(number, total)}` },
    { title: 'with a tag', query: (number) => `?tags.id=3&page=${number}` },
    { title: 'with a tag, by price', query: (number) => `?tags.id=3&order[price]=asc&page=${number}` },
    { title: 'with an unused tag', query: (number) => `?tags[]=nowhere${number}` },
    {
      title: 'part of a name',
      query: (number) => `?name=${['wal', 'cop', 'can', 'vel', 'amb'][number % 5]}&page=${number}`,
    },
    {
      title: 'search',
      query: (number) =>
        `?search=${['walnut copper', 'canvas velvet', 'amber indigo', 'crimson silver'][number % 4]}&page=${number}`,
    },
  ],
  change: () => ({ price: Math.floor(Math.random() * 500) }),
};

export const ORDERS: Grown = {
  path: '/api/orders',
  table: 'order',
  parts: ['order_item'],
  unique: ['order_number'],
  kinds: [
    one,
    ...pages,
    { title: 'newest', query: (number) => `?order[create_date]=desc&page=${number}` },
    { title: 'unpaid, newest', query: (number) => `?payment_status=Q&order[create_date]=desc&page=${number}` },
    { title: 'paid, not shipped', query: (number) => `?payment_status=P&shipping_status=N&page=${number}` },
    {
      title: 'of a day',
      query: (number) => `?create_date=${new Date(START + number * 24 * HOUR_MS).toISOString().slice(0, 10)}`,
    },
    { title: 'by total, middle', query: (number, total) => `?order[total]=desc&page=${deep(number, total)}` },
    { title: 'of a customer', query: (number) => `?email=customer${number}@example.com` },
    { title: 'part of an email address', query: (number) => `?email=omer${number + 100}&page=1` },
    { title: 'with a product', query: (number) => `?sku=${skuOf(number * 3)}` },
  ],
  change: () => ({ admin_notes: `Seen ${Math.floor(Math.random() * 500)} times` }),
};

/** Sends past orders with three items each to a server on the seeded store (sync.md §4). */
export async function sendOrders(address: string, count: number): Promise<void> {
  const store = createClient({ baseUrl: address, key: KEY });
  const lines = Array.from({ length: count }, (_, index) => order(index + 1));
  for await (const result of store.bulk('/orders/bulk', lines, { past: true })) {
    if (result.result !== 'created') throw new Error(`An order was not created: ${JSON.stringify(result)}`);
  }
}

function order(number: number): Line<'/orders/bulk'> {
  const item = (position: number) => ({ sku: skuOf(number * 3 + position), amount: 1 + (number % 3) });
  return {
    order_number: `${number}`,
    email: `customer${number % CUSTOMERS}@example.com`,
    items: [item(0), item(1), item(2)],
    create_date: new Date(START + number * HOUR_MS).toISOString(),
    payment_status: number % 10 === 0 ? 'Q' : 'P',
    shipping_status: number % 4 === 0 ? 'N' : 'S',
  };
}

function skuOf(number: number): string {
  return `SKU-${String(1 + (number % PRODUCTS)).padStart(6, '0')}`;
}
