/** The fields of an account, in the forms that create and change it. */
import { MenuItem, TextField } from '@mui/material';
import { useInput, useTranslate } from 'react-admin';
import { PlainTextInput } from '../forms/inputs.tsx';
import { LOCALES } from '../i18n/messages.ts';
import { RoleInput } from './role-input.tsx';

export function UserInputs() {
  const translate = useTranslate();
  return (
    <>
      <PlainTextInput source="name" help="staff.nameHelp" required />
      <PlainTextInput source="email" label={translate('session.email')} help="staff.emailHelp" required />
      <RoleInput source="role_ids" />
      <LanguageInput />
    </>
  );
}

/** The language of the page for a person. Empty: that of the browser. */
export function LanguageInput() {
  const { field } = useInput({ source: 'language' });
  const translate = useTranslate();
  return (
    <TextField
      {...field}
      select
      value={field.value ?? ''}
      label={translate('staff.language')}
      helperText={translate('staff.languageHelp')}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
    >
      <MenuItem value="">{translate('staff.browserLanguage')}</MenuItem>
      {LOCALES.map(({ locale, name }) => (
        <MenuItem key={locale} value={locale}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
