/** Reads a streamed export, counts its records for the progress label and shows a failure as a notification. */
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { useErrorMessage } from './error-messages.ts';

/** Records between two updates of the progress label. */
const PROGRESS_INTERVAL = 500;

export interface Export {
  /** Records read so far; undefined if no export is running. */
  readonly count: number | undefined;
  /** @param onComplete receives all lines once every record has been read */
  run<R>(
    records: AsyncIterable<R>,
    lineOf: (record: R) => string,
    onComplete: (lines: string[]) => void,
  ): Promise<void>;
}

export function useExport(): Export {
  const [count, setCount] = useState<number>();
  const notify = useNotify();
  const errorMessage = useErrorMessage();
  return {
    count,
    async run(records, lineOf, onComplete) {
      setCount(0);
      try {
        const lines: string[] = [];
        for await (const record of records) {
          lines.push(lineOf(record));
          if (lines.length % PROGRESS_INTERVAL === 0) setCount(lines.length);
        }
        onComplete(lines);
      } catch (error) {
        notify(errorMessage(error), { type: 'error', autoHideDuration: 10000 });
      } finally {
        setCount(undefined);
      }
    },
  };
}
