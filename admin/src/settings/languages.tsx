/** The languages of the store's texts: enabled, the default one, added. Done at once. */
import { Radio, Stack, Switch, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { AddForm } from '../parts/add-form.tsx';
import { useMayWrite } from '../parts/layout.tsx';
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
                  slotProps={{ input: { 'aria-label': translate('button.toggleEnabled', { name }) } }}
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
      {mayWrite && (
        <AddForm
          fields={{
            code: { label: 'field.code', help: 'settings.language.code' },
            name: { label: 'field.name', help: 'settings.language.name' },
          }}
          onAdd={(values) => store.post('/languages', values).then(renew)}
        />
      )}
    </Stack>
  );
}
