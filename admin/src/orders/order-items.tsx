/** The items of an order as they were sold, how many units were shipped, returned and refunded, and the totals. */
import { Box, Stack, Typography } from '@mui/material';
import type { OrderItemOutput, OrderOutput } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useMay } from '../utils/use-may.tsx';

export function OrderItems({ order }: { order: OrderOutput }) {
  const translate = useTranslate();
  const format = useFormat();
  const money = (value: number) => format.money(value, order.currency);
  const has = (field: 'shipped_amount' | 'returned_amount' | 'refunded_value' | 'cancelled_amount') =>
    order.items.some((item) => item[field] > 0);
  const units = (field: 'shipped_amount' | 'returned_amount' | 'cancelled_amount'): Column<OrderItemOutput>[] =>
    has(field) ? [{ label: translate(`orders.counter.${field}`), isRight: true, cell: (item) => item[field] }] : [];
  const columns: readonly Column<OrderItemOutput>[] = [
    { label: translate('field.name'), cell: (item) => <ItemName item={item} /> },
    { label: translate('field.price'), isRight: true, cell: ({ price }) => money(price) },
    { label: translate('field.quantity'), isRight: true, cell: ({ amount }) => amount },
    ...units('cancelled_amount'),
    ...units('shipped_amount'),
    ...units('returned_amount'),
    ...(has('refunded_value')
      ? [
          {
            label: translate('orders.counter.refunded_value'),
            isRight: true,
            cell: ({ refunded_value }: OrderItemOutput) => money(refunded_value),
          },
        ]
      : []),
    { label: translate('orders.lineTotal'), isRight: true, cell: (item) => money(item.discounted_subtotal) },
  ];
  return (
    <>
      <ResponsiveTable label={translate('orders.lines')} columns={columns} rows={order.items} keyOf={({ id }) => id} />
      <Totals order={order} />
    </>
  );
}

function ItemName({ item }: { item: OrderItemOutput }) {
  const translate = useTranslate();
  const maySeeProducts = useMay('products:read');
  return (
    <>
      {item.product_id === null || !maySeeProducts ? (
        item.name
      ) : (
        <Link to={`/products/${item.product_id}`}>{item.name}</Link>
      )}
      <Typography variant="body2" color="textSecondary">
        {item.sku}
        {/* Hidden from people who see no personal data, because customers write texts in them. */}
        {(item.options ?? []).map(({ attribute_id, name, value }) => (
          <span key={attribute_id}>
            {' '}
            · {name}: {value}
          </span>
        ))}
      </Typography>
      {item.backordered_amount > 0 && (
        <Typography variant="body2" color="warning">
          {translate('orders.backordered', { smart_count: item.backordered_amount })}
        </Typography>
      )}
    </>
  );
}

export interface OrderTotals extends Pick<OrderOutput, 'sub_total' | 'total' | 'currency'> {
  readonly surcharges: readonly {
    readonly id: number;
    readonly type: string;
    readonly name: string;
    readonly value: number;
    readonly include: boolean;
  }[];
}

/** Returns a function for the names of surcharges. One without a name of its own has its type as name. */
export function useSurchargeName(): (surcharge: { readonly name: string; readonly type: string }) => string {
  const translate = useTranslate();
  return ({ name, type }) => (isFallbackName(name, type) ? translate(`orders.surcharge.${type}`) : name);
}

/** Whether the store has set the name of a surcharge, because the client sent none. */
export function isFallbackName(name: string, type: string): boolean {
  return name === type.toUpperCase();
}

/** The sub-total, the surcharges and the total of an order or of a quote. */
export function Totals({ order }: { order: OrderTotals }) {
  const translate = useTranslate();
  const format = useFormat();
  const money = (value: number) => format.money(value, order.currency);
  const nameOf = useSurchargeName();
  return (
    <Box component="dl" sx={{ m: 0, mt: 1, ml: 'auto', maxWidth: 360 }}>
      <TotalLine label={translate('orders.subTotal')} value={money(order.sub_total)} />
      {order.surcharges.map((surcharge) => (
        <TotalLine
          key={surcharge.id}
          label={surcharge.include ? translate('orders.included', { name: nameOf(surcharge) }) : nameOf(surcharge)}
          value={money(surcharge.value)}
          isMuted={surcharge.include}
        />
      ))}
      <TotalLine label={translate('field.total')} value={money(order.total)} isTotal />
    </Box>
  );
}

interface TotalLineProps {
  readonly label: string;
  readonly value: string;
  readonly isMuted?: boolean;
  readonly isTotal?: boolean;
}

function TotalLine({ label, value, isMuted = false, isTotal = false }: TotalLineProps) {
  const sx = { fontWeight: isTotal ? 700 : 400, color: isMuted ? 'text.secondary' : 'text.primary', m: 0 };
  return (
    <Stack direction="row" spacing={2} sx={{ justifyContent: 'space-between', py: 0.25 }}>
      <Typography component="dt" sx={sx}>
        {label}
      </Typography>
      <Typography component="dd" sx={{ ...sx, fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Typography>
    </Stack>
  );
}
