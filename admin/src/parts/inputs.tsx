/** Inputs of the forms: the label and the line of help come from the name of the field. */
import { InputAdornment, TextField } from '@mui/material';
import { useState } from 'react';
import { BooleanInput, DateTimeInput, useInput, useTranslate } from 'react-admin';
import { numberIn, useDecimals } from './number-cell.tsx';

interface FieldProps {
  readonly source: string;
  /** Instead of `field.<source>`, a text that is already in the person's language. */
  readonly label?: string;
  readonly help?: string;
  readonly lines?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly lang?: string;
}

/** A text; empty stays an empty text, and lines and spaces stay as they were typed. */
export function WordsInput({ source, label, help, lines, placeholder, required, lang }: FieldProps) {
  const { field, fieldState } = useInput({ source });
  const translate = useTranslate();
  const error = fieldState.error?.message;
  return (
    <TextField
      {...field}
      value={field.value ?? ''}
      label={label ?? translate(`field.${source}`)}
      multiline={lines !== undefined}
      {...(lines === undefined ? {} : { minRows: lines, maxRows: 18 })}
      required={required}
      error={error !== undefined}
      helperText={error ?? (help && translate(help))}
      placeholder={placeholder}
      slotProps={{
        inputLabel: { shrink: placeholder ? true : undefined },
        htmlInput: { lang, 'data-source': source, required: false, 'aria-required': required },
      }}
    />
  );
}

/** A number with as many decimals as the store keeps; typed with a comma or a point. */
export function AmountInput({
  source,
  label,
  help,
  decimals = 4,
  unit,
}: FieldProps & { decimals?: number; unit?: string }) {
  const { field, fieldState } = useInput({ source });
  const [typed, setTyped] = useState<string>();
  const write = useDecimals(decimals);
  const translate = useTranslate();
  const error = fieldState.error?.message;
  const shown = typeof field.value === 'number' ? write(field.value) : (field.value ?? '');
  return (
    <TextField
      name={field.name}
      inputRef={field.ref}
      value={typed ?? shown}
      onChange={({ target }) => {
        setTyped(target.value);
        // Sent as it was typed, a text that is no number gets the store's own answer.
        field.onChange(target.value.trim() === '' ? null : (numberIn(target.value) ?? target.value));
      }}
      // Typing replaces the number.
      onFocus={({ target }) => target.select()}
      onBlur={() => {
        setTyped(undefined);
        field.onBlur();
      }}
      label={label ?? translate(`field.${source}`)}
      error={error !== undefined}
      helperText={error ?? (help && translate(help))}
      slotProps={{
        htmlInput: { inputMode: decimals > 0 ? 'decimal' : 'numeric', 'data-source': source },
        input: unit === undefined ? {} : { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> },
      }}
    />
  );
}

export function FlagInput({ source, help }: FieldProps) {
  return <BooleanInput source={source} label={`field.${source}`} helperText={help ?? false} />;
}

export function MomentInput({ source, help }: FieldProps) {
  return <DateTimeInput source={source} label={`field.${source}`} helperText={help ?? false} />;
}
