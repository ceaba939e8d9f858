/** Reads shipping methods, their rates, and the orders that have no rate. */
import type { ShippingRateOutput } from 'purveyor/client';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';

export const METHODS = '/shipping_methods';
export const ONE = '/shipping_methods/{id}';
export const RATES = '/shipping_methods/{method_id}/rates';
export const ONE_RATE = '/shipping_methods/{method_id}/rates/{id}';

export const METHODS_KEY = ['shipping_methods'] as const;

/** In the order in which buyers see them. */
export const readMethods = () => readAll(METHODS);

/** A shipping method with its rates and what they leave out. */
export async function readMethod(id: number) {
  const [{ data: method }, rates, { data: coverage }] = await Promise.all([
    store.get(ONE, { id }),
    readAll(RATES, { method_id: id }),
    store.get('/shipping_methods/{id}/coverage', { id }),
  ]);
  return { method, rates, coverage };
}

/** What the ranges of a rate are about. */
export const MEASURES = ['weight', 'total', 'discounted_total', 'items'] as const;
export type Measure = (typeof MEASURES)[number];

/** The ranges of a rate, or of orders without one. All bounds are inclusive. */
export type Bounds = Pick<ShippingRateOutput, `min_${Measure}` | `max_${Measure}`>;

/** A rate that was not saved because it overlaps another one. */
export interface Overlap {
  /** The id of the other one. */
  readonly id: number;
  readonly bounds: Bounds;
}
