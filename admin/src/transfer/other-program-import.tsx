/** Imports the product export of another program, with a preview on request. */
import { Button, MenuItem, Stack, TextField, Typography } from '@mui/material';
import { type FileOptions, type ImportReport, importProductFile, type ProductFile } from 'purveyor/import';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { origin } from '../api/client.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { ImportProgressBar } from './import-progress.tsx';
import { ImportReportView } from './import-report.tsx';
import type { ProductImportTask } from './use-product-import.ts';

/** The values of `variants`, with the keys of their messages. */
const VARIANT_MODES = {
  together: 'import.variants.merge',
  products: 'import.variants.separate',
} as const satisfies Record<FileOptions['variants'], string>;
export const FILE_KINDS = { shopify: 'Shopify', woocommerce: 'WooCommerce' } as const;

interface Props {
  readonly name: string;
  readonly file: Extract<ProductFile, { readable: true }>;
  readonly variants: FileOptions['variants'];
  onVariants(variants: FileOptions['variants']): void;
  readonly task: ProductImportTask;
}

export function OtherProgramImport({ name, file, variants, onVariants, task }: Props) {
  const [report, setReport] = useState<ImportReport>();
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const count = file.importRows.productRows.length;

  async function run(dryRun: boolean): Promise<void> {
    setReport(undefined);
    setReport(
      await task.run(dryRun, (client, onProgress) =>
        importProductFile(client, origin, file.importRows, {
          dryRun,
          onProgress: ({ productsDone, productsTotal, sku }) =>
            onProgress({ done: productsDone, total: productsTotal, name: sku }),
        }),
      ),
    );
  }

  return (
    <>
      <Typography role="status">
        {translate('import.fileSummary', { name, kind: FILE_KINDS[file.kind], smart_count: count })}
      </Typography>
      <TextField
        select
        label={translate('import.variants')}
        value={variants}
        disabled={task.isBusy}
        onChange={({ target }) => {
          onVariants(target.value as FileOptions['variants']);
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
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
        <Button variant="outlined" disabled={task.isBusy} onClick={() => void run(true)}>
          {translate('import.dryRun')}
        </Button>
        {mayWrite && (
          <Button variant="contained" disabled={task.isBusy} onClick={() => void run(false)}>
            {translate('import.run', { smart_count: count })}
          </Button>
        )}
        {task.isBusy && <Button onClick={task.stop}>{translate('import.stop')}</Button>}
      </Stack>
      {task.isBusy && <ImportProgressBar task={task} />}
      {report && <ImportReportView report={report} name={name} />}
    </>
  );
}
