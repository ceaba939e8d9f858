/** Declares a new attribute. */
import { Alert, Button, MenuItem, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { createRecord } from '../api/runtime-requests.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { type AttributeKind, kindsOf, type Scope } from './scope.ts';

interface Props {
  readonly scope: Scope;
  readonly position: number;
  onCreated(id: number): Promise<void>;
}

export function AddAttribute({ scope, position, onCreated }: Props) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<AttributeKind>('select');
  const translate = useTranslate();
  const form = useSubmit(['name'], async () => {
    const { data } = await createRecord(scope.paths[kind]!, scope.parameters, { name, position });
    setName('');
    await onCreated(data.id);
  });
  return (
    <form onSubmit={(event) => void form.submit(event)} noValidate>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: 'flex-start', maxWidth: 720 }}>
        <TextField
          label={translate('attributes.new')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          {...form.fieldProps('name', translate('attributes.newHelp'))}
        />
        <TextField
          select
          label={translate('attributes.kind')}
          value={kind}
          onChange={({ target }) => setKind(target.value as AttributeKind)}
          helperText={translate(`attributes.kindHelp.${kind}`)}
        >
          {kindsOf(scope).map((one) => (
            <MenuItem key={one} value={one}>
              {translate(`attributes.kind.${one}`)}
            </MenuItem>
          ))}
        </TextField>
        <Button type="submit" loading={form.isBusy} sx={{ mt: '10px !important', flexShrink: 0 }}>
          {translate('button.add')}
        </Button>
      </Stack>
      {form.problem !== undefined && <Alert severity="error">{form.problem}</Alert>}
    </form>
  );
}
