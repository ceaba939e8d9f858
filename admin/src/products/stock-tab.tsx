/** The stock of a product: its settings, relative adjustments, and the orders that changed it. */
import { Box, Button, Link as MuiLink, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { OrderOutput, VariantOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { FieldGroup } from '../forms/field-group.tsx';
import { DecimalInput, SwitchInput } from '../forms/inputs.tsx';
import { parseNumber, useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { useMay, useMayWrite } from '../utils/use-may.tsx';
import type { TabProps } from './types.ts';
import { VariantStock } from './variants/variant-stock.tsx';

export function StockTab({ loaded, onChanged }: TabProps) {
  const { sku, id } = loaded.product;
  const maySeeOrders = useMay('orders:read');
  const {
    data: variants,
    error,
    refetch,
  } = useQuery({
    queryKey: ['variant-stock', id],
    queryFn: () => readAll('/products/{product_id}/variants', { product_id: id }),
  });
  // A failed refresh does not replace the form.
  if (!variants)
    return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <LoadingSkeleton lines={3} />;
  return (
    <>
      {variants.length > 0 && <VariantStock product={loaded.product} variants={variants} />}
      <StockAdjustment loaded={loaded} onChanged={onChanged} />
      <FieldGroup title="products.group.stock">
        <DecimalInput source="amount" decimals={0} help="help.amount" />
        <SwitchInput source="inventory_traceable" />
        <SwitchInput source="available_for_backorder" />
        <DecimalInput source="backorder_limit" decimals={0} help="help.backorder_limit" />
      </FieldGroup>
      {maySeeOrders && <RecentOrders skus={[sku, ...skusOf(variants)]} id={id} />}
    </>
  );
}

function StockAdjustment({ loaded: { product }, onChanged }: TabProps) {
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction();
  const delta = parseNumber(typed) ?? 0;
  if (!useMayWrite()) return null;

  async function add(): Promise<void> {
    const isDone = await action.run(() => store.post('/products/{id}/stock', { id: product.id }, { delta }));
    if (isDone) setTyped('');
    await onChanged('amount');
  }

  const message = {
    from: format.number(product.amount),
    to: format.number(product.amount + delta),
    count: format.number(Math.abs(delta)),
  };
  return (
    <Box sx={{ mb: 3 }}>
      <Typography variant="h6" component="h2">
        {translate('products.adjustStock')}
      </Typography>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: { sm: 'center' } }}>
        <TextField
          label={translate('products.adjustment')}
          helperText={translate('products.adjustmentHelp', message)}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (delta !== 0) void add();
          }}
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          sx={{ maxWidth: { sm: 320 } }}
        />
        <Button variant="outlined" disabled={delta === 0} loading={action.isBusy} onClick={() => void add()}>
          {delta === 0
            ? translate('products.adjust')
            : translate(delta > 0 ? 'products.adjustAdd' : 'products.adjustRemove', message)}
        </Button>
      </Stack>
    </Box>
  );
}

/** Orders are found by SKU. More would not fit into a URL. */
const SKUS_MAX = 100;

const skusOf = (variants: readonly VariantOutput[]): string[] =>
  variants.flatMap(({ sku }) => (sku === null ? [] : [sku])).slice(0, SKUS_MAX - 1);

function RecentOrders({ skus, id }: { skus: readonly string[]; id: number }) {
  const translate = useTranslate();
  const format = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['orders-with', ...skus],
    queryFn: () => store.page('/orders', { filter: { sku: skus }, order: { create_date: 'desc' }, itemsPerPage: 10 }),
  });
  const columns: Column<OrderOutput>[] = [
    {
      label: translate('field.order_number'),
      cell: (order) => (
        <MuiLink component={Link} to={`/orders/${order.id}/show`}>
          {order.order_number}
        </MuiLink>
      ),
    },
    { label: translate('field.create_date'), cell: (order) => format.dateTime(order.create_date) },
    {
      label: translate('field.quantity'),
      cell: ({ items }) =>
        format.number(items.filter(({ product_id }) => product_id === id).reduce((sum, { amount }) => sum + amount, 0)),
    },
    {
      label: translate('field.stockChange'),
      cell: (order) => translate(`orders.stockStatus.${order.stock_status || 'none'}`),
    },
    { label: translate('field.shipping_status'), cell: (order) => order.shipping_status?.name },
  ];
  return (
    <Box>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate('products.recentOrders')}
      </Typography>
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={3} />
      ) : data.total === 0 ? (
        <Typography color="textSecondary">{translate('products.noOrders')}</Typography>
      ) : (
        <>
          <ResponsiveTable
            label={translate('products.recentOrders')}
            columns={columns}
            rows={data.data}
            keyOf={(order) => order.id}
          />
          <Box sx={{ mt: 1 }}>
            <Link to={`/orders?filter=${encodeURIComponent(JSON.stringify({ sku: skus }))}`}>
              {translate('products.allOrders', { smart_count: data.total })}
            </Link>
          </Box>
        </>
      )}
    </Box>
  );
}
