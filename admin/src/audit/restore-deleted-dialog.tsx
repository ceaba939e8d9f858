/** Creates a deleted record again, and then lists what could not be restored. */
import {
  Alert,
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from '@mui/material';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { useAction } from '../utils/use-action.ts';
import { ChangesTable } from './changes-table.tsx';
import { useFieldLabels } from './field-labels.ts';
import { type Restored, restoreDeleted } from './read-audit.ts';
import { mainRecord } from './record-paths.ts';
import type { RestoreDialogProps } from './restore-button.tsx';
import { nameIn, useKind } from './sentence.tsx';

export function RestoreDeletedDialog({ entry, onRestored, onDone, onClose }: RestoreDialogProps) {
  const [restored, setRestored] = useState<Restored>();
  const translate = useTranslate();
  const action = useAction(null);
  const kind = useKind()(entry.resource);
  const name = nameIn(entry) ?? `${kind} ${entry.record_id}`;

  async function restore(): Promise<void> {
    const isRestored = await action.run(async () => setRestored(await restoreDeleted(entry)));
    if (isRestored) await onRestored();
  }

  const close = restored ? onDone : onClose;
  const screen = restored && screenOf(entry.path!, restored);
  return (
    <Dialog open onClose={close} fullWidth maxWidth="md" aria-labelledby="restore">
      <DialogTitle id="restore">{translate('audit.deleted.title', { name })}</DialogTitle>
      <DialogContent>
        {restored ? (
          <Alert severity={severityOf(restored)}>
            {translate(restored.isEarlier ? 'audit.deleted.earlier' : 'audit.restored')}{' '}
            <NotRestored resource={entry.resource ?? ''} names={restored.notRestored} />
          </Alert>
        ) : (
          <>
            <DialogContentText sx={{ mb: 1 }}>{translate('audit.deleted.help')}</DialogContentText>
            <ChangesTable entry={entry} labels={LABELS} />
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={close}>{translate(restored ? 'button.close' : 'button.cancel')}</Button>
        {restored && screen !== undefined && (
          <Button component={Link} to={screen} variant="contained">
            {translate('audit.deleted.open', { name })}
          </Button>
        )}
        {!restored && (
          <Button variant="contained" loading={action.isBusy} onClick={() => void restore()}>
            {translate('audit.restore')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

const LABELS = { before: 'audit.version.then', after: 'audit.version.then' } as const;

function severityOf({ isEarlier, notRestored }: Restored): 'info' | 'warning' | 'success' {
  if (isEarlier) return 'info';
  return notRestored.length > 0 ? 'warning' : 'success';
}

/** The screen of the new record. @param path of the deleted record */
function screenOf(path: string, { record }: Restored): string | undefined {
  const newPath = path.replace(/[^/]+$/, String(record.id));
  return mainRecord(newPath).screen;
}

function NotRestored({ resource, names }: { resource: string; names: readonly string[] }) {
  const translate = useTranslate();
  const labels = useFieldLabels();
  if (names.length === 0) return null;
  return (
    <>
      {translate('audit.deleted.missing')}
      <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
        {names.map((name) => (
          <li key={name}>{labels.label(resource, name)}</li>
        ))}
      </Box>
    </>
  );
}
