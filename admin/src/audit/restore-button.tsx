/** Restores the version of an entry, or the record that the entry deleted, after a dialog that shows what will change. */
import { Button } from '@mui/material';
import type { AuditEntry } from 'purveyor/client';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useMay } from '../utils/use-may.tsx';
import { mainRecord } from './record-paths.ts';
import { RestoreDeletedDialog } from './restore-deleted-dialog.tsx';
import { RestoreVersionDialog } from './restore-version-dialog.tsx';

export interface RestoreProps {
  readonly entry: AuditEntry;
  onRestored(): Promise<unknown>;
  /** Called when nothing is left to do after a restore. */
  onDone(): void;
}

export interface RestoreDialogProps extends RestoreProps {
  onClose(): void;
}

/** Records that cannot be restored (access.md §4). */
const FINAL: readonly string[] = ['OrderInvoice', 'OrderReturn', 'OrderShipment', 'Transaction'];

export function RestoreButton({ entry, onRestored, onDone }: RestoreProps) {
  const [isOpen, setOpen] = useState(false);
  const translate = useTranslate();
  const { action, path, resource, version } = entry;
  const mayWrite = useMay(`${mainRecord(path ?? '').collection}:write`);
  if (!mayWrite || path === null || version === null || FINAL.includes(resource ?? '')) return null;
  const isDeleted = action === 'deleted';
  const Dialog = isDeleted ? RestoreDeletedDialog : RestoreVersionDialog;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{translate(isDeleted ? 'audit.restore' : 'audit.version.restore')}</Button>
      {isOpen && <Dialog entry={entry} onRestored={onRestored} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  );
}
