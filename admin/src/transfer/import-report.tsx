/** The report of an import or a preview: totals, then each row. */
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import { Alert, Box, Button, Chip, FormControlLabel, Stack, Switch, Typography } from '@mui/material';
import { type ImportReport, reportText, totalsOf } from 'purveyor/import';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { type Column, ResponsiveTable } from '../components/responsive-table.tsx';
import { download } from '../utils/download.ts';

type Row = ImportReport['rows'][number];
type Failure = ImportReport['failures'][number];
type Translate = ReturnType<typeof useTranslate>;

const COLORS = { created: 'success', updated: 'info', unchanged: 'default', skipped: 'warning' } as const;

const outcomeKey = (outcome: Row['outcome'], dryRun: boolean): string =>
  dryRun ? `import.dryRunOutcome.${outcome}` : `import.outcome.${outcome}`;

/** Rows rendered initially, and added by each click on “Show more”. */
const ROWS_AT_ONCE = 100;

export function ImportReportView({ report, name }: { report: ImportReport; name: string }) {
  const { dryRun, stopped, notes, failures } = report;
  const translate = useTranslate();
  const hasFailedImages = !dryRun && failures.some(({ part }) => part === 'image');
  return (
    <Stack component="section" spacing={2} aria-labelledby="report">
      <Stack direction="row" spacing={2} useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center' }}>
        <Box role="status" sx={{ flex: '1 1 240px' }}>
          <Typography id="report" variant="h6" component="h3">
            {translate(dryRun ? 'import.dryRunTitle' : 'import.doneTitle')}
          </Typography>
        </Box>
        <Button
          startIcon={<DownloadIcon />}
          onClick={() => download(`${name.replace(/\.\w+$/, '')}-report.txt`, [reportText(report)], 'text/plain')}
        >
          {translate('import.downloadReport')}
        </Button>
      </Stack>
      {stopped && (
        <Alert severity="error">
          {stopped.reason} {translate('import.stoppedAt', { row: stopped.row })}
        </Alert>
      )}
      {dryRun && <Alert severity="info">{translate('import.dryRunHelp')}</Alert>}
      {hasFailedImages && <Alert severity="warning">{translate('import.retryImages')}</Alert>}
      <Totals report={report} />
      <Rows report={report} />
      {failures.length > 0 && <Failures failures={failures} />}
      {notes.length > 0 && (
        <Box>
          <Typography component="h3" sx={{ fontWeight: 600 }}>
            {translate('import.notes')}
          </Typography>
          {notes.map((note) => (
            <Typography key={note} variant="body2" sx={{ overflowWrap: 'anywhere', mt: 0.5 }}>
              {note}
            </Typography>
          ))}
        </Box>
      )}
    </Stack>
  );
}

function Totals({ report }: { report: ImportReport }) {
  const translate = useTranslate();
  const { products, variants, added, failed } = totalsOf(report);
  const outcomes = (of: typeof products) =>
    (['created', 'updated', 'unchanged', 'skipped'] as const)
      .filter((outcome) => of[outcome] > 0)
      .map((outcome) => `${of[outcome]} ${translate(outcomeKey(outcome, report.dryRun))}`);
  const counts = (parts: Readonly<Record<string, number>>) =>
    Object.entries(parts)
      .filter(([, count]) => count > 0)
      .map(([key, count]) =>
        translate(report.dryRun ? `import.dryRunTotals.${key}` : `import.totals.${key}`, { count }),
      );
  const { made } = report;
  const totals = {
    products: outcomes(products),
    variants: outcomes(variants),
    images: counts({ added: added.imagesAdded, existing: added.imagesKnown, failed: failed.image }),
    categories: counts({ created: made.categories, assigned: added.categoriesAdded, failed: failed.category }),
    options: counts({ created: made.options, set: added.optionsSet, failed: failed.option }),
  };
  return (
    <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'max-content 1fr', columnGap: 2 }}>
      {Object.entries(totals).map(([name, parts]) => (
        <TotalLine key={name} name={translate(`import.totals.${name}`)}>
          {parts.join(', ') || '–'}
        </TotalLine>
      ))}
    </Box>
  );
}

function TotalLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Typography component="dd" variant="body2" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Typography>
    </>
  );
}

function Rows({ report: { rows, dryRun } }: { report: ImportReport }) {
  const [isSkippedOnly, setSkippedOnly] = useState(false);
  const [count, setCount] = useState(ROWS_AT_ONCE);
  const translate = useTranslate();
  const shownRows = isSkippedOnly ? rows.filter(({ outcome }) => outcome === 'skipped') : rows;
  const columns: Column<Row>[] = [
    { label: translate('import.column.row'), cell: ({ row }) => row },
    {
      label: translate('import.column.outcome'),
      cell: ({ outcome }) => (
        <Chip size="small" variant="outlined" color={COLORS[outcome]} label={translate(outcomeKey(outcome, dryRun))} />
      ),
    },
    {
      label: translate('import.column.product'),
      cell: ({ sku, handle, isVariant }) =>
        `${sku || handle || '–'}${isVariant ? ` (${translate('import.variantOf')})` : ''}`,
    },
    { label: translate('import.column.details'), cell: (row) => row.reason ?? (partsOf(row, translate) || '–') },
  ];
  return (
    <Box>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
        <Typography component="h3" sx={{ fontWeight: 600 }}>
          {translate('import.rows')}
        </Typography>
        <FormControlLabel
          control={<Switch checked={isSkippedOnly} onChange={(_event, checked) => setSkippedOnly(checked)} />}
          label={translate('import.problemsOnly')}
        />
      </Stack>
      {shownRows.length === 0 ? (
        <Typography color="textSecondary">{translate('import.noProblems')}</Typography>
      ) : (
        <ResponsiveTable
          label={translate('import.rows')}
          columns={columns}
          rows={shownRows.slice(0, count)}
          keyOf={(_row, index) => index}
        />
      )}
      {shownRows.length > count && (
        <Button onClick={() => setCount(count + ROWS_AT_ONCE)} sx={{ mt: 1 }}>
          {translate('import.showMore', { count: Math.min(ROWS_AT_ONCE, shownRows.length - count) })}
        </Button>
      )}
    </Box>
  );
}

function partsOf({ imagesAdded, categoriesAdded, optionsSet }: Row, translate: Translate): string {
  return Object.entries({ images: imagesAdded, categories: categoriesAdded, options: optionsSet })
    .filter(([, count]) => count > 0)
    .map(([name, smart_count]) => translate(`import.count.${name}`, { smart_count }))
    .join(', ');
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  const translate = useTranslate();
  const columns: Column<Failure>[] = [
    { label: translate('import.column.row'), cell: ({ row }) => row },
    {
      label: translate('import.column.part'),
      cell: ({ part, name }) => `${translate(`import.part.${part}`)} ${name}`,
    },
    { label: translate('import.column.product'), cell: ({ sku, handle }) => sku || handle },
    { label: translate('import.column.reason'), cell: ({ reason }) => reason },
  ];
  return (
    <Box>
      <Typography component="h3" sx={{ fontWeight: 600 }}>
        {translate('import.failures')}
      </Typography>
      <ResponsiveTable
        label={translate('import.failures')}
        columns={columns}
        rows={failures.slice(0, ROWS_AT_ONCE)}
        keyOf={(_failure, index) => index}
      />
      {failures.length > ROWS_AT_ONCE && (
        <Typography variant="body2" color="textSecondary">
          {translate('import.moreInReport', { count: failures.length - ROWS_AT_ONCE })}
        </Typography>
      )}
    </Box>
  );
}
