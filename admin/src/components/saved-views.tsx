/** Filters and orders of a list that the user has saved under a name. */
import AddIcon from '@mui/icons-material/BookmarkAddOutlined';
import { Button, Chip, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material';
import { type FormEvent, useState } from 'react';
import { useListContext, useTranslate } from 'react-admin';
import { filterOf } from '../api/data-provider.ts';
import { isSame } from '../api/record-diff.ts';
import { type SavedView, useSavedViews } from './use-saved-views.ts';

/** Chips of the saved views, and a button that saves the current one. */
export function SavedViews({ screen }: { screen: string }) {
  const { views, isLocal, save, remove } = useSavedViews(screen);
  const [isSaving, setSaving] = useState(false);
  const { filterValues, setFilters, sort, setSort } = useListContext();
  const translate = useTranslate();
  const filter = filterOf(filterValues);
  const isActive = (view: SavedView) => isSame(view.filter, filter);
  const canSave = Object.keys(filter).length > 0 && !views.some(isActive);

  function open(view: SavedView): void {
    setFilters({ ...view.filter });
    setSort(view.sort);
  }

  return (
    <>
      {views.map((view) => (
        <Chip
          key={view.name}
          label={view.name}
          color={isActive(view) ? 'primary' : 'default'}
          variant={isActive(view) ? 'filled' : 'outlined'}
          aria-pressed={isActive(view)}
          onClick={() => open(view)}
          onDelete={() => remove(view.name)}
        />
      ))}
      {canSave && (
        <Button size="small" startIcon={<AddIcon />} onClick={() => setSaving(true)}>
          {translate('list.saveView')}
        </Button>
      )}
      {isSaving && (
        <SaveDialog
          isLocal={isLocal}
          onClose={() => setSaving(false)}
          onSave={(name) => {
            save({ name, filter, sort });
            setSaving(false);
          }}
        />
      )}
    </>
  );
}

interface DialogProps {
  readonly isLocal: boolean;
  onSave(name: string): void;
  onClose(): void;
}

function SaveDialog({ isLocal, onSave, onClose }: DialogProps) {
  const [name, setName] = useState('');
  const translate = useTranslate();

  function submit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    if (name.trim() !== '') onSave(name.trim());
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="save-view">
      <form onSubmit={submit}>
        <DialogTitle id="save-view">{translate('list.saveView')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('field.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            helperText={translate(isLocal ? 'list.saveViewHelp' : 'list.saveViewOfUserHelp')}
            autoFocus
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={name.trim() === ''}>
            {translate('button.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
