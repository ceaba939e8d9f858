/** Sets a customer's password anew. The store keeps only a hash, so that none is ever shown. */
import {
  Alert,
  Button,
  Checkbox,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControlLabel,
  TextField,
} from '@mui/material';
import type { ProfileOutput } from 'purveyor/client';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { Section } from '../parts/section.tsx';
import { useSending } from '../parts/use-sending.ts';
import { store } from '../store/client.ts';
import { PATH } from './customer-form.ts';

interface Props {
  readonly profile: ProfileOutput;
  onDone(): Promise<void>;
}

export function Password({ profile, onDone }: Props) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  if (!useMayWrite()) return null;
  return (
    <Section title="field.password">
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {translate('customers.newPassword')}
      </Button>
      {isOpen && <PasswordDialog profile={profile} onDone={onDone} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function PasswordDialog({ profile, onDone, onClose }: Props & { onClose(): void }) {
  const [password, setPassword] = useState('');
  const [doesForce, setForce] = useState(true);
  const translate = useTranslate();
  const notify = useNotify();
  const sending = useSending(['password'], async () => {
    await store.patch(PATH, { profile_id: profile.id }, { password, force_change_password: doesForce });
    notify('state.saved', { type: 'success' });
    onClose();
    await onDone();
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-password">
      <form onSubmit={(event) => void sending.submit(event)} noValidate>
        <DialogTitle id="new-password">{translate('customers.newPassword')}</DialogTitle>
        <DialogContent>
          {/* Browsers keep the password under the name that stands before it. */}
          <input type="text" autoComplete="username" value={profile.login} readOnly hidden />
          <TextField
            type="password"
            autoComplete="new-password"
            label={translate('field.password')}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            {...sending.below('password', translate('help.password'))}
            autoFocus
          />
          <FormControlLabel
            control={<Checkbox checked={doesForce} onChange={(_event, isSet) => setForce(isSet)} />}
            label={translate('help.force_change_password')}
          />
          {sending.problem !== undefined && <Alert severity="error">{sending.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={sending.isBusy}>
            {translate('customers.setPassword')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
