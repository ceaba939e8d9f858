/** Asks for the name, the kind and the end of a new key. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, MenuItem, TextField } from '@mui/material';
import type { KeyMade } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSending } from '../parts/use-sending.ts';
import { store } from '../store/client.ts';

export function NewKeyDialog({ onClose, onMade }: { onClose(): void; onMade(key: KeyMade): void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'read-write' | 'read-only'>('read-only');
  const [expires, setExpires] = useState('');
  const translate = useTranslate();
  const sending = useSending(['name', 'expires_at'], async () => {
    const { data } = await store.post('/keys', { name, kind, expires_at: expires === '' ? null : expires });
    onMade(data);
  });

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-key">
      <form onSubmit={(event) => void sending.submit(event)} noValidate>
        <DialogTitle id="new-key">{translate('settings.newKey')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('settings.key.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            {...sending.below('name', translate('settings.keyNameHelp'))}
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
                {translate(`settings.keyKind.${one}`)}
              </MenuItem>
            ))}
          </TextField>
          <TextField
            type="date"
            label={translate('settings.key.expires')}
            value={expires}
            onChange={({ target }) => setExpires(target.value)}
            {...sending.below('expires_at', translate('settings.keyExpiresHelp'))}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          {sending.problem !== undefined && <Alert severity="error">{sending.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={sending.isBusy}>
            {translate('settings.createKey')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
