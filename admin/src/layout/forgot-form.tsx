/** Asks the store to mail a link for a new password. The response is the same whether the account exists or not. */
import { Alert, Button, Link, TextField, Typography } from '@mui/material';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { requestSession } from '../api/client.ts';
import { useErrorMessage } from '../utils/error-messages.ts';

interface Props {
  /** What the sign-in form has. */
  readonly email: string;
  onBack(): void;
}

export function ForgotForm({ email: first, onBack }: Props) {
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const [email, setEmail] = useState(first);
  const [state, setState] = useState<'open' | 'busy' | 'sent'>('open');
  const [problem, setProblem] = useState<string>();

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState('busy');
    setProblem(undefined);
    try {
      await requestSession('POST', { email: email.trim() }, '/admin/forgot');
      setState('sent');
    } catch (error) {
      setProblem(errorMessage(error));
      setState('open');
    }
  }

  return (
    <form onSubmit={send}>
      <Typography variant="h5" component="h1" gutterBottom>
        {translate('session.forgot')}
      </Typography>
      {state === 'sent' ? (
        <Alert severity="success" sx={{ mb: 2 }}>
          {translate('session.forgotSent')}
        </Alert>
      ) : (
        <>
          <TextField
            label={translate('session.email')}
            name="email"
            type="email"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
            helperText={translate('session.forgotHelp')}
            autoComplete="username"
            autoFocus
            required
          />
          {problem !== undefined && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {problem}
            </Alert>
          )}
          <Button type="submit" variant="contained" fullWidth loading={state === 'busy'} sx={{ my: 2 }}>
            {translate('session.forgotSend')}
          </Button>
        </>
      )}
      <Link component="button" type="button" variant="body2" onClick={onBack}>
        {translate('session.forgotBack')}
      </Link>
    </form>
  );
}
