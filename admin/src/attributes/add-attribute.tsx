/** Declares a new attribute: its name, and its kind, which stays. */
import { Alert, Button, MenuItem, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSending } from '../parts/use-sending.ts';
import { anyStore, given } from '../store/data-provider.ts';
import { type Kind, pathOf, type Scope } from './scope.ts';

interface Props {
  readonly scope: Scope;
  readonly position: number;
  onMade(id: number): Promise<void>;
}

export function AddAttribute({ scope, position, onMade }: Props) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('select');
  const translate = useTranslate();
  const sending = useSending(['name'], async () => {
    const path = pathOf(scope, kind);
    const { data } = await anyStore().post(path, ...given(path, scope.parameters), { name, position });
    setName('');
    await onMade(data.id);
  });
  return (
    <form onSubmit={(event) => void sending.submit(event)} noValidate>
      <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1} sx={{ alignItems: 'flex-start', maxWidth: 720 }}>
        <TextField
          label={translate('attributes.new')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          {...sending.below('name', translate('attributes.newHelp'))}
        />
        <TextField
          select
          label={translate('attributes.kind')}
          value={kind}
          onChange={({ target }) => setKind(target.value as Kind)}
          helperText={translate(`attributes.kindHelp.${kind}`)}
        >
          {scope.kinds.map((one) => (
            <MenuItem key={one} value={one}>
              {translate(`attributes.kind.${one}`)}
            </MenuItem>
          ))}
        </TextField>
        <Button type="submit" loading={sending.isBusy} sx={{ mt: '10px !important', flexShrink: 0 }}>
          {translate('button.add')}
        </Button>
      </Stack>
      {sending.problem !== undefined && <Alert severity="error">{sending.problem}</Alert>}
    </form>
  );
}
