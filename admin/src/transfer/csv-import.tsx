/** Imports a spreadsheet of products: the preview runs at once, and shows what an import would change. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import { Alert, Box, Button, Chip, Stack, Typography } from '@mui/material';
import {
  type CsvImportReport,
  csvReportText,
  csvTotals,
  importCsv,
  type ProductsCsv,
  readProductsCsv,
} from 'purveyor/import';
import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { origin } from '../api/client.ts';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { download } from '../utils/download.ts';
import { useErrorMessage } from '../utils/error-messages.ts';
import { useMayWrite } from '../utils/use-may.tsx';
import { CsvColumns } from './csv-columns.tsx';
import { CsvEffectsText } from './csv-effects.tsx';
import { CsvRowDetails } from './csv-row-details.tsx';
import { ImportProgressBar } from './import-progress.tsx';
import type { ProductImportTask } from './use-product-import.ts';

type Row = CsvImportReport['rows'][number];
type Outcome = Row['outcome'];

interface Props {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly csv: ProductsCsv;
  readonly task: ProductImportTask;
}

const ALL: readonly string[] = [];

export function CsvImport({ name, bytes, csv, task }: Props) {
  const [without, setWithout] = useState(ALL);
  const translate = useTranslate();
  const mayWrite = useMayWrite();
  const { report, problem, preview, write } = useCsvImport(bytes, task);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first preview runs once for each file
  useEffect(() => preview(ALL), []);

  const changes = report ? changedRows(report) : 0;
  return (
    <>
      <Typography role="status">{translate('csv.fileSummary', { name, smart_count: csv.rows.length })}</Typography>
      {csv.optionalColumns.length > 0 && (
        <CsvColumns
          columns={csv.optionalColumns}
          without={without}
          isDisabled={task.isBusy && !task.isDryRun}
          onWithout={(columns) => {
            setWithout(columns);
            preview(columns);
          }}
        />
      )}
      {task.isBusy && <ImportProgressBar task={task} />}
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      {report && <CsvReport report={report} name={name} />}
      <Stack direction="row" spacing={1}>
        {mayWrite && report?.dryRun && (
          <Button variant="contained" disabled={task.isBusy || changes === 0} onClick={() => write(without)}>
            {translate('csv.import', { smart_count: changes })}
          </Button>
        )}
        {task.isBusy && <Button onClick={task.stop}>{translate('import.stop')}</Button>}
      </Stack>
    </>
  );
}

/** Runs previews and imports of a file. A preview of other columns replaces the one that runs. */
function useCsvImport(bytes: Uint8Array, task: ProductImportTask) {
  const [report, setReport] = useState<CsvImportReport>();
  const [problem, setProblem] = useState<string>();
  /** The columns that the latest preview leaves out. */
  const wanted = useRef<readonly string[]>(undefined);
  const isRunning = useRef(false);
  const errorMessage = useErrorMessage();

  async function run(dryRun: boolean, without: readonly string[]): Promise<void> {
    setReport(undefined);
    setProblem(undefined);
    try {
      const csv = readProductsCsv(bytes, without);
      if (!csv.readable) throw new Error(csv.reason);
      const send: Parameters<typeof task.run<CsvImportReport>>[1] = (client, onProgress) =>
        importCsv(client, origin, csv, {
          dryRun,
          onProgress: ({ rowsDone, rowsTotal }) => onProgress({ done: rowsDone, total: rowsTotal }),
        });
      const result = await task.run(dryRun, send);
      if (wanted.current === without) setReport(result);
    } catch (error) {
      if (wanted.current === without) setProblem(errorMessage(error));
    }
  }

  async function runLatestPreview(): Promise<void> {
    if (isRunning.current) return task.stop();
    isRunning.current = true;
    for (let done: readonly string[] | undefined; done !== wanted.current; ) {
      done = wanted.current!;
      await run(true, done);
    }
    isRunning.current = false;
  }

  return {
    ...{ report, problem },
    preview(without: readonly string[]): void {
      wanted.current = without;
      void runLatestPreview();
    },
    write: (without: readonly string[]): void => void run(false, without),
  };
}

const changedRows = ({ rows }: CsvImportReport): number =>
  rows.filter(({ outcome }) => outcome === 'created' || outcome === 'updated').length;

const OUTCOMES = ['created', 'updated', 'unchanged', 'failed'] as const;
const COLORS = { created: 'success', updated: 'info', unchanged: 'default', failed: 'error' } as const;

/** Rows that are shown, those that fail first; the report as a file has all. */
const ROWS_MAX = 50;

function CsvReport({ report, name }: { report: CsvImportReport; name: string }) {
  const translate = useTranslate();
  const { dryRun, rows, unknownColumns, notes, stopped } = report;
  const totals = csvTotals(report);
  const outcomeText = (outcome: Outcome): string =>
    translate(dryRun ? `csv.dryRunOutcome.${outcome}` : `csv.outcome.${outcome}`);
  const failed = rows.filter(({ outcome }) => outcome === 'failed');
  const shown = [...failed, ...rows.filter(({ outcome }) => outcome === 'created' || outcome === 'updated')];
  const columns: Column<Row>[] = [
    { label: translate('import.column.row'), cell: ({ row }) => row },
    {
      label: translate('import.column.outcome'),
      cell: ({ outcome }) => (
        <Chip size="small" variant="outlined" color={COLORS[outcome]} label={outcomeText(outcome)} />
      ),
    },
    {
      label: translate('import.column.product'),
      cell: ({ sku, isVariant }) => (
        // Without a width, the details would leave space for single letters only.
        <Box component="span" sx={{ display: 'inline-block', minWidth: '14ch' }}>
          {sku || '–'}
          {isVariant && ` (${translate('import.variantOf')})`}
        </Box>
      ),
    },
    { label: translate('import.column.details'), cell: (row) => <CsvRowDetails row={row} /> },
  ];
  return (
    <Stack component="section" spacing={1} aria-labelledby="report">
      <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography id="report" variant="h6" component="h3" role="status" sx={{ flex: '1 1 200px' }}>
          {translate(dryRun ? 'import.dryRunTitle' : 'import.doneTitle')}
        </Typography>
        <Button
          startIcon={<DownloadIcon />}
          onClick={() => download(`${name.replace(/\.\w+$/, '')}-report.txt`, [csvReportText(report)], 'text/plain')}
        >
          {translate('import.downloadReport')}
        </Button>
      </Stack>
      {stopped && (
        <Alert severity="error">
          {stopped.reason} {translate('import.stoppedAt', { row: stopped.row })}
        </Alert>
      )}
      {(['products', 'variants'] as const).map((kind) => {
        const counts = OUTCOMES.filter((outcome) => totals[kind][outcome] > 0);
        return counts.length === 0 ? null : (
          <Typography key={kind}>
            {translate(`import.totals.${kind}`)}:{' '}
            {counts.map((outcome) => `${totals[kind][outcome]} ${outcomeText(outcome)}`).join(', ')}
          </Typography>
        );
      })}
      {dryRun && <CsvEffectsText report={report} />}
      {failed.length > 0 && (
        <Alert severity="error">{translate('csv.failedHelp', { smart_count: failed.length })}</Alert>
      )}
      {unknownColumns.length > 0 && (
        <Alert severity="warning">{translate('csv.unknownColumns', { names: unknownColumns.join(', ') })}</Alert>
      )}
      {notes.map((note) => (
        <Typography key={note} variant="body2">
          {note}
        </Typography>
      ))}
      {shown.length > 0 && (
        <Box>
          <ResponsiveTable
            label={translate('import.rows')}
            columns={columns}
            rows={shown.slice(0, ROWS_MAX)}
            keyOf={({ row }) => row}
          />
          {shown.length > ROWS_MAX && (
            <Typography variant="body2" color="textSecondary">
              {translate('csv.moreRows', { smart_count: shown.length - ROWS_MAX })}
            </Typography>
          )}
        </Box>
      )}
    </Stack>
  );
}
