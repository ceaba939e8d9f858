/** Read-only values of the whole store, each with the setting of the server that defines it. */
import { Stack, Typography } from '@mui/material';
import type { StoreInfoOutput } from 'purveyor/client';
import type { ReactNode } from 'react';
import { Link, useTranslate } from 'react-admin';
import { languages } from '../api/client.ts';
import { ResponsiveTable } from '../components/responsive-table.tsx';
import { useRegionalLocale } from '../utils/format.ts';

export function StoreInfoTable({ info }: { info: StoreInfoOutput }) {
  const translate = useTranslate();
  const region = useRegionalLocale();
  const server = (name: string): string => translate('settings.server', { name });
  const { currency, time_zone, weight_unit, dimension_unit, invoice_keep_years } = info;
  const enabledLanguages = languages.filter(({ enabled }) => enabled).map(({ name }) => name);
  const rows: readonly [name: string, value: ReactNode, setBy: ReactNode][] = [
    [
      'currency',
      `${new Intl.DisplayNames(region, { type: 'currency' }).of(currency)} (${currency})`,
      translate('settings.firstStart'),
    ],
    ['time_zone', time_zone, server('STORE_TIME_ZONE')],
    ['weight_unit', weight_unit, server('WEIGHT_UNIT')],
    ['dimension_unit', dimension_unit, server('DIMENSION_UNIT')],
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
      <ResponsiveTable
        label={translate('settings.tab.store')}
        columns={[
          { label: translate('field.name'), cell: ([name]) => translate(`settings.value.${name}`) },
          { label: translate('settings.value'), cell: ([, value]) => value },
          { label: translate('settings.setBy'), cell: ([, , setBy]) => setBy },
        ]}
        rows={rows}
        keyOf={([name]) => name}
      />
    </Stack>
  );
}
