/** Imports product files and exports collections. */
import { Card, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Title, useTranslate } from 'react-admin';
import { ExportCsvButton } from '../products/export-csv-button.tsx';
import { JsonLinesExport } from './json-lines-export.tsx';
import { ProductImport } from './product-import.tsx';

export default function Transfer() {
  return (
    <>
      <Title title={useTranslate()('menu.transfer')} />
      <Stack spacing={2} sx={{ mt: 1 }}>
        <TransferSection id="import" title="import.title" help="import.help">
          <ProductImport />
        </TransferSection>
        <TransferSection id="spreadsheet" title="csv.title" help="csv.help">
          <ExportCsvButton label="csv.export" variant="outlined" />
        </TransferSection>
        <TransferSection id="export" title="export.title" help="export.help">
          <JsonLinesExport />
        </TransferSection>
      </Stack>
    </>
  );
}

interface TransferSectionProps {
  readonly id: string;
  /** Message keys. */
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}

function TransferSection({ id, title, help, children }: TransferSectionProps) {
  const translate = useTranslate();
  return (
    <Card variant="outlined" component="section" aria-labelledby={id} sx={{ p: { xs: 1.5, sm: 3 } }}>
      <Typography id={id} variant="h6" component="h2">
        {translate(title)}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 2, maxWidth: '80ch' }}>
        {translate(help)}
      </Typography>
      {children}
    </Card>
  );
}
