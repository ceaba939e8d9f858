/** Asks for the name, the kind and the end of a new key. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material';
import { type KeyMade, StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFieldErrors, useSentence } from '../parts/sentence.ts';
import { store } from '../store/client.ts';

export function NewKeyDialog({ onClose, onMade }: { onClose(): void; onMade(key: KeyMade): void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'read-write' | 'read-only'>('read-only');
  const [expires, setExpires] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const sentence = useSentence();
  const fieldErrors = useFieldErrors();

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setErrors({});
    setProblem(undefined);
    try {
      const { data } = await store.post('/keys', { name, kind, expires_at: expires === '' ? null : expires });
      onMade(data);
    } catch (error) {
      if (error instanceof StoreProblem && error.violations.length > 0) setErrors(fieldErrors(error));
      else setProblem(sentence(error));
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-key">
      <form onSubmit={make} noValidate>
        <DialogTitle id="new-key">{translate('settings.newKey')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('settings.key.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            error={errors.name !== undefined}
            helperText={errors.name ?? translate('settings.keyNameHelp')}
            autoFocus
          />
          <TextField
            select
            label={translate('settings.key.kind')}
            value={kind}
            onChange={({ target }) => setKind(target.value as typeof kind)}
            helperText={translate('settings.keyKindHelp')}
          >
            {(['read-only', 'read-write'] as const).map((one) => (
              <MenuItem key={one} value={one}>
                {translate(`settings.kind.${one}`)}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            type="date"
            label={translate('settings.key.expires')}
            value={expires}
            onChange={({ target }) => setExpires(target.value)}
            error={errors.expires_at !== undefined}
            helperText={errors.expires_at ?? translate('settings.keyExpiresHelp')}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('act.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy}>
            {translate('settings.makeKey')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
