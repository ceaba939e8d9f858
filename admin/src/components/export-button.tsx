/** Downloads all records that match the list's filters as CSV. The store exports them as of one point in time. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import type { PathOf } from 'purveyor/client';
import { Button, useListContext, useTranslate } from 'react-admin';
import { filterOf } from '../api/data-provider.ts';
import { fieldOf } from '../api/record-diff.ts';
import { exportRecords } from '../api/runtime-requests.ts';
import { csvLine } from '../utils/csv.ts';
import { download } from '../utils/download.ts';
import { useExport } from '../utils/use-export.ts';

export function ExportButton({ path, name }: { path: PathOf<'list'>; name: string }) {
  const { filterValues, total } = useListContext();
  const translate = useTranslate();
  const { count, run } = useExport();

  function exportAll(): Promise<void> {
    let names: string[] = [];
    return run(
      exportRecords(path, filterOf(filterValues)),
      (record) => {
        if (names.length === 0) names = Object.keys(record);
        return csvLine(names.map((field) => fieldOf(record, field)));
      },
      // Spreadsheets need the byte order mark to recognize UTF-8.
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
