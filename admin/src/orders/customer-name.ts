import type { OrderOutput } from 'purveyor/client';
import { addressName } from '../components/address-lines.tsx';

/** Returns the name in an order's addresses, or an empty text. */
export function customerName({ billing_address, shipping_address }: OrderOutput): string {
  const address = billing_address ?? shipping_address;
  return address ? addressName(address) : '';
}
