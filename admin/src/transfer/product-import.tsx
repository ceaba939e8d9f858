/**
 * Imports a product export of another program. The browser reads the file, shows a preview and writes the products through the API, as
 * the command does with `--store` (decision 22).
 */
import { Alert, Box, Button, LinearProgress, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { type FileOptions, type ImportReport, type Progress, readProductFile } from 'purveyor/import';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError } from '../components/loading.tsx';
import { useMayWrite } from '../utils/use-may-write.ts';
import { FileDropZone } from './file-drop-zone.tsx';
import { ImportReportView } from './import-report.tsx';
import { sha256 } from './sha256.ts';
import { useProductImport } from './use-product-import.ts';

interface ChosenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The values of `variants`, with the keys of their messages. */
const VARIANT_MODES = {
  together: 'import.variants.merge',
  products: 'import.variants.separate',
} as const satisfies Record<FileOptions['variants'], string>;
const FILE_KINDS = { shopify: 'Shopify', woocommerce: 'WooCommerce' } as const;

export function ProductImport() {
  const [file, setFile] = useState<ChosenFile>();
  const [variants, setVariants] = useState<FileOptions['variants']>('together');
  const [report, setReport] = useState<ImportReport>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const task = useProductImport();
  const { data, error, refetch } = useQuery({
    queryKey: ['store'],
    queryFn: async () => (await store.get('/store')).data,
  });
  const weightUnit = data?.weight_unit;
  const read = useMemo(
    () => file && weightUnit && readProductFile(file.bytes, { weightUnit, variants, sha256 }),
    [file, weightUnit, variants],
  );

  async function choose(chosen: File): Promise<void> {
    setReport(undefined);
    setFile({ name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) });
  }

  async function run(dryRun: boolean): Promise<void> {
    if (!read?.readable) return;
    setReport(undefined);
    setReport(await task.run(read.importRows, dryRun));
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Stack spacing={2}>
      <FileDropZone hasFile={file !== undefined} isDisabled={task.isBusy} onFile={(chosen) => void choose(chosen)} />
      {file && read && !read.readable && (
        <Alert severity="error">
          {translate('import.unreadable', { name: file.name })}
          {read.reasons.map(({ kind, reason }) => (
            <Box key={kind}>
              {read.reasons.length > 1 && translate('import.readAs', { kind: FILE_KINDS[kind] })} {reason}
            </Box>
          ))}
        </Alert>
      )}
      {file && read?.readable && (
        <>
          <Typography role="status">
            {translate('import.fileSummary', {
              name: file.name,
              kind: FILE_KINDS[read.kind],
              smart_count: read.importRows.productRows.length,
            })}
          </Typography>
          <Stack direction={{ xs: 'column', sm: 'row' }} spacing={2} sx={{ alignItems: 'flex-start' }}>
            <TextField
              select
              label={translate('import.variants')}
              value={variants}
              disabled={task.isBusy}
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
            <Button variant="outlined" disabled={task.isBusy} onClick={() => void run(true)}>
              {translate('import.dryRun')}
            </Button>
            {mayWrite && (
              <Button variant="contained" disabled={task.isBusy} onClick={() => void run(false)}>
                {translate('import.run', { smart_count: read.importRows.productRows.length })}
              </Button>
            )}
            {task.isBusy && <Button onClick={task.stop}>{translate('import.stop')}</Button>}
          </Stack>
        </>
      )}
      {task.isBusy && <ImportProgress progress={task.progress} isDryRun={task.isDryRun} />}
      {report && <ImportReportView report={report} name={file?.name ?? ''} />}
    </Stack>
  );
}

/** Indeterminate until the first product is done. */
function ImportProgress({ progress, isDryRun }: { progress: Progress | undefined; isDryRun: boolean }) {
  const translate = useTranslate();
  const label = translate(isDryRun ? 'import.dryRunRunning' : 'import.running');
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
