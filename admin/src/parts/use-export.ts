/** Reads what the store exports, counts it meanwhile, and tells a refusal as a sentence. */
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useSentence } from './sentence.ts';

/** How many records are read between two looks at the screen. */
const SHOWN_EVERY = 500;

export interface Export {
  /** Records that were read; undefined while nothing is. */
  readonly count: number | undefined;
  /** @param onRead gets the lines when all are read */
  run<R>(records: AsyncIterable<R>, lineOf: (record: R) => string, onRead: (lines: string[]) => void): Promise<void>;
}

export function useExport(): Export {
  const [count, setCount] = useState<number>();
  const notify = useNotify();
  const sentence = useSentence();
  return {
    count,
    async run(records, lineOf, onRead) {
      setCount(0);
      try {
        const lines: string[] = [];
        for await (const record of records) {
          lines.push(lineOf(record));
          if (lines.length % SHOWN_EVERY === 0) setCount(lines.length);
        }
        onRead(lines);
      } catch (error) {
        notify(sentence(error), { type: 'error', autoHideDuration: 10000 });
      } finally {
        setCount(undefined);
      }
    },
  };
}
