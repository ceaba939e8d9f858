/** One order: what was sold and for how much, where it goes, what happened to it, and what can be done now. */
import PrintIcon from '@mui/icons-material/PrintOutlined';
import { Box, Card, GlobalStyles, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { Button, Link, ListButton, Title, TopToolbar, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { AddressLines } from '../parts/address.tsx';
import { useWriter } from '../parts/money.ts';
import { Section } from '../parts/section.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { store } from '../store/client.ts';
import { Actions } from './actions.tsx';
import { customerOf } from './customer.ts';
import { Invoices } from './invoices.tsx';
import { Lines } from './lines.tsx';
import { Notes } from './notes.tsx';
import { StatusChip } from './status-chip.tsx';
import { TimeLine } from './time-line.tsx';
import { TrackingNumbers } from './tracking-numbers.tsx';
import { Transactions } from './transactions.tsx';

export type LoadedOrder = Awaited<ReturnType<typeof loadOrder>>;

async function loadOrder(id: number) {
  const [order, history, transactions, invoices] = await Promise.all([
    store.get('/orders/{id}', { id }),
    store.page('/orders/{order_id}/history', { order_id: id }),
    store.page('/orders/{order_id}/payment_transactions', { order_id: id }),
    store.page('/orders/{order_id}/invoices', { order_id: id }),
  ]);
  return {
    ...{ order: order.data, etag: order.etag!, history: history.data },
    ...{ transactions: transactions.data, invoices: invoices.data },
  };
}

export default function OrderShow() {
  const id = Number(useParams().id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['order', id],
    queryFn: () => loadOrder(id),
    retry: false,
  });
  const renew = async (): Promise<void> => void (await refetch());
  if (error) return <Failed title="menu.orders" error={error} onAgain={renew} />;
  if (isPending) return <Reading />;
  return <Order loaded={data} onDone={renew} />;
}

function Order({ loaded, onDone }: { loaded: LoadedOrder; onDone(): Promise<void> }) {
  const { order } = loaded;
  const translate = useTranslate();
  const writer = useWriter();
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
            {writer.moment(order.create_date)} · {customerOf(order)}{' '}
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
          <Actions loaded={loaded} onDone={onDone} />
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
              <Lines order={order} />
            </Section>
            <Section title="orders.transactions" isInternal>
              <Transactions loaded={loaded} />
            </Section>
            <Section title="orders.invoices" isInternal>
              <Invoices loaded={loaded} onDone={onDone} />
            </Section>
            <Section title="orders.history" isInternal>
              <TimeLine history={loaded.history} />
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
