/** Adds tags to the selected products without removing the tags they have. */
import TagIcon from '@mui/icons-material/LocalOfferOutlined';
import {
  Autocomplete,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Button as MuiButton,
  TextField,
} from '@mui/material';
import type { ProductOutput } from 'purveyor/client';
import { useState } from 'react';
import { Button, useGetList, useListContext, useNotify, useRefresh, useTranslate, useUnselectAll } from 'react-admin';
import { store } from '../api/client.ts';
import { useErrorMessage } from '../utils/error-messages.ts';

export function AddTagsButton() {
  const { selectedIds } = useListContext<ProductOutput>();
  const unselect = useUnselectAll('products');
  const [isOpen, setOpen] = useState(false);
  const [names, setNames] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const errorMessage = useErrorMessage();
  const { data: known } = useGetList(
    'tags',
    { pagination: { page: 1, perPage: 100 }, sort: { field: 'name', order: 'ASC' } },
    { enabled: isOpen },
  );

  async function add(): Promise<void> {
    setBusy(true);
    try {
      for (const id of selectedIds as number[]) await addTags(id, names);
      notify('products.tagsAdded', { type: 'success', messageArgs: { smart_count: selectedIds.length } });
      unselect();
      setOpen(false);
    } catch (error) {
      notify(errorMessage(error), { type: 'error' });
    } finally {
      setBusy(false);
      refresh();
    }
  }

  return (
    <>
      <Button label="products.addTags" onClick={() => setOpen(true)}>
        <TagIcon />
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} fullWidth maxWidth="sm" aria-labelledby="add-tags">
        <DialogTitle id="add-tags">{translate('products.addTags')}</DialogTitle>
        <DialogContent>
          <Autocomplete
            multiple
            freeSolo
            autoSelect
            options={(known ?? []).map(({ name }) => name as string)}
            value={names}
            onChange={(_event, value) => setNames(value)}
            renderInput={(input) => (
              <TextField
                {...input}
                label={translate('field.tags')}
                helperText={translate('products.addTagsHelp')}
                autoFocus
              />
            )}
          />
        </DialogContent>
        <DialogActions>
          <MuiButton onClick={() => setOpen(false)}>{translate('button.cancel')}</MuiButton>
          <MuiButton variant="contained" loading={isBusy} disabled={names.length === 0} onClick={() => void add()}>
            {translate('products.addTags')}
          </MuiButton>
        </DialogActions>
      </Dialog>
    </>
  );
}

const ATTEMPTS_MAX = 3;

/** Retries if someone else changed the product between reading and writing it. */
async function addTags(id: number, names: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const read = await store.get('/products/{id}', { id });
    const tags = [...new Set([...read.data.tags.map(({ name }) => name), ...names])];
    try {
      await store.patch('/products/{id}', { id }, { tags }, { ifMatch: read });
      return;
    } catch (error) {
      if ((error as { status?: number }).status !== 412 || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}
