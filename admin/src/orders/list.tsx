/** The order list, with filters for the daily work. */
import { Box, Card, Stack, type Theme, Typography, useMediaQuery } from '@mui/material';
import type { OrderOutput } from 'purveyor/client';
import {
  AutocompleteInput,
  DataTable,
  DateInput,
  FilterButton,
  Link,
  List,
  NumberInput,
  Pagination,
  ReferenceInput,
  TextInput,
  TopToolbar,
  useListContext,
  useRecordContext,
  useTranslate,
} from 'react-admin';
import { EmptyList } from '../components/empty-list.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { FilterPresets } from '../components/filter-presets.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { NoResults } from '../components/no-results.tsx';
import { useFormat } from '../utils/format.ts';
import { customerName } from './customer-name.ts';
import { StatusChip } from './status-chip.tsx';
import { StatusInput } from './status-input.tsx';

const byLogin = (text: string) => ({ login: text });

const filters = [
  <TextInput key="email" source="email" label="orders.email" alwaysOn />,
  <ReferenceInput key="customer" source="customer_id" reference="profiles">
    <AutocompleteInput label="field.customer" filterToQuery={byLogin} optionText="login" />
  </ReferenceInput>,
  <TextInput key="number" source="order_number" label="field.order_number" />,
  <StatusInput key="payment" source="payment_status" />,
  <StatusInput key="shipping" source="shipping_status" />,
  <DateInput key="from" source="create_date.after" label="orders.placedSince" />,
  <NumberInput key="total" source="total.gte" label="orders.totalFrom" />,
  <TextInput key="sku" source="sku" label="field.sku" />,
];

/** Paid orders that have not been shipped. */
const TO_SHIP = { payment_status: 'P', shipping_status: ['N', 'P', 'NBA'] };

export default function OrderList() {
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  return (
    <List
      title="menu.orders"
      filters={filters}
      actions={
        <TopToolbar>
          <FilterButton />
          <ExportButton path="/orders" name="orders" />
        </TopToolbar>
      }
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      sort={{ field: 'create_date', order: 'DESC' }}
      queryOptions={NO_ERROR_NOTIFICATION}
      error={<ListError />}
      empty={<EmptyList title="orders.empty" help="orders.emptyHelp" />}
      sx={LIST_STYLES}
    >
      <OrderPresets />
      {isNarrow ? <Cards /> : <Rows />}
    </List>
  );
}

function OrderPresets() {
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return (
    <FilterPresets
      label="list.presets"
      presets={[
        ['orders.preset.all', {}],
        ['orders.preset.unpaid', { payment_status: 'Q' }],
        ['orders.preset.toShip', TO_SHIP],
        ['orders.preset.today', { create_date: { after: today } }],
      ]}
    />
  );
}

function Rows() {
  return (
    <DataTable bulkActionButtons={false} rowClick="show" empty={<NoResults />}>
      <DataTable.Col source="order_number" label="field.order_number" disableSort>
        <OrderNumber />
      </DataTable.Col>
      <DataTable.Col source="create_date" label="field.date">
        <CreatedAt />
      </DataTable.Col>
      <DataTable.Col source="email" label="field.customer" disableSort>
        <Customer />
      </DataTable.Col>
      <DataTable.Col source="payment_status" label="field.payment_status" disableSort>
        <Status field="payment_status" />
      </DataTable.Col>
      <DataTable.Col source="shipping_status" label="field.shipping_status" disableSort>
        <Status field="shipping_status" />
      </DataTable.Col>
      <DataTable.Col source="total" label="field.total" sx={{ textAlign: 'right' }}>
        <Total />
      </DataTable.Col>
    </DataTable>
  );
}

function OrderNumber() {
  const order = useRecordContext<OrderOutput>()!;
  return (
    <Link to={`/orders/${order.id}/show`} sx={{ fontWeight: 600 }}>
      {order.order_number}
    </Link>
  );
}

function CreatedAt() {
  const order = useRecordContext<OrderOutput>()!;
  return useFormat().dateTime(order.create_date);
}

function Customer() {
  const order = useRecordContext<OrderOutput>()!;
  const name = customerName(order);
  return (
    <>
      {name && <Typography variant="body2">{name}</Typography>}
      <Typography variant="body2" color="textSecondary">
        {order.email}
      </Typography>
    </>
  );
}

function Status({ field }: { field: 'payment_status' | 'shipping_status' }) {
  const order = useRecordContext<OrderOutput>()!;
  return <StatusChip status={order[field]} />;
}

function Total() {
  const order = useRecordContext<OrderOutput>()!;
  const format = useFormat();
  return (
    <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
      {format.money(order.total, order.currency)}
    </Box>
  );
}

function Cards() {
  const { data, isPending, total } = useListContext<OrderOutput>();
  const format = useFormat();
  const translate = useTranslate();
  if (isPending) return <Typography sx={{ p: 3 }}>{translate('state.loading')}</Typography>;
  if (total === 0) return <NoResults />;
  return (
    <Stack component="ul" spacing={1} sx={{ listStyle: 'none', m: 0, p: 1 }}>
      {data?.map((order) => (
        <Card key={order.id} component="li" variant="outlined">
          <Link
            to={`/orders/${order.id}/show`}
            sx={{ display: 'block', p: 1.5, color: 'text.primary', textDecoration: 'none' }}
          >
            <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1 }}>
              <Typography sx={{ fontWeight: 600 }}>{order.order_number}</Typography>
              <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>
                {format.money(order.total, order.currency)}
              </Typography>
            </Stack>
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {customerName(order) || order.email}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {format.dateTime(order.create_date)}
            </Typography>
            <Stack direction="row" spacing={1} useFlexGap sx={{ mt: 1, flexWrap: 'wrap' }}>
              <StatusChip status={order.payment_status} />
              <StatusChip status={order.shipping_status} />
            </Stack>
          </Link>
        </Card>
      ))}
    </Stack>
  );
}
