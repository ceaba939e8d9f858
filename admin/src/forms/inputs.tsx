/** Inputs of record forms. The label and the help text derive from the field name. */
import { InputAdornment, TextField } from '@mui/material';
import { useState } from 'react';
import { BooleanInput, DateTimeInput, useInput, useTranslate } from 'react-admin';
import { parseNumber, useDecimalFormat } from '../utils/format.ts';

interface FieldProps {
  readonly source: string;
  /** A translated label; `field.<source>` if left out. */
  readonly label?: string;
  readonly help?: string;
  readonly lines?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly lang?: string;
}

/** A text that is not trimmed. react-admin's TextInput turns an empty text into null; here it stays empty. */
export function PlainTextInput({ source, label, help, lines, placeholder, required, lang }: FieldProps) {
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
        // Above the field, long labels are not cut off.
        inputLabel: { shrink: true },
        htmlInput: { lang, 'data-source': source, required: false, 'aria-required': required },
      }}
    />
  );
}

/** A number with a decimal comma or point. */
export function DecimalInput({
  source,
  label,
  help,
  decimals = 4,
  unit,
}: FieldProps & { decimals?: number; unit?: string | undefined }) {
  const { field, fieldState } = useInput({ source });
  const [typed, setTyped] = useState<string>();
  const write = useDecimalFormat(decimals);
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
        // A text that is not a number is sent as it is, so that the store explains what is wrong.
        field.onChange(target.value.trim() === '' ? null : (parseNumber(target.value) ?? target.value));
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

export function SwitchInput({ source, help }: FieldProps) {
  return <BooleanInput source={source} label={`field.${source}`} helperText={help ?? false} />;
}

export function DateTimeField({ source, help }: FieldProps) {
  return <DateTimeInput source={source} label={`field.${source}`} helperText={help ?? false} />;
}
