/** The customer of an order, as far as it tells. */
import type { OrderOutput } from 'purveyor/client';
import { nameIn } from '../parts/address.tsx';

export function customerOf({ billing_address, shipping_address }: OrderOutput): string {
  const address = billing_address ?? shipping_address;
  return address ? nameIn(address) : '';
}
