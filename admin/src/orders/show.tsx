/** The page of one order. */
import PrintIcon from '@mui/icons-material/PrintOutlined';
import { Box, Card, GlobalStyles, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Button, Link, ListButton, Title, TopToolbar, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { AddressLines } from '../components/address-lines.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';
import { customerName } from './customer-name.ts';
import { Invoices } from './invoices.tsx';
import { type LoadedOrder, loadOrder } from './load-order.ts';
import { Notes } from './notes.tsx';
import { OrderActions } from './order-actions.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderItems } from './order-items.tsx';
import { StatusChip } from './status-chip.tsx';
import { TrackingNumbers } from './tracking-numbers.tsx';
import { Transactions } from './transactions.tsx';

export default function OrderShow() {
  const id = Number(useParams().id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['order', id],
    queryFn: () => loadOrder(id),
    retry: false,
  });
  const reload = async (): Promise<void> => void (await refetch());
  if (error) return <LoadError title="menu.orders" error={error} onRetry={reload} />;
  if (isPending) return <LoadingSkeleton />;
  return <OrderPage loaded={data} onDone={reload} />;
}

function OrderPage({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { order } = loaded;
  const translate = useTranslate();
  const format = useFormat();
  return (
    <Box component="article">
      <PrintStyles />
      <Title title={translate('orders.title', { number: order.order_number })} />
      <TopToolbar className="no-print">
        <ListButton resource="orders" label="button.backToList" />
        <Button label="button.print" onClick={() => window.print()}>
          <PrintIcon />
        </Button>
      </TopToolbar>
      <Stack spacing={2}>
        <Card variant="outlined" sx={{ p: 2 }}>
          <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
            <Typography variant="h5" component="h2" sx={{ mr: 1 }}>
              {translate('orders.title', { number: order.order_number })}
            </Typography>
            <StatusChip status={order.payment_status} />
            <StatusChip status={order.shipping_status} />
          </Stack>
          <Typography color="textSecondary">
            {format.dateTime(order.create_date)} · {customerName(order)}{' '}
            <Link to={`/orders?filter=${encodeURIComponent(JSON.stringify({ email: order.email }))}`}>
              {order.email}
            </Link>
            {' · '}
            <Link
              to={
                order.customer_id === null
                  ? `/guests?email=${encodeURIComponent(order.email)}`
                  : `/profiles/${order.customer_id}`
              }
              className="no-print"
            >
              {translate(order.customer_id === null ? 'orders.guest' : 'orders.customer')}
            </Link>
          </Typography>
          <OrderActions loaded={loaded} onDone={onDone} />
        </Card>
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 2fr) minmax(0, 1fr)' },
          }}
        >
          <Stack spacing={2}>
            <Section title="orders.lines">
              <OrderItems order={order} />
            </Section>
            <Section title="orders.transactions" isInternal>
              <Transactions loaded={loaded} />
            </Section>
            <Section title="orders.invoices" isInternal>
              <Invoices loaded={loaded} onDone={onDone} />
            </Section>
            <Section title="orders.history" isInternal>
              <OrderHistory history={loaded.history} />
            </Section>
          </Stack>
          <Stack spacing={2}>
            <Section title="orders.shippingAddress">
              <AddressLines address={order.shipping_address} />
              {order.shipping_method_name && <Typography sx={{ mt: 1 }}>{order.shipping_method_name}</Typography>}
            </Section>
            <Section title="orders.billingAddress">
              <AddressLines address={order.billing_address} />
            </Section>
            <Section title="orders.tracking" isInternal>
              <TrackingNumbers order={order} onDone={onDone} />
            </Section>
            <Section title="orders.notes" isInternal>
              <Notes key={loaded.etag} loaded={loaded} onDone={onDone} />
            </Section>
          </Stack>
        </Box>
      </Stack>
    </Box>
  );
}

function PrintStyles() {
  return (
    <GlobalStyles
      styles={{
        '@media print': {
          '.no-print, header, nav, .RaSidebar-docked, .RaSidebar-paper, .RaLayout-contentWithSidebar > :first-of-type:not(#main-content)':
            {
              display: 'none !important',
            },
          '.MuiPaper-root': { border: '0 !important' },
          body: { background: '#fff', color: '#000' },
        },
      }}
    />
  );
}
