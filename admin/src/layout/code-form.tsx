/** The second step of a sign-in: a code of the authenticator app, a recovery code, or a passkey. */
import { Alert, Box, Button, TextField, Typography } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import type { Ticket } from '../api/auth-provider.ts';
import { hasPasskeys } from '../api/passkeys.ts';
import { useErrorMessage } from '../utils/error-messages.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { useSignIn } from './use-sign-in.ts';

/** Wrong codes and passkeys after which the password is needed again. */
const ATTEMPTS = 5;

interface Props {
  readonly ticket: Ticket;
  /** Returns to the password. @param problem why, as the key of a message; undefined if the user wants to */
  onRestart(problem?: string): void;
}

export function CodeForm({ ticket: { ticket, factors, expires_at }, onRestart }: Props) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [attempts, setAttempts] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const begin = useSignIn();
  const hasApp = factors.includes('totp');

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await begin({ ticket, code });
    } catch (error) {
      setBusy(false);
      if (!(error instanceof StoreProblem) || error.status !== 401) return setProblem(errorMessage(error));
      reject(translate('session.wrongCode'));
    }
  }

  function reject(message: string): void {
    const isOver = attempts + 1 >= ATTEMPTS || Date.parse(expires_at) <= Date.now();
    if (isOver) onRestart('session.codeExpired');
    else {
      setAttempts(attempts + 1);
      setProblem(message);
    }
  }

  return (
    <form onSubmit={(event) => void signIn(event)}>
      <Typography variant="h5" component="h1" gutterBottom>
        {translate('session.twoStep')}
      </Typography>
      <TextField
        label={translate(hasApp ? 'session.code' : 'session.recoveryCode')}
        name="code"
        value={code}
        onChange={({ target }) => setCode(target.value)}
        helperText={translate(hasApp ? 'session.codeHelp' : 'session.recoveryCodeHelp')}
        autoComplete="one-time-code"
        autoFocus={hasApp}
        required
      />
      {!hasApp && !hasPasskeys() && <Typography>{translate('passkey.unsupported')}</Typography>}
      {problem !== undefined && (
        <Alert severity="error" sx={{ mt: 1 }}>
          {problem}
        </Alert>
      )}
      <Button type="submit" variant={hasApp ? 'contained' : 'outlined'} fullWidth loading={isBusy} sx={{ my: 2 }}>
        {translate('session.signIn')}
      </Button>
      {factors.includes('passkey') && hasPasskeys() && (
        <Box sx={{ my: 1 }}>
          <PasskeyButton
            label="passkey.use"
            use="/admin/session"
            ticket={ticket}
            send={(passkey) => begin({ passkey, ticket })}
            onProblem={(message, isRejected) => (isRejected ? reject(message!) : setProblem(message))}
          />
        </Box>
      )}
      <Button fullWidth onClick={() => onRestart()}>
        {translate('button.back')}
      </Button>
    </form>
  );
}
