/** One product: what is typed is saved together, what the other tabs do is done at once. */
import { Badge, Box, Card, Tab, Tabs, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { StoreProblem } from 'purveyor/client';
import { type ReactNode, useState } from 'react';
import { DeleteWithConfirmButton, Form, RecordContextProvider, Title, useNotify, useTranslate } from 'react-admin';
import { useFormState } from 'react-hook-form';
import { useParams, useSearchParams } from 'react-router-dom';
import { BackBar } from '../parts/back-bar.tsx';
import { type Conflict, ConflictDialog } from '../parts/conflict-dialog.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { useFieldErrors, useSentence } from '../parts/sentence.ts';
import { Failed, Reading } from '../parts/states.tsx';
import { changedFields, isSame, type Values } from '../store/changes.ts';
import { AttributesTab } from './attributes-tab.tsx';
import { BasicsTab } from './basics-tab.tsx';
import { CategoriesTab } from './categories-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { PicturesTab } from './pictures-tab.tsx';
import { EMPTIED, type Loaded, loadProduct, saveProduct, TextsRefused, textName, valuesOf } from './product-form.ts';
import { StockTab } from './stock-tab.tsx';
import { TextsTab } from './texts-tab.tsx';
import { VariantsTab } from './variants-tab.tsx';

export default function ProductEdit() {
  const id = Number(useParams().id);
  const { data, error, refetch, isPending } = useQuery({
    queryKey: ['product', id],
    queryFn: () => loadProduct(id),
    // A form must not change under a person's hands: it is read again when it is opened or saved.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error) return <Failed title="menu.products" error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading />;
  return <ProductForm key={id} id={id} first={data} />;
}

export interface TabProps {
  readonly loaded: Loaded;
  /** Called after a part of the product was changed at once. `changed`: the beginning of the names of fields that it changed. */
  onParts(changed?: string): Promise<void>;
}

const TABS = ['basics', 'texts', 'images', 'categories', 'attributes', 'variants', 'stock', 'history'] as const;
type TabName = (typeof TABS)[number];

function ProductForm({ id, first }: { id: number; first: Loaded }) {
  const [loaded, setLoaded] = useState(first);
  const [conflict, setConflict] = useState<Conflict & { etag: string; now: Loaded }>();
  const [isBusy, setBusy] = useState(false);
  // A changed number makes the form anew with what the store has.
  const [edition, setEdition] = useState(0);
  const [search, setSearch] = useSearchParams();
  const translate = useTranslate();
  const notify = useNotify();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();
  const mayWrite = useMayWrite();
  const tab = (TABS as readonly string[]).includes(search.get('tab') ?? '') ? (search.get('tab') as TabName) : 'basics';
  const before = valuesOf(loaded);

  async function renew(): Promise<void> {
    setLoaded(await loadProduct(id));
    setEdition((number) => number + 1);
  }

  async function send(changed: Values, etag: string, mine: Values): Promise<object | undefined> {
    setBusy(true);
    try {
      await saveProduct(id, changed, etag);
      setConflict(undefined);
      await renew();
      notify('state.saved', { type: 'success' });
      return undefined;
    } catch (error) {
      return await refused(error, mine);
    } finally {
      setBusy(false);
    }
  }

  /** @returns a sentence for each field that the store refused */
  async function refused(error: unknown, mine: Values): Promise<object | undefined> {
    if (error instanceof StoreProblem && error.status === 412) {
      const now = await loadProduct(id);
      setConflict({ before, mine, theirs: valuesOf(now), etag: now.etag, now });
      return undefined;
    }
    if (error instanceof TextsRefused) {
      setLoaded(await loadProduct(id));
      notify(translate('state.textsNotSaved', { language: error.code }), { type: 'error', autoHideDuration: 10000 });
      const { cause, code } = error;
      const errors = cause instanceof StoreProblem ? fieldErrors(cause) : {};
      return Object.fromEntries(Object.entries(errors).map(([field, text]) => [textName(code, field), text]));
    }
    if (!(error instanceof StoreProblem) || error.violations.length === 0) {
      notify(sentence(error), { type: 'error', autoHideDuration: 10000 });
      return undefined;
    }
    notify('state.invalidFields', { type: 'error' });
    const errors = fieldErrors(error);
    const [field] = Object.keys(errors);
    if (field !== undefined) setSearch({ tab: tabOf(field) });
    return errors;
  }

  async function onParts(changed = 'none:'): Promise<void> {
    const now = await loadProduct(id);
    const others = (values: Values) => Object.entries(values).filter(([name]) => !name.startsWith(changed));
    // Where nothing else changed, the form is of the new version; else saving will show what somebody else did.
    if (isSame(others(valuesOf(now)), others(before))) setLoaded(now);
    else setLoaded({ ...loaded, product: { ...loaded.product, images: now.product.images } });
  }

  const parts: TabProps = { loaded, onParts };
  const panels: Record<TabName, ReactNode> = {
    basics: <BasicsTab />,
    texts: <TextsTab {...parts} />,
    images: <PicturesTab {...parts} />,
    categories: <CategoriesTab {...parts} />,
    attributes: <AttributesTab {...parts} />,
    variants: <VariantsTab {...parts} />,
    stock: <StockTab {...parts} />,
    history: <HistoryTab {...parts} />,
  };
  return (
    <RecordContextProvider value={loaded.product}>
      <Title title={loaded.product.name} />
      <BackBar resource="products">
        {mayWrite && <DeleteWithConfirmButton resource="products" record={loaded.product} />}
      </BackBar>
      <Card variant="outlined" sx={{ overflow: 'visible' }}>
        <Form
          key={edition}
          record={{ id, ...before }}
          onSubmit={(values: Values) => send(changedFields(before, values, EMPTIED), loaded.etag, values)}
          resetOptions={KEEP_TYPED}
          warnWhenUnsavedChanges
          formRootPathname={`/products/${id}`}
          noValidate
        >
          <TabBar tab={tab} onTab={(name) => setSearch({ tab: name }, { replace: true })} />
          <Box sx={{ p: { xs: 1.5, sm: 3 } }} role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`}>
            {panels[tab]}
          </Box>
          <SaveBar isBusy={isBusy} onDiscard={() => void renew()} />
        </Form>
      </Card>
      {conflict && (
        <ConflictDialog
          conflict={conflict}
          labelOf={(field) => labelOf(field, translate)}
          onBack={() => setConflict(undefined)}
          onTake={(changes) => {
            setLoaded(conflict.now);
            void send(changes, conflict.etag, { ...conflict.theirs, ...changes });
          }}
        />
      )}
    </RecordContextProvider>
  );
}

const KEEP_TYPED = { keepDirtyValues: true };

function labelOf(field: string, translate: (key: string) => string): string {
  const [, code, name] = /^text:([^:]+):(.+)$/.exec(field) ?? [];
  return name === undefined ? translate(`field.${field}`) : `${translate(`field.${name}`)} (${code})`;
}

const IN_TEXTS = ['name', 'brief_description', 'description', 'meta_title', 'meta_tags', 'meta_description'];
const IN_STOCK = ['amount', 'inventory_traceable', 'available_for_backorder', 'backorder_limit'];

/** The tab where a field stands. The name stands in two, and is looked for in the first. */
function tabOf(field: string): TabName {
  if (field === 'name') return 'basics';
  if (IN_STOCK.includes(field)) return 'stock';
  return field.startsWith('text:') || IN_TEXTS.includes(field) ? 'texts' : 'basics';
}

function TabBar({ tab, onTab }: { tab: TabName; onTab(name: TabName): void }) {
  const translate = useTranslate();
  const { errors } = useFormState();
  const wrong = new Set(Object.keys(errors).map(tabOf));
  return (
    <Tabs
      value={tab}
      onChange={(_event, name) => onTab(name)}
      variant="scrollable"
      scrollButtons="auto"
      allowScrollButtonsMobile
      aria-label={translate('products.tabs')}
      sx={{ borderBottom: 1, borderColor: 'divider' }}
    >
      {TABS.map((name) => (
        <Tab
          key={name}
          value={name}
          id={`tab-${name}`}
          aria-controls={name === tab ? `panel-${name}` : undefined}
          label={
            <Badge color="error" variant="dot" invisible={!wrong.has(name)}>
              <Typography component="span" variant="button">
                {translate(`products.tab.${name}`)}
              </Typography>
            </Badge>
          }
        />
      ))}
    </Tabs>
  );
}
