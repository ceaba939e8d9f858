/** The customer of an order, as far as it tells. */
import type { OrderOutput } from 'purveyor/client';

export type Address = NonNullable<OrderOutput['billing_address']>;

export function customerOf({ billing_address, shipping_address }: OrderOutput): string {
  const address = billing_address ?? shipping_address;
  return address ? [address.firstname, address.lastname].filter(Boolean).join(' ') || address.company : '';
}

/** An address as it stands on a parcel. */
export function linesOf(address: Address): string[] {
  const { title, firstname, lastname, company, street, zipcode, city, state_name, country_code, phone } = address;
  const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' ');
  return [
    joined(title, firstname, lastname),
    company,
    street,
    joined(zipcode, city),
    joined(state_name, country_code),
    phone,
  ].filter((line) => line !== '');
}
