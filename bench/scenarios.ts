/** The measured requests. The load generator sends random ones. */
import { createRandom, newProductBody } from './catalog.ts';
import { KEY, PRODUCTS } from './constants.ts';

export type ScenarioName = 'get' | 'list' | 'filtered' | 'create';

export interface Scenario {
  readonly name: ScenarioName;
  readonly title: string;
  /** Addresses to read; if empty, products are created. */
  readonly paths: readonly string[];
  /** The create request, if it is not Purveyor's. */
  readonly create?: { readonly path: string; readonly body: string };
  /** Name and value of the authentication header, if it is not Purveyor's. */
  readonly credentials?: Credentials;
}

export type Credentials = readonly [header: string, value: string];

export const CREDENTIALS: Credentials = ['x-auth-token', KEY];

export const PAGES = 50;
const RANGES = 50;
const PRICE_SPAN = 20;

export const FILTERED_QUERY = (from: number, to: number): string =>
  `price[between]=${from}..${to}&enabled=true&order[price]=asc`;

export const CREATE_PATH = '/api/products';
/** Replaced in the body by a SKU that is unique for each request. */
export const SKU_PLACEHOLDER = '{sku}';
export const CREATE_BODY = JSON.stringify(newProductBody(SKU_PLACEHOLDER));

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'get',
    title: 'get one',
    paths: Array.from({ length: PRODUCTS }, (_, index) => `/api/products/${index + 1}`),
  },
  {
    name: 'list',
    title: 'list of 30',
    paths: Array.from({ length: PAGES }, (_, index) => `/api/products?page=${index + 1}`),
  },
  {
    name: 'filtered',
    title: 'filtered list of 30',
    paths: priceRanges().map(({ from, to }) => `/api/products?${FILTERED_QUERY(from, to)}`),
  },
  { name: 'create', title: 'create', paths: [] },
];

/** Returns the price ranges of the filtered lists. */
export function priceRanges(): { from: number; to: number }[] {
  const random = createRandom(1);
  return Array.from({ length: RANGES }, () => {
    const from = 1 + Math.floor(random() * (500 - PRICE_SPAN));
    return { from, to: from + PRICE_SPAN };
  });
}
