/** The languages of the store's texts: enabled, the default one, added. Done at once. */
import {
  Button,
  Radio,
  Stack,
  Switch,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { StoreProblem } from 'purveyor/client';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMayWrite } from '../parts/layout.tsx';
import { useFieldErrors } from '../parts/sentence.ts';
import { Failed, Reading } from '../parts/states.tsx';
import { useAct } from '../parts/use-act.ts';
import { openStore, store } from '../store/client.ts';

export function Languages() {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const act = useAct();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['languages'],
    queryFn: async () => (await store.page('/languages')).data,
  });

  async function change(code: string, fields: { enabled?: boolean; is_default?: boolean }): Promise<void> {
    await act.run(() => store.patch('/languages/{code}', { code }, fields));
    await renew();
  }

  async function renew(): Promise<void> {
    await openStore();
    await refetch();
  }

  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={3} />;
  return (
    <Stack spacing={2} sx={{ maxWidth: 640 }}>
      <Typography color="textSecondary">{translate('settings.languagesHelp')}</Typography>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{translate('field.code')}</TableCell>
            <TableCell>{translate('field.name')}</TableCell>
            <TableCell>{translate('field.enabled')}</TableCell>
            <TableCell>{translate('products.defaultLanguage')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {data.map(({ code, name, enabled, is_default }) => (
            <TableRow key={code}>
              <TableCell>{code}</TableCell>
              <TableCell>{name}</TableCell>
              <TableCell>
                <Switch
                  size="small"
                  checked={enabled}
                  disabled={!mayWrite || is_default}
                  onChange={(_event, isSet) => void change(code, { enabled: isSet })}
                  slotProps={{ input: { 'aria-label': translate('products.enabledOf', { name }) } }}
                />
              </TableCell>
              <TableCell>
                <Radio
                  size="small"
                  checked={is_default}
                  disabled={!mayWrite || !enabled}
                  onChange={() => void change(code, { is_default: true })}
                  slotProps={{ input: { 'aria-label': `${translate('products.defaultLanguage')}: ${name}` } }}
                />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {mayWrite && <AddLanguage onDone={renew} />}
    </Stack>
  );
}

function AddLanguage({ onDone }: { onDone(): Promise<void> }) {
  const [values, setValues] = useState({ code: '', name: '' });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const translate = useTranslate();
  const fieldErrors = useFieldErrors();
  const act = useAct();

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    setErrors({});
    try {
      await store.post('/languages', values);
      setValues({ code: '', name: '' });
      await onDone();
    } catch (error) {
      if (error instanceof StoreProblem && error.violations.length > 0) setErrors(fieldErrors(error));
      else await act.run(() => Promise.reject(error));
    }
  }

  return (
    <Stack
      component="form"
      direction={{ xs: 'column', sm: 'row' }}
      spacing={1}
      onSubmit={add}
      noValidate
      sx={{ alignItems: 'flex-start' }}
    >
      {(['code', 'name'] as const).map((field) => (
        <TextField
          key={field}
          label={translate(`field.${field}`)}
          value={values[field]}
          onChange={({ target }) => setValues({ ...values, [field]: target.value })}
          error={errors[field] !== undefined}
          helperText={errors[field] ?? translate(`settings.language.${field}`)}
        />
      ))}
      <Button type="submit" sx={{ mt: '10px !important', flexShrink: 0 }}>
        {translate('act.add')}
      </Button>
    </Stack>
  );
}
