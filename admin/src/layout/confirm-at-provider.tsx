/** Confirms a session that began at the identity provider: the user signs in there again, in a new window. */
import { Alert, Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { confirmAtProvider } from '../api/oidc.ts';

export function ConfirmAtProvider({ onEnd }: { onEnd(isConfirmed: boolean): void }) {
  const [problem, setProblem] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  const translate = useTranslate();
  useEffect(() => () => stop.current?.abort(), []);

  async function confirm(): Promise<void> {
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    setProblem(undefined);
    const failed = await confirmAtProvider(mine.signal);
    if (mine.signal.aborted) return;
    if (failed === undefined) onEnd(true);
    else setProblem(translate(failed));
  }

  return (
    <Dialog open onClose={() => onEnd(false)} fullWidth maxWidth="xs" aria-labelledby="confirm-session">
      <DialogTitle id="confirm-session">{translate('session.confirm')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>{translate('session.oidcConfirmHelp')}</DialogContentText>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => onEnd(false)}>{translate('button.cancel')}</Button>
        <Button variant="contained" onClick={() => void confirm()}>
          {translate('session.oidc')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
