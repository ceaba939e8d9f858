/**
 * A shop of release 5.5.1, as far as an import reads it: lists with pages but without totals, no exports, no change feed and
 * no variants, and files at addresses of its own. Its records follow from their numbers alone, so they are the same in every
 * run.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { FILES } from './attachments.ts';
import type { Json } from './store.ts';

const PRODUCTS = 120;
const CATEGORIES = 24;
const ORDERS = 40;
/** Distinct files, to keep the shop small. */
const IMAGES = 8;
const PAGE = 25;
/** So many categories have no parent. */
const TOP = 4;

export const RECORDED = {
  products: PRODUCTS,
  categories: CATEGORIES,
  orders: ORDERS,
  tabs: 4,
  /** Three per product, two of every fifth. */
  reviews: 3 * PRODUCTS - PRODUCTS / 5,
  attachments: PRODUCTS,
  /** Two per product. */
  related: 2 * PRODUCTS,
  frontPage: 6,
  saleDiscounts: 5,
  volumeDiscounts: 3,
  coupons: 12,
  /** Two of every tenth product. */
  wholesalePrices: PRODUCTS / 5,
} as const;

/** Lists and single records by path. Identifiers begin at 1000 times something, so that none is that of a copy. */
type Records = Map<string, Json | Json[]>;

export class RecordedShop {
  readonly address: string;
  /** Paths below the address of the shop for which it returns 404. */
  readonly missing = new Set<string>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<RecordedShop> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const shop = new RecordedShop(server);
    const records = recordsOf(shop.address);
    const files = await filesOf();
    server.on('request', ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, shop.address);
      const file = shop.missing.has(pathname) ? undefined : files.get(pathname);
      if (file) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file);
      const found = pathname.startsWith('/api/') ? records.get(pathname.slice('/api'.length)) : undefined;
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      const shown = Array.isArray(found) ? pageOf(found, searchParams) : found;
      response.end(JSON.stringify(shown ?? { title: 'An error occurred', detail: 'Not Found' }));
    });
    return shop;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((closed) => this.#server.close(() => closed()));
  }
}

function pageOf(records: readonly Json[], query: URLSearchParams): readonly Json[] {
  const parent = query.get('parent');
  const filtered = parent === null ? records : records.filter((record) => String(idOf(record.parent)) === parent);
  const size = Number(query.get('itemsPerPage') ?? PAGE);
  const first = (Number(query.get('page') ?? 1) - 1) * size;
  return filtered.slice(first, first + size);
}

function idOf(linked: unknown): unknown {
  return (linked as Json | null)?.id;
}

async function filesOf(): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (let number = 1; number <= IMAGES; number += 1) {
    const image = sharp({
      create: { width: 20 + number, height: 20, channels: 3, background: { r: number, g: 0, b: 0 } },
    });
    files.set(`/images/${number}.png`, await image.png().toBuffer());
  }
  for (const extension of EXTENSIONS) files.set(`/files/manual.${extension}`, FILES[extension]!);
  return files;
}

const EXTENSIONS = ['pdf', 'txt', 'zip', 'docx', 'mp3'];

function recordsOf(address: string): Records {
  const records: Records = new Map();
  const add = (path: string, count: number, of: (number: number) => Json): void => {
    records.set(path, numbers(count).map(of));
  };
  const named = (path: string, start: number, names: readonly string[], fields: Json = {}): void =>
    add(path, names.length, (number) => ({ id: start + number, name: names[number - 1], ...fields }));
  named('/memberships', 1000, ['Silver', 'Gold'], { enabled: true });
  named('/tax_classes', 2000, ['Standard', 'Reduced']);
  named('/product_classes', 3000, ['Clothes', 'Tools']);
  named('/tags', 4000, ['New', 'Soft', 'Warm']);
  add('/attributes_text', 1, () => ({ id: 5001, name: 'Brand', attribute_group: null, position: 0 }));
  add('/categories', CATEGORIES, categoryOf);
  add('/products', PRODUCTS, (number) => productOf(address, number));
  for (const number of numbers(PRODUCTS)) addParts(records, address, number);
  for (const number of numbers(CATEGORIES)) {
    const own = productsOf(number);
    records.set(
      `/categories/${CATEGORY + number}/products`,
      own.map((product) => ({ product_id: PRODUCT + product })),
    );
    records.set(
      `/categories/${CATEGORY + number}/featured`,
      own.slice(0, 2).map((product) => ({ product_id: PRODUCT + product })),
    );
  }
  add('/front_page/featured', RECORDED.frontPage, (number) => ({ product_id: PRODUCT + 15 * number }));
  add('/custom_product_tabs', RECORDED.tabs, (number) => ({
    ...{
      id: 80_000 + number,
      name: `Tab ${number}`,
      content: `<p>All about ${number}</p>`,
      brief_info: `Info ${number}`,
    },
  }));
  add('/sale_discounts', RECORDED.saleDiscounts, saleDiscountOf);
  add('/volume_discounts', RECORDED.volumeDiscounts, (number) => ({
    ...{ id: 91_000 + number, value: 5 * number, type: number === 3 ? '$' : '%', subtotal_range_begin: 100 * number },
    ...{ membership: number === 2 ? 1002 : null, zones: [], date_range_begin: null, date_range_end: null },
  }));
  add('/coupons', RECORDED.coupons, couponOf);
  add('/orders', ORDERS, orderOf);
  return records;
}

const CATEGORY = 6000;
const PRODUCT = 10_000;

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** A number from 1 to `count`, which differs for neighbors. */
function spread(number: number, count: number): number {
  return ((number * 7 + 3) % count) + 1;
}

function productsOf(category: number): number[] {
  return numbers(PRODUCTS).filter((product) => spread(product, CATEGORIES) === category);
}

function categoryOf(number: number): Json {
  const parent = number <= TOP ? null : { id: CATEGORY + Math.ceil((number - TOP) / 5) };
  return {
    ...{ id: CATEGORY + number, parent, name: `Category ${number}`, enabled: true, show_title: true, position: number },
    ...{ clean_url: `category-${number}`, description: `<p>Category ${number}</p>`, meta_tags: '', meta_title: '' },
    ...{ memberships: number % 9 === 0 ? [{ id: 1001 }] : [], flyout_columns: number % 4 },
  };
}

function productOf(address: string, number: number): Json {
  const isSmall = number % 2 === 0;
  return {
    ...{ id: PRODUCT + number, sku: `R-${number}`, name: `Product ${number}`, price: 5 + number / 4, amount: number },
    ...{ description: `<p>Product ${number}, <b>well made</b>.</p>`, brief_description: `Brief ${number}` },
    ...{ clean_url: `product-${number}`, enabled: number % 20 !== 0, weight: number / 10, taxable: true },
    ...{ product_class: { id: 3001 + (number % 2) }, tax_class: number % 3 === 0 ? null : { id: 2001 } },
    ...{
      memberships: number % 25 === 0 ? [{ id: 1002 }] : [],
      tags: [{ id: 4001 + (number % 3), name: TAGS[number % 3] }],
    },
    images: [
      { id: number, url: `${address}/images/${(number % IMAGES) + 1}.png`, alt: `Product ${number}`, position: 1 },
    ],
    ...{ separate_box: isSmall, width: isSmall ? number / 8 : 0, length: isSmall ? 12.5 : 0, height: isSmall ? 3 : 0 },
  };
}

const TAGS = ['New', 'Soft', 'Warm'];

function addParts(records: Records, address: string, number: number): void {
  const path = `/products/${PRODUCT + number}`;
  records.set(
    `${path}/reviews`,
    numbers(number % 5 === 0 ? 2 : 3).map((review) => reviewOf(number, review)),
  );
  records.set(`${path}/attachments`, [attachmentOf(address, number)]);
  if (number % 10 === 0)
    records.set(
      `${path}/wholesale_prices`,
      [null, 1002].map((membership, index) => ({
        ...{
          id: 95_000 + 2 * number + index,
          type: index === 0 ? 'price' : 'percent',
          price: index === 0 ? 4.5 : 12.5,
        },
        ...{ quantity_range_begin: 10, membership },
      })),
    );
  records.set(`${path}/attributes_text/5001/values`, { id: 50_000 + number, value: `Brand ${number % 10}` });
  records.set(
    `${path}/related_products`,
    [1, 2].map((step) => ({
      id: 2 * number + step,
      product_id: PRODUCT + ((number + step * 11) % PRODUCTS) + 1,
      position: 10 * step,
    })),
  );
}

function saleDiscountOf(number: number): Json {
  return {
    ...{ id: 90_000 + number, name: `Sale ${number}`, enabled: number !== 5, value: 10 + number },
    ...{
      date_range_begin: '2021-06-01T02:00:00+02:00',
      date_range_end: number === 1 ? '2031-06-30T00:00:00+02:00' : null,
    },
    ...{ specific_products: number === 2, products: number === 2 ? [PRODUCT + 5, PRODUCT + 4] : [] },
    ...{ categories: number === 3 ? [CATEGORY + 1] : [], product_classes: [], memberships: number === 4 ? [1001] : [] },
    ...{
      show_in_separate_section: true,
      apply_to_wholesale: number === 1,
      clean_url: number === 5 ? '' : `sale-${number}`,
    },
    ...{ meta_tags: '', meta_description: '', meta_title: `All of sale ${number}` },
  };
}

function couponOf(number: number): Json {
  return {
    ...{ id: 92_000 + number, code: `CODE-${number}`, enabled: true, value: number % 4 === 0 ? 0 : number },
    ...{ type: ['%', '$', '%', 'S'][(number - 1) % 4], total_range_begin: 10, total_range_end: 0 },
    ...{ date_range_begin: null, date_range_end: '2030-12-31T23:59:59+00:00', uses_limit: number, uses: 3 },
    ...{ uses_limit_per_user: 1, single_use: number === 2, specific_products: false, products: [], zones: [] },
    ...{ product_classes: number === 3 ? [3001] : [], categories: [], memberships: [], comment: `No. ${number}` },
  };
}

function reviewOf(product: number, number: number): Json {
  const day = String((product % 28) + 1).padStart(2, '0');
  const isAnswered = (product + number) % 4 === 0;
  return {
    ...{ id: 20_000 + product * 10 + number, rating: ((product + number) % 5) + 1, reviewer_name: `Buyer ${number}` },
    review: number === 3 ? '' : `Review ${number} of “${product}”: <good>`,
    response: isAnswered ? `Thanks ${number}` : null,
    addition_date: `2021-0${number}-${day}T10:20:30+02:00`,
    response_date: isAnswered ? `2021-0${number + 1}-${day}T08:00:00+02:00` : null,
    // The profile is that of a customer of the other shop.
    ...{ profile: number === 1 ? 7 : null, respondent: isAnswered ? 1 : null, status: product % 7 === 0 ? 0 : 1 },
    use_for_meta: number === 2,
  };
}

function attachmentOf(address: string, number: number): Json {
  const url = `${address}/files/manual.${EXTENSIONS[number % EXTENSIONS.length]}`;
  const access = ['A', 'R', '1002'][number % 10 === 0 ? (number / 10) % 3 : 0];
  return {
    ...{
      id: 30_000 + number,
      title: `Manual of ${number}`,
      description: `Edition ${number % 3}`,
      position: 5,
      access,
      url,
    },
  };
}

function orderOf(number: number): Json {
  const product = spread(number, PRODUCTS);
  return {
    ...{ id: 40_000 + number, order_number: `R-${number}`, email: `buyer-${number}@example.com` },
    create_date: `2022-01-02T03:${String(number).padStart(2, '0')}:05+00:00`,
    ...{ payment_status: { id: 4, code: 'P' }, shipping_status: { id: 3, code: 'S' } },
    items: [{ sku: `R-${product}`, name: `Product ${product}`, amount: 1 + (number % 3), price: 5 + product / 4 }],
  };
}
