/** The products and orders that changed last, whoever changed them. */
import { Box, Link as MuiLink, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Link, useTranslate } from 'react-admin';
import { useWriter } from '../parts/money.ts';
import { Section } from '../parts/section.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { store } from '../store/client.ts';

const SHOWN_MAX = 8;
const LOOK_AGAIN_MILLISECONDS = 60_000;

interface Changed {
  readonly of: 'Product' | 'Order';
  readonly name: string;
  readonly screen: string;
  readonly date: string;
  readonly isNew: boolean;
}

/** The change feed tells forwards from a cursor (sync.md §1); lists in the order of their last change tell the newest. */
async function lastChanges(): Promise<readonly Changed[]> {
  const newest = { order: { update_date: 'desc' }, itemsPerPage: SHOWN_MAX } as const;
  const [products, orders] = await Promise.all([store.page('/products', newest), store.page('/orders', newest)]);
  return [
    ...products.data.map((product): Changed => {
      const { id, name, sku } = product;
      return { of: 'Product', name: name || sku, screen: `/products/${id}`, ...stampsOf(product) };
    }),
    ...orders.data.map((order): Changed => {
      const { id, order_number } = order;
      return { of: 'Order', name: order_number, screen: `/orders/${id}/show`, ...stampsOf(order) };
    }),
  ]
    .sort((one, other) => Date.parse(other.date) - Date.parse(one.date))
    .slice(0, SHOWN_MAX);
}

function stampsOf(record: { readonly create_date: string; readonly update_date: string }): {
  date: string;
  isNew: boolean;
} {
  return { date: record.update_date, isNew: record.update_date === record.create_date };
}

export function LastChanges() {
  const translate = useTranslate();
  const writer = useWriter();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['last-changes'],
    queryFn: lastChanges,
    refetchInterval: LOOK_AGAIN_MILLISECONDS,
  });
  return (
    <Section title="home.recentChanges">
      {error ? (
        <Failed error={error} onAgain={() => void refetch()} />
      ) : isPending ? (
        <Reading lines={3} />
      ) : data.length === 0 ? (
        <Typography color="textSecondary">{translate('home.noChanges')}</Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {data.map(({ of, name, screen, date, isNew }) => (
            <Stack
              key={screen}
              component="li"
              direction="row"
              spacing={1}
              useFlexGap
              sx={{ py: 0.75, borderBottom: 1, borderColor: 'divider', flexWrap: 'wrap' }}
            >
              <Typography sx={{ flex: '1 1 200px', overflowWrap: 'anywhere' }}>
                {translate(`history.of.${of}`)}{' '}
                <MuiLink component={Link} to={screen}>
                  {name}
                </MuiLink>{' '}
                {translate(isNew ? 'history.action.created' : 'history.action.updated')}
              </Typography>
              <Typography color="textSecondary">{writer.moment(date)}</Typography>
            </Stack>
          ))}
        </Box>
      )}
    </Section>
  );
}
