/** Read-only values of the whole store, each with the setting of the server that defines it. */
import { Box, Stack, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { StoreInfoOutput } from 'purveyor/client';
import type { ReactNode } from 'react';
import { Link, useTranslate } from 'react-admin';
import { languages, store } from '../api/client.ts';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useRegionalLocale } from '../utils/format.ts';

export function StoreInfoTable() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['store'],
    queryFn: async () => (await store.get('/store')).data,
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton />;
  return <InfoTable info={data} />;
}

function InfoTable({ info }: { info: StoreInfoOutput }) {
  const translate = useTranslate();
  const region = useRegionalLocale();
  const server = (name: string): string => translate('settings.server', { name });
  const { currency, time_zone, weight_unit, seller, invoice_keep_years } = info;
  const enabledLanguages = languages.filter(({ enabled }) => enabled).map(({ name }) => name);
  const rows: readonly [name: string, value: ReactNode, setBy: ReactNode][] = [
    ['seller', seller || translate('settings.notSet'), server('INVOICE_SELLER')],
    [
      'currency',
      `${new Intl.DisplayNames(region, { type: 'currency' }).of(currency)} (${currency})`,
      translate('settings.firstStart'),
    ],
    ['time_zone', time_zone, server('STORE_TIME_ZONE')],
    ['weight_unit', weight_unit, server('WEIGHT_UNIT')],
    [
      'invoice_keep_years',
      translate('settings.years', { smart_count: invoice_keep_years }),
      server('INVOICE_KEEP_YEARS'),
    ],
    ['address', location.origin, server('BASE_URL')],
    [
      'languages',
      enabledLanguages.join(', '),
      <Link key="languages" to="/settings/languages">
        {translate('settings.languageSettings')}
      </Link>,
    ],
  ];
  return (
    <Stack spacing={2} sx={{ maxWidth: 860 }}>
      <Typography color="textSecondary">{translate('settings.storeHelp')}</Typography>
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={translate('settings.tab.store')}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{translate('field.name')}</TableCell>
              <TableCell>{translate('settings.value')}</TableCell>
              <TableCell>{translate('settings.setBy')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map(([name, value, setBy]) => (
              <TableRow key={name}>
                <TableCell component="th" scope="row">
                  {translate(`settings.value.${name}`)}
                </TableCell>
                <TableCell sx={{ whiteSpace: 'pre-line' }}>{value}</TableCell>
                <TableCell sx={{ color: 'text.secondary' }}>{setBy}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Stack>
  );
}
