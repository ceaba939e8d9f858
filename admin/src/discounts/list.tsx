/** The lists of sale discounts, volume discounts and coupons. */
import { Stack, type Theme, Typography, useMediaQuery } from '@mui/material';
import type { CouponOutput } from 'purveyor/client';
import { type ReactElement, useState } from 'react';
import {
  AutocompleteInput,
  CreateButton,
  DataTable,
  DateInput,
  FilterButton,
  Link,
  List,
  NullableBooleanInput,
  Pagination,
  ReferenceInput,
  TextInput,
  TopToolbar,
  useRecordContext,
} from 'react-admin';
import { CardList } from '../components/card-list.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { FilterPresets } from '../components/filter-presets.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { NoResults } from '../components/no-results.tsx';
import { useMayWrite } from '../utils/use-may.tsx';
import { KindTabs } from './kind-tabs.tsx';
import { type Discount, type Kind, useDiscountTexts, useKind } from './kinds.ts';
import { usePeriodText } from './period.ts';
import { useBuyersText, useProductsText } from './restriction-texts.ts';
import { StatusChip } from './status-chip.tsx';

const byName = (text: string) => ({ name: text });

const membershipFilter = (source: string): ReactElement => (
  <ReferenceInput key="membership" source={source} label="discounts.field.membership" reference="memberships">
    <AutocompleteInput label="discounts.field.membership" filterToQuery={byName} optionText="name" />
  </ReferenceInput>
);

const PERIOD_FILTERS = [
  <DateInput key="begin" source="date_range_begin.after" label="discounts.beginsSince" />,
  <DateInput key="end" source="date_range_end.before" label="discounts.endsUntil" />,
];
const ENABLED_FILTER = <NullableBooleanInput key="enabled" source="enabled" label="field.enabled" />;

const FILTERS: Readonly<Record<Kind, ReactElement[]>> = {
  sale_discounts: [ENABLED_FILTER, membershipFilter('memberships'), ...PERIOD_FILTERS],
  volume_discounts: [membershipFilter('membership'), ...PERIOD_FILTERS],
  coupons: [
    <TextInput key="code" source="code" label="discounts.wholeCode" alwaysOn resettable />,
    ...[ENABLED_FILTER, membershipFilter('memberships'), ...PERIOD_FILTERS],
  ],
};

export default function DiscountList() {
  const kind = useKind();
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  return (
    <>
      <KindTabs kind={kind} />
      <List
        key={kind}
        title="menu.discounts"
        filters={FILTERS[kind]}
        actions={<Actions kind={kind} />}
        perPage={25}
        pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
        sort={{ field: 'id', order: 'DESC' }}
        queryOptions={NO_ERROR_NOTIFICATION}
        error={<ListError />}
        empty={
          <EmptyList
            title={`discounts.empty.${kind}`}
            help={`discounts.emptyHelp.${kind}`}
            create={`discounts.new.${kind}`}
          />
        }
        sx={LIST_STYLES}
      >
        <Presets kind={kind} />
        {isNarrow ? <Cards kind={kind} /> : <Rows kind={kind} />}
      </List>
    </>
  );
}

interface Props {
  readonly kind: Kind;
}

function Actions({ kind }: Props) {
  const mayWrite = useMayWrite();
  return (
    <TopToolbar>
      <FilterButton disableSaveQuery />
      <ExportButton path={`/${kind}`} name={kind} />
      {mayWrite && <CreateButton label={`discounts.new.${kind}`} variant="contained" />}
    </TopToolbar>
  );
}

function Presets({ kind }: Props) {
  // The time does not change while the list is open, so that the chosen preset stays marked.
  const [now] = useState(() => new Date().toISOString());
  return (
    <FilterPresets
      label="list.presets"
      screen={kind}
      presets={[
        ['list.all', {}],
        ['discounts.preset.planned', { date_range_begin: { strictly_after: now } }],
        ['discounts.preset.ended', { date_range_end: { before: now } }],
        ...(kind === 'volume_discounts' ? [] : [['discounts.preset.off', { enabled: false }] as const]),
      ]}
    />
  );
}

function Rows({ kind }: Props) {
  return (
    <DataTable bulkActionButtons={false} rowClick="edit" empty={<NoResults />}>
      <NameColumn kind={kind} />
      {kind !== 'volume_discounts' && (
        <DataTable.Col source="value" label="discounts.field.value">
          <Value />
        </DataTable.Col>
      )}
      {kind !== 'volume_discounts' && (
        <DataTable.Col source="products" label="discounts.field.products" disableSort>
          <Products />
        </DataTable.Col>
      )}
      <DataTable.Col source="memberships" label="discounts.group.who" disableSort>
        <Buyers />
      </DataTable.Col>
      <DataTable.Col source="date_range_begin" label="discounts.group.when">
        <Period />
      </DataTable.Col>
      {kind === 'coupons' && (
        <DataTable.Col source="uses" label="discounts.field.uses" disableSort>
          <Uses />
        </DataTable.Col>
      )}
      <DataTable.Col source="enabled" label="field.status" disableSort>
        <Status />
      </DataTable.Col>
    </DataTable>
  );
}

const NAME_COLUMNS = {
  sale_discounts: { source: 'name', label: 'field.name', disableSort: true },
  volume_discounts: { source: 'subtotal_range_begin', label: 'discounts.kind.volume_discount' },
  coupons: { source: 'code', label: 'discounts.field.code' },
} as const;

function NameColumn({ kind }: Props) {
  return (
    <DataTable.Col {...NAME_COLUMNS[kind]}>
      <Name kind={kind} />
    </DataTable.Col>
  );
}

function Name({ kind }: Props) {
  const discount = useRecordContext<Discount>()!;
  const { nameOf } = useDiscountTexts();
  return (
    <Link to={`/${kind}/${discount.id}`} sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
      {nameOf(discount)}
    </Link>
  );
}

function Value() {
  const discount = useRecordContext<Discount>()!;
  return useDiscountTexts().amountOf(discount);
}

function Products() {
  const discount = useRecordContext<Discount>()!;
  return useProductsText()(discount);
}

function Buyers() {
  const discount = useRecordContext<Discount>()!;
  return useBuyersText()(discount);
}

function Period() {
  const discount = useRecordContext<Discount>()!;
  return usePeriodText()(discount);
}

function Uses() {
  const coupon = useRecordContext<CouponOutput>()!;
  return useDiscountTexts().shortUsesOf(coupon);
}

function Status() {
  return <StatusChip discount={useRecordContext<Discount>()!} />;
}

function Cards({ kind }: Props) {
  const { nameOf, amountOf, usesOf } = useDiscountTexts();
  const buyersText = useBuyersText();
  const productsText = useProductsText();
  const periodText = usePeriodText();
  return (
    <CardList<Discount> nameOf={nameOf} pathOf={({ id }) => `/${kind}/${id}`}>
      {(discount, link) => (
        <>
          <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1, alignItems: 'flex-start' }}>
            {link}
            <StatusChip discount={discount} />
          </Stack>
          {kind !== 'volume_discounts' && (
            <Typography variant="body2">
              {amountOf(discount)} · {productsText(discount)}
            </Typography>
          )}
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {buyersText(discount)}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {periodText(discount)}
          </Typography>
          {'uses' in discount && <Typography variant="body2">{usesOf(discount)}</Typography>}
        </>
      )}
    </CardList>
  );
}
