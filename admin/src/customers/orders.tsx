/** The last orders of a customer. */
import { Box, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ProfileOutput } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { ShortList } from '../orders/short-list.tsx';
import { Section } from '../parts/section.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { store } from '../store/client.ts';

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
        <Failed error={error} onAgain={() => void refetch()} />
      ) : isPending ? (
        <Reading lines={3} />
      ) : data.total === 0 ? (
        <Typography color="textSecondary">{translate('customers.noOrders')}</Typography>
      ) : (
        <>
          <ShortList orders={data.data} isOfOne />
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
