/** Who changed what in the store, newest first. */
import { Typography } from '@mui/material';
import type { AuditEntry } from 'purveyor/client';
import { useState } from 'react';
import { List, Pagination, useListContext, useTranslate } from 'react-admin';
import { ListError, NO_ERROR_NOTIFICATION } from '../components/list-error.tsx';
import { LIST_STYLES } from '../components/list-styles.ts';
import { LoadingSkeleton } from '../components/loading.tsx';
import { NoResults } from '../components/no-results.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { EntryTable } from './entry-table.tsx';
import { ActivityFilters } from './filters.tsx';

export default function ActivityPage() {
  return (
    <List
      resource="audit"
      title="menu.activity"
      storeKey="activity.listParams"
      actions={false}
      exporter={false}
      empty={false}
      perPage={25}
      pagination={<Pagination rowsPerPageOptions={[25, 50, 100]} />}
      sort={NEWEST_FIRST}
      queryOptions={NO_ERROR_NOTIFICATION}
      error={<ListError />}
      sx={LIST_STYLES}
    >
      <ActivityFilters />
      <Entries />
    </List>
  );
}

const NEWEST_FIRST = { field: 'id', order: 'DESC' } as const;

function Entries() {
  const { data = [], isPending, total, refetch } = useListContext<AuditEntry>();
  const [shown, setShown] = useState<AuditEntry>();
  const translate = useTranslate();
  if (isPending) return <LoadingSkeleton />;
  if (total === 0) return <NoResults />;
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2, pb: 1 }}>
        {translate('audit.help')}
      </Typography>
      <EntryTable label={translate('menu.activity')} entries={data} onOpen={setShown} />
      {shown && <EntryDialog entry={shown} onRestored={async () => refetch()} onClose={() => setShown(undefined)} />}
    </>
  );
}
