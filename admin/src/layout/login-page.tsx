/** Signing in with an API key, or with an e-mail address and a password; choosing a password after an invitation or a reset. */
import { Alert, Box, Button, Card, Link, TextField, Typography } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { Notification, useLogin, useTranslate } from 'react-admin';
import { type Credentials, passwordLinkToken, signInLinkProblem } from '../api/auth-provider.ts';
import { useErrorMessage, useFieldErrors } from '../utils/error-messages.ts';

/** Messages of a 401, by what was sent. */
const REJECTED = {
  key: 'session.wrongKey',
  password: 'session.wrongPassword',
  link: 'session.linkRejected',
  passwordLink: 'session.passwordLinkRejected',
} as const;

/** Returns a function that says why a sign-in was rejected, and what to do. */
function useSignInMessage(): (error: unknown, by: keyof typeof REJECTED) => string {
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  const fieldErrors = useFieldErrors();
  return (error, by) => {
    if (!(error instanceof StoreProblem)) return errorMessage(error);
    if (error.status === 401) return translate(REJECTED[by]);
    if (error.status === 429) return translate('session.tooMany');
    if (error.type === 'insecure-connection') return translate('session.needsHttps');
    return fieldErrors(error).password ?? errorMessage(error);
  };
}

export function LoginPage() {
  const translate = useTranslate();
  const login = useLogin();
  const messageOf = useSignInMessage();
  const token = passwordLinkToken();
  const [email, setEmail] = useState('');
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState<string | undefined>(() => {
    const error = signInLinkProblem();
    return error === undefined ? undefined : messageOf(error, 'link');
  });
  const [isBusy, setBusy] = useState(false);
  const isPassword = token !== undefined || email.trim() !== '';

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const by = token === undefined ? { ...(isPassword ? { email: email.trim() } : {}) } : { token };
    try {
      await login({ secret, ...by } satisfies Credentials);
    } catch (error) {
      setProblem(messageOf(error, token !== undefined ? 'passwordLink' : isPassword ? 'password' : 'key'));
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
          {token === undefined && (
            <TextField
              label={translate('session.email')}
              name="email"
              type="email"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
              helperText={translate('session.emailHelp')}
              autoComplete="username"
            />
          )}
          <TextField
            label={translate(token === undefined ? 'session.secret' : 'session.newPassword')}
            name="secret"
            type="password"
            value={secret}
            onChange={({ target }) => setSecret(target.value)}
            helperText={translate(token === undefined ? 'session.help' : 'session.newPasswordHelp')}
            autoComplete={token === undefined ? 'current-password' : 'new-password'}
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
            {translate(token === undefined ? 'session.lost' : 'session.newPasswordReload')}
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
