/** One order: what was sold and for how much, where it goes, what happened to it, and what can be done now. */
import PrintIcon from '@mui/icons-material/PrintOutlined';
import { Box, Card, GlobalStyles, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button, Link, ListButton, Title, TopToolbar, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { useWriter } from '../parts/money.ts';
import { Failed, Reading } from '../parts/states.tsx';
import { store } from '../store/client.ts';
import { Actions } from './actions.tsx';
import { type Address, customerOf, linesOf } from './customer.ts';
import { Lines } from './lines.tsx';
import { Notes } from './notes.tsx';
import { StatusChip } from './status-chip.tsx';
import { TimeLine } from './time-line.tsx';
import { TrackingNumbers } from './tracking-numbers.tsx';
import { Transactions } from './transactions.tsx';

export type LoadedOrder = Awaited<ReturnType<typeof loadOrder>>;

async function loadOrder(id: number) {
  const [order, history, transactions] = await Promise.all([
    store.get('/orders/{id}', { id }),
    store.page('/orders/{order_id}/history', { order_id: id }),
    store.page('/orders/{order_id}/payment_transactions', { order_id: id }),
  ]);
  return { order: order.data, etag: order.etag!, history: history.data, transactions: transactions.data };
}

export default function OrderShow() {
  const id = Number(useParams().id);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['order', id],
    queryFn: () => loadOrder(id),
    retry: false,
  });
  const renew = async (): Promise<void> => void (await refetch());
  if (error) return <Failed error={error} onAgain={renew} />;
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
        <ListButton resource="orders" label="act.back" />
        <Button label="act.print" onClick={() => window.print()}>
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
            <Section title="orders.timeLine" isInternal>
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

/** @param isInternal is left out of what is printed for the customer */
function Section({
  title,
  isInternal = false,
  children,
}: {
  title: string;
  isInternal?: boolean;
  children: ReactNode;
}) {
  const translate = useTranslate();
  return (
    <Card
      variant="outlined"
      component="section"
      aria-label={translate(title)}
      className={isInternal ? 'no-print' : ''}
      sx={{ p: 2, minWidth: 0 }}
    >
      <Typography variant="h6" component="h2" gutterBottom>
        {translate(title)}
      </Typography>
      {children}
    </Card>
  );
}

function AddressLines({ address }: { address: Address | null }) {
  const translate = useTranslate();
  if (!address) return <Typography color="textSecondary">{translate('orders.noAddress')}</Typography>;
  return (
    <address style={{ fontStyle: 'normal' }}>
      {linesOf(address).map((line) => (
        <Typography key={line}>{line}</Typography>
      ))}
    </address>
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
