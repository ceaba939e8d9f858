/** Runs one request at a time from a button: tracks whether it is running and shows its result as a notification. */
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useErrorMessage } from './error-messages.ts';

export interface Action {
  readonly isBusy: boolean;
  /** @returns whether it succeeded */
  run(request: () => Promise<unknown>, successMessage?: string): Promise<boolean>;
}

/** @param defaultMessage key of the message after a success; null if the screen itself shows the result */
export function useAction(defaultMessage: string | null = 'state.saved'): Action {
  const [isBusy, setBusy] = useState(false);
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  return {
    isBusy,
    async run(request, successMessage: string | null = defaultMessage) {
      setBusy(true);
      try {
        await request();
        if (successMessage !== null) notify(successMessage, { type: 'success', autoHideDuration: 3000 });
        return true;
      } catch (error) {
        notify(errorMessage(error), { type: 'error', autoHideDuration: 10000 });
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
