/** One thing at a time that is done at once: busy while it runs, its refusal as a sentence. */
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useSentence } from './sentence.ts';

export interface Act {
  readonly isBusy: boolean;
  /** @returns whether it was done */
  run(act: () => Promise<unknown>, said?: string): Promise<boolean>;
}

/** @param said the key of the text that tells of success; null: the screen itself shows it */
export function useAct(said: string | null = 'state.saved'): Act {
  const [isBusy, setBusy] = useState(false);
  const notify = useNotify();
  const sentence = useSentence();
  return {
    isBusy,
    async run(act, words: string | null = said) {
      setBusy(true);
      try {
        await act();
        if (words !== null) notify(words, { type: 'success', autoHideDuration: 3000 });
        return true;
      } catch (error) {
        notify(sentence(error), { type: 'error', autoHideDuration: 10000 });
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
