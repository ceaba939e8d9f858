/** Files of products into the store, and all records of a collection out of it. */
import { Card, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Title, useTranslate } from 'react-admin';
import { ExportLines } from './export-lines.tsx';
import { ImportProducts } from './import-products.tsx';

export default function Transfer() {
  return (
    <>
      <Title title={useTranslate()('menu.transfer')} />
      <Stack spacing={2} sx={{ mt: 1 }}>
        <Part id="import" title="import.title" help="import.help">
          <ImportProducts />
        </Part>
        <Part id="export" title="export.title" help="export.help">
          <ExportLines />
        </Part>
      </Stack>
    </>
  );
}

interface PartProps {
  readonly id: string;
  /** Message keys. */
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}

function Part({ id, title, help, children }: PartProps) {
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
