/** The first screen: how the day goes, and what waits for somebody. */
import { Box, Card, Link as MuiLink, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { Statistics, StatisticsSold } from 'purveyor/client';
import type { ReactNode } from 'react';
import { Link, Title, useTranslate } from 'react-admin';
import { ShortList } from '../orders/short-list.tsx';
import { useWriter } from '../parts/money.ts';
import { Failed, Reading } from '../parts/states.tsx';
import { store } from '../store/client.ts';
import { LastChanges } from './last-changes.tsx';
import { RevenuePlot } from './revenue-plot.tsx';
import { WebhooksInTrouble } from './webhooks-in-trouble.tsx';

export default function Home() {
  const translate = useTranslate();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['statistics'],
    queryFn: async () => (await store.get('/statistics')).data,
    refetchInterval: 60_000,
  });
  return (
    <>
      <Title title={translate('menu.home')} />
      {error ? (
        <Failed error={error} onAgain={() => void refetch()} />
      ) : isPending ? (
        <Reading />
      ) : (
        <Figures statistics={data} />
      )}
    </>
  );
}

function Figures({ statistics }: { statistics: Statistics }) {
  const { today, week, to_ship, low_stock, webhooks, days } = statistics;
  const translate = useTranslate();
  const toShip = { payment_status: 'P', shipping_status: ['N', 'P', 'NBA'] };
  const inTrouble = webhooks.failing + webhooks.paused;
  return (
    <Stack spacing={2} sx={{ mt: 1 }}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 210px), 1fr))' }}>
        <Sold title="home.today" sold={today} />
        <Sold title="home.week" sold={week} />
        <Figure
          title="home.toShip"
          to={`/orders?filter=${encodeURIComponent(JSON.stringify(toShip))}`}
          help={translate('home.toShipHelp')}
        >
          {to_ship}
        </Figure>
        <Figure
          title="home.lowStock"
          to={`/products?filter=${encodeURIComponent(JSON.stringify({ enabled: true, amount: { lte: low_stock.limit } }))}`}
          help={translate('home.lowStockHelp', { limit: low_stock.limit })}
        >
          {low_stock.count}
        </Figure>
      </Box>
      {inTrouble > 0 && <WebhooksInTrouble count={inTrouble} />}
      <RevenuePlot days={days} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
          alignItems: 'start',
        }}
      >
        <LastOrders />
        <LowStock lowStock={low_stock} />
        <LastChanges />
      </Box>
    </Stack>
  );
}

function Figure({ title, to, help, children }: { title: string; to: string; help?: string; children: ReactNode }) {
  const translate = useTranslate();
  return (
    <Card variant="outlined" component="section" aria-label={translate(title)} sx={{ p: 2 }}>
      <Typography component="h2" variant="body1" color="textSecondary">
        <Link to={to}>{translate(title)}</Link>
      </Typography>
      <Typography variant="h4" component="p" sx={{ fontVariantNumeric: 'tabular-nums', my: 0.5 }}>
        {children}
      </Typography>
      {help && (
        <Typography variant="body2" color="textSecondary">
          {help}
        </Typography>
      )}
    </Card>
  );
}

function Sold({ title, sold }: { title: string; sold: StatisticsSold }) {
  const translate = useTranslate();
  const writer = useWriter();
  const [first, ...others] = sold.totals;
  const from = encodeURIComponent(JSON.stringify({ create_date: { after: sold.date } }));
  const more = others.map(({ total, currency }) => writer.money(total, currency)).join(', ');
  const help = [translate('home.orders', { smart_count: sold.orders }), more].filter(Boolean).join(' · ');
  return (
    <Figure title={title} to={`/orders?filter=${from}`} help={help}>
      {first ? writer.money(first.total, first.currency) : '–'}
    </Figure>
  );
}

function LastOrders() {
  const translate = useTranslate();
  const { data } = useQuery({
    queryKey: ['last-orders'],
    queryFn: async () => (await store.page('/orders', { order: { create_date: 'desc' }, itemsPerPage: 8 })).data,
  });
  return (
    <Card variant="outlined" component="section" aria-label={translate('home.recentOrders')} sx={{ p: 2 }}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate('home.recentOrders')}
      </Typography>
      {data?.length === 0 && <Typography color="textSecondary">{translate('orders.empty')}</Typography>}
      <ShortList orders={data ?? []} />
    </Card>
  );
}

function LowStock({ lowStock }: { lowStock: Statistics['low_stock'] }) {
  const translate = useTranslate();
  const writer = useWriter();
  return (
    <Card variant="outlined" component="section" aria-label={`${translate('home.lowStock')}: SKU`} sx={{ p: 2 }}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate('home.lowStock')}
      </Typography>
      {lowStock.items.length === 0 && <Typography color="textSecondary">{translate('home.noLowStock')}</Typography>}
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {lowStock.items.map(({ product_id, variant_id, sku, amount }) => (
          <Stack
            key={`${product_id}-${variant_id}`}
            component="li"
            direction="row"
            sx={{ py: 0.75, borderBottom: 1, borderColor: 'divider', justifyContent: 'space-between' }}
          >
            <MuiLink component={Link} to={`/products/${product_id}?tab=${variant_id === null ? 'stock' : 'variants'}`}>
              {sku}
            </MuiLink>
            <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>{writer.number(amount)}</Typography>
          </Stack>
        ))}
      </Box>
    </Card>
  );
}
