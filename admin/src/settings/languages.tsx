/** The languages of the store's texts. Changes are saved immediately. */
import { Radio, Stack, Switch, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { loadStore, store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { ResponsiveTable } from '../components/responsive-table.tsx';
import { AddForm } from '../forms/add-form.tsx';
import { useAction } from '../utils/use-action.ts';
import { useAccess, useMayWrite } from '../utils/use-may.tsx';

export default function Languages() {
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const access = useAccess();
  const action = useAction();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['languages'],
    queryFn: async () => (await store.page('/languages')).data,
  });

  async function change(code: string, fields: { enabled?: boolean; is_default?: boolean }): Promise<void> {
    await action.run(() => store.patch('/languages/{code}', { code }, fields));
    await reload();
  }

  async function reload(): Promise<void> {
    if (access) await loadStore(access);
    await refetch();
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;
  return (
    <Stack spacing={2} sx={{ maxWidth: 640 }}>
      <Typography color="textSecondary">{translate('settings.languagesHelp')}</Typography>
      <ResponsiveTable
        label={translate('settings.tab.languages')}
        columns={[
          { label: translate('field.code'), cell: ({ code }) => code },
          { label: translate('field.name'), cell: ({ name }) => name },
          {
            label: translate('field.enabled'),
            cell: ({ code, name, enabled, is_default }) => (
              <Switch
                size="small"
                checked={enabled}
                disabled={!mayWrite || is_default}
                onChange={(_event, isSet) => void change(code, { enabled: isSet })}
                slotProps={{ input: { 'aria-label': translate('button.toggleEnabled', { name }) } }}
              />
            ),
          },
          {
            label: translate('products.defaultLanguage'),
            cell: ({ code, name, enabled, is_default }) => (
              <Radio
                size="small"
                checked={is_default}
                disabled={!mayWrite || !enabled}
                onChange={() => void change(code, { is_default: true })}
                slotProps={{ input: { 'aria-label': `${translate('products.defaultLanguage')}: ${name}` } }}
              />
            ),
          },
        ]}
        rows={data}
        keyOf={({ code }) => code}
      />
      {mayWrite && (
        <AddForm
          fields={{
            code: { label: 'field.code', help: 'settings.language.code' },
            name: { label: 'field.name', help: 'settings.language.name' },
          }}
          onAdd={(values) => store.post('/languages', values).then(reload)}
        />
      )}
    </Stack>
  );
}
