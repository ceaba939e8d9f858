import { Typography } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useCountryName } from '../utils/countries.ts';

export type Address = NonNullable<OrderOutput['billing_address']>;

/** Returns the person's name, otherwise the company's. */
export function addressName({ firstname, lastname, company }: Address): string {
  return [firstname, lastname].filter(Boolean).join(' ') || company;
}

/** Returns the lines of an address as printed on a parcel. */
function linesOf(address: Address, countryName: (code: string) => string): string[] {
  const { title, firstname, lastname, company, street, zipcode, city, state_name, country_code, phone } = address;
  const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' ');
  return [
    joined(title, firstname, lastname),
    company,
    street,
    joined(zipcode, city),
    state_name,
    country_code ? countryName(country_code) : '',
    phone,
  ].filter(Boolean);
}

export function AddressLines({ address }: { address: Address | null }) {
  const translate = useTranslate();
  const countryName = useCountryName();
  if (!address) return <Typography color="textSecondary">{translate('orders.noAddress')}</Typography>;
  return (
    <address style={{ fontStyle: 'normal' }}>
      {[...new Set(linesOf(address, countryName))].map((line) => (
        <Typography key={line} sx={{ overflowWrap: 'anywhere' }}>
          {line}
        </Typography>
      ))}
    </address>
  );
}
