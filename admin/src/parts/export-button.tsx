/** Downloads all records that the list's filters leave, as the store exports them: of one moment, however many there are. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import { Button, useListContext, useTranslate } from 'react-admin';
import { anyStore, filterOf } from '../store/data-provider.ts';
import { csvLine } from './csv.ts';
import { download } from './download.ts';
import { useExport } from './use-export.ts';

export function ExportButton({ path, name }: { path: string; name: string }) {
  const { filterValues, total } = useListContext();
  const translate = useTranslate();
  const { count, run } = useExport();

  function exportAll(): Promise<void> {
    let names: string[] = [];
    return run(
      anyStore().export(path, { filter: filterOf(filterValues) }),
      (record: Readonly<Record<string, unknown>>) => {
        if (names.length === 0) names = Object.keys(record);
        return csvLine(names.map((field) => record[field]));
      },
      // The mark tells spreadsheets that the text is UTF-8.
      (lines) => download(`${name}.csv`, ['\uFEFF', csvLine(names), ...lines], 'text/csv;charset=utf-8'),
    );
  }

  const label = count === undefined ? 'export.csv' : translate('export.progress', { count });
  return (
    <Button label={label} onClick={() => void exportAll()} disabled={total === 0 || count !== undefined}>
      <DownloadIcon />
    </Button>
  );
}
