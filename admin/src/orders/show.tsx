/** One order: what was sold, and everything that happens to it. */
import PrintIcon from '@mui/icons-material/PrintOutlined';
import { Box, Card, Button as MuiButton, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { OrderOutput } from 'purveyor/client';
import { useState } from 'react';
import { Button, Link, Title, useTranslate } from 'react-admin';
import { Link as RouterLink, useParams } from 'react-router-dom';
import { HistorySection } from '../audit/record-history.tsx';
import { AddressLines } from '../components/address-lines.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { Section } from '../components/section.tsx';
import { useFormat } from '../utils/format.ts';
import { useMay, useMaySee, useMayWrite } from '../utils/use-may.tsx';
import { OrderActions } from './actions/order-actions.tsx';
import { customerName } from './customer-name.ts';
import { Invoices } from './documents/invoices.tsx';
import { openInvoice } from './documents/open-invoice.ts';
import { PrintInvoiceButton } from './documents/print-invoice-button.tsx';
import { SellerHint } from './documents/seller-hint.tsx';
import { EditContactDialog } from './draft/edit-contact-dialog.tsx';
import { type LoadedOrder, loadOrder } from './load-order.ts';
import { Notes } from './notes.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderItems } from './order-items.tsx';
import { Returns } from './returns.tsx';
import { Shipments } from './shipments.tsx';
import { OrderStatusChips } from './status-chip.tsx';
import { TrackingNumbers } from './tracking-numbers.tsx';
import { Transactions } from './transactions.tsx';

export default function OrderShow() {
  const id = Number(useParams().id);
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['order', id],
    queryFn: () => loadOrder(id),
    retry: false,
  });
  const reload = async (): Promise<void> => void (await refetch());
  if (error) return <LoadError title="menu.orders" error={error} onRetry={reload} />;
  if (isPending) return <LoadingSkeleton />;
  return <OrderPage loaded={data} onDone={reload} />;
}

interface PageProps {
  readonly loaded: LoadedOrder;
  onDone(): Promise<void>;
}

function OrderPage({ loaded, onDone }: PageProps) {
  const { order } = loaded;
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const maySeeTracking = useMaySee('OrderTrackingNumber.value');
  const maySeeNotes = useMaySee('Order.notes');
  // Printed documents show all fields.
  const mayPrint = useMaySee('Order.billing_address');
  return (
    <Box component="article">
      <Title title={translate('orders.title', { number: order.order_number })} />
      <RecordToolbar resource="orders">
        {mayPrint && (
          <>
            <PrintInvoiceButton loaded={loaded} onDone={onDone} />
            <Button component={RouterLink} to={`/print?orders=${order.id}`} label="orders.printDocuments">
              <PrintIcon />
            </Button>
          </>
        )}
      </RecordToolbar>
      {mayWrite && !openInvoice(loaded.invoices) && <SellerHint />}
      <Stack spacing={2}>
        <Summary loaded={loaded} onDone={onDone} />
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
            <Section title="orders.shipments">
              <Shipments loaded={loaded} onDone={onDone} />
            </Section>
            <Section title="orders.returns">
              <Returns loaded={loaded} onDone={onDone} />
            </Section>
            <Section title="orders.transactions">
              <Transactions loaded={loaded} onDone={onDone} />
            </Section>
            <Section title="orders.invoices">
              <Invoices loaded={loaded} onDone={onDone} />
            </Section>
            <HistorySection path={`/api/orders/${order.id}`} onRestored={onDone} />
          </Stack>
          <Stack spacing={2}>
            <Contact loaded={loaded} onDone={onDone} />
            {maySeeTracking && (
              <Section title="orders.tracking">
                <TrackingNumbers order={order} onDone={onDone} />
              </Section>
            )}
            {maySeeNotes && (
              <Section title="orders.notes">
                <Notes key={loaded.etag} loaded={loaded} onDone={onDone} />
              </Section>
            )}
            <Section title="orders.history">
              <OrderHistory loaded={loaded} />
            </Section>
          </Stack>
        </Box>
      </Stack>
    </Box>
  );
}

function Summary({ loaded, onDone }: PageProps) {
  const { order } = loaded;
  const maySeeEmail = useMaySee('Order.email');
  const translate = useTranslate();
  const format = useFormat();
  return (
    <Card variant="outlined" sx={{ p: 2 }}>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography variant="h5" component="h2" sx={{ mr: 1 }}>
          {translate('orders.title', { number: order.order_number })}
        </Typography>
        <OrderStatusChips order={order} />
      </Stack>
      <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere', mt: 0.5 }}>
        {format.dateTime(order.create_date)}
        {maySeeEmail && <Buyer order={order} />}
      </Typography>
      <OrderActions loaded={loaded} onDone={onDone} />
    </Card>
  );
}

function Buyer({ order }: { order: OrderOutput }) {
  const translate = useTranslate();
  const maySeeCustomers = useMay('profiles:read');
  const isGuest = order.customer_id === null;
  return (
    <>
      {' · '}
      {customerName(order)}{' '}
      <Link to={`/orders?filter=${encodeURIComponent(JSON.stringify({ email: order.email }))}`}>{order.email}</Link>
      {maySeeCustomers && (
        <>
          {' · '}
          <Link to={isGuest ? `/guests?email=${encodeURIComponent(order.email)}` : `/profiles/${order.customer_id}`}>
            {translate(isGuest ? 'orders.guest' : 'orders.customer')}
          </Link>
        </>
      )}
    </>
  );
}

function Contact({ loaded, onDone }: PageProps) {
  const [isEditing, setEditing] = useState(false);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const maySeeShipping = useMaySee('Order.shipping_address');
  const maySeeBilling = useMaySee('Order.billing_address');
  const { order } = loaded;
  return (
    <>
      {maySeeShipping && (
        <Section title="orders.shippingAddress">
          <AddressLines address={order.shipping_address} />
          {order.shipping_method_name && <Typography sx={{ mt: 1 }}>{order.shipping_method_name}</Typography>}
        </Section>
      )}
      {maySeeBilling && (
        <Section title="orders.billingAddress">
          <AddressLines address={order.billing_address} />
          {mayWrite && (
            <MuiButton size="small" sx={{ mt: 1 }} onClick={() => setEditing(true)}>
              {translate('orders.editContact')}
            </MuiButton>
          )}
        </Section>
      )}
      {isEditing && <EditContactDialog loaded={loaded} onDone={onDone} onClose={() => setEditing(false)} />}
    </>
  );
}
