/** The history of a product. Someone who may not see activity sees the changes since this page was opened. */
import { Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import type { ChangeEntry } from 'purveyor/client';
import { Link, useTranslate } from 'react-admin';
import { readChanges } from '../api/recent-changes.ts';
import { RecordHistory } from '../audit/record-history.tsx';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { useFormat } from '../utils/format.ts';
import { useMay } from '../utils/use-may.tsx';
import type { TabProps } from './types.ts';

const REFRESH_INTERVAL_MS = 5000;

/** Only the newest rows are rendered. */
const ROWS_MAX = 200;

interface Props extends TabProps {
  /** Called after an earlier version was restored. */
  onRestored(): Promise<void>;
}

export function HistoryTab({ loaded: { product }, onRestored }: Props) {
  const translate = useTranslate();
  const format = useFormat();
  const maySeeAll = useMay('audit:read');
  return (
    <Stack spacing={2}>
      <Typography>
        {translate('history.dates', {
          created: format.dateTime(product.create_date),
          updated: format.dateTime(product.update_date),
        })}
      </Typography>
      {maySeeAll ? (
        <>
          <Typography color="textSecondary">
            {translate('audit.ofProduct')} <Link to="/activity">{translate('menu.activity')}</Link>.
          </Typography>
          <RecordHistory path={`/api/products/${product.id}`} onRestored={onRestored} />
        </>
      ) : (
        <RecentChanges product={product.id} />
      )}
    </Stack>
  );
}

/** Changes by anyone since this page was opened. */
function RecentChanges({ product }: { product: number }) {
  const translate = useTranslate();
  const format = useFormat();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['changes'],
    queryFn: readChanges,
    refetchInterval: REFRESH_INTERVAL_MS,
    gcTime: 0,
  });
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;

  const changes = data.entries.filter(({ path }) => `${path}/`.startsWith(`/api/products/${product}/`));
  const newestFirst = changes.toReversed().slice(0, ROWS_MAX);
  const columns: Column<ChangeEntry>[] = [
    { label: translate('history.when'), cell: ({ date }) => format.dateTime(date) },
    { label: translate('history.what'), cell: (entry) => nameOf(entry, product, translate) },
    { label: translate('history.change'), cell: (entry) => changeOf(entry, translate) },
  ];
  return (
    <>
      <Typography color="textSecondary">
        {translate('history.help', { since: format.dateTime(data.since.toISOString()) })}
      </Typography>
      {newestFirst.length === 0 ? (
        <Typography role="status">{translate('history.none')}</Typography>
      ) : (
        <ResponsiveTable
          label={translate('products.tab.history')}
          columns={columns}
          rows={newestFirst}
          keyOf={({ cursor }) => cursor}
        />
      )}
    </>
  );
}

type Translate = ReturnType<typeof useTranslate>;

function nameOf({ resource, id, path }: ChangeEntry, product: number, translate: Translate): string {
  const name = translate(`history.of.${resource}`, { _: translate('history.of.other') });
  return path === `/api/products/${product}` ? name : `${name} ${id}`;
}

/** Returns the labels of the changed fields. */
function changeOf({ action, fields }: ChangeEntry, translate: Translate): string {
  if (action !== 'updated') return translate(`history.action.${action}`);
  const other = translate('history.otherField');
  const names = new Set(fields.map((field) => translate(`field.${field}`, { _: other })));
  return names.size === 0 ? translate('history.action.updated') : [...names].join(', ');
}
