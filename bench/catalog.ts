/** Generates the benchmark's products from a seed, so that every run measures the same ones. */
import { PRODUCTS } from './constants.ts';

export const TAGS: readonly string[] =
  'Summer,Winter,Sale,New,Organic,Handmade,Cotton,Linen,Wool,Leather,Outdoor,Kids,Unisex,Gift,Limited,Recycled'.split(
    ',',
  );
export const MEMBERSHIPS: readonly string[] = ['Wholesale', 'Staff', 'Press'];
export const CLASSES: readonly string[] = ['Shirts', 'Shoes', 'Bags', 'Books', 'Tools', 'Toys'];
export const TAX_CLASSES: readonly string[] = ['Reduced rate', 'Zero rate'];
export const STICKERS: readonly string[] = ['Hot', 'Last one', 'Award'];

const WORDS =
  'light heavy classic modern soft sturdy garden travel kitchen office evening morning northern southern river mountain paper steel walnut copper canvas velvet amber indigo crimson silver pocket folding quiet bright'.split(
    ' ',
  );

/** Returns the body that creates a product. @param number from 1 to PRODUCTS */
export function productBody(number: number): Record<string, unknown> {
  const random = createRandom(number);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const words = (count: number): string => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const some = <T>(list: readonly T[], most: number): T[] => {
    const count = Math.floor(random() * (most + 1));
    return [...new Set(Array.from({ length: count }, () => pick(list)))];
  };
  const chance = (share: number): boolean => random() < share;
  const money = (from: number, to: number): number => Math.round((from + random() * (to - from)) * 100) / 100;
  return {
    sku: `SKU-${String(number).padStart(6, '0')}`,
    name: `${capital(words(3))} ${number}`,
    description: `<p>${capital(words(8))}.</p>`,
    brief_description: chance(0.5) ? capital(words(5)) : '',
    meta_title: chance(0.25) ? capital(words(3)) : '',
    meta_description: chance(0.25) ? capital(words(8)) : '',
    og_meta_tags: chance(0.25) ? `<meta property="og:title" content="${words(3)}" />` : '',
    price: money(1, 500),
    market_price: chance(0.3) ? money(500, 600) : 0,
    cost_price: money(0, 200),
    weight: money(0, 20),
    amount: Math.floor(random() * 500),
    enabled: chance(0.9),
    free_shipping: chance(0.2),
    tags: some(TAGS, 4),
    memberships: some(MEMBERSHIPS, 2),
    product_class: chance(0.6) ? pick(CLASSES) : null,
    tax_class: chance(0.4) ? pick(TAX_CLASSES) : null,
  };
}

/** Returns the body for creates under load: like the others, but its price is above those of the filtered lists. */
export function newProductBody(sku: string): Record<string, unknown> {
  return {
    ...productBody(PRODUCTS + 1),
    sku,
    name: `Made under load ${sku}`,
    og_meta_tags: '',
    price: 9999.99,
    tags: [2, 3, 5],
    memberships: [1],
    product_class: { id: 1 },
    tax_class: { id: 1 },
  };
}

/** Creates a generator of numbers from 0 up to 1 that depend only on the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}
