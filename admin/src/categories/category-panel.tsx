/** One category. Its fields are saved together; its images and the order of its products immediately. */
import { Box, Button, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CategoryOutput } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, Form, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { HistorySection } from '../audit/record-history.tsx';
import { FormerAddresses } from '../components/former-addresses.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useRemoval } from '../components/use-removal.tsx';
import { DecimalInput, PlainTextInput, SwitchInput } from '../forms/inputs.tsx';
import { LinkedNamesInput } from '../forms/linked-names-input.tsx';
import { RichTextInput } from '../forms/rich-text-input.tsx';
import { SaveBar } from '../forms/save-bar.tsx';
import { useSaveRecord } from '../forms/use-save-record.tsx';
import { useMayWrite } from '../utils/use-may.tsx';
import { CategoryImage } from './category-image.tsx';
import { CategoryProducts } from './category-products.tsx';
import { FeaturedOfCategory } from './featured-products.tsx';

interface Props {
  readonly id: number;
  /** Called after a change that the tree may show. */
  onDone(): Promise<void>;
  onDeleted(): void;
}

export function CategoryPanel({ id, onDone, onDeleted }: Props) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['category', id],
    queryFn: () => store.get('/categories/{category_id}', { category_id: id }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const reload = async (): Promise<void> => {
    await refetch();
    await onDone();
  };
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return (
    <Stack spacing={2}>
      <CategoryForm
        // Images and featured products change the version, but not what the user typed into the form.
        key={JSON.stringify(valuesOf(data.data))}
        category={data.data}
        etag={data.etag!}
        onDone={reload}
        onDeleted={onDeleted}
      />
      <Card variant="outlined" sx={{ p: 2 }}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))' }}>
          <CategoryImage id={id} kind="icon" image={data.data.icon} onDone={reload} />
          <CategoryImage id={id} kind="banner" image={data.data.banner} onDone={reload} />
        </Box>
      </Card>
      <CategoryProducts id={id} onDone={async () => void (await refetch())} />
      <FeaturedOfCategory category_id={id} onChanged={async () => void (await refetch())} />
      <FormerAddresses resource="categories" id={id} cleanUrl={data.data.clean_url} />
      <HistorySection path={`/api/categories/${id}`} onRestored={reload} />
    </Stack>
  );
}

const FIELDS = [
  'name',
  'enabled',
  'show_title',
  'description',
  'clean_url',
  'memberships',
  'meta_title',
  'meta_tags',
  'meta_description',
  'flyout_columns',
] as const;
const EMPTY_VALUES = { name: '', description: '', clean_url: '', meta_title: '', meta_tags: '', meta_description: '' };

function valuesOf(category: CategoryOutput): Values {
  const values = Object.fromEntries(FIELDS.map((field) => [field, category[field] as unknown]));
  return { ...values, memberships: category.memberships.map(({ name }) => name) };
}

function CategoryForm({
  category,
  etag,
  onDone,
  onDeleted,
}: { category: CategoryOutput; etag: string } & Omit<Props, 'id'>) {
  const { id } = category;
  const [isConfirming, setConfirming] = useState(false);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const removal = useRemoval();
  const values = valuesOf(category);
  const saving = useSaveRecord({
    original: { values, etag },
    emptyValues: EMPTY_VALUES,
    async read() {
      const now = await store.get('/categories/{category_id}', { category_id: id });
      return { values: valuesOf(now.data), etag: now.etag! };
    },
    write: (changed, tag) => store.patch('/categories/{category_id}', { category_id: id }, changed, { ifMatch: tag }),
    onDone,
  });

  async function remove(): Promise<void> {
    setConfirming(false);
    const request = () => store.delete('/categories/{category_id}', { category_id: id }, { ifMatch: etag });
    if (!(await removal.remove(category.name, request))) return;
    onDeleted();
    await onDone().catch(() => undefined);
  }

  return (
    <Card variant="outlined" sx={{ overflow: 'visible' }} component="section" aria-label={category.name}>
      <Form
        record={{ id, ...values }}
        onSubmit={saving.submit}
        warnWhenUnsavedChanges
        formRootPathname={`/categories/${id}`}
        noValidate
      >
        <Box sx={{ p: 2 }}>
          <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center' }}>
            <Typography variant="h6" component="h2" sx={{ overflowWrap: 'anywhere' }}>
              {category.path.map(({ name }) => name).join(' › ')}
            </Typography>
            {mayWrite && (
              <Button color="error" onClick={() => setConfirming(true)}>
                {translate('button.delete')}
              </Button>
            )}
          </Stack>
          <PlainTextInput source="name" required />
          <Stack direction="row" spacing={3}>
            <SwitchInput source="enabled" />
            <SwitchInput source="show_title" />
          </Stack>
          <RichTextInput source="description" label={translate('field.description')} />
          <PlainTextInput source="clean_url" help="help.clean_url" />
          <LinkedNamesInput source="memberships" reference="memberships" isMultiple help="help.memberships" />
          <PlainTextInput source="meta_title" help="help.meta" />
          <PlainTextInput source="meta_tags" />
          <PlainTextInput source="meta_description" lines={2} />
          <DecimalInput source="flyout_columns" decimals={0} help="help.flyout_columns" />
        </Box>
        <SaveBar isBusy={saving.isBusy} />
      </Form>
      {isConfirming && (
        <Confirm
          isOpen
          title={`${translate('button.delete')}: ${category.name}`}
          content={translate('categories.deleteHelp')}
          onClose={() => setConfirming(false)}
          onConfirm={() => void remove()}
        />
      )}
      {removal.rejection}
      {saving.dialog}
    </Card>
  );
}
