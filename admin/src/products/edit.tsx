/** The page of one product. The form's tabs are saved together; the other tabs save every change immediately. */
import { Box, Card } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DeleteWithConfirmButton, Form, RecordContextProvider, Title, useTranslate } from 'react-admin';
import { useParams, useSearchParams } from 'react-router-dom';
import { FormerAddresses } from '../components/former-addresses.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { RecordToolbar } from '../components/record-toolbar.tsx';
import { ConflictDialog } from '../forms/conflict-dialog.tsx';
import { SaveBar } from '../forms/save-bar.tsx';
import { textIn } from '../forms/translated-texts.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { AttachmentsTab } from './attachments-tab.tsx';
import { AttributesTab } from './attributes-tab.tsx';
import { BasicsTab } from './basics-tab.tsx';
import { CategoriesTab } from './categories-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { ImagesTab } from './images/images-tab.tsx';
import { PricesTab } from './prices/prices-tab.tsx';
import { type LoadedProduct, loadProduct } from './product-form.ts';
import { FORM_TABS, ProductTabs, type TabName, tabOf, toTabName } from './product-tabs.tsx';
import { RelatedTab } from './related-tab.tsx';
import { StockTab } from './stock-tab.tsx';
import { TextsTab } from './texts-tab.tsx';
import type { TabProps } from './types.ts';
import { useProductForm } from './use-product-form.ts';
import { VariantsTab } from './variants/variants-tab.tsx';

export default function ProductEdit() {
  const id = Number(useParams().id);
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['product', id],
    queryFn: () => loadProduct(id),
    // A refetch in the background would change the form while it is edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error) return <LoadError title="menu.products" error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return <ProductPage key={id} initial={data} />;
}

function ProductPage({ initial }: { initial: LoadedProduct }) {
  const [search, setSearch] = useSearchParams();
  const form = useProductForm(initial, (field) => setSearch({ tab: tabOf(field) }));
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const tab = toTabName(search.get('tab'));
  const { product } = form.loaded;
  const { conflict } = form;
  return (
    <RecordContextProvider value={product}>
      <Title title={product.name} />
      <RecordToolbar resource="products">
        {mayWrite && <DeleteWithConfirmButton resource="products" record={product} />}
      </RecordToolbar>
      <Card variant="outlined" sx={{ overflow: 'visible' }}>
        <Form
          key={form.formVersion}
          record={{ id: product.id, ...form.values }}
          onSubmit={form.submit}
          resetOptions={KEEP_DIRTY_VALUES}
          warnWhenUnsavedChanges
          formRootPathname={`/products/${product.id}`}
          noValidate
        >
          <ProductTabs tab={tab} onTab={(name) => setSearch({ tab: name }, { replace: true })} />
          <Box sx={{ p: { xs: 1.5, sm: 3 } }} role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
            {panelOf(tab, { loaded: form.loaded, onChanged: form.onChanged }, form.reload)}
          </Box>
          <SaveBar
            isBusy={form.isBusy}
            onDiscard={() => void form.reload()}
            {...(FORM_TABS.includes(tab) ? {} : { otherwise: SAYING_SO.includes(tab) ? '' : 'products.savedAtOnce' })}
          />
        </Form>
      </Card>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          labelOf={(field) => labelOf(field, translate)}
          onBack={form.closeConflict}
          onSave={(changes) => form.saveChoice(changes, conflict)}
        />
      )}
    </RecordContextProvider>
  );
}

/** Tabs that say themselves that they save immediately, or only show data. */
const SAYING_SO: readonly TabName[] = ['attachments', 'related', 'history'];

const KEEP_DIRTY_VALUES = { keepDirtyValues: true };

function panelOf(tab: TabName, props: TabProps, reload: () => Promise<void>): ReactNode {
  const { product } = props.loaded;
  const panels: Readonly<Record<TabName, ReactNode>> = {
    basics: (
      <>
        <BasicsTab />
        <FormerAddresses resource="products" id={product.id} cleanUrl={product.clean_url} />
      </>
    ),
    texts: <TextsTab {...props} />,
    images: <ImagesTab {...props} />,
    attachments: <AttachmentsTab {...props} />,
    categories: <CategoriesTab {...props} />,
    related: <RelatedTab {...props} />,
    attributes: <AttributesTab {...props} />,
    variants: <VariantsTab {...props} />,
    prices: <PricesTab {...props} />,
    stock: <StockTab {...props} />,
    history: <HistoryTab {...props} onRestored={reload} />,
  };
  return panels[tab];
}

function labelOf(field: string, translate: (key: string) => string): string {
  const text = textIn(field);
  return text ? `${translate(`field.${text.field}`)} (${text.code})` : translate(`field.${field}`);
}
