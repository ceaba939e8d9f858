/** The start page: today's figures, and what needs attention. */
import { Box, Card, Link as MuiLink, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { Statistics, StatisticsSold } from 'purveyor/client';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, Title, useTranslate } from 'react-admin';
import { grants } from '../api/access.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { BACKORDERED, TO_SHIP } from '../orders/filters.ts';
import { OrderSummaryList } from '../orders/order-summary-list.tsx';
import { useFormat } from '../utils/format.ts';
import { useAccess, useMay } from '../utils/use-may.tsx';
import { BestSellers } from './best-sellers.tsx';
import { FailingWebhooks } from './failing-webhooks.tsx';
import { FirstSteps } from './first-steps.tsx';
import { endOpening, FIRST_PERIOD, type Period, RECENT_ORDERS, STATISTICS_SCOPES, statisticsOf } from './queries.ts';
import { RecentChanges } from './recent-changes.tsx';
import { SalesChart } from './sales-chart.tsx';

export default function Home() {
  const translate = useTranslate();
  const access = useAccess();
  const maySeeFigures = access !== undefined && STATISTICS_SCOPES.every((scope) => grants(access, scope));
  const maySeeChanges = [useMay('products:read'), useMay('orders:read')].some(Boolean);
  useEffect(() => endOpening, []);
  return (
    <>
      <Title title={translate('menu.home')} />
      {!access ? (
        <LoadingSkeleton />
      ) : maySeeFigures ? (
        <Figures />
      ) : (
        <Stack spacing={2} sx={{ mt: 1 }}>
          <FirstSteps />
          {maySeeChanges && <RecentChanges />}
        </Stack>
      )}
    </>
  );
}

function Figures() {
  const [period, setPeriod] = useState<Period>(FIRST_PERIOD);
  const { data, error, isPending, refetch } = useQuery({
    ...statisticsOf(period),
    placeholderData: (before) => before,
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return <Dashboard statistics={data} period={period} onPeriod={setPeriod} />;
}

interface DashboardProps {
  readonly statistics: Statistics;
  readonly period: Period;
  onPeriod(period: Period): void;
}

function Dashboard({ statistics, period, onPeriod }: DashboardProps) {
  const { today, week, to_ship, backordered, low_stock, best_sellers } = statistics;
  // Sessions that may not read webhooks get no figures of them.
  const { failing, paused } = statistics.webhooks ?? { failing: 0, paused: 0 };
  const translate = useTranslate();
  const inTrouble = failing + paused;
  return (
    <Stack spacing={2} sx={{ mt: 1 }}>
      <FirstSteps />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 210px), 1fr))' }}>
        <SalesCard title="home.today" sold={today} />
        <SalesCard title="home.week" sold={week} />
        <StatCard title="home.toShip" to={ordersWith(TO_SHIP)} help={translate('home.toShipHelp')}>
          {to_ship}
        </StatCard>
        {backordered > 0 && (
          <StatCard title="home.backordered" to={ordersWith(BACKORDERED)} help={translate('home.backorderedHelp')}>
            {backordered}
          </StatCard>
        )}
        <StatCard
          title="home.lowStock"
          to={`/products?filter=${encodeURIComponent(JSON.stringify({ enabled: true, amount: { lte: low_stock.limit } }))}`}
          help={translate('home.lowStockHelp', { limit: low_stock.limit })}
        >
          {low_stock.count}
        </StatCard>
      </Box>
      {inTrouble > 0 && <FailingWebhooks count={inTrouble} />}
      <SalesChart statistics={statistics} period={period} onPeriod={onPeriod} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
          alignItems: 'start',
        }}
      >
        <BestSellers products={best_sellers} />
        <RecentOrders />
        <LowStock lowStock={low_stock} />
        <RecentChanges />
      </Box>
    </Stack>
  );
}

function ordersWith(filter: object): string {
  return `/orders?filter=${encodeURIComponent(JSON.stringify(filter))}`;
}

function StatCard({ title, to, help, children }: { title: string; to: string; help?: string; children: ReactNode }) {
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

function SalesCard({ title, sold }: { title: string; sold: StatisticsSold }) {
  const translate = useTranslate();
  const format = useFormat();
  const [first, ...others] = sold.totals;
  const from = encodeURIComponent(JSON.stringify({ create_date: { after: sold.date } }));
  const more = others.map(({ total, currency }) => format.money(total, currency)).join(', ');
  const help = [translate('home.orders', { smart_count: sold.orders }), more].filter(Boolean).join(' · ');
  return (
    <StatCard title={title} to={`/orders?filter=${from}`} help={help}>
      {first ? format.money(first.total, first.currency) : '–'}
    </StatCard>
  );
}

function RecentOrders() {
  const translate = useTranslate();
  const { data } = useQuery(RECENT_ORDERS);
  return (
    <Card variant="outlined" component="section" aria-label={translate('home.recentOrders')} sx={{ p: 2 }}>
      <Typography variant="h6" component="h2" gutterBottom>
        {translate('home.recentOrders')}
      </Typography>
      {data?.length === 0 && <Typography color="textSecondary">{translate('orders.empty')}</Typography>}
      <OrderSummaryList orders={data ?? []} />
    </Card>
  );
}

function LowStock({ lowStock }: { lowStock: Statistics['low_stock'] }) {
  const translate = useTranslate();
  const format = useFormat();
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
            <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>{format.number(amount)}</Typography>
          </Stack>
        ))}
      </Box>
    </Card>
  );
}
