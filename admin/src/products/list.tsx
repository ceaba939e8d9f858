/** The product list: search, filters, bulk actions, and cells that can be edited in place. */
import { Box, Card, Chip, Stack, Switch, type Theme, Typography, useMediaQuery } from '@mui/material';
import type { ProductOutput } from 'purveyor/client';
import type { MouseEvent } from 'react';
import {
  AutocompleteInput,
  BulkDeleteWithUndoButton,
  BulkUpdateWithUndoButton,
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
  SearchInput,
  TopToolbar,
  useListContext,
  useNotify,
  useRecordContext,
  useRefresh,
  useTranslate,
} from 'react-admin';
import { RELEVANCE } from '../api/data-provider.ts';
import { updateField } from '../api/runtime-requests.ts';
import { EmptyList } from '../components/empty-list.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { NoResults } from '../components/no-results.tsx';
import { Thumbnail } from '../components/thumbnail.tsx';
import { NumberCell } from '../forms/number-cell.tsx';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useFormat } from '../utils/format.ts';
import { useMayWrite } from '../utils/use-may-write.ts';
import { AddTagsButton } from './add-tags-button.tsx';

/** The fields that rows show; products have many more. */
const FIELDS =
  'id,sku,name,price,amount,inventory_traceable,enabled,images,tags,weight,tax_class,product_class,update_date';

const RIGHT = { textAlign: 'right' } as const;

const byName = (text: string) => ({ name: text });

const filters = [
  <SearchInput key="search" source="search" alwaysOn sx={{ minWidth: { sm: 280 } }} />,
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
      {isNarrow ? <Cards /> : <Rows />}
    </List>
  );
}

function Actions() {
  const isNarrow = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  return (
    <TopToolbar>
      <FilterButton />
      {!isNarrow && <ColumnsButton />}
      <ExportButton path="/products" name="products" />
      {useMayWrite() && <CreateButton label="products.new" variant="contained" />}
    </TopToolbar>
  );
}

function BulkActions() {
  const [enabled, disabled] = [{ enabled: true }, { enabled: false }];
  const { selectedIds } = useListContext();
  const mayWrite = useMayWrite();
  // Without a selection the toolbar is only hidden: its buttons would still receive focus.
  if (!mayWrite || selectedIds.length === 0) return null;
  return (
    <>
      <BulkUpdateWithUndoButton label="products.enable" data={enabled} />
      <BulkUpdateWithUndoButton label="products.disable" data={disabled} />
      <AddTagsButton />
      <BulkDeleteWithUndoButton />
    </>
  );
}

function Rows() {
  return (
    <DataTable
      bulkActionButtons={<BulkActions />}
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
        <RowNumber field="price" decimals={4} label="products.cell.price" />
      </DataTable.Col>
      <DataTable.Col source="amount" label="field.amount" sx={RIGHT}>
        <RowNumber field="amount" label="products.cell.stock" />
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

function RowNumber({ field, decimals, label }: { field: 'price' | 'amount'; decimals?: number; label: string }) {
  const product = useRecordContext<ProductOutput>()!;
  const translate = useTranslate();
  if (field === 'amount' && !product.inventory_traceable)
    return (
      <Typography variant="body2" color="textSecondary" component="span">
        {translate('products.untracked')}
      </Typography>
    );
  return (
    <NumberCell
      path="/products/{id}"
      parameters={{ id: product.id }}
      field={field}
      value={product[field]}
      decimals={decimals ?? 0}
      label={translate(label, { name: product.name })}
    />
  );
}

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
  const { data, isPending, total } = useListContext<ProductOutput>();
  const format = useFormat();
  const translate = useTranslate();
  if (isPending) return <Typography sx={{ p: 3 }}>{translate('state.loading')}</Typography>;
  if (total === 0) return <NoResults />;
  return (
    <Stack component="ul" spacing={1} sx={{ listStyle: 'none', m: 0, p: 1 }}>
      {data?.map((product) => (
        <Card key={product.id} component="li" variant="outlined">
          <Link
            to={`/products/${product.id}`}
            sx={{
              display: 'flex',
              gap: 1.5,
              p: 1.5,
              color: 'text.primary',
              textDecoration: 'none',
              alignItems: 'center',
            }}
          >
            <Thumbnail image={product.images[0]} size={56} />
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{product.name}</Typography>
              <Typography variant="body2" color="textSecondary" noWrap>
                {product.sku}
              </Typography>
              {!product.enabled && <Chip size="small" label={translate('state.disabled')} />}
            </Box>
            <Box sx={{ textAlign: 'right' }}>
              <Typography sx={{ fontVariantNumeric: 'tabular-nums' }}>{format.money(product.price)}</Typography>
              <Typography variant="body2" color="textSecondary">
                {product.inventory_traceable
                  ? `${translate('field.amount')}: ${format.number(product.amount)}`
                  : translate('products.untracked')}
              </Typography>
            </Box>
          </Link>
        </Card>
      ))}
    </Stack>
  );
}
