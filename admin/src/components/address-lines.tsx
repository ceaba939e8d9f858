import { Typography } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useCountryName } from '../utils/countries.ts';

export type Address = NonNullable<OrderOutput['billing_address']>;

/** Returns the person's name, otherwise the company's. */
export function addressName({ firstname, lastname, company }: Address): string {
  return [firstname, lastname].filter(Boolean).join(' ') || company;
}

/** Returns the lines of an address as printed on a parcel, each with the name of its part. */
function linesOf(address: Address, countryName: (code: string) => string): [part: string, line: string][] {
  const { title, firstname, lastname, company, street, zipcode, city, state_name, country_code, phone } = address;
  const joined = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' ');
  const parts = {
    ...{ name: joined(title, firstname, lastname), company, street, city: joined(zipcode, city), state_name },
    ...{ country: country_code ? countryName(country_code) : '', phone },
  };
  return Object.entries(parts).filter(([, line]) => line !== '');
}

export function AddressLines({ address }: { address: Address | null }) {
  const translate = useTranslate();
  const countryName = useCountryName();
  if (!address) return <Typography color="textSecondary">{translate('orders.noAddress')}</Typography>;
  return (
    <address style={{ fontStyle: 'normal' }}>
      {linesOf(address, countryName).map(([part, line]) => (
        <Typography key={part} sx={{ overflowWrap: 'anywhere' }}>
          {line}
        </Typography>
      ))}
    </address>
  );
}
