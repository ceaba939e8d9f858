/** Records linked by their names, one or several: known ones are offered while one types, and new ones may be made. */
import { Autocomplete, TextField } from '@mui/material';
import { useState } from 'react';
import { useGetList, useInput, useTranslate } from 'react-admin';

interface NamesInputProps {
  /** The form's field, and where its records are. */
  readonly source: string;
  readonly reference: string;
  readonly isSeveral?: boolean;
  /** A name that no record has makes one. */
  readonly mayMake?: boolean;
  readonly help?: string;
}

export function NamesInput({ source, reference, isSeveral = false, mayMake = false, help }: NamesInputProps) {
  const { field, fieldState } = useInput({ source });
  const [typed, setTyped] = useState('');
  const translate = useTranslate();
  const { data } = useGetList(reference, {
    pagination: { page: 1, perPage: 50 },
    sort: { field: 'name', order: 'ASC' },
    filter: { name: isSeveral ? typed : '' },
  });
  const options = (data ?? []).map(({ name }) => name as string);
  const error = fieldState.error?.message;
  return (
    <Autocomplete<string, boolean, false, boolean>
      multiple={isSeveral}
      freeSolo={mayMake}
      autoSelect={mayMake}
      options={options}
      filterSelectedOptions
      value={field.value ?? (isSeveral ? [] : null)}
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
