import { Chip, type ChipProps } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { isPartlyRefunded, isPartlyReturned, isPartlyShipped } from './actions/quantities.ts';
import { type StatusKind, useStatusName } from './statuses.ts';

const COLORS: Readonly<Record<StatusKind, Readonly<Record<string, ChipProps['color']>>>> = {
  payment: { P: 'success', C: 'error', D: 'error', R: 'info', Q: 'warning' },
  shipping: { S: 'success', D: 'success', WND: 'error', R: 'info', NBA: 'warning' },
};

interface Props {
  readonly kind: StatusKind;
  readonly status: { readonly code: string; readonly name: string } | null;
}

export function StatusChip({ kind, status }: Props) {
  const nameOf = useStatusName();
  if (!status) return null;
  return (
    <Chip size="small" variant="outlined" color={COLORS[kind][status.code] ?? 'default'} label={nameOf(kind, status)} />
  );
}

/** Both statuses of an order, and what has been shipped, returned and refunded only in part. */
export function OrderStatusChips({ order }: { order: OrderOutput }) {
  const translate = useTranslate();
  const parts = [
    isPartlyShipped(order) && 'orders.badge.partlyShipped',
    isPartlyReturned(order) && 'orders.badge.partlyReturned',
    isPartlyRefunded(order) && 'orders.badge.partlyRefunded',
  ].filter((part) => part !== false);
  return (
    <>
      <StatusChip kind="payment" status={order.payment_status} />
      <StatusChip kind="shipping" status={order.shipping_status} />
      {parts.map((part) => (
        <Chip key={part} size="small" color="warning" variant="outlined" label={translate(part)} />
      ))}
    </>
  );
}
