/** Adds the selected products to a category, or removes them from it. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material';
import type { CategoryOutput } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useListContext, useNotify, useRefresh, useTranslate } from 'react-admin';
import { CategoryInput } from '../../categories/category-input.tsx';
import { setCategory } from '../../categories/category-links.ts';
import { useErrorMessage } from '../../utils/error-messages.ts';
import { offerUndo } from '../../utils/undo.ts';

export function CategoryDialog({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const [isAdding, setAdding] = useState(true);
  const [category, setCategoryChoice] = useState<CategoryOutput | null>(null);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { onUnselectItems } = useListContext();
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const errorMessage = useErrorMessage();

  async function apply(event: FormEvent): Promise<void> {
    event.preventDefault();
    event.stopPropagation();
    if (!category) return;
    setBusy(true);
    try {
      const changed = await setCategory(category.id, ids, isAdding);
      if (changed.length === 0) notify('bulk.nothingChanged', { type: 'info' });
      offerUndo({
        message: isAdding ? 'bulk.categoryAdded' : 'bulk.categoryRemoved',
        args: { smart_count: changed.length, name: category.name },
        batches: [],
        links: { category_id: category.id, product_ids: changed, isAdded: isAdding },
      });
      refresh();
      onUnselectItems();
      onClose();
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-category">
      <form onSubmit={(event) => void apply(event)} noValidate style={{ display: 'contents' }}>
        <DialogTitle id="bulk-category">{translate('bulk.category')}</DialogTitle>
        <DialogContent>
          <TextField
            select
            label={translate('bulk.what')}
            value={isAdding ? 'add' : 'remove'}
            onChange={({ target }) => setAdding(target.value === 'add')}
          >
            <MenuItem value="add">{translate('bulk.addToCategory')}</MenuItem>
            <MenuItem value="remove">{translate('bulk.removeFromCategory')}</MenuItem>
          </TextField>
          <CategoryInput label="field.category" value={category} onChange={setCategoryChoice} />
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy} disabled={!category}>
            {translate('bulk.applyTo', { smart_count: ids.length })}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
