/** The history of one record, newest first. */
import ExpandIcon from '@mui/icons-material/ExpandMore';
import { Accordion, AccordionDetails, AccordionSummary, Button, Stack, Typography } from '@mui/material';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useMay } from '../utils/use-may.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { EntryTable } from './entry-table.tsx';
import { readHistory } from './read-audit.ts';

const PER_PAGE = 25;

interface Props {
  /** Such as `/api/products/1`. */
  readonly path: string;
  /** Called after an earlier version was restored. */
  onRestored(): Promise<void>;
}

export function RecordHistory({ path, onRestored }: Props) {
  const translate = useTranslate();
  const [shown, setShown] = useState<AuditEntry>();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['history', path],
    queryFn: ({ pageParam }) => readHistory(path, pageParam, PER_PAGE),
    initialPageParam: 1,
    getNextPageParam: ({ total }, all) => (all.length * PER_PAGE < total ? all.length + 1 : undefined),
    gcTime: 0,
  });
  async function reload(): Promise<void> {
    await onRestored();
    await refetch();
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (isPending) return <LoadingSkeleton lines={3} />;
  const entries = data.pages.flatMap((page) => page.data);
  if (entries.length === 0) return <Typography role="status">{translate('audit.noHistory')}</Typography>;
  return (
    <Stack spacing={1}>
      <EntryTable label={translate('audit.history')} entries={entries} isOwnPage onOpen={setShown} />
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()} loading={isFetchingNextPage} sx={{ alignSelf: 'flex-start' }}>
          {translate('audit.older')}
        </Button>
      )}
      {shown && <EntryDialog entry={shown} onRestored={reload} onClose={() => setShown(undefined)} />}
    </Stack>
  );
}

/** A section of a page, which loads the history when it is opened. Absent if the session may not see it. */
export function HistorySection(props: Props) {
  const translate = useTranslate();
  if (!useMay('audit:read')) return null;
  return (
    <Accordion variant="outlined" disableGutters slotProps={{ transition: { unmountOnExit: true } }}>
      <AccordionSummary expandIcon={<ExpandIcon />}>
        <Typography variant="h6" component="span">
          {translate('audit.history')}
        </Typography>
      </AccordionSummary>
      <AccordionDetails>
        <RecordHistory {...props} />
      </AccordionDetails>
    </Accordion>
  );
}
