/** Tabs that the shop shows on the page of every product, for example shipping information. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Box, Button, IconButton, List, ListItem, ListItemText, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CustomProductTabOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { readAll } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { PlainTextInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import { RichTextInput } from '../forms/rich-text-input.tsx';
import type { TextField } from '../forms/translated-text.tsx';
import { type Texts, textIn, textValues } from '../forms/translated-texts.ts';
import { Translations } from '../forms/translations.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { useTranslatedRecord } from '../forms/use-translated-record.ts';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';

const PATH = '/custom_product_tabs';
const ONE = '/custom_product_tabs/{id}';
const EMPTY_VALUES = { name: '', brief_info: '', content: '' };
const TEXTS: readonly TextField[] = [
  { name: 'name', required: true },
  { name: 'brief_info' },
  { name: 'content', isRich: true, required: true },
];
const NAMES = TEXTS.map(({ name }) => name);

export default function ProductTabs() {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const action = useAction();
  /** The tab whose dialog is open. */
  const [edited, setEdited] = useState<CustomProductTabOutput | 'new'>();
  const { data, error, isPending, refetch } = useQuery({ queryKey: ['product-tabs'], queryFn: () => readAll(PATH) });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;

  async function remove(id: number): Promise<void> {
    await action.run(() => store.delete(ONE, { id }));
    await refetch();
  }

  return (
    <Stack spacing={2} sx={{ maxWidth: 720 }}>
      <Typography color="textSecondary">{translate('productTabs.help')}</Typography>
      {mayWrite && (
        <Box>
          <Button variant="contained" onClick={() => setEdited('new')}>
            {translate('productTabs.new')}
          </Button>
        </Box>
      )}
      {data.length === 0 && <Typography color="textSecondary">{translate('productTabs.none')}</Typography>}
      <List>
        {data.map((tab) => (
          <ListItem key={tab.id} divider disableGutters>
            <ListItemText primary={tab.name} secondary={tab.brief_info} sx={{ overflowWrap: 'anywhere' }} />
            {mayWrite && (
              <IconButton
                size="small"
                onClick={() => setEdited(tab)}
                aria-label={`${translate('button.edit')}: ${tab.name}`}
              >
                <EditIcon fontSize="small" />
              </IconButton>
            )}
            <DeleteButton name={tab.name} confirmation="productTabs.delete" onConfirmed={() => remove(tab.id)} />
          </ListItem>
        ))}
      </List>
      {edited !== undefined && (
        <TabDialog
          {...(edited === 'new' ? {} : { id: edited.id })}
          onClose={() => {
            setEdited(undefined);
            void refetch();
          }}
          onDone={refetch}
        />
      )}
    </Stack>
  );
}

interface DialogProps {
  /** Undefined for a new tab. */
  readonly id?: number;
  onClose(): void;
  onDone(): Promise<unknown>;
}

function TabDialog({ id, onClose, onDone }: DialogProps) {
  const translate = useTranslate();

  async function read(): Promise<Version> {
    if (id === undefined) return { values: { ...EMPTY_VALUES, ...textValues({}, NAMES) }, etag: '' };
    const [{ data, etag }, texts] = await Promise.all([
      store.get(ONE, { id }),
      store.get(`${ONE}/translations`, { id }),
    ]);
    const { name, brief_info, content } = data;
    const values = { name, brief_info, content, ...textValues(texts.data as unknown as Texts, NAMES) };
    return { values, etag: etag! };
  }

  const write = useTranslatedRecord(id, NAMES, {
    create: async (own) => (await store.post(PATH, { ...EMPTY_VALUES, ...own })).data.id,
    patch: (tab, own, ifMatch) => store.patch(ONE, { id: tab }, own, { ifMatch }),
    patchTexts: (tab, texts, language) => store.patch(ONE, { id: tab }, texts, { language }),
    removeTexts: (tab, code) => store.delete(`${ONE}/translations/{code}`, { id: tab, code }),
    readEtag: async (tab) => (await store.get(ONE, { id: tab })).etag!,
  });

  return (
    <RecordDialog
      title={translate(id === undefined ? 'productTabs.new' : 'productTabs.edit')}
      maxWidth="md"
      queryKey={['product-tab', id]}
      emptyValues={EMPTY_VALUES}
      labelOf={(field) => {
        const text = textIn(field);
        return text && `${translate(`field.${text.field}`)} (${text.code})`;
      }}
      {...{ read, write, onClose, onDone }}
    >
      <PlainTextInput source="name" required />
      <PlainTextInput source="brief_info" help="help.brief_info" />
      <RichTextInput source="content" label={translate('field.content')} />
      <Translations fields={TEXTS} />
    </RecordDialog>
  );
}
