/** The products and orders that were changed last, by anyone. */
import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';

const SHOWN_MAX = 8;
const REFRESH_INTERVAL_MS = 60_000;

interface RecentChange {
  readonly of: 'Product' | 'Order';
  readonly name: string;
  readonly path: string;
  readonly date: string;
  readonly isNew: boolean;
}

/** Reads lists sorted by their last change: the change feed can only be read forward from a cursor (sync.md §1). */
async function readRecentChanges(): Promise<readonly RecentChange[]> {
  const newest = { order: { update_date: 'desc' }, itemsPerPage: SHOWN_MAX } as const;
  const [products, orders] = await Promise.all([store.page('/products', newest), store.page('/orders', newest)]);
  return [
    ...products.data.map((product): RecentChange => {
      const { id, name, sku } = product;
      return { of: 'Product', name: name || sku, path: `/products/${id}`, ...timestampsOf(product) };
    }),
    ...orders.data.map((order): RecentChange => {
      const { id, order_number } = order;
      return { of: 'Order', name: order_number, path: `/orders/${id}/show`, ...timestampsOf(order) };
    }),
  ]
    .sort((one, other) => Date.parse(other.date) - Date.parse(one.date))
    .slice(0, SHOWN_MAX);
}

function timestampsOf(record: { readonly create_date: string; readonly update_date: string }): {
  date: string;
  isNew: boolean;
} {
  return { date: record.update_date, isNew: record.update_date === record.create_date };
}

export function RecentChanges() {
  const translate = useTranslate();
  const format = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['last-changes'],
    queryFn: readRecentChanges,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  return (
    <Section title="home.recentChanges">
      {error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingSkeleton lines={3} />
      ) : data.length === 0 ? (
        <Typography color="textSecondary">{translate('home.noChanges')}</Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data.map(({ of, name, path, date, isNew }) => (
            <Stack
              key={path}
              component="li"
              direction="row"
              spacing={1}
              useFlexGap
              sx={{ py: 0.75, borderBottom: 1, borderColor: 'divider', flexWrap: 'wrap' }}
            >
              <Typography sx={{ flex: '1 1 200px', overflowWrap: 'anywhere' }}>
                {translate(`history.of.${of}`)}{' '}
                <MuiLink component={Link} to={path}>
                  {name}
                </MuiLink>{' '}
                {translate(isNew ? 'history.action.created' : 'history.action.updated')}
              </Typography>
              <Typography color="textSecondary">{format.dateTime(date)}</Typography>
            </Stack>
          ))}
        </Box>
      )}
    </Section>
  );
}
