/** The order list: one search field, filters for the daily work, and actions for several orders. */
import { Box, Stack, type Theme, Typography, useMediaQuery } from '@mui/material';
import type { OrderOutput, ProfileOutput } from 'purveyor/client';
import type { ReactNode } from 'react';
import {
  AutocompleteInput,
  CreateButton,
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
  useRecordContext,
} from 'react-admin';
import { BulkBar } from '../components/bulk-bar.tsx';
import { CardList } from '../components/card-list.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { FilterPresets } from '../components/filter-presets.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { NoResults } from '../components/no-results.tsx';
import { SearchFilter } from '../components/search-filter.tsx';
import { useFormat } from '../utils/format.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { OrderBulkActions } from './bulk-actions.tsx';
import { customerName } from './customer-name.ts';
import { BACKORDERED, TO_SHIP } from './filters.ts';
import { OrderStatusChips, PaymentChips, ShippingChips } from './status-chip.tsx';
import { StatusInput } from './status-input.tsx';

const byName = (text: string) => ({ searchFakeField: text });

const nameOf = ({ login, display_name }: ProfileOutput): string =>
  display_name ? `${display_name} · ${login}` : login;

const filters = [
  <SearchFilter key="search" source="search" help="orders.searchHelp" alwaysOn />,
  <StatusInput key="payment" source="payment_status" label="field.payment_status" />,
  <StatusInput key="shipping" source="shipping_status" label="field.shipping_status" />,
  <DateInput key="from" source="create_date.after" label="orders.placedSince" />,
  <DateInput key="until" source="create_date.before" label="orders.placedUntil" />,
  <NumberInput key="total" source="total.gte" label="orders.totalFrom" />,
  <NumberInput key="totalTo" source="total.lte" label="orders.totalTo" />,
  <ReferenceInput key="customer" source="customer_id" label="field.customer" reference="profiles">
    <AutocompleteInput label="field.customer" filterToQuery={byName} optionText={nameOf} />
  </ReferenceInput>,
  <TextInput key="email" source="email" label="orders.email" />,
  <TextInput key="sku" source="sku" label="field.sku" />,
];

export default function OrderList() {
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  return (
    <List
      title="menu.orders"
      filters={filters}
      actions={<Actions />}
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      sort={{ field: 'create_date', order: 'DESC' }}
      queryOptions={NO_ERROR_NOTIFICATION}
      error={<ListError />}
      empty={<EmptyList title="orders.empty" help="orders.emptyHelp" create="orders.new" />}
      sx={LIST_STYLES}
    >
      <OrderPresets />
      <BulkBar path="/orders">
        <OrderBulkActions />
      </BulkBar>
      {isNarrow ? <Cards /> : <Rows />}
    </List>
  );
}

function Actions() {
  return (
    <TopToolbar>
      <FilterButton disableSaveQuery />
      <ExportButton path="/orders" name="orders" />
      {useMayWrite() && <CreateButton label="orders.new" variant="contained" />}
    </TopToolbar>
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
      screen="orders"
      presets={[
        ['orders.preset.all', {}],
        ['orders.preset.unpaid', { payment_status: 'Q' }],
        ['orders.preset.toShip', TO_SHIP],
        ['orders.preset.backordered', BACKORDERED],
        ['orders.preset.today', { create_date: { after: today } }],
      ]}
    />
  );
}

const RIGHT = { textAlign: 'right' } as const;

function Rows() {
  return (
    <DataTable bulkActionButtons={<span />} bulkActionsToolbar={<span />} rowClick="show" empty={<NoResults />}>
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
        <PaymentStatus />
      </DataTable.Col>
      <DataTable.Col source="shipping_status" label="field.shipping_status" disableSort>
        <ShippingStatus />
      </DataTable.Col>
      <DataTable.Col source="total" label="field.total" sx={RIGHT}>
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
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {order.email}
      </Typography>
    </>
  );
}

function PaymentStatus() {
  return (
    <ChipRow>
      <PaymentChips order={useRecordContext<OrderOutput>()!} />
    </ChipRow>
  );
}

function ShippingStatus() {
  return (
    <ChipRow>
      <ShippingChips order={useRecordContext<OrderOutput>()!} />
    </ChipRow>
  );
}

function ChipRow({ children }: { children: ReactNode }) {
  return (
    <Stack direction="row" spacing={0.5} useFlexGap sx={{ flexWrap: 'wrap' }}>
      {children}
    </Stack>
  );
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
  const format = useFormat();
  return (
    <CardList<OrderOutput>
      nameOf={({ order_number }) => order_number}
      pathOf={({ id }) => `/orders/${id}/show`}
      canSelect
    >
      {(order, link) => (
        <>
          <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1 }}>
            {link}
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
            <OrderStatusChips order={order} />
          </Stack>
        </>
      )}
    </CardList>
  );
}
