/** Selects a linked record by its id, or none. */
import { MenuItem, TextField } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useInput, useTranslate } from 'react-admin';

interface Props {
  readonly source: string;
  /** Translated. */
  readonly label: string;
  readonly help?: string;
  /** What null means, translated. */
  readonly none: string;
  readonly queryKey: readonly unknown[];
  read(): Promise<readonly { readonly id: number; readonly name: string }[]>;
}

export function LinkedSelect({ source, label, help, none, queryKey, read }: Props) {
  const { field, fieldState } = useInput({ source });
  const translate = useTranslate();
  const { data = [] } = useQuery({ queryKey, queryFn: read });
  const error = fieldState.error?.message;
  // react-admin shows null as an empty text.
  const chosen = typeof field.value === 'number' ? field.value : null;
  // Until the records are loaded, and if the key may not read them, the record has no name.
  const options =
    chosen === null || data.some(({ id }) => id === chosen) ? data : [...data, { id: chosen, name: `${chosen}` }];
  return (
    <TextField
      select
      name={field.name}
      inputRef={field.ref}
      label={label}
      value={chosen === null ? '' : `${chosen}`}
      onChange={({ target }) => field.onChange(target.value === '' ? null : Number(target.value))}
      onBlur={field.onBlur}
      error={error !== undefined}
      helperText={error ?? (help && translate(help))}
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
    >
      <MenuItem value="">{none}</MenuItem>
      {options.map(({ id, name }) => (
        <MenuItem key={id} value={`${id}`}>
          {name}
        </MenuItem>
      ))}
    </TextField>
  );
}
