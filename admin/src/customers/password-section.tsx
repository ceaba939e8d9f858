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
import { store } from '../api/client.ts';
import { Section } from '../components/section.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { PATH } from './customer-form.ts';

interface Props {
  readonly profile: ProfileOutput;
  onDone(): Promise<void>;
}

export function PasswordSection({ profile, onDone }: Props) {
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
  const [mustChange, setMustChange] = useState(true);
  const translate = useTranslate();
  const notify = useNotify();
  const form = useSubmit(['password'], async () => {
    await store.patch(PATH, { profile_id: profile.id }, { password, force_change_password: mustChange });
    notify('state.saved', { type: 'success' });
    onClose();
    await onDone();
  });
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-password">
      <form onSubmit={(event) => void form.submit(event)} noValidate>
        <DialogTitle id="new-password">{translate('customers.newPassword')}</DialogTitle>
        <DialogContent>
          {/* Password managers save the password under the user name field before it. */}
          <input type="text" autoComplete="username" value={profile.login} readOnly hidden />
          <TextField
            type="password"
            autoComplete="new-password"
            label={translate('field.password')}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            {...form.fieldProps('password', translate('help.password'))}
            autoFocus
          />
          <FormControlLabel
            control={<Checkbox checked={mustChange} onChange={(_event, isSet) => setMustChange(isSet)} />}
            label={translate('help.force_change_password')}
          />
          {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={form.isBusy}>
            {translate('customers.setPassword')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
