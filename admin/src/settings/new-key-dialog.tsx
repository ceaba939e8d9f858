import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import {
  Accordion,
  AccordionDetails,
  AccordionSummary,
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  MenuItem,
  TextField,
} from '@mui/material';
import type { KeyMade } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Scope } from '../api/access.ts';
import { store } from '../api/client.ts';
import { TextListInput } from '../forms/text-list-input.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { ScopeInput } from './scope-input.tsx';

const KINDS = ['read-only', 'read-write', 'scoped'] as const;

export function NewKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(key: KeyMade): void }) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<(typeof KINDS)[number]>('read-only');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [networks, setNetworks] = useState<readonly string[]>([]);
  const [expires, setExpires] = useState('');
  const [existing, setExisting] = useState('');
  const translate = useTranslate();
  const form = useSubmit(['name', 'expires_at', 'key', 'scopes', 'networks'], async () => {
    const { data } = await store.post('/keys', {
      ...{ name, kind, expires_at: expires === '' ? null : expires, key: existing === '' ? null : existing },
      networks: [...networks],
      ...(kind === 'scoped' ? { scopes: [...scopes] } : {}),
    });
    onCreated(data);
  });

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-key">
      <form onSubmit={(event) => void form.submit(event)} noValidate>
        <DialogTitle id="new-key">{translate('settings.newKey')}</DialogTitle>
        <DialogContent>
          <TextField
            label={translate('settings.key.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
            {...form.fieldProps('name', translate('settings.keyNameHelp'))}
            autoFocus
          />
          <TextField
            select
            label={translate('settings.key.kind')}
            value={kind}
            onChange={({ target }) => setKind(target.value as typeof kind)}
            helperText={translate('settings.keyKindHelp')}
          >
            {KINDS.map((one) => (
              <MenuItem key={one} value={one}>
                {translate(`settings.keyKind.${one}`)}
              </MenuItem>
            ))}
          </TextField>
          {kind === 'scoped' && (
            <ScopeInput scopes={scopes} onChange={setScopes} isRejected={form.fieldProps('scopes').error} />
          )}
          <TextField
            type="date"
            label={translate('settings.key.expires')}
            value={expires}
            onChange={({ target }) => setExpires(target.value)}
            {...form.fieldProps('expires_at', translate('settings.keyExpiresHelp'))}
            slotProps={{ inputLabel: { shrink: true } }}
          />
          <TextListInput
            label={translate('settings.networks')}
            help={translate('settings.networksHelp')}
            values={networks}
            onChange={setNetworks}
            error={form.fieldProps('networks').helperText}
          />
          <Accordion disableGutters variant="outlined">
            <AccordionSummary expandIcon={<ExpandMoreIcon />}>{translate('settings.existingKey')}</AccordionSummary>
            <AccordionDetails>
              <TextField
                label={translate('settings.key.key')}
                value={existing}
                onChange={({ target }) => setExisting(target.value)}
                {...form.fieldProps('key', translate('settings.existingKeyHelp'))}
                autoComplete="off"
              />
            </AccordionDetails>
          </Accordion>
          {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={form.isBusy}>
            {translate('settings.createKey')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
