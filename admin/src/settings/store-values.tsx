/** Values of the whole store. The server sets them, so they are shown with the setting that does, and not changed here. */
import { Box, Stack, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { StoreInfo } from 'purveyor/client';
import type { ReactNode } from 'react';
import { Link, useTranslate } from 'react-admin';
import { useRegion } from '../parts/money.ts';
import { Failed, Reading } from '../parts/states.tsx';
import { languages, store } from '../store/client.ts';

export function StoreValues() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['store'],
    queryFn: async () => (await store.get('/store')).data,
  });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading />;
  return <Values info={data} />;
}

function Values({ info }: { info: StoreInfo }) {
  const translate = useTranslate();
  const region = useRegion();
  const server = (name: string): string => translate('settings.server', { name });
  const { currency, time_zone, weight_unit, seller, invoice_keep_years } = info;
  const spoken = languages.filter(({ enabled }) => enabled).map(({ name }) => name);
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
      spoken.join(', '),
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
