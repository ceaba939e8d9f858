/** Shows a cart as of its last change. */
import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CartOutput } from 'purveyor/client';
import { type ReactNode, useId } from 'react';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { AddressLines } from '../components/address-lines.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { Totals } from '../orders/order-items.tsx';
import { ONE } from '../shipping/records.ts';
import { DetailsList } from '../staff/details-list.tsx';
import { useFormat } from '../utils/format.ts';
import { useMay } from '../utils/use-may.tsx';
import { Shopper, StateChip } from './cart-texts.tsx';

type Line = CartOutput['lines'][number];

export function CartDialog({ id, onClose }: { id: number; onClose(): void }) {
  const labelId = useId();
  const translate = useTranslate();
  const { data, error, refetch } = useQuery({
    queryKey: ['cart', id],
    queryFn: async () => (await store.get('/carts/{cart_id}', { cart_id: id })).data,
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={labelId}>
      <DialogTitle id={labelId}>{translate('carts.one', { id })}</DialogTitle>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <DialogContent sx={{ pt: 0 }}>
          <Stack spacing={2}>
            <Details cart={data} />
            {/* Hidden from people who see no personal data, because shoppers write texts in them. */}
            {data.lines && <Lines cart={data} />}
            <div>
              <Totals order={{ ...data, surcharges: [] }} />
            </div>
          </Stack>
        </DialogContent>
      ) : (
        <LoadingSkeleton />
      )}
      <DialogActions>
        <Button onClick={onClose}>{translate('button.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Details({ cart }: { cart: CartOutput }) {
  const translate = useTranslate();
  const format = useFormat();
  const { billing_address, shipping_address } = cart;
  const rows: readonly (readonly [field: keyof CartOutput, label: string, value: ReactNode])[] = [
    ['state', 'field.status', <StateChip key="state" state={cart.state} />],
    ['id', 'field.customer', <Shopper key="shopper" cart={cart} />],
    ['create_date', 'field.create_date', format.dateTime(cart.create_date)],
    ['update_date', 'field.update_date', format.dateTime(cart.update_date)],
    ['expires_at', 'settings.key.expires', format.dateTime(cart.expires_at)],
    ['coupons', 'orders.coupons', cart.coupons?.join(', ') || '–'],
    ['shipping', 'field.shipping_method_name', <ShippingMethod key="shipping" id={cart.shipping?.method_id} />],
    ['shipping_address', 'orders.shippingAddress', <AddressLines key="shipping" address={shipping_address} />],
    ['billing_address', 'orders.billingAddress', <AddressLines key="billing" address={billing_address} />],
    ['notes', 'field.notes', cart.notes || '–'],
  ];
  // The store omits fields that the session may not see.
  const shown = rows.filter(([field]) => cart[field] !== undefined);
  return <DetailsList details={shown.map(([, label, value]) => [translate(label), value])} />;
}

/** The name of a shipping method; its id if it cannot be read. */
function ShippingMethod({ id }: { id: number | undefined }) {
  const maySee = useMay('shipping_methods:read');
  const { data } = useQuery({
    queryKey: ['shipping_method', id],
    queryFn: async () => (await store.get(ONE, { id: id! })).data,
    enabled: id !== undefined && maySee,
    retry: false,
  });
  if (id === undefined) return '–';
  return data ? <Link to={`/shipping/${id}`}>{data.name}</Link> : id;
}

function Lines({ cart: { lines, currency } }: { cart: CartOutput }) {
  const translate = useTranslate();
  const format = useFormat();
  const money = (value: number | null): string => (value === null ? '–' : format.money(value, currency));
  if (lines.length === 0) return <Typography color="textSecondary">{translate('carts.noLines')}</Typography>;
  const columns: readonly Column<Line>[] = [
    { label: translate('field.name'), cell: (line) => <LineName line={line} /> },
    { label: translate('field.price'), isRight: true, cell: ({ price }) => money(price) },
    { label: translate('field.quantity'), isRight: true, cell: ({ amount }) => amount },
  ];
  return <ResponsiveTable label={translate('orders.lines')} columns={columns} rows={lines} keyOf={({ id }) => id} />;
}

function LineName({ line: { product_id, name, sku, options } }: { line: Line }) {
  const maySeeProducts = useMay('products:read');
  const text = name ?? sku ?? product_id;
  const texts = options.flatMap((option) => (typeof option.text === 'string' ? [option.text] : []));
  return (
    <>
      {maySeeProducts ? <Link to={`/products/${product_id}`}>{text}</Link> : text}
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {[sku, ...texts].filter(Boolean).join(' · ')}
      </Typography>
    </>
  );
}
