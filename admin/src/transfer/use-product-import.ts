/** Runs one product import or preview at a time. Leaving the page during an import asks first, and stops it. */
import type { Client } from 'purveyor/client';
import { PATIENCE } from 'purveyor/import';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { createStoreClient } from '../api/client.ts';
import { useLeaveGuard } from '../utils/use-leave-guard.ts';

interface ImportProgress {
  readonly done: number;
  readonly total: number;
  /** What is being imported. */
  readonly name?: string;
}

/** Throws if the import was stopped. */
type OnProgress = (progress: ImportProgress) => void;

export type ProductImportTask = ReturnType<typeof useProductImport>;

export function useProductImport() {
  const [progress, setProgress] = useState<ImportProgress>();
  const [running, setRunning] = useState<'dryRun' | 'import'>();
  const isStopped = useRef(false);
  const translate = useTranslate();
  const isBusy = running !== undefined;

  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  useLeaveGuard(running === 'import', 'import.leave');

  return {
    ...{ progress, isBusy },
    isDryRun: running === 'dryRun',
    stop(): void {
      isStopped.current = true;
    },
    async run<R>(dryRun: boolean, send: (client: Client, onProgress: OnProgress) => Promise<R>): Promise<R> {
      isStopped.current = false;
      setProgress(undefined);
      setRunning(dryRun ? 'dryRun' : 'import');
      const onProgress = (now: ImportProgress): void => {
        if (isStopped.current) throw new Error(translate('import.stopped'));
        setProgress(now);
      };
      try {
        return await send(createStoreClient(PATIENCE), onProgress);
      } finally {
        setRunning(undefined);
      }
    },
  };
}
