/** Changes the password of the person who is signed in. */
import { Alert, Box, Button, TextField, Typography } from '@mui/material';
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { Section } from '../components/section.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { useExplained } from './use-explained.ts';

const EMPTY = { current: '', password: '', repeated: '' };

type Field = keyof typeof EMPTY;

export function AccountPassword({ email }: { email: string }) {
  const [values, setValues] = useState(EMPTY);
  const [rejected, setRejected] = useState<Partial<Record<Field, string>>>({});
  const translate = useTranslate();
  const notify = useNotify();
  const explained = useExplained();
  const form = useSubmit(['current', 'password'], async () => {
    const { current, password, repeated } = values;
    setRejected({});
    if (repeated !== password) return setRejected({ repeated: translate('account.notRepeated') });
    try {
      await explained(() => store.put('/users/me/password', { current, password }));
    } catch (error) {
      if (error instanceof StoreProblem) setRejected(messagesOf(error, translate));
      throw error;
    }
    setValues(EMPTY);
    notify('account.passwordChanged', { type: 'success' });
  });
  const input = (field: Field, help?: string) => {
    const { error, helperText } = form.fieldProps(field, help);
    return (
      <TextField
        type="password"
        label={translate(`account.${field}`)}
        value={values[field]}
        onChange={({ target }) => setValues({ ...values, [field]: target.value })}
        error={error || rejected[field] !== undefined}
        helperText={rejected[field] ?? helperText}
        autoComplete={field === 'current' ? 'current-password' : 'new-password'}
      />
    );
  };
  return (
    <Section title="field.password">
      <Typography color="textSecondary">{translate('account.passwordHelp')}</Typography>
      <Box component="form" onSubmit={(event) => void form.submit(event)} noValidate sx={{ maxWidth: 480 }}>
        {/* Password managers save the password under the user name field before it. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        {input('current')}
        {input('password', translate('session.newPasswordHelp'))}
        {input('repeated')}
        {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
        <Button type="submit" variant="contained" loading={form.isBusy} sx={{ mt: 1 }}>
          {translate('account.changePassword')}
        </Button>
      </Box>
    </Section>
  );
}

/** The messages of rules that only passwords have, in the language of the page. */
function messagesOf(
  { violations }: StoreProblem,
  translate: ReturnType<typeof useTranslate>,
): Partial<Record<Field, string>> {
  const wrong = (field: string) => violations.find(({ propertyPath }) => propertyPath === field)?.code;
  return {
    ...(wrong('current') === 'conflict' ? { current: translate('account.wrongPassword') } : {}),
    ...(wrong('password') === 'conflict' ? { password: translate('account.commonPassword') } : {}),
    ...(wrong('password') === 'too_short' ? { password: translate('session.newPasswordHelp') } : {}),
  };
}
