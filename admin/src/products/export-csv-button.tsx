/** Downloads products as CSV, in the format that the import reads. The code is loaded when it is used. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import { Button } from '@mui/material';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { createStoreClient, origin } from '../api/client.ts';
import type { Values } from '../api/record-diff.ts';
import { download } from '../utils/download.ts';
import { useErrorMessage } from '../utils/error-messages.ts';

const FILE_NAME = 'products';

interface Props {
  /** Message key. */
  readonly label: string;
  readonly filter?: Values;
  readonly variant?: 'text' | 'contained' | 'outlined';
  readonly isDisabled?: boolean;
}

export function ExportCsvButton({ label, filter = {}, variant = 'text', isDisabled = false }: Props) {
  /** Products read so far; undefined if no export is running. */
  const [count, setCount] = useState<number>();
  const translate = useTranslate();
  const notify = useNotify();
  const errorMessage = useErrorMessage();

  async function run(): Promise<void> {
    setCount(0);
    try {
      const { exportCsv, PATIENCE } = await import('purveyor/import');
      const { parts } = await exportCsv(createStoreClient(PATIENCE), origin, filter as never);
      const texts: string[] = [];
      for await (const part of parts) {
        texts.push(part);
        setCount(texts.length - 1);
      }
      download(`${FILE_NAME}.csv`, texts, 'text/csv;charset=utf-8');
    } catch (error) {
      notify(errorMessage(error), { type: 'error', autoHideDuration: 10000 });
    }
    setCount(undefined);
  }

  return (
    <Button
      size={variant === 'text' ? 'small' : 'medium'}
      variant={variant}
      startIcon={<DownloadIcon />}
      onClick={() => void run()}
      disabled={isDisabled || count !== undefined}
      sx={{ flexShrink: 0 }}
    >
      {count === undefined ? translate(label) : translate('export.progress', { count })}
    </Button>
  );
}
