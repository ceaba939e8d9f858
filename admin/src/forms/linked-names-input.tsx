/** Selects linked records by name: one or several, existing or (with `mayCreate`) new. */
import { Autocomplete, TextField } from '@mui/material';
import { useState } from 'react';
import { useGetList, useInput, useTranslate } from 'react-admin';

interface LinkedNamesInputProps {
  readonly source: string;
  /** The resource of the linked records. */
  readonly reference: string;
  readonly isMultiple?: boolean;
  /** The store creates a record for an unknown name. */
  readonly mayCreate?: boolean;
  readonly help?: string;
}

export function LinkedNamesInput({
  source,
  reference,
  isMultiple = false,
  mayCreate = false,
  help,
}: LinkedNamesInputProps) {
  const { field, fieldState } = useInput({ source });
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const { data } = useGetList(reference, {
    pagination: { page: 1, perPage: 50 },
    sort: { field: 'name', order: 'ASC' },
    filter: { name: isMultiple ? typed : '' },
  });
  const options = (data ?? []).map(({ name }) => name as string);
  const error = fieldState.error?.message;
  return (
    <Autocomplete<string, boolean, false, boolean>
      multiple={isMultiple}
      freeSolo={mayCreate}
      autoSelect={mayCreate}
      options={options}
      filterSelectedOptions
      value={field.value ?? (isMultiple ? [] : null)}
      onChange={(_event, value) => field.onChange(value)}
      onBlur={field.onBlur}
      onInputChange={(_event, text) => setTyped(text)}
      noOptionsText={translate('state.none')}
      renderInput={(input) => (
        <TextField
          {...input}
          label={translate(`field.${source}`)}
          error={error !== undefined}
          helperText={error ?? (help && translate(help))}
        />
      )}
    />
  );
}
