/** Shows what restoring a version changes, and restores it. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { StoreProblem } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { LoadError, LoadingSkeleton } from '../components/loading.tsx';
import { useFormat } from '../utils/format.ts';
import { useAction } from '../utils/use-action.ts';
import { ChangesTable } from './changes-table.tsx';
import { type Preview, readPreview, restoreVersion } from './read-audit.ts';
import type { RestoreDialogProps } from './restore-button.tsx';

const LABELS = { before: 'audit.version.now', after: 'audit.version.then' } as const;

export function RestoreVersionDialog({ entry, onRestored, onDone, onClose }: RestoreDialogProps) {
  const [isOutdated, setOutdated] = useState(false);
  const translate = useTranslate();
  const format = useFormat();
  const action = useAction('audit.restored');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['restore-preview', entry.id],
    queryFn: () => readPreview(entry),
    gcTime: 0,
  });

  async function restore({ etag }: Preview): Promise<void> {
    const isRestored = await action.run(async () => {
      await restoreVersion(entry, etag).catch(async (problem: unknown) => {
        if (!(problem instanceof StoreProblem && problem.status === 412)) throw problem;
        setOutdated(true);
        await refetch();
        throw new Error(translate('audit.version.changed'));
      });
    });
    if (!isRestored) return;
    onDone();
    await onRestored();
  }

  const canRestore = data !== undefined && Object.keys(data.changes).length > 0;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="restore">
      <DialogTitle id="restore">{translate('audit.version.title', { date: format.dateTime(entry.date) })}</DialogTitle>
      <DialogContent>
        {isOutdated && (
          <Alert severity="warning" sx={{ mb: 2 }}>
            {translate('audit.version.changed')}
          </Alert>
        )}
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : isPending ? (
          <LoadingSkeleton lines={3} />
        ) : canRestore ? (
          <>
            <DialogContentText sx={{ mb: 1 }}>{translate('audit.version.help')}</DialogContentText>
            <ChangesTable entry={{ ...entry, action: 'updated', changes: data.changes }} labels={LABELS} />
          </>
        ) : (
          <DialogContentText>
            {translate(data.isDeleted ? 'audit.version.deleted' : 'audit.version.unchanged')}
          </DialogContentText>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate(canRestore ? 'button.cancel' : 'button.close')}</Button>
        {canRestore && (
          <Button variant="contained" loading={action.isBusy} onClick={() => void restore(data)}>
            {translate('audit.restore')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
