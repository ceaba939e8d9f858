/** Asks again for the password, a code, a passkey or the key, before a request that needs a recent sign-in. */
import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  TextField,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { isProviderSession, isUserSession } from '../api/auth-provider.ts';
import { requestSession, store } from '../api/client.ts';
import { setConfirmationDialog } from '../api/confirmation.ts';
import { hasPasskeys } from '../api/passkeys.ts';
import { useErrorMessage } from '../utils/error-messages.ts';
import { ConfirmAtProvider } from './confirm-at-provider.tsx';
import { PasskeyButton } from './passkey-button.tsx';

/** Passwords are longer. */
const CODE = /^\d{3} ?\d{3}$/;

/** Renders nothing until a request needs a confirmation. */
export function ConfirmSessionDialog() {
  const [end, setEnd] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => {
    const ask = () =>
      new Promise<boolean>((resolve) =>
        setEnd(() => (isConfirmed: boolean) => {
          setEnd(undefined);
          resolve(isConfirmed);
        }),
      );
    return setConfirmationDialog(ask);
  }, []);
  if (!end) return null;
  return isProviderSession() ? <ConfirmAtProvider onEnd={end} /> : <ConfirmForm onEnd={end} />;
}

function ConfirmForm({ onEnd }: { onEnd(isConfirmed: boolean): void }) {
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const isUser = isUserSession();
  const { data: factors = [] } = useQuery({
    queryKey: ['own-factors'],
    queryFn: async () => (await store.get('/users/me')).data.factors,
    enabled: isUser && hasPasskeys(),
    gcTime: 0,
  });

  async function send(body: object): Promise<void> {
    await requestSession('POST', body, '/admin/session/confirm');
    onEnd(true);
  }

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    // The event would reach the form from which the request was sent.
    event.stopPropagation();
    setBusy(true);
    const body = !isUser ? { key: secret.trim() } : CODE.test(secret) ? { code: secret } : { password: secret };
    try {
      await send(body);
    } catch (error) {
      const isWrong = error instanceof StoreProblem && error.status === 401;
      setProblem(isWrong ? translate('session.wrongConfirmation') : errorMessage(error));
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={() => onEnd(false)} fullWidth maxWidth="xs" aria-labelledby="confirm-session">
      <form onSubmit={(event) => void confirm(event)}>
        <DialogTitle id="confirm-session">{translate('session.confirm')}</DialogTitle>
        <DialogContent>
          <DialogContentText sx={{ mb: 2 }}>{translate('session.confirmHelp')}</DialogContentText>
          <TextField
            label={translate(isUser ? 'session.passwordOrCode' : 'session.key')}
            type="password"
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
            autoComplete="current-password"
            autoFocus
            required
          />
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
          {factors.includes('passkey') && (
            <PasskeyButton
              label="passkey.use"
              use="/admin/session/confirm"
              send={(passkey) => send({ passkey })}
              onProblem={setProblem}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => onEnd(false)}>{translate('button.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy}>
            {translate('session.confirmButton')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
