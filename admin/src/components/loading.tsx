import { Alert, Button, Skeleton, Stack } from '@mui/material';
import { Title, useTranslate } from 'react-admin';
import { useErrorMessage } from '../utils/error-messages.ts';

export function LoadingSkeleton({ lines = 6 }: { lines?: number }) {
  const translate = useTranslate();
  return (
    <Stack spacing={1} role="status" aria-label={translate('state.loading')} sx={{ p: 2 }}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <Skeleton key={line} variant="rounded" height={36} />
      ))}
    </Stack>
  );
}

/** @param title message key of the page's title, if nothing else sets it */
export function LoadError({ error, onRetry, title }: { error: unknown; onRetry(): void; title?: string }) {
  const translate = useTranslate();
  const errorMessage = useErrorMessage();
  return (
    <>
      {title !== undefined && <Title title={translate(title)} />}
      <Alert
        severity="error"
        sx={{ m: 2 }}
        action={
          <Button color="inherit" onClick={onRetry}>
            {translate('button.retry')}
          </Button>
        }
      >
        {translate('state.failed')} {errorMessage(error)}
      </Alert>
    </>
  );
}
