/** While something is read, and when it could not be. */
import { Alert, Button, Skeleton, Stack } from '@mui/material';
import { Title, useTranslate } from 'react-admin';
import { useSentence } from './sentence.ts';

export function Reading({ lines = 6 }: { lines?: number }) {
  const translate = useTranslate();
  return (
    <Stack spacing={1} role="status" aria-label={translate('state.loading')} sx={{ p: 2 }}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} variant="rounded" height={36} />
      ))}
    </Stack>
  );
}

/** @param title of a screen that cannot say its own: the key of a text */
export function Failed({ error, onAgain, title }: { error: unknown; onAgain(): void; title?: string }) {
  const translate = useTranslate();
  const sentence = useSentence();
  return (
    <>
      {title !== undefined && <Title title={translate(title)} />}
      <Alert
        severity="error"
        sx={{ m: 2 }}
        action={
          <Button color="inherit" onClick={onAgain}>
            {translate('button.retry')}
          </Button>
        }
      >
        {translate('state.failed')} {sentence(error)}
      </Alert>
    </>
  );
}
