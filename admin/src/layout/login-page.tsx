import { Alert, Box, Button, Card, Link, TextField, Typography } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { Notification, useLogin, useTranslate } from 'react-admin';
import { signInLinkProblem } from '../api/auth-provider.ts';
import { useErrorMessage } from '../utils/error-messages.ts';

/** Returns a function that says why a sign-in was rejected, and what to do. */
function useSignInMessage(): (error: unknown, withLink: boolean) => string {
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  return (error, withLink) => {
    if (!(error instanceof StoreProblem)) return errorMessage(error);
    if (error.status === 401) return translate(withLink ? 'session.linkRejected' : 'session.wrongKey');
    if (error.status === 429) return translate('session.tooMany');
    return error.type === 'insecure-connection' ? translate('session.needsHttps') : errorMessage(error);
  };
}

export function LoginPage() {
  const translate = useTranslate();
  const login = useLogin();
  const messageOf = useSignInMessage();
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<string | undefined>(() => {
    const error = signInLinkProblem();
    return error === undefined ? undefined : messageOf(error, true);
  });
  const [isBusy, setBusy] = useState(false);

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await login({ key });
    } catch (error) {
      setProblem(messageOf(error, false));
      setBusy(false);
    }
  }

  return (
    <Box
      component="main"
      sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', bgcolor: 'background.default', p: 2 }}
    >
      <Card variant="outlined" sx={{ p: 4, width: '100%', maxWidth: 420 }}>
        <form onSubmit={signIn}>
          <Typography variant="h5" component="h1" gutterBottom>
            Purveyor
          </Typography>
          <TextField
            label={translate('session.key')}
            name="key"
            type="password"
            value={key}
            onChange={({ target }) => setKey(target.value)}
            helperText={translate('session.help')}
            autoComplete="current-password"
            autoFocus
            required
          />
          {problem !== undefined && (
            <Alert severity="error" sx={{ mt: 1 }}>
              {problem}
            </Alert>
          )}
          <Button type="submit" variant="contained" fullWidth loading={isBusy} sx={{ my: 2 }}>
            {translate('session.signIn')}
          </Button>
          <Typography variant="body2" color="textSecondary">
            {translate('session.lost')}
          </Typography>
          <Link href="/api" variant="body2">
            {translate('menu.reference')}
          </Link>
        </form>
      </Card>
      <Notification />
    </Box>
  );
}
