/** One category: its fields saved together; its pictures and the order of its products done at once. */
import { Box, Button, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CategoryOutput } from 'purveyor/client';
import { useState } from 'react';
import { Confirm, Form, useTranslate } from 'react-admin';
import { FlagInput, WordsInput } from '../parts/inputs.tsx';
import { useMayWrite } from '../parts/layout.tsx';
import { NamesInput } from '../parts/names-input.tsx';
import { SaveBar } from '../parts/save-bar.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { useAct } from '../parts/use-act.ts';
import { useSaving } from '../parts/use-saving.tsx';
import type { Values } from '../store/changes.ts';
import { store } from '../store/client.ts';
import { CategoryPicture } from './picture.tsx';
import { CategoryProducts } from './products.tsx';

interface Props {
  readonly id: number;
  /** Called after what the tree shows has changed. */
  onDone(): Promise<void>;
  onGone(): void;
}

export function CategoryPanel({ id, onDone, onGone }: Props) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['category', id],
    queryFn: () => store.get('/categories/{category_id}', { category_id: id }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const renew = async (): Promise<void> => {
    await refetch();
    await onDone();
  };
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading />;
  return (
    <Stack spacing={2}>
      <CategoryForm key={data.etag} category={data.data} etag={data.etag!} onDone={renew} onGone={onGone} />
      <Card variant="outlined" sx={{ p: 2 }}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))' }}>
          <CategoryPicture id={id} kind="icon" picture={data.data.icon} onDone={renew} />
          <CategoryPicture id={id} kind="banner" picture={data.data.banner} onDone={renew} />
        </Box>
      </Card>
      <CategoryProducts id={id} onDone={async () => void (await refetch())} />
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
] as const;
const EMPTIED = { name: '', description: '', clean_url: '', meta_title: '', meta_tags: '', meta_description: '' };

function valuesOf(category: CategoryOutput): Values {
  const values = Object.fromEntries(FIELDS.map((field) => [field, category[field] as unknown]));
  return { ...values, memberships: category.memberships.map(({ name }) => name) };
}

function CategoryForm({
  category,
  etag,
  onDone,
  onGone,
}: { category: CategoryOutput; etag: string } & Omit<Props, 'id'>) {
  const { id } = category;
  const [isAsked, setAsked] = useState(false);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const values = valuesOf(category);
  const saving = useSaving({
    seen: { values, etag },
    emptied: EMPTIED,
    async read() {
      const now = await store.get('/categories/{category_id}', { category_id: id });
      return { values: valuesOf(now.data), etag: now.etag! };
    },
    write: (changed, tag) => store.patch('/categories/{category_id}', { category_id: id }, changed, { ifMatch: tag }),
    onDone,
  });

  async function remove(): Promise<void> {
    setAsked(false);
    if (!(await act.run(() => store.delete('/categories/{category_id}', { category_id: id }, { ifMatch: etag }))))
      return;
    onGone();
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
              <Button color="error" onClick={() => setAsked(true)}>
                {translate('button.delete')}
              </Button>
            )}
          </Stack>
          <WordsInput source="name" required />
          <Stack direction="row" spacing={3}>
            <FlagInput source="enabled" />
            <FlagInput source="show_title" />
          </Stack>
          <WordsInput source="description" lines={3} help="help.html" />
          <WordsInput source="clean_url" help="help.clean_url" />
          <NamesInput source="memberships" reference="memberships" isSeveral help="help.memberships" />
          <WordsInput source="meta_title" help="help.meta" />
          <WordsInput source="meta_tags" />
          <WordsInput source="meta_description" lines={2} />
        </Box>
        <SaveBar isBusy={saving.isBusy} />
      </Form>
      {isAsked && (
        <Confirm
          isOpen
          title={`${translate('button.delete')}: ${category.name}`}
          content={translate('categories.deleteHelp')}
          onClose={() => setAsked(false)}
          onConfirm={() => void remove()}
        />
      )}
      {saving.dialog}
    </Card>
  );
}
