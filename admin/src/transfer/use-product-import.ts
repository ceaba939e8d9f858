/** Runs one product import or preview at a time. Leaving the page during an import asks first, and stops it. */
import { type ImportReport, importProductFile, PATIENCE, type Progress } from 'purveyor/import';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useBlocker } from 'react-router-dom';
import { createStoreClient, origin } from '../api/client.ts';

export function useProductImport() {
  const [progress, setProgress] = useState<Progress>();
  const [running, setRunning] = useState<'dryRun' | 'import'>();
  const isStopped = useRef(false);
  const translate = useTranslate();
  const isBusy = running !== undefined;
  const isWriting = running === 'import';

  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  useEffect(() => {
    if (!isWriting) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isWriting]);
  const blocker = useBlocker(isWriting);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (confirm(translate('import.leave'))) blocker.proceed();
    else blocker.reset();
  }, [blocker, translate]);

  return {
    ...{ progress, isBusy },
    isDryRun: running === 'dryRun',
    stop(): void {
      isStopped.current = true;
    },
    async run(drafts: Parameters<typeof importProductFile>[2], dryRun: boolean): Promise<ImportReport> {
      isStopped.current = false;
      setProgress(undefined);
      setRunning(dryRun ? 'dryRun' : 'import');
      const onProgress = (now: Progress): void => {
        if (isStopped.current) throw new Error(translate('import.stopped'));
        setProgress(now);
      };
      try {
        return await importProductFile(createStoreClient(PATIENCE), origin, drafts, { dryRun, onProgress });
      } finally {
        setRunning(undefined);
      }
    },
  };
}
