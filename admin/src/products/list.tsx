/** The product list: search, filters, bulk actions, and cells that can be edited in place. */
import { Box, Chip, Stack, Switch, type Theme, Typography, useMediaQuery } from '@mui/material';
import type { ProductOutput } from 'purveyor/client';
import type { MouseEvent } from 'react';
import {
  AutocompleteInput,
  ColumnsButton,
  CreateButton,
  DataTable,
  FilterButton,
  Link,
  List,
  NullableBooleanInput,
  NumberInput,
  Pagination,
  ReferenceInput,
  TopToolbar,
  useListContext,
  useNotify,
  useRecordContext,
  useRefresh,
  useTranslate,
} from 'react-admin';
import { filterOf, RELEVANCE } from '../api/data-provider.ts';
import { updateField } from '../api/runtime-requests.ts';
import { BulkBar } from '../components/bulk-bar.tsx';
import { CardList } from '../components/card-list.tsx';
import { EmptyList } from '../components/empty-list.tsx';
import { FilterPresets } from '../components/filter-presets.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { NoResults } from '../components/no-results.tsx';
import { SearchFilter } from '../components/search-filter.tsx';
import { Thumbnail } from '../components/thumbnail.tsx';
import { NumberCell } from '../forms/number-cell.tsx';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useFormat } from '../utils/format.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { ProductBulkActions } from './bulk/product-bulk-actions.tsx';
import { ExportCsvButton } from './export-csv-button.tsx';

/** The fields that rows show; products have many more. */
const FIELDS =
  'id,sku,name,price,amount,stock,variants_count,inventory_traceable,enabled,images,tags,weight,tax_class,product_class,update_date';

const RIGHT = { textAlign: 'right' } as const;

const byName = (text: string) => ({ name: text });

const filters = [
  <SearchFilter key="search" source="search" help="products.searchHelp" alwaysOn />,
  <NullableBooleanInput key="enabled" source="enabled" label="field.enabled" />,
  <NumberInput key="stock" source="amount.lte" label="products.stockTo" />,
  <NumberInput key="from" source="price.gte" label="products.priceFrom" />,
  <NumberInput key="to" source="price.lte" label="products.priceTo" />,
  <ReferenceInput key="category" source="category" reference="categories" filter={{ parent: 'all' }}>
    <AutocompleteInput label="field.category" filterToQuery={byName} optionText="name" />
  </ReferenceInput>,
  <ReferenceInput key="tag" source="tags__id" reference="tags">
    <AutocompleteInput label="field.tags" filterToQuery={byName} optionText="name" />
  </ReferenceInput>,
  <ReferenceInput key="class" source="product_class__id" reference="product_classes">
    <AutocompleteInput label="field.product_class" filterToQuery={byName} optionText="name" />
  </ReferenceInput>,
];

export default function ProductList() {
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  return (
    <List
      title="menu.products"
      filters={filters}
      actions={<Actions />}
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      sort={{ field: RELEVANCE, order: 'ASC' }}
      queryOptions={{ meta: { filter: { fields: FIELDS } }, ...NO_ERROR_NOTIFICATION }}
      error={<ListError />}
      empty={<EmptyList title="products.empty" help="products.emptyHelp" create="products.new" />}
      sx={LIST_STYLES}
    >
      <FilterPresets
        label="list.presets"
        screen="products"
        presets={[
          ['list.all', {}],
          ['products.preset.disabled', { enabled: false }],
          ['products.preset.soldOut', { enabled: true, amount: { lte: 0 } }],
        ]}
      />
      <BulkBar path="/products">
        <ProductBulkActions />
      </BulkBar>
      {isNarrow ? <Cards /> : <Rows />}
    </List>
  );
}

function Actions() {
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  return (
    <TopToolbar sx={{ alignItems: 'center' }}>
      <FilterButton disableSaveQuery />
      {!isNarrow && <ColumnsButton />}
      <ListExport />
      {useMayWrite() && <CreateButton label="products.new" variant="contained" />}
    </TopToolbar>
  );
}

/** Exports the products that match the list's filters. */
function ListExport() {
  const { filterValues, total } = useListContext();
  return <ExportCsvButton label="export.csv" filter={filterOf(filterValues)} isDisabled={total === 0} />;
}

function Rows() {
  const mayWrite = useMayWrite();
  return (
    <Box data-grid>
      <DataTable
        bulkActionButtons={mayWrite ? <span /> : false}
        bulkActionsToolbar={<span />}
        hiddenColumns={['id', 'tags', 'weight', 'product_class', 'tax_class', 'update_date']}
        rowClick="edit"
        empty={<NoResults />}
      >
        <DataTable.Col source="images" label="field.image" disableSort>
          <RowPicture />
        </DataTable.Col>
        <DataTable.Col source="id" label="field.id" />
        <DataTable.Col source="name" label="field.name">
          <RowName />
        </DataTable.Col>
        <DataTable.Col source="sku" label="field.sku" />
        <DataTable.Col source="price" label="field.price" sx={RIGHT}>
          <RowPrice />
        </DataTable.Col>
        <DataTable.Col source="amount" label="field.amount" sx={RIGHT}>
          <RowStock />
        </DataTable.Col>
        <DataTable.Col source="enabled" label="field.enabled" disableSort>
          <RowSwitch />
        </DataTable.Col>
        <DataTable.Col source="tags" label="field.tags" disableSort>
          <RowTags />
        </DataTable.Col>
        <DataTable.NumberCol source="weight" label="field.weight" disableSort />
        <DataTable.Col source="product_class" label="field.product_class" disableSort field={ClassName} />
        <DataTable.Col source="tax_class" label="field.tax_class" disableSort field={ClassName} />
        <DataTable.Col source="update_date" label="field.update_date">
          <UpdatedAt />
        </DataTable.Col>
      </DataTable>
    </Box>
  );
}

function RowPicture() {
  const product = useRecordContext<ProductOutput>()!;
  return <Thumbnail image={product.images[0]} />;
}

/** A link, so that a row opens by keyboard and in another tab. */
function RowName() {
  const product = useRecordContext<ProductOutput>()!;
  return (
    <Link
      to={`/products/${product.id}`}
      onClick={(event: MouseEvent) => event.stopPropagation()}
      sx={{ fontWeight: 600 }}
    >
      {product.name}
    </Link>
  );
}

function RowPrice() {
  const product = useRecordContext<ProductOutput>()!;
  const translate = useTranslate();
  return (
    <NumberCell
      path="/products/{id}"
      parameters={{ id: product.id }}
      field="price"
      value={product.price}
      decimals={4}
      label={translate('products.cell.price', { name: product.name })}
    />
  );
}

/** The stock of a product; the sum of its variants' stock, which is edited in their grid. */
function RowStock() {
  const product = useRecordContext<ProductOutput>()!;
  const translate = useTranslate();
  const format = useFormat();
  if (!product.inventory_traceable)
    return (
      <Typography variant="body2" color="textSecondary" component="span">
        {translate('products.untracked')}
      </Typography>
    );
  if ((product.variants_count ?? 0) > 0)
    return (
      <Link
        to={`/products/${product.id}?tab=variants`}
        onClick={(event: MouseEvent) => event.stopPropagation()}
        aria-label={`${translate('products.cell.stock', { name: product.name })}: ${format.number(stockOf(product))}`}
        sx={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {format.number(stockOf(product))}
      </Link>
    );
  return (
    <NumberCell
      path="/products/{id}"
      parameters={{ id: product.id }}
      field="amount"
      value={product.amount}
      label={translate('products.cell.stock', { name: product.name })}
    />
  );
}

const stockOf = ({ stock, amount }: ProductOutput): number => stock ?? amount;

function RowSwitch() {
  const product = useRecordContext<ProductOutput>()!;
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const errorMessage = useErrorMessage();
  const mayWrite = useMayWrite();

  async function change(enabled: boolean): Promise<void> {
    try {
      const { isSaved } = await updateField('/products/{id}', { id: product.id }, 'enabled', product.enabled, enabled);
      if (isSaved) notify('state.saved', { type: 'success', autoHideDuration: 2000 });
      refresh();
    } catch (error) {
      notify(errorMessage(error), { type: 'error' });
    }
  }

  return (
    <Switch
      size="small"
      checked={product.enabled}
      disabled={!mayWrite}
      onClick={(event) => event.stopPropagation()}
      onChange={(_event, enabled) => void change(enabled)}
      slotProps={{ input: { 'aria-label': translate('button.toggleEnabled', { name: product.name }) } }}
    />
  );
}

function RowTags() {
  const product = useRecordContext<ProductOutput>()!;
  return (
    <Stack direction="row" spacing={0.5}>
      {product.tags.map(({ id, name }) => (
        <Chip key={id} label={name} size="small" />
      ))}
    </Stack>
  );
}

function UpdatedAt() {
  const product = useRecordContext<ProductOutput>()!;
  return useFormat().dateTime(product.update_date);
}

function ClassName({ source }: { source?: string }) {
  const product = useRecordContext<ProductOutput>()!;
  return product[source as 'tax_class']?.name ?? '–';
}

/** The list on narrow screens. */
function Cards() {
  const format = useFormat();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  return (
    <CardList<ProductOutput> nameOf={({ name }) => name} pathOf={({ id }) => `/products/${id}`} canSelect={mayWrite}>
      {(product, link) => (
        <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center' }}>
          <Thumbnail image={product.images[0]} size={56} />
          <Box sx={{ flex: 1, minWidth: 0 }}>
            {link}
            <Typography variant="body2" color="textSecondary" noWrap>
              {product.sku}
            </Typography>
            {!product.enabled && <Chip size="small" label={translate('state.disabled')} />}
          </Box>
          <Box sx={{ textAlign: 'right' }}>
            <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>{format.money(product.price)}</Typography>
            <Typography variant="body2" color="textSecondary">
              {product.inventory_traceable
                ? `${translate('field.amount')}: ${format.number(stockOf(product))}`
                : translate('products.untracked')}
            </Typography>
          </Box>
        </Stack>
      )}
    </CardList>
  );
}
