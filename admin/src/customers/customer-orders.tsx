import { Box, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileOutput } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { OrderSummaryList } from '../orders/order-summary-list.tsx';

const SHOWN_MAX = 8;

export function CustomerOrders({ profile: { id } }: { profile: ProfileOutput }) {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['orders-of', id],
    queryFn: () =>
      store.page('/orders', {
        filter: { customer_id: id },
        order: { create_date: 'desc' },
        itemsPerPage: SHOWN_MAX,
      }),
  });
  return (
    <Section title="menu.orders">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={3} />
      ) : data.total === 0 ? (
        <Typography color="textSecondary">{translate('customers.noOrders')}</Typography>
      ) : (
        <>
          <OrderSummaryList orders={data.data} isSingleCustomer />
          <Box sx={{ mt: 1 }}>
            <Link to={`/orders?filter=${encodeURIComponent(JSON.stringify({ customer_id: id }))}`}>
              {translate('customers.allOrders', { smart_count: data.total })}
            </Link>
          </Box>
        </>
      )}
    </Section>
  );
}
