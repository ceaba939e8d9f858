/** Signing in with an API key, or with an e-mail address and a password; choosing a password after an invitation or a reset. */
import { Alert, Box, Button, Card, Link, TextField, Typography } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { Notification, useTranslate } from 'react-admin';
import {
  CodeNeeded,
  isSignInLinkIncomplete,
  passwordLinkToken,
  signInLinkProblem,
  type Ticket,
} from '../api/auth-provider.ts';
import { nameOfStore, offersPasswordReset } from '../api/client.ts';
import { oidcProblem } from '../api/oidc.ts';
import { hasPasskeys } from '../api/passkeys.ts';
import { useErrorMessage, useFieldErrors } from '../utils/error-messages.ts';
import { CodeForm } from './code-form.tsx';
import { ForgotForm } from './forgot-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButton } from './provider-button.tsx';
import { useSignIn } from './use-sign-in.ts';
import { useSignInMethods } from './use-sign-in-methods.ts';

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
  const [ticket, setTicket] = useState<Ticket>();
  const [problem, setProblem] = useState<string>();
  /** The e-mail address of somebody who has forgotten the password. */
  const [forgotten, setForgotten] = useState<string>();
  const translate = useTranslate();

  function restart(reason?: string): void {
    setTicket(undefined);
    setProblem(reason === undefined ? undefined : translate(reason));
  }

  return (
    <Box
      component="main"
      sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', bgcolor: 'background.default', p: 2 }}
    >
      <Card variant="outlined" sx={{ p: 4, width: '100%', maxWidth: 420 }}>
        {ticket ? (
          <CodeForm ticket={ticket} onRestart={restart} />
        ) : forgotten === undefined ? (
          <SignInForm earlierProblem={problem} onTicket={setTicket} onForgotten={setForgotten} />
        ) : (
          <ForgotForm email={forgotten} onBack={() => setForgotten(undefined)} />
        )}
      </Card>
      <Notification />
    </Box>
  );
}

interface FormProps {
  /** Why the second step has ended. */
  readonly earlierProblem: string | undefined;
  onTicket(ticket: Ticket): void;
  onForgotten(email: string): void;
}

function SignInForm({ earlierProblem, onTicket, onForgotten }: FormProps) {
  const translate = useTranslate();
  const begin = useSignIn();
  const messageOf = useSignInMessage();
  const methods = useSignInMethods();
  const hasPasswords = !methods || methods.includes('password');
  const token = hasPasswords ? passwordLinkToken() : undefined;
  const [email, setEmail] = useState('');
  const [secret, setSecret] = useState('');
  const [problem, setProblem] = useState<string | undefined>(() => {
    const error = signInLinkProblem();
    if (error !== undefined) return messageOf(error, 'link');
    if (isSignInLinkIncomplete()) return translate('session.linkIncomplete');
    const atProvider = oidcProblem();
    return atProvider === undefined ? earlierProblem : translate(atProvider);
  });
  const [isBusy, setBusy] = useState(false);
  const isPassword = token !== undefined || (hasPasswords && email.trim() !== '');

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const by = token === undefined ? { ...(isPassword ? { email: email.trim() } : {}) } : { token };
    try {
      await begin({ secret, ...by });
    } catch (error) {
      if (error instanceof CodeNeeded) return onTicket(error.ticket);
      setProblem(messageOf(error, token !== undefined ? 'passwordLink' : isPassword ? 'password' : 'key'));
      setBusy(false);
    }
  }

  return (
    <form onSubmit={signIn}>
      <Typography variant="h5" component="h1" gutterBottom>
        {nameOfStore()}
      </Typography>
      {methods?.includes('oidc') && <ProviderButton />}
      {token === undefined && hasPasswords && (
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
        label={translate(secretLabel(token, hasPasswords))}
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
      {token === undefined && methods !== undefined && offersPasswordReset() && (
        <Box sx={{ mb: 2 }}>
          <Link component="button" type="button" variant="body2" onClick={() => onForgotten(email.trim())}>
            {translate('session.forgot')}
          </Link>
        </Box>
      )}
      {token === undefined && hasPasskeys() && (
        <Box sx={{ mb: 2 }}>
          <PasskeyButton
            label="passkey.signIn"
            use="/admin/session"
            send={(passkey) => begin({ passkey })}
            onProblem={setProblem}
          />
        </Box>
      )}
      <Typography variant="body2" color="textSecondary">
        {translate(token === undefined ? 'session.lost' : 'session.newPasswordReload')}
      </Typography>
      <Link href="/api" variant="body2">
        {translate('menu.reference')}
      </Link>
    </form>
  );
}

function secretLabel(token: string | undefined, hasPasswords: boolean): string {
  if (token !== undefined) return 'session.newPassword';
  return hasPasswords ? 'session.secret' : 'session.key';
}
