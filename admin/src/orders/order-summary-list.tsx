/** A short list of orders, one line each. */
import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import { Link } from 'react-admin';
import { useFormat } from '../utils/format.ts';
import { customerName } from './customer-name.ts';
import { OrderStatusChips, PaymentChips } from './status-chip.tsx';

interface Props {
  readonly orders: readonly OrderOutput[];
  /** All orders are of the same customer, whose name is not repeated. */
  readonly isSingleCustomer?: boolean;
}

export function OrderSummaryList({ orders, isSingleCustomer = false }: Props) {
  const format = useFormat();
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
          <Box sx={{ flex: '1 1 140px', minWidth: 0 }}>
            {!isSingleCustomer && (
              <Typography sx={{ overflowWrap: 'anywhere' }}>{customerName(order) || order.email}</Typography>
            )}
            <Typography {...(isSingleCustomer ? {} : { variant: 'body2', color: 'textSecondary' })}>
              {format.dateTime(order.create_date)}
            </Typography>
          </Box>
          <Stack
            direction="row"
            spacing={0.5}
            useFlexGap
            // On phones, the statuses have a line of their own.
            sx={{ flexWrap: 'wrap', order: { xs: 1, sm: 0 }, flexBasis: { xs: '100%', sm: 'auto' } }}
          >
            {isSingleCustomer ? <OrderStatusChips order={order} /> : <PaymentChips order={order} />}
          </Stack>
          <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {format.money(order.total, order.currency)}
          </Typography>
        </Stack>
      ))}
    </Box>
  );
}
