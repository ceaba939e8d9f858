/** A few orders, a line for each. */
import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { Link } from 'react-admin';
import { useWriter } from '../parts/money.ts';
import { customerOf } from './customer.ts';
import { StatusChip } from './status-chip.tsx';

interface Props {
  readonly orders: readonly OrderOutput[];
  /** All are of one customer, so that their dates say more than the name. */
  readonly isOfOne?: boolean;
}

export function ShortList({ orders, isOfOne = false }: Props) {
  const writer = useWriter();
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {orders.map((order) => (
        <Stack
          key={order.id}
          component="li"
          direction="row"
          spacing={1}
          useFlexGap
          sx={{ py: 0.75, borderBottom: 1, borderColor: 'divider', alignItems: 'center', flexWrap: 'wrap' }}
        >
          <MuiLink component={Link} to={`/orders/${order.id}/show`} sx={{ fontWeight: 600 }}>
            {order.order_number}
          </MuiLink>
          <Typography sx={{ flex: '1 1 120px', overflowWrap: 'anywhere' }}>
            {isOfOne ? writer.moment(order.create_date) : customerOf(order) || order.email}
          </Typography>
          <StatusChip status={order.payment_status} />
          {isOfOne && <StatusChip status={order.shipping_status} />}
          <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {writer.money(order.total, order.currency)}
          </Typography>
        </Stack>
      ))}
    </Box>
  );
}
