/** How stock is counted, a step of it added or taken at once, and the orders that moved it. */
import { Box, Button, Link as MuiLink, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { OrderOutput } from 'purveyor/client';
import { useState } from 'react';
import { Link, useTranslate } from 'react-admin';
import { AmountInput, FlagInput } from '../parts/inputs.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { useWriter } from '../parts/money.ts';
import { numberIn } from '../parts/number-cell.tsx';
import { type Column, RowsTable } from '../parts/rows-table.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useAct } from '../parts/use-act.ts';
import { store } from '../store/client.ts';
import { Group } from './basics-tab.tsx';
import type { TabProps } from './edit.tsx';

export function StockTab({ loaded, onParts }: TabProps) {
  const { sku } = loaded.product;
  return (
    <>
      <StepOfStock loaded={loaded} onParts={onParts} />
      <Group title="products.group.stock">
        <AmountInput source="amount" decimals={0} help="help.amount" />
        <FlagInput source="inventory_traceable" />
        <FlagInput source="available_for_backorder" />
        <AmountInput source="backorder_limit" decimals={0} help="help.backorder_limit" />
      </Group>
      <OrdersWith sku={sku} id={loaded.product.id} />
    </>
  );
}

function StepOfStock({ loaded: { product }, onParts }: TabProps) {
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const writer = useWriter();
  const act = useAct();
  const delta = numberIn(typed) ?? 0;
  if (!useMayWrite()) return null;

  async function add(): Promise<void> {
    const isDone = await act.run(() => store.post('/products/{id}/stock', { id: product.id }, { delta }));
    if (isDone) setTyped('');
    await onParts('amount');
  }

  const words = {
    from: writer.number(product.amount),
    to: writer.number(product.amount + delta),
    count: writer.number(Math.abs(delta)),
  };
  return (
    <Box sx={{ mb: 3 }}>
      <Typography variant="h6" component="h2">
        {translate('products.adjustStock')}
      </Typography>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: { sm: 'center' } }}>
        <TextField
          label={translate('products.adjustment')}
          helperText={translate('products.adjustmentHelp', words)}
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
        <Button variant="outlined" disabled={delta === 0} loading={act.isBusy} onClick={() => void add()}>
          {delta === 0
            ? translate('products.adjust')
            : translate(delta > 0 ? 'products.adjustAdd' : 'products.adjustRemove', words)}
        </Button>
      </Stack>
    </Box>
  );
}

function OrdersWith({ sku, id }: { sku: string; id: number }) {
  const translate = useTranslate();
  const writer = useWriter();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['orders-with', sku],
    queryFn: () => store.page('/orders', { filter: { sku }, order: { create_date: 'desc' }, itemsPerPage: 10 }),
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
    { label: translate('field.create_date'), cell: (order) => writer.moment(order.create_date) },
    {
      label: translate('field.quantity'),
      cell: ({ items }) =>
        writer.number(items.filter(({ product_id }) => product_id === id).reduce((sum, { amount }) => sum + amount, 0)),
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
        <Failed error={error} onAgain={() => void refetch()} />
      ) : isPending ? (
        <Reading lines={3} />
      ) : data.total === 0 ? (
        <Typography color="textSecondary">{translate('products.noOrders')}</Typography>
      ) : (
        <>
          <RowsTable
            label={translate('products.recentOrders')}
            columns={columns}
            rows={data.data}
            keyOf={(order) => order.id}
          />
          <Box sx={{ mt: 1 }}>
            <Link to={`/orders?filter=${encodeURIComponent(JSON.stringify({ sku }))}`}>
              {translate('products.allOrders', { smart_count: data.total })}
            </Link>
          </Box>
        </>
      )}
    </Box>
  );
}
