import {
  Alert,
  Autocomplete,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  TextField,
} from '@mui/material';
import type { CategoryOutput } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { positionAtEnd } from '../utils/positions.ts';

interface Props {
  readonly all: readonly CategoryOutput[];
  readonly parent: number | null;
  onClose(): void;
  onCreated(id: number): Promise<void>;
}

export function NewCategoryDialog({ all, parent, onClose, onCreated }: Props) {
  const [name, setName] = useState('');
  const [parentCategory, setParentCategory] = useState(all.find(({ id }) => id === parent) ?? null);
  const translate = useTranslate();
  const form = useSubmit(['name'], async () => {
    const siblings = all.filter((one) => one.parent === (parentCategory?.id ?? null));
    const { data } = await store.post('/categories', {
      name,
      parent: parentCategory?.id ?? null,
      position: positionAtEnd(siblings),
    });
    await onCreated(data.id);
  });

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-category">
      <form onSubmit={(event) => void form.submit(event)} noValidate>
        <DialogTitle id="new-category">{translate('categories.new')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('field.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            {...form.fieldProps('name')}
            autoFocus
          />
          <Autocomplete
            options={all}
            value={parentCategory}
            getOptionLabel={({ path }) => path.map((one) => one.name).join(' › ')}
            getOptionKey={({ id }) => id}
            onChange={(_event, chosen) => setParentCategory(chosen)}
            renderInput={(input) => (
              <TextField {...input} label={translate('field.parent')} helperText={translate('categories.parentHelp')} />
            )}
          />
          {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={form.isBusy}>
            {translate('categories.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
