/** Offers to undo the newest bulk change of the screen, for ten minutes. */
import { Alert, Button } from '@mui/material';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNotify, useRefresh, useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useFormat } from '../utils/format.ts';
import { type UndoableChange, undo, useLastUndoable, withdrawUndo } from '../utils/undo.ts';

export function UndoBar() {
  const { pathname } = useLocation();
  const change = useLastUndoable(pathname);
  return change ? <Offer key={change.id} change={change} /> : null;
}

function Offer({ change }: { change: UndoableChange }) {
  const [isBusy, setBusy] = useState(false);
  const translate = useTranslate();
  const format = useFormat();
  const notify = useNotify();
  const refresh = useRefresh();
  const queries = useQueryClient();
  const errorMessage = useErrorMessage();

  useEffect(() => {
    const timer = setTimeout(() => withdrawUndo(change), Math.max(0, change.until - Date.now()));
    return () => clearTimeout(timer);
  }, [change]);

  async function run(): Promise<void> {
    setBusy(true);
    try {
      const { restored, changed } = await undo(change);
      withdrawUndo(change);
      if (changed.length === 0) notify('undo.done', { type: 'success', messageArgs: { smart_count: restored } });
      else
        notify('undo.partly', {
          type: 'warning',
          autoHideDuration: null,
          messageArgs: { smart_count: changed.length, names: changed.join(', ') },
        });
    } catch (error) {
      notify(errorMessage(error), { type: 'error', autoHideDuration: 10000 });
      setBusy(false);
    }
    refresh();
    await queries.invalidateQueries();
  }

  return (
    <Alert
      severity="success"
      role="status"
      sx={{
        ...{ mb: 1, alignItems: 'center', flexWrap: { xs: 'wrap', sm: 'nowrap' } },
        // On phones, the buttons are below the text.
        '& .MuiAlert-message': { flex: '1 1 0', minWidth: 0 },
        '& .MuiAlert-action': { flexBasis: { xs: '100%', sm: 'auto' }, justifyContent: 'flex-end', pt: 0 },
      }}
      action={
        <>
          <Button color="inherit" loading={isBusy} onClick={() => void run()}>
            {translate('undo.button')}
          </Button>
          <Button color="inherit" onClick={() => withdrawUndo(change)}>
            {translate('button.close')}
          </Button>
        </>
      }
    >
      {translate(change.message, change.args)}{' '}
      {translate('undo.until', { time: format.time(new Date(change.until).toISOString()) })}
    </Alert>
  );
}
