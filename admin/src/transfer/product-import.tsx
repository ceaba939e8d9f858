/**
 * Imports products: a spreadsheet that this page exported, or the product export of another program. The browser reads the file, shows a
 * preview and writes the products through the API, as the command does with `--store` (decision 22).
 */
import { Alert, Box, Stack } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import {
  type FileOptions,
  type ProductFile,
  type ProductsCsv,
  readProductFile,
  readProductsCsv,
} from 'purveyor/import';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { store } from '../api/client.ts';
import { LoadError } from '../components/loading.tsx';
import { loadTransliteration } from './any-ascii.ts';
import { CsvImport } from './csv-import.tsx';
import { FileDropZone } from './file-drop-zone.tsx';
import { FILE_KINDS, OtherProgramImport } from './other-program-import.tsx';
import { sha256 } from './sha256.ts';
import { useProductImport } from './use-product-import.ts';

interface ChosenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Differs for each file that was chosen. */
  readonly number: number;
}

type Read =
  | { readonly kind: 'own'; readonly csv: ProductsCsv }
  | { readonly kind: 'other'; readonly file: ProductFile };

export function ProductImport() {
  const [chosen, setChosen] = useState<ChosenFile>();
  const [variants, setVariants] = useState<FileOptions['variants']>('together');
  const translate = useTranslate();
  const task = useProductImport();
  const { data, error, refetch } = useQuery({
    queryKey: ['store'],
    queryFn: async () => (await store.get('/store')).data,
  });
  const weightUnit = data?.weight_unit;
  const read = useMemo(
    () => chosen && weightUnit && readFile(chosen.bytes, { weightUnit, variants, sha256 }),
    [chosen, weightUnit, variants],
  );

  async function choose(file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    await loadTransliteration();
    setChosen({ name: file.name, bytes, number: (chosen?.number ?? 0) + 1 });
  }

  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <Stack spacing={2}>
      <FileDropZone hasFile={chosen !== undefined} isDisabled={task.isBusy} onFile={(file) => void choose(file)} />
      {chosen && read?.kind === 'own' && (
        <CsvImport key={chosen.number} name={chosen.name} bytes={chosen.bytes} csv={read.csv} task={task} />
      )}
      {chosen && read?.kind === 'other' && !read.file.readable && (
        <Alert severity="error">
          {translate('import.unreadable', { name: chosen.name })}
          {read.file.reasons.map(({ kind, reason }) => (
            <Box key={kind}>
              {read.file.readable === false && read.file.reasons.length > 1
                ? translate('import.readAs', { kind: FILE_KINDS[kind] })
                : ''}{' '}
              {reason}
            </Box>
          ))}
        </Alert>
      )}
      {chosen && read?.kind === 'other' && read.file.readable && (
        <OtherProgramImport
          key={chosen.number}
          name={chosen.name}
          file={read.file}
          variants={variants}
          onVariants={setVariants}
          task={task}
        />
      )}
    </Stack>
  );
}

/** Files of other programs have their own column names, so that no file is readable both ways. */
function readFile(bytes: Uint8Array, options: FileOptions): Read {
  const csv = readProductsCsv(bytes);
  return csv.readable ? { kind: 'own', csv } : { kind: 'other', file: readProductFile(bytes, options) };
}
