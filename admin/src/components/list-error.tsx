/** Replaces a list that could not be loaded. */
import { useListContext } from 'react-admin';
import { LoadError } from './loading.tsx';

export function ListError() {
  const { error, refetch } = useListContext();
  return <LoadError error={error} onRetry={() => void refetch()} />;
}

/** `ListError` shows the error, so that a notification would repeat it. */
export const NO_ERROR_NOTIFICATION = { onError: () => undefined } as const;
