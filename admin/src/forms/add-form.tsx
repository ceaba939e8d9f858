/** A row of text fields that creates a record. */
import { Alert, Button, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSubmit } from './use-submit.ts';

interface Field {
  /** Message keys. */
  readonly label: string;
  readonly help?: string;
  readonly placeholder?: string;
  readonly initialValue?: string;
}

interface Props<Name extends string> {
  readonly fields: Readonly<Record<Name, Field>>;
  /** The fields are reset when the promise resolves. */
  onAdd(values: Readonly<Record<Name, string>>): Promise<unknown>;
}

export function AddForm<Name extends string>({ fields, onAdd }: Props<Name>) {
  const names = Object.keys(fields) as Name[];
  const initial = Object.fromEntries(names.map((name) => [name, fields[name].initialValue ?? ''])) as Record<
    Name,
    string
  >;
  const [values, setValues] = useState(initial);
  const translate = useTranslate();
  const form = useSubmit(names, async () => {
    await onAdd(values);
    setValues(initial);
  });
  return (
    <form onSubmit={(event) => void form.submit(event)} noValidate>
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
            {...form.fieldProps(name, fields[name].help && translate(fields[name].help))}
          />
        ))}
        <Button type="submit" loading={form.isBusy} sx={{ mt: '10px !important', flexShrink: 0 }}>
          {translate('button.add')}
        </Button>
      </Stack>
      {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
    </form>
  );
}
