/** A new password for a customer. The store keeps only a hash, so that none is ever shown. */
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
