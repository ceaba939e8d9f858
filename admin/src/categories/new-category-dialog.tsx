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
import { type CategoryOutput, StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFieldErrors, useSentence } from '../parts/sentence.ts';
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
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const translate = useTranslate();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    setErrors({});
    setProblem(undefined);
    try {
      const position = Math.max(
        0,
        ...all.filter((one) => one.parent === (above?.id ?? null)).map((one) => one.position + 10),
      );
      const { data } = await store.post('/categories', { name, parent: above?.id ?? null, position });
      await onMade(data.id);
    } catch (error) {
      if (error instanceof StoreProblem && error.violations.length > 0) setErrors(fieldErrors(error));
      else setProblem(sentence(error));
    }
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-category">
      <form onSubmit={make} noValidate>
        <DialogTitle id="new-category">{translate('categories.new')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('field.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            error={errors.name !== undefined}
            helperText={errors.name}
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
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('act.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('categories.make')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
