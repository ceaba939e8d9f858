/** Asks for the name and the place of a new category. */
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
import { positionAtEnd } from '../parts/positions.ts';
import { useSending } from '../parts/use-sending.ts';
import { store } from '../store/client.ts';

interface Props {
  readonly all: readonly CategoryOutput[];
  readonly parent: number | null;
  onClose(): void;
  onMade(id: number): Promise<void>;
}

export function NewCategoryDialog({ all, parent, onClose, onMade }: Props) {
  const [name, setName] = useState('');
  const [above, setAbove] = useState(all.find(({ id }) => id === parent) ?? null);
  const translate = useTranslate();
  const sending = useSending(['name'], async () => {
    const siblings = all.filter((one) => one.parent === (above?.id ?? null));
    const { data } = await store.post('/categories', {
      name,
      parent: above?.id ?? null,
      position: positionAtEnd(siblings),
    });
    await onMade(data.id);
  });

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-category">
      <form onSubmit={(event) => void sending.submit(event)} noValidate>
        <DialogTitle id="new-category">{translate('categories.new')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('field.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            {...sending.below('name')}
            autoFocus
          />
          <Autocomplete
            options={all}
            value={above}
            getOptionLabel={({ path }) => path.map((one) => one.name).join(' › ')}
            getOptionKey={({ id }) => id}
            onChange={(_event, chosen) => setAbove(chosen)}
            renderInput={(input) => (
              <TextField {...input} label={translate('field.parent')} helperText={translate('categories.parentHelp')} />
            )}
          />
          {sending.problem !== undefined && <Alert severity="error">{sending.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={sending.isBusy}>
            {translate('categories.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
