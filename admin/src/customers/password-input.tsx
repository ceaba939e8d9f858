/** A password field that starts empty: the store saves only a hash. */
import { TextField } from '@mui/material';
import { useInput, useTranslate } from 'react-admin';

export function PasswordInput() {
  const { field, fieldState } = useInput({ source: 'password' });
  const translate = useTranslate();
  const error = fieldState.error?.message;
  return (
    <TextField
      {...field}
      value={field.value ?? ''}
      type="password"
      autoComplete="new-password"
      label={translate('field.password')}
      error={error !== undefined}
      helperText={error ?? translate('help.password')}
    />
  );
}
