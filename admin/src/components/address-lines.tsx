import { Typography } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';

export type Address = NonNullable<OrderOutput['billing_address']>;

/** Returns the person's name, otherwise the company's. */
export function addressName({ firstname, lastname, company }: Address): string {
  return [firstname, lastname].filter(Boolean).join(' ') || company;
}

/** Returns the lines of an address as printed on a parcel. */
function linesOf(address: Address): string[] {
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

export function AddressLines({ address }: { address: Address | null }) {
  const translate = useTranslate();
  if (!address) return <Typography color="textSecondary">{translate('orders.noAddress')}</Typography>;
  return (
    <address style={{ fontStyle: 'normal' }}>
      {linesOf(address).map((line) => (
        <Typography key={line} sx={{ overflowWrap: 'anywhere' }}>
          {line}
        </Typography>
      ))}
    </address>
  );
}
