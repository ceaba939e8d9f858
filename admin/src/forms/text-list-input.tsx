/** A list of short texts. Enter, a comma or leaving the field ends a text; a pasted list with commas is divided. */
import { Autocomplete, TextField } from '@mui/material';
import { useState } from 'react';

interface Props {
  /** Translated. */
  readonly label: string;
  readonly help: string;
  readonly values: readonly string[];
  onChange(values: readonly string[]): void;
  readonly error: string | undefined;
}

const SEPARATOR = /[,;]/;

export function TextListInput({ label, help, values, onChange, error }: Props) {
  const [typed, setTyped] = useState('');

  function add(texts: readonly string[]): void {
    const added = texts.map((text) => text.trim()).filter((text) => text !== '');
    if (added.length > 0) onChange([...new Set([...values, ...added])]);
  }

  function type(text: string): void {
    const parts = text.split(SEPARATOR);
    setTyped(parts.at(-1)!);
    add(parts.slice(0, -1));
  }

  return (
    <Autocomplete<string, true, false, true>
      multiple
      freeSolo
      options={[]}
      value={[...values]}
      inputValue={typed}
      onInputChange={(_event, text, reason) => (reason === 'input' ? type(text) : setTyped(''))}
      onChange={(_event, texts) =>
        onChange([...new Set(texts.map((text) => text.trim()))].filter((text) => text !== ''))
      }
      onBlur={() => type(`${typed},`)}
      slotProps={{ chip: { size: 'small' } }}
      renderInput={(input) => (
        <TextField {...input} label={label} error={error !== undefined} helperText={error ?? help} />
      )}
    />
  );
}
