/** Downloads records as CSV. The store exports them as of one point in time. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import type { PathOf } from 'purveyor/client';
import { Button, useListContext, useTranslate } from 'react-admin';
import { filterOf } from '../api/data-provider.ts';
import { fieldOf, type Values } from '../api/record-diff.ts';
import { exportRecords } from '../api/runtime-requests.ts';
import { csvLine } from '../utils/csv.ts';
import { download } from '../utils/download.ts';
import { useExport } from '../utils/use-export.ts';

export function useCsvExport(path: PathOf<'list'>, name: string) {
  const { count, run } = useExport();
  return {
    count,
    isBusy: count !== undefined,
    exportAll(filter: Values): Promise<void> {
      let names: string[] = [];
      return run(
        exportRecords(path, filter),
        (record) => {
          if (names.length === 0) names = Object.keys(record);
          return csvLine(names.map((field) => fieldOf(record, field)));
        },
        // Spreadsheets need the byte order mark to recognize UTF-8.
        (lines) => download(`${name}.csv`, ['\uFEFF', csvLine(names), ...lines], 'text/csv;charset=utf-8'),
      );
    },
  };
}

/** Downloads all records that match the list's filters. */
export function ExportButton({ path, name }: { path: PathOf<'list'>; name: string }) {
  const { filterValues, total } = useListContext();
  const translate = useTranslate();
  const { count, isBusy, exportAll } = useCsvExport(path, name);
  const label = count === undefined ? 'export.csv' : translate('export.progress', { count });
  return (
    <Button label={label} onClick={() => void exportAll(filterOf(filterValues))} disabled={total === 0 || isBusy}>
      <DownloadIcon />
    </Button>
  );
}
