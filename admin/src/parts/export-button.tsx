/** Downloads all records that the list's filters leave, as the store exports them: of one moment, however many there are. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import { useState } from 'react';
import { Button, useListContext, useNotify, useTranslate } from 'react-admin';
import { anyStore, filterOf } from '../store/data-provider.ts';
import { csvLine } from './csv.ts';
import { download } from './download.ts';
import { useSentence } from './sentence.ts';

export function ExportButton({ path, name }: { path: string; name: string }) {
  const { filterValues, total } = useListContext();
  const [count, setCount] = useState<number>();
  const translate = useTranslate();
  const notify = useNotify();
  const sentence = useSentence();

  async function run(): Promise<void> {
    setCount(0);
    try {
      const lines: string[] = [];
      let names: string[] | undefined;
      for await (const record of anyStore().export(path, { filter: filterOf(filterValues) })) {
        names ??= Object.keys(record);
        if (lines.length === 0) lines.push(csvLine(names));
        lines.push(csvLine(names.map((field) => record[field])));
        if (lines.length % 500 === 0) setCount(lines.length);
      }
      // The mark tells spreadsheets that the text is UTF-8.
      download(`${name}.csv`, ['\uFEFF', ...lines], 'text/csv;charset=utf-8');
    } catch (error) {
      notify(sentence(error), { type: 'error' });
    } finally {
      setCount(undefined);
    }
  }

  const label = count === undefined ? 'products.export' : translate('export.working', { count });
  return (
    <Button label={label} onClick={() => void run()} disabled={total === 0 || count !== undefined}>
      <DownloadIcon />
    </Button>
  );
}
