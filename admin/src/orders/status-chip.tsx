import { Chip, type ChipProps } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { isPartlyRefunded, isPartlyReturned, isPartlyShipped } from './actions/quantities.ts';
import { type StatusKind, useStatusName } from './statuses.ts';

const COLORS: Readonly<Record<StatusKind, Readonly<Record<string, ChipProps['color']>>>> = {
  payment: { P: 'success', C: 'error', D: 'error', R: 'info', Q: 'warning' },
  shipping: { S: 'success', D: 'success', WND: 'error', R: 'info', NBA: 'warning' },
};

/** Shipping statuses of an order before its first shipment. */
const BEFORE_SHIPPING = ['N', 'P', 'WFA', 'NBA'];

/** Shipping statuses that say what happened to the whole order. */
const AFTER_SHIPPING = ['S', 'D', 'R', 'WND'];

/** Payment statuses of an order that needs no further shipment. */
const ENDED = ['C', 'D', 'R'];

interface Props {
  readonly kind: StatusKind;
  readonly status: { readonly code: string; readonly name: string } | null;
}

function StatusChip({ kind, status }: Props) {
  const nameOf = useStatusName();
  if (!status) return null;
  return (
    <Chip size="small" variant="outlined" color={COLORS[kind][status.code] ?? 'default'} label={nameOf(kind, status)} />
  );
}

function Badge({ message }: { message: string }) {
  return <Chip size="small" color="warning" variant="outlined" label={useTranslate()(message)} />;
}

/** The payment status, and whether a part was refunded. */
export function PaymentChips({ order }: { order: OrderOutput }) {
  return (
    <>
      <StatusChip kind="payment" status={order.payment_status} />
      {isPartlyRefunded(order) && <Badge message="orders.badge.partlyRefunded" />}
    </>
  );
}

/** The shipping status, and what has been shipped and returned only in part. Chips that would contradict each other are left out. */
export function ShippingChips({ order }: { order: OrderOutput }) {
  const shipping = order.shipping_status?.code ?? '';
  const isPart = isPartlyShipped(order) && !AFTER_SHIPPING.includes(shipping);
  const isObsolete = BEFORE_SHIPPING.includes(shipping) && (isPart || ENDED.includes(order.payment_status?.code ?? ''));
  return (
    <>
      {!isObsolete && <StatusChip kind="shipping" status={order.shipping_status} />}
      {isPart && <Badge message="orders.badge.partlyShipped" />}
      {isPart && shipping === 'NBA' && <Badge message="orders.preset.backordered" />}
      {isPartlyReturned(order) && shipping !== 'R' && <Badge message="orders.badge.partlyReturned" />}
    </>
  );
}

/** Both statuses of an order, and what has been shipped, returned and refunded only in part. */
export function OrderStatusChips({ order }: { order: OrderOutput }) {
  return (
    <>
      <PaymentChips order={order} />
      <ShippingChips order={order} />
    </>
  );
}
