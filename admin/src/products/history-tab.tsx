/** Changes of a product since this page was opened, by whomever: as far as the change feed tells them. */
import { Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ChangeEntry } from 'purveyor/client';
import { useTranslate } from 'react-admin';
import { useWriter } from '../parts/money.ts';
import { type Column, RowsTable } from '../parts/rows-table.tsx';
import { Failed, Reading } from '../parts/states.tsx';
import { readChanges } from '../store/recent-changes.ts';
import type { TabProps } from './edit.tsx';

const LOOK_AGAIN_MILLISECONDS = 5000;

/** Rows that are drawn, the newest. */
const ROWS_MAX = 200;

export function HistoryTab({ loaded: { product } }: TabProps) {
  const translate = useTranslate();
  const writer = useWriter();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['changes'],
    queryFn: readChanges,
    refetchInterval: LOOK_AGAIN_MILLISECONDS,
    gcTime: 0,
  });
  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  if (isPending) return <Reading lines={3} />;

  const own = data.entries.filter(({ path }) => `${path}/`.startsWith(`/api/products/${product.id}/`));
  const newestFirst = own.toReversed().slice(0, ROWS_MAX);
  const columns: Column<ChangeEntry>[] = [
    { label: translate('history.when'), cell: ({ date }) => writer.moment(date) },
    { label: translate('history.what'), cell: (entry) => nameOf(entry, product.id, translate) },
    { label: translate('history.change'), cell: (entry) => changeOf(entry, translate) },
  ];
  return (
    <Stack spacing={2}>
      <Typography>
        {translate('history.dates', {
          created: writer.moment(product.create_date),
          updated: writer.moment(product.update_date),
        })}
      </Typography>
      <Typography color="textSecondary">
        {translate('history.help', { since: writer.moment(data.since.toISOString()) })}
      </Typography>
      {newestFirst.length === 0 ? (
        <Typography role="status">{translate('history.none')}</Typography>
      ) : (
        <RowsTable
          label={translate('products.tab.history')}
          columns={columns}
          rows={newestFirst}
          keyOf={({ cursor }) => cursor}
        />
      )}
    </Stack>
  );
}

type Translate = ReturnType<typeof useTranslate>;

function nameOf({ resource, id, path }: ChangeEntry, product: number, translate: Translate): string {
  const name = translate(`history.of.${resource}`);
  return path === `/api/products/${product}` ? name : `${name} ${id}`;
}

/** Fields in the page's words where it has one. */
function changeOf({ action, fields }: ChangeEntry, translate: Translate): string {
  if (action !== 'updated') return translate(`history.action.${action}`);
  const names = fields.map((field) => translate(`field.${field}`, { _: field }));
  return names.length === 0 ? translate('history.action.updated') : names.join(', ');
}
