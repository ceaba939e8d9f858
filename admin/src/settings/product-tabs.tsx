/** Tabs that the shop shows on the page of every product, for example shipping information. */
import EditIcon from '@mui/icons-material/EditOutlined';
import { Box, Button, IconButton, List, ListItem, ListItemText, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { CustomProductTabOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { readAll } from '../api/runtime-requests.ts';
import { DeleteButton } from '../components/delete-button.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { PlainTextInput } from '../forms/inputs.tsx';
import { RecordDialog } from '../forms/record-dialog.tsx';
import { RichTextInput } from '../forms/rich-text-input.tsx';
import type { Version } from '../forms/use-save-record.tsx';
import { useAction } from '../utils/use-action.ts';
import { useMayWrite } from '../utils/use-may.tsx';

const PATH = '/custom_product_tabs';
const ONE = '/custom_product_tabs/{id}';
const EMPTY_VALUES = { name: '', brief_info: '', content: '' };

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
          onClose={() => setEdited(undefined)}
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
    if (id === undefined) return { values: EMPTY_VALUES, etag: '' };
    const { data, etag } = await store.get(ONE, { id });
    const { name, brief_info, content } = data;
    return { values: { name, brief_info, content }, etag: etag! };
  }

  const write = (changed: Values, etag: string): Promise<unknown> =>
    id === undefined
      ? store.post(PATH, { ...EMPTY_VALUES, ...changed })
      : store.patch(ONE, { id }, changed, { ifMatch: etag });

  return (
    <RecordDialog
      title={translate(id === undefined ? 'productTabs.new' : 'productTabs.edit')}
      maxWidth="md"
      queryKey={['product-tab', id]}
      emptyValues={EMPTY_VALUES}
      {...{ read, write, onClose, onDone }}
    >
      <PlainTextInput source="name" required />
      <PlainTextInput source="brief_info" help="help.brief_info" />
      <RichTextInput source="content" label={translate('field.content')} />
    </RecordDialog>
  );
}
