/** Who a cart belongs to, and its state. */
import { Chip } from '@mui/material';
import type { CartOutput } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { useMay } from '../utils/use-may.tsx';

const COLORS = { open: 'success', expired: 'default', merged: 'info' } as const;

/** The e-mail address, with a link to the customer if there is one. */
export function Shopper({ cart: { customer_id, email } }: { cart: CartOutput }) {
  const translate = useTranslate();
  const maySeeCustomers = useMay('profiles:read');
  if (customer_id === null) return email ?? translate('tester.buyer.guest');
  const name = email ?? `${translate('field.customer')} ${customer_id}`;
  return maySeeCustomers ? <Link to={`/profiles/${customer_id}`}>{name}</Link> : name;
}

export function StateChip({ state }: Pick<CartOutput, 'state'>) {
  const translate = useTranslate();
  return <Chip size="small" variant="outlined" color={COLORS[state]} label={translate(`carts.state.${state}`)} />;
}
