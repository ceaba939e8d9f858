/**
 * A product export of another program, into this store: read here, tried first, then written through the interface as the
 * command does with `--store` (decision 22).
 */
import { Alert, Box, Button, LinearProgress, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import {
  type FileOptions,
  type ImportReport,
  importProductFile,
  PATIENCE,
  type Progress,
  readProductFile,
} from 'purveyor/import';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useBlocker } from 'react-router-dom';
import { useMayWrite } from '../parts/layout.tsx';
import { Failed } from '../parts/states.tsx';
import { origin, store, storeWith } from '../store/client.ts';
import { FileBox } from './file-box.tsx';
import { Report } from './report.tsx';
import { sha256 } from './sha256.ts';

interface Chosen {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The values of `variants`, with the keys of their messages. */
const VARIANT_MODES = {
  together: 'import.variants.merge',
  products: 'import.variants.separate',
} as const satisfies Record<FileOptions['variants'], string>;
const KINDS = { shopify: 'Shopify', woocommerce: 'WooCommerce' } as const;

export function ImportProducts() {
  const [file, setFile] = useState<Chosen>();
  const [variants, setVariants] = useState<FileOptions['variants']>('together');
  const [report, setReport] = useState<ImportReport>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const work = useImport();
  const { data, error, refetch } = useQuery({
    queryKey: ['store'],
    queryFn: async () => (await store.get('/store')).data,
  });
  const weightUnit = data?.weight_unit;
  const read = useMemo(
    () => file && weightUnit && readProductFile(file.bytes, { weightUnit, variants, sha256 }),
    [file, weightUnit, variants],
  );

  async function take(chosen: File): Promise<void> {
    setReport(undefined);
    setFile({ name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) });
  }

  async function run(dryRun: boolean): Promise<void> {
    if (!read?.readable) return;
    setReport(undefined);
    setReport(await work.run(read.drafts, dryRun));
  }

  if (error) return <Failed error={error} onAgain={() => void refetch()} />;
  return (
    <Stack spacing={2}>
      <FileBox hasFile={file !== undefined} isDisabled={work.isBusy} onFile={(chosen) => void take(chosen)} />
      {file && read && !read.readable && (
        <Alert severity="error">
          {translate('import.unreadable', { name: file.name })}
          {read.reasons.map(({ kind, reason }) => (
            <Box key={kind}>
              {read.reasons.length > 1 && translate('import.readAs', { kind: KINDS[kind] })} {reason}
            </Box>
          ))}
        </Alert>
      )}
      {file && read?.readable && (
        <>
          <Typography role="status">
            {translate('import.fileSummary', {
              name: file.name,
              kind: KINDS[read.kind],
              smart_count: read.drafts.drafts.length,
            })}
          </Typography>
          <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2} sx={{ alignItems: 'flex-start' }}>
            <TextField
              select
              label={translate('import.variants')}
              value={variants}
              disabled={work.isBusy}
              onChange={({ target }) => {
                setVariants(target.value as FileOptions['variants']);
                setReport(undefined);
              }}
              sx={{ maxWidth: { sm: 300 } }}
            >
              {Object.entries(VARIANT_MODES).map(([mode, label]) => (
                <MenuItem key={mode} value={mode}>
                  {translate(label)}
                </MenuItem>
              ))}
            </TextField>
          </Stack>
          <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
            <Button variant="outlined" disabled={work.isBusy} onClick={() => void run(true)}>
              {translate('import.dryRun')}
            </Button>
            {mayWrite && (
              <Button variant="contained" disabled={work.isBusy} onClick={() => void run(false)}>
                {translate('import.run', { smart_count: read.drafts.drafts.length })}
              </Button>
            )}
            {work.isBusy && <Button onClick={work.stop}>{translate('import.stop')}</Button>}
          </Stack>
        </>
      )}
      {work.isBusy && <Bar progress={work.progress} isTrial={work.isTrial} />}
      {report && <Report report={report} name={file?.name ?? ''} />}
    </Stack>
  );
}

/** Until the first product is done nobody can say how far it is. */
function Bar({ progress, isTrial }: { progress: Progress | undefined; isTrial: boolean }) {
  const translate = useTranslate();
  const label = translate(isTrial ? 'import.dryRunRunning' : 'import.running');
  const { productsDone: done = 0, productsTotal: total = 1, sku = '' } = progress ?? {};
  return (
    <Box>
      <LinearProgress
        aria-label={label}
        {...(progress ? { variant: 'determinate', value: (done / total) * 100 } : {})}
      />
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
        {label}
        {progress && ` · ${translate('import.progress', { done, total })} · ${sku}`}
      </Typography>
    </Box>
  );
}

/** One import at a time. It is stopped where the person leaves, after having been asked. */
function useImport() {
  const [progress, setProgress] = useState<Progress>();
  const [under, setUnder] = useState<'trial' | 'import'>();
  const isStopped = useRef(false);
  const translate = useTranslate();
  const isBusy = under !== undefined;
  const isAsked = under === 'import';

  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);
  useEffect(() => {
    if (!isAsked) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isAsked]);
  const blocker = useBlocker(isAsked);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    if (confirm(translate('import.leave'))) blocker.proceed();
    else blocker.reset();
  }, [blocker, translate]);

  return {
    ...{ progress, isBusy },
    isTrial: under === 'trial',
    stop(): void {
      isStopped.current = true;
    },
    async run(drafts: Parameters<typeof importProductFile>[2], dryRun: boolean): Promise<ImportReport> {
      isStopped.current = false;
      setProgress(undefined);
      setUnder(dryRun ? 'trial' : 'import');
      const onProgress = (now: Progress): void => {
        if (isStopped.current) throw new Error(translate('import.stopped'));
        setProgress(now);
      };
      try {
        return await importProductFile(storeWith(PATIENCE), origin, drafts, { dryRun, onProgress });
      } finally {
        setUnder(undefined);
      }
    },
  };
}
