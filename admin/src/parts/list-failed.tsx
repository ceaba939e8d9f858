/** In place of a list that could not be read: why, and a button to try again. */
import { useListContext } from 'react-admin';
import { Failed } from './states.tsx';

export function ListFailed() {
  const { error, refetch } = useListContext();
  return <Failed error={error} onAgain={() => void refetch()} />;
}

/** The list itself says it; a second sentence that passes by is not needed. */
export const SAID_IN_LIST = { onError: () => undefined } as const;
