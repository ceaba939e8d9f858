/** A line of fields that adds a record at once. */
import { Alert, Button, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSending } from './use-sending.ts';

interface Field {
  /** Keys of its texts. */
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  /** The text that stands there at first. */
  readonly first?: string;
}

interface Props<Name extends string> {
  readonly fields: Readonly<Record<Name, Field>>;
  /** Sends what was typed; the fields are emptied once it is done. */
  onAdd(values: Readonly<Record<Name, string>>): Promise<unknown>;
}

export function AddForm<Name extends string>({ fields, onAdd }: Props<Name>) {
  const names = Object.keys(fields) as Name[];
  const first = Object.fromEntries(names.map((name) => [name, fields[name].first ?? ''])) as Record<Name, string>;
  const [values, setValues] = useState(first);
  const translate = useTranslate();
  const sending = useSending(names, async () => {
    await onAdd(values);
    setValues(first);
  });
  return (
    <form onSubmit={(event) => void sending.submit(event)} noValidate>
      <Stack
        direction={{ xs: names.length > 1 ? 'column' : 'row', sm: 'row' }}
        spacing={1}
        sx={{ alignItems: 'flex-start' }}
      >
        {names.map((name) => (
          <TextField
            key={name}
            label={translate(fields[name].label)}
            value={values[name]}
            onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            placeholder={fields[name].placeholder}
            {...sending.below(name, fields[name].help && translate(fields[name].help))}
          />
        ))}
        <Button type="submit" loading={sending.isBusy} sx={{ mt: '10px !important', flexShrink: 0 }}>
          {translate('button.add')}
        </Button>
      </Stack>
      {sending.problem !== undefined && <Alert severity="error">{sending.problem}</Alert>}
    </form>
  );
}
