/** Deletes the selected products. This cannot be undone, so the dialog says how many, and which cannot be deleted. */
import { Alert, Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useListContext, useNotify, useRefresh, useTranslate } from 'react-admin';
import { PRODUCTS, readVersions, sendLines } from '../../api/bulk.ts';
import { LoadError, LoadingSkeleton } from '../../components/loading.tsx';
import { useErrorMessage } from '../../utils/error-messages.ts';

export function DeleteDialog({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const [isBusy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const { onUnselectItems } = useListContext();
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const errorMessage = useErrorMessage();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['products-to-delete', ids],
    queryFn: async () => [...(await readVersions(PRODUCTS, ids))],
    gcTime: 0,
  });

  async function remove(): Promise<void> {
    setBusy(true);
    try {
      const lines = data!.map(([key, if_match]) => ({ op: 'delete' as const, key, if_match }));
      const results = await sendLines(PRODUCTS, lines);
      const failed = results.filter(({ result }) => result === 'failed');
      refresh();
      onUnselectItems();
      notify('bulk.deleted', { type: 'success', messageArgs: { smart_count: results.length - failed.length } });
      if (failed.length === 0) return onClose();
      setProblems(failed.map(({ key, problem }) => `${key}: ${problem?.detail ?? ''}`));
    } catch (thrown) {
      setProblems([errorMessage(thrown)]);
    }
    setBusy(false);
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="bulk-delete">
      <DialogTitle id="bulk-delete">{translate('bulk.delete')}</DialogTitle>
      <DialogContent>
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : isPending ? (
          <LoadingSkeleton lines={1} />
        ) : (
          <Typography>{translate('bulk.deletes', { smart_count: data.length })}</Typography>
        )}
        {problems.length > 0 && (
          <Alert severity="error" sx={{ mt: 1 }}>
            {problems.map((problem) => (
              <Box key={problem}>{problem}</Box>
            ))}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('button.cancel')}</Button>
        <Button
          color="error"
          variant="contained"
          loading={isBusy}
          disabled={!data || problems.length > 0}
          onClick={() => void remove()}
        >
          {translate('button.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
